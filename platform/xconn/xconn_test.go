//go:build !windows && !darwin

package xconn_test

import (
	"sync"
	"testing"

	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xproto"

	"yui/platform/desktoptest"
	"yui/platform/xconn"
)

// Connections opened while another one reads events of an extension: run with the race detector, this fails at once
// where an extension's own Init is used instead.
func TestDialBesideAReader(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{WM: "none"})
	reader, err := xconn.Dial(d.Display)
	if err != nil {
		t.Fatal(err)
	}
	root := xproto.Setup(reader).DefaultScreen(reader).Root
	id, err := xproto.NewWindowId(reader)
	if err != nil {
		t.Fatal(err)
	}
	xproto.CreateWindow(reader, 0, id, root, 0, 0, 10, 10, 0, xproto.WindowClassInputOutput, 0, 0, nil)
	shape.SelectInput(reader, id, true)
	got := make(chan shape.NotifyEvent)
	go func() {
		defer close(got)
		for {
			event, xerr := reader.WaitForEvent()
			if event == nil && xerr == nil {
				return
			}
			if e, ok := event.(shape.NotifyEvent); ok {
				got <- e
			}
		}
	}()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			conn, err := xconn.Dial(d.Display)
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			for _, name := range []string{xconn.RandR, xconn.Shape, xconn.ScreenSaver, xconn.XFixes, xconn.XTest, xconn.Composite} {
				if !xconn.Has(conn, name) {
					t.Errorf("no %s", name)
				}
			}
			if _, err := randr.GetMonitors(conn, root, true).Reply(); err != nil {
				t.Error(err)
			}
		})
	}
	for range 20 {
		shape.Rectangles(reader, shape.SoSet, shape.SkBounding, xproto.ClipOrderingUnsorted, id, 0, 0,
			[]xproto.Rectangle{{X: 0, Y: 0, Width: 5, Height: 5}})
		if e := <-got; e.AffectedWindow != id {
			t.Errorf("event of %d", e.AffectedWindow)
		}
	}
	group.Wait()
	reader.Close()
	for range got {
	}
}

func TestDialErrors(t *testing.T) {
	for _, display := range []string{":987", "nonsense", ":x"} {
		if conn, err := xconn.Dial(display); err == nil {
			conn.Close()
			t.Errorf("connected to %q", display)
		}
	}
}
