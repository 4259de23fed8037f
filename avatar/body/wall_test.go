package body

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yui/avatar/clips"
)

func TestClimbCandidates(t *testing.T) { // 2.8; H is 300, the floor 1040, her feet at 960
	for _, c := range []struct {
		name    string
		windows []Window
		x       float64 // of the chosen edge, 0 for none
	}{
		{"stands on the floor", []Window{win(1, "A", 1100, 640, 400, 400)}, 1100},
		{"the nearer edge", []Window{win(1, "A", 1100, 640, 400, 400), win(2, "B", 400, 640, 500, 400)}, 900},
		{"600 px off", []Window{win(1, "A", 1560, 640, 260, 400)}, 1560},
		{"farther", []Window{win(1, "A", 1561, 640, 260, 400)}, 0},
		{"bottom H above the floor", []Window{win(1, "A", 1100, 440, 400, 300)}, 1100},
		{"bottom higher", []Window{win(1, "A", 1100, 439, 400, 300)}, 0},
		{"half of H high", []Window{win(1, "A", 1100, 890, 400, 150)}, 1100},
		{"lower", []Window{win(1, "A", 1100, 891, 400, 149)}, 0},
		{"mostly below the floor", []Window{win(1, "A", 1100, 900, 400, 400)}, 0},
		{"no room to stand on top", []Window{win(1, "A", 1100, 299, 400, 700)}, 0},
		{"just room", []Window{win(1, "A", 1100, 300, 400, 700)}, 1100},
		{"as wide as the screen", []Window{win(1, "A", 0, 640, 1920, 400)}, 0},
		{"a window in front of the column", []Window{win(2, "B", 1040, 700, 30, 50), win(1, "A", 1100, 640, 400, 400)}, 1500},
		{"in front, but beside the column", []Window{win(2, "B", 990, 700, 30, 50), win(1, "A", 1100, 640, 400, 400)}, 1100},
		{"behind the column", []Window{win(1, "A", 1100, 640, 400, 400), win(2, "B", 1040, 700, 30, 50)}, 1100},
		{"the corner is covered", []Window{win(2, "B", 1110, 600, 100, 100), win(1, "A", 1100, 640, 400, 400)}, 1500},
	} {
		r := newRig(t, climber, c.windows...)
		w, ok := r.climbing.plan(r.ground())
		if ok != (c.x != 0) || ok && w.x != c.x {
			t.Errorf("%s: %v %+v", c.name, ok, w)
		}
	}
}

func TestClimbNeedsRoomBeside(t *testing.T) { // half of her width beside where she hangs: 98 px
	for x, want := range map[float64]float64{99: 99, 97: 797} {
		r := newRig(t, climber, win(1, "A", x, 640, 700, 400))
		r.Place(Point{300, 900}, r.now)
		if w, ok := r.climbing.plan(r.ground()); !ok || w.x != want {
			t.Errorf("at %v: %v %+v", x, ok, w)
		}
	}
}

func TestClimbTooHigh(t *testing.T) { // at most 4 H
	for high, want := range map[float64]bool{1200: true, 1201: false} {
		r := newRig(t, climber)
		r.show(Desktop{Monitors: []Monitor{screen(0, 0, 1920, 1600)}, Windows: []Window{win(1, "A", 1100, 1560-high, 400, high)}})
		r.Place(Point{960, 900}, r.now)
		if _, ok := r.climbing.plan(r.ground()); ok != want {
			t.Errorf("%v px: %v", high, ok)
		}
	}
}

// TestHandOversFitTheClips follows her hips over the screen, by the clips of the motion study: where one clip gives way
// to the next they must not leap, and the root must go with them, since her window is about the root.
func TestHandOversFitTheClips(t *testing.T) {
	dir := os.Getenv("YUI_TEST_FILES")
	if dir == "" {
		t.Skip("YUI_TEST_FILES is not set")
	}
	data, err := os.ReadFile(filepath.Join(dir, "look", "motion", "motions.json"))
	if err != nil {
		t.Skip(err)
	}
	var study struct {
		Motions []struct {
			Name       clips.ID
			Duration   float64
			Loop       string
			HipsOffset struct{ Keys [][4]float64 }
		}
	}
	if err := json.Unmarshal(data, &study); err != nil {
		t.Fatal(err)
	}
	// hips is how far the clip has the hips up and in front at t.
	hips := func(clip clips.ID, t float64) (up, front float64) {
		for _, m := range study.Motions {
			if m.Name != clip {
				continue
			}
			if m.Loop == "loop" {
				t = math.Mod(t, m.Duration)
			}
			keys := m.HipsOffset.Keys
			for i := 1; i < len(keys); i++ {
				if a, b := keys[i-1], keys[i]; t <= b[0] || i == len(keys)-1 {
					u := clamp((t-a[0])/(b[0]-a[0]), 0, 1)
					return a[2] + (b[2]-a[2])*u, a[3] + (b[3]-a[3])*u
				}
			}
		}
		return 0, 0
	}
	for _, backward := range []bool{false, true} {
		r := newRig(t, climber, win(7, "XTerm", 1010, 840, 800, 200))
		r.clips.Backward = backward
		r.untilPosture(Climbing, 4*time.Minute)
		var last Point
		lastClip, serial, began, changes := clips.ID(""), r.frame.Serial, r.now, 0
		for end := r.now.Add(12 * time.Minute); r.now.Before(end); r.step(time.Second / 60) {
			f := r.frame
			if f.Serial != serial {
				serial, began = f.Serial, r.now
			}
			at := r.now.Sub(began).Seconds()
			if f.Back {
				at = r.clips.Climb.UpDone - at
			}
			up, front := hips(f.Clip, at)
			p := Point{f.Root.X + f.Origin.X + math.Sin(f.Yaw)*front*255, f.Root.Y + f.Origin.Y - up*255}
			climbs := strings.HasPrefix(string(f.Clip), "climb")
			if climbs && strings.HasPrefix(string(lastClip), "climb") && f.Clip != lastClip {
				changes++
				if d := math.Hypot(p.X-last.X, p.Y-last.Y); d > 0.035*255 {
					t.Errorf("%s to %s: the hips leap by %.1f px", lastClip, f.Clip, d)
				}
			}
			if d := math.Hypot(p.X-f.Root.X, p.Y-f.Root.Y); climbs && d > 0.16*255 {
				t.Errorf("%s at %.2f s: the hips are %.0f px off the root", f.Clip, at, d)
			}
			last, lastClip = p, f.Clip
		}
		if least := map[bool]int{false: 4, true: 6}[backward]; changes < least {
			t.Errorf("only %d changes of clips", changes)
		}
	}
}
