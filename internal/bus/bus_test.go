package bus

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// A bus that takes the connection and says nothing is left when the time is up, with nothing of ours still waiting for it.
func TestHangingBus(t *testing.T) {
	before := goleak.IgnoreCurrent()
	socket := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+socket)
	left := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		conn, err := l.Accept()
		if err == nil {
			_, _ = conn.Read(make([]byte, 1)) // it has begun
			cancel()
			_, err = io.Copy(io.Discard, conn)
			conn.Close()
		}
		left <- err
	}()
	if conn, err := Session(ctx); !errors.Is(err, errSilent) {
		t.Errorf("%v, %v", conn, err)
	}
	select {
	case err := <-left:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the connection is still open")
	}
	goleak.VerifyNone(t, before)
}

func TestNoBus(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	if _, err := Session(t.Context()); err == nil || errors.Is(err, errSilent) {
		t.Errorf("where no bus is: %v", err)
	}
}
