//go:build !windows && !darwin

package platform

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"yui/platform/desktoptest"
)

// notifications is a service that keeps what it is asked to show; a nil channel answers nothing at all.
type notifications struct {
	can   []string
	shown chan string
}

func (n notifications) serve(t *testing.T, address string) {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	ended := t.Context().Done()
	methods := map[string]any{
		"GetCapabilities": func() ([]string, *dbus.Error) {
			if n.shown == nil {
				<-ended
			}
			return n.can, nil
		},
		"Notify": func(app string, _ uint32, _, title, text string, _ []string, hints map[string]dbus.Variant, expires int32) (uint32, *dbus.Error) {
			urgency, _ := hints["urgency"].Value().(byte)
			if expires != 0 || urgency != 2 {
				return 0, dbus.NewError("test.Passes", nil) // the person may be away
			}
			n.shown <- app + "|" + title + "|" + text
			return 7, nil
		},
	}
	if err := conn.ExportMethodTable(methods, notifyPath, notifyName); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName(notifyName, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
}

func TestNotify(t *testing.T) {
	const hostile = "a <b>bold</b> & \"file\"\n<img src='http://x'/>"
	for _, c := range []struct {
		name, text, want string
		can              []string
	}{
		{"a service that reads markup is given none", hostile, "a &lt;b&gt;bold&lt;/b&gt; &amp; &#34;file&#34;\n&lt;img src=&#39;http://x&#39;/&gt;", []string{"body", "body-markup"}},
		{"one that reads none is given the text", hostile, hostile, []string{"body"}},
		{"a long text is cut", strings.Repeat("長", 5000), strings.Repeat("長", notifyText) + "…", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := desktoptest.Start(t, desktoptest.Options{WM: "none"})
			d.Setenv(t)
			n := notifications{can: c.can, shown: make(chan string, 1)}
			n.serve(t, d.BusAddr)
			if err := CanNotify(t.Context()); err != nil {
				t.Error(err)
			}
			if err := Notify(t.Context(), "title", c.text); err != nil {
				t.Fatal(err)
			}
			if got := <-n.shown; got != "YUI|title|"+c.want {
				t.Errorf("shown: %.200q", got)
			}
		})
	}
}

// A service that hangs keeps nobody waiting forever.
func TestNotifyEndsWithItsContext(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{WM: "none"})
	d.Setenv(t)
	notifications{}.serve(t, d.BusAddr)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := Notify(ctx, "title", "text"); err == nil {
		t.Error("a service that hangs has shown it")
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
	if Notify(t.Context(), "title", "text") == nil || CanNotify(t.Context()) == nil {
		t.Error("shown without a bus")
	}
}

// A real notification service shows it, and keeps it.
func TestNotifyByDunst(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	d.Setenv(t)
	d.StartNotifications(t)
	if err := Notify(t.Context(), "YUI cannot start", "open <display>: & no"); err != nil {
		t.Fatal(err)
	}
	desktoptest.WaitFor(t, 10*time.Second, "dunst to show it", func() bool { return d.Notifications() == 1 })
}
