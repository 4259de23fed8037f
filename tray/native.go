//go:build windows || darwin

package tray

import (
	"context"
	"runtime"

	"fyne.io/systray"
)

// own runs the library's message loop on a thread of its own. Windows shows the icon again by itself when its taskbar
// restarts.
func (t *Tray) own(ctx context.Context) {
	runtime.LockOSThread()
	defer close(t.done)
	stop := context.AfterFunc(ctx, systray.Quit)
	defer stop()
	systray.Run(func() {
		systray.SetIcon(t.icon)
		systray.SetTooltip(tooltip)
		t.rows = t.newRows(ctx)
		t.rows.apply(t.menu())
		t.setState(true, "")
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.poked:
				t.rows.apply(t.menu())
			}
		}
	}, func() { t.setState(false, "closed") })
}
