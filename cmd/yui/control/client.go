package control

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"time"
)

// stopWait bounds what a command that Ctrl-C has ended may still tell.
const stopWait = 3 * time.Second

// Ask sends a request to the instance that listens on socket and copies what it answers, until the command ends; it sets
// no deadline of its own. Where the end of ctx stopped the command the error is Exit(130), where the command failed and
// has told why it is another Exit, and ErrNotRunning where no instance listens.
func Ask(ctx context.Context, socket string, req Request, stdout, stderr io.Writer) error {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return ErrNotRunning
	}
	defer conn.Close()
	// Ctrl-C ends what was asked for, not the answer: the other side still tells what came of it.
	stop := context.AfterFunc(ctx, func() {
		if half, ok := conn.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite() // nothing helps where it fails, but the deadline
		}
		_ = conn.SetReadDeadline(time.Now().Add(stopWait))
	})
	defer stop()
	if err := json.NewEncoder(conn).Encode(req); err != nil {
		return fmt.Errorf("send request: %w", err)
	}
	dec := json.NewDecoder(conn)
	for {
		var a answer
		if err := dec.Decode(&a); err != nil {
			if ctx.Err() != nil {
				return Exit(exitStopped)
			}
			return fmt.Errorf("read answer: YUI ended in the middle: %w", err)
		}
		switch {
		case a.Out != nil:
			fmt.Fprintln(stdout, *a.Out)
		case a.Err != nil:
			fmt.Fprintln(stderr, *a.Err)
		case a.Exit != nil && ctx.Err() != nil:
			return Exit(exitStopped)
		case a.Exit != nil && *a.Exit != exitOK:
			return Exit(*a.Exit)
		case a.Exit != nil:
			return nil
		}
	}
}
