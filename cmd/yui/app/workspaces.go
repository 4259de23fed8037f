package app

import (
	"slices"
	"time"

	"yui/platform"
)

// switchTime is how long a window manager may take to hide and show windows when the workspace changes.
const switchTime = 300 * time.Millisecond

// workspaces follows the present workspace, for pets that keep to theirs. Main thread only.
type workspaces struct {
	known bool
	now   int
	since time.Time
}

// see notes the present workspace. Where it has changed, settled runs when the change is over, on a goroutine of its own.
func (w *workspaces) see(workspace int, now time.Time, settled func()) {
	if w.known && w.now != workspace {
		w.since = now
		time.AfterFunc(switchTime, settled)
	}
	w.known, w.now = true, workspace
}

// changing tells that the window manager may still be at it.
func (w *workspaces) changing(now time.Time) bool { return now.Sub(w.since) < switchTime }

// away tells that a workspace is not shown. Where each monitor has one of its own the windows tell, not the number.
func away(home int, s *platform.Snapshot) bool {
	return home != s.Workspace && !slices.ContainsFunc(s.Windows, func(w platform.Window) bool { return w.Workspace == home })
}
