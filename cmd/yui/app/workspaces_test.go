package app

import (
	"testing"
	"time"

	"yui/platform"
)

func TestAwayFromHerWorkspace(t *testing.T) {
	on := func(list ...int) (w []platform.Window) {
		for _, n := range list {
			w = append(w, platform.Window{Workspace: n})
		}
		return w
	}
	for name, c := range map[string]struct {
		home int
		snap platform.Snapshot
		want bool
	}{
		"her own":                         {1, platform.Snapshot{Workspace: 1}, false},
		"another":                         {1, platform.Snapshot{Workspace: 0, Windows: on(0, -1)}, true},
		"the focus on another monitor's":  {1, platform.Snapshot{Workspace: 0, Windows: on(0, 1)}, false},
		"another, with sticky ones alone": {1, platform.Snapshot{Workspace: 2, Windows: on(-1)}, true},
	} {
		if got := away(c.home, &c.snap); got != c.want {
			t.Errorf("%s: away %v", name, got)
		}
	}
}

func TestWorkspaceSettles(t *testing.T) {
	var w workspaces
	now := time.Now()
	settled := make(chan struct{}, 1)
	tell := func() { settled <- struct{}{} }
	if w.see(3, now, tell); w.changing(now) {
		t.Error("the first workspace counts as a change")
	}
	w.see(4, now, tell)
	if !w.changing(now.Add(switchTime/2)) || w.changing(now.Add(switchTime)) {
		t.Error("a change lasts as long as the window manager may take")
	}
	<-settled
}
