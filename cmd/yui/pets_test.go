//go:build !windows && !darwin

package main_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// TestPets opens several characters at once.
func TestPets(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	y := launch(t, desk)
	desk.MovePointer(5, 5)
	var others []string
	for _, row := range strict[[]presetRow](t, y.must("presets")) {
		if !row.Open {
			others = append(others, row.ID)
		}
	}
	if len(others) == 0 {
		t.Skip("there is one preset only")
	}
	for _, id := range others {
		y.must("open", id)
	}
	s := y.waitState(settleWait, "all on the floor", func(s state) bool {
		return len(s.Presets) == 1+len(others) && !slices.ContainsFunc(s.Presets, func(p pet) bool {
			return p.Posture.State != "standing" || !near(p.Feet.Y, s.Desktop.Monitors[0].WorkArea.bottom(), 2) || p.Frames == 0
		})
	})
	for i, p := range s.Presets {
		if p.Main != (i == 0) || (i == 0) != (p.ID == "yui") {
			t.Errorf("main pet: %s %v", p.ID, p.Main)
		}
		for _, q := range s.Presets[:i] {
			if near(p.Feet.X, q.Feet.X, 60) {
				t.Errorf("%s and %s stand in the same place: %v, %v", p.ID, q.ID, p.Feet, q.Feet)
			}
		}
	}
	time.Sleep(500 * time.Millisecond)
	desk.Picture(t, "pets")
	// Their windows are no place to sit for each other, with or without a bubble beside them.
	y.must("say", "-p", others[0], "hello")
	for _, p := range s.Presets {
		for _, app := range []string{p.Name, p.ID} {
			if got := y.act(`{"action":"sit_on_window","app":"` + app + `"}`); got != "not_found" {
				t.Errorf("sit on %s: %q", app, got)
			}
		}
	}
	if got := y.must("call", "look", `{"at":"perch_targets"}`); !strings.Contains(got, `"windows":[]`) {
		t.Errorf("perch targets among pets alone: %s", got)
	}
	// One that is set down where another stands does not stay inside her.
	s = y.state()
	x, at := y.hold(1)
	y.carry(x, at, int(s.Presets[0].Feet.X), at, 12)
	desk.MovePointer(5, 5)
	from := s.Presets[1].Feet.X
	y.waitState(settleWait, "her to be set down", func(s state) bool { return !near(s.Presets[1].Feet.X, from, 100) })
	y.waitState(settleWait, "all apart", func(s state) bool {
		for i, p := range s.Presets {
			for _, q := range s.Presets[:i] {
				if near(p.Feet.X, q.Feet.X, 60) {
					return false
				}
			}
		}
		return len(s.Presets) == 1+len(others)
	})
	s = y.state()
	names := func(id string) (list []string) {
		for _, r := range strict[[]toolRow](t, y.must("tools", "-p", id)) {
			list = append(list, r.Function.Name)
		}
		return list
	}
	second := others[0]
	if list := names(second); slices.Contains(list, "body_action") || slices.Contains(list, "look") || !slices.Contains(list, "generate_express") {
		t.Errorf("a bound pet declares %v", list)
	}
	if r := y.run("call", "-p", second, "body_action", `{"action":"stand"}`); r.code != 1 || strings.TrimSpace(r.out+r.err) != "error: unknown tool" {
		t.Errorf("body_action in a bound pet: %+v", r)
	}
	if y.must("say", "-p", second, "hello") == "" {
		t.Errorf("%s says nothing", second)
	}
	time.Sleep(500 * time.Millisecond)
	desk.Picture(t, "pets-talk")

	y.must("close", "yui") // the next one takes her tools
	y.waitState(settleWait, "the next main pet", func(s state) bool { return s.Presets[0].ID == second && s.Presets[0].Main })
	if list := names(second); !slices.Contains(list, "body_action") || !slices.Contains(list, "look") {
		t.Errorf("the new main pet declares %v", list)
	}
	y.wantAct(`{"action":"move_to","spot":"bottom-left"}`, "ok")
	y.onFloor(0)

	y.quit() // who is open is remembered, with their order
	y.start()
	s = y.waitState(settleWait, "the same pets", func(s state) bool { return len(s.Presets) == len(others) })
	if s.Presets[0].ID != second || s.Presets[0].Feet.X > 400 {
		t.Errorf("after a restart: %+v", s.Presets[0])
	}
}
