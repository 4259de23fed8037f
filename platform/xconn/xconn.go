//go:build !windows && !darwin

// Package xconn opens connections to the X server for platform, overlay and the tests.
//
// xgb keeps the constructors of extension events and errors in package variables: every extension's Init writes these
// maps, while the reader goroutine of every open connection reads them without a lock. A second connection that calls
// shape.Init or randr.Init therefore races with the first one ("concurrent map read and map write" ends the process).
// Dial does what Init does, but writes the maps only when their content really changes: once in a process that talks
// to one server. So open every connection by Dial, and never call an extension's Init.
package xconn

import (
	"fmt"
	"io"
	"log"
	"sync"

	"github.com/jezek/xgb"
	_ "github.com/jezek/xgb/composite" // registers the constructors below
	"github.com/jezek/xgb/randr"
	_ "github.com/jezek/xgb/screensaver"
	_ "github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"
	_ "github.com/jezek/xgb/xtest"
)

// The extensions that Dial prepares, by their protocol names.
const (
	Composite   = "Composite"
	RandR       = "RANDR"
	ScreenSaver = "MIT-SCREEN-SAVER"
	Shape       = "SHAPE"
	XFixes      = "XFIXES"
	XTest       = "XTEST"
)

var extensions = [...]string{Composite, RandR, ScreenSaver, Shape, XFixes, XTest}

type bases struct{ event, err byte }

var (
	mu         sync.Mutex
	registered = map[string]bases{} // what xgb's maps hold now
	silence    sync.Once
)

// Dial connects to display ("" means $DISPLAY) and prepares the extensions named above, as far as the server has them.
// Has tells which. Safe from any goroutine. The caller closes the connection.
func Dial(display string) (*xgb.Conn, error) {
	// xgb's logger writes a line to stderr for each connection without an authority file, and for each lost server.
	silence.Do(func() { xgb.Logger = log.New(io.Discard, "", 0) })
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		return nil, fmt.Errorf("connect to X server: %w", err)
	}
	for _, name := range extensions {
		if err := prepare(conn, name); err != nil {
			conn.Close()
			return nil, fmt.Errorf("query X extension %s: %w", name, err)
		}
	}
	// Both refuse requests of a client that has not told its version.
	if Has(conn, XFixes) {
		if _, err := xfixes.QueryVersion(conn, 5, 0).Reply(); err != nil {
			conn.Close()
			return nil, fmt.Errorf("query XFIXES version: %w", err)
		}
	}
	if Has(conn, RandR) {
		if _, err := randr.QueryVersion(conn, 1, 5).Reply(); err != nil {
			conn.Close()
			return nil, fmt.Errorf("query RANDR version: %w", err)
		}
	}
	return conn, nil
}

// Has reports whether the server of conn has the extension.
func Has(conn *xgb.Conn, name string) bool {
	conn.ExtLock.RLock()
	defer conn.ExtLock.RUnlock()
	_, ok := conn.Extensions[name]
	return ok
}

func prepare(conn *xgb.Conn, name string) error {
	reply, err := xproto.QueryExtension(conn, uint16(len(name)), name).Reply()
	if err != nil {
		return err
	}
	if !reply.Present {
		return nil
	}
	conn.ExtLock.Lock()
	conn.Extensions[name] = reply.MajorOpcode
	conn.ExtLock.Unlock()

	mu.Lock()
	defer mu.Unlock()
	now := bases{reply.FirstEvent, reply.FirstError}
	if registered[name] == now {
		return nil
	}
	registered[name] = now
	for number, construct := range xgb.NewExtEventFuncs[name] {
		xgb.NewEventFuncs[int(now.event)+number] = construct
	}
	for number, construct := range xgb.NewExtErrorFuncs[name] {
		xgb.NewErrorFuncs[int(now.err)+number] = construct
	}
	return nil
}
