// Package bus connects to the desktop's session bus.
package bus

import (
	"context"
	"errors"

	"github.com/godbus/dbus/v5"
)

// errSilent is a bus that took the connection and said nothing more, or no connection at all in its time.
var errSilent = errors.New("it does not answer")

// Session returns a connection of the caller's own, which closes it. It never starts a bus, as dbus.SessionBus would. ctx
// bounds the connecting alone: a bus that hangs is left at its end, and holds nothing.
func Session(ctx context.Context) (*dbus.Conn, error) {
	life, end := context.WithCancel(context.WithoutCancel(ctx)) // closing the connection ends what watches it
	type result struct {
		conn *dbus.Conn
		err  error
	}
	answer := make(chan result, 1)
	go func() {
		conn, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(life))
		if err == nil {
			if err = conn.Auth(nil); err == nil {
				err = conn.Hello()
			}
		}
		answer <- result{conn, err}
	}()
	select {
	case r := <-answer:
		if r.err != nil {
			end() // closes the connection, if there is one
			return nil, r.err
		}
		context.AfterFunc(r.conn.Context(), end)
		return r.conn, nil
	case <-ctx.Done():
		end()
		return nil, errSilent
	}
}
