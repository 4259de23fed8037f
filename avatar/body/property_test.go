package body

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"yui/internal/fuzzmem"
	"yui/internal/protocol"
)

// even draws evenly from a range: rapid itself prefers small numbers, and screens are not small.
func even(t *rapid.T, label string, lo, hi float64) float64 {
	v := rapid.Uint64().Draw(t, label)
	for _, c := range label {
		v = v*1000003 + uint64(c)
	}
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return lo + float64((v^v>>31)>>11)/(1<<53)*(hi-lo)
}

var drawMonitors = rapid.Custom(func(t *rapid.T) []Monitor {
	n := int(even(t, "monitors", 1, 4))
	list := make([]Monitor, n)
	x, y := even(t, "x", -2000, 500), even(t, "y", -1000, 500)
	for i := range list {
		w, h := even(t, "w", 500, 2600), even(t, "h", 400, 1600)
		r := Rect{math.Round(x), math.Round(y), math.Round(w), math.Round(h)}
		top, bottom := rapid.SampledFrom([]float64{0, 0, 28}).Draw(t, "top"), rapid.SampledFrom([]float64{0, 40, 64}).Draw(t, "bottom")
		side := rapid.SampledFrom([]float64{0, 0, 70}).Draw(t, "side")
		list[i] = Monitor{Rect: r, Scale: rapid.SampledFrom([]float64{1, 1, 1.5, 2, 0}).Draw(t, "scale"),
			WorkArea: Rect{r.X + side, r.Y + top, r.W - side, r.H - top - bottom}}
		if rapid.Bool().Draw(t, "below") {
			y = r.Bottom()
		} else {
			x = r.Right()
			y += rapid.SampledFrom([]float64{0, 0, 120, -200}).Draw(t, "dy")
		}
	}
	return list
})

var drawWindow = rapid.Custom(func(t *rapid.T) Window {
	id := uint32(even(t, "id", 1, 7))
	return Window{ID: id, App: fmt.Sprint("app", id), Names: []string{fmt.Sprint("app", id)}, Title: "t", Rect: Rect{
		math.Round(even(t, "x", -2500, 3000)), rapid.SampledFrom([]float64{math.Round(even(t, "y", -800, 1800)), 500, 504, 640}).Draw(t, "level"),
		math.Round(even(t, "w", 0, 1800)), math.Round(even(t, "h", 0, 1200))}}
})

func drawWindows(t *rapid.T) []Window {
	list := make([]Window, int(even(t, "windows", 0, 8)))
	for i := range list {
		list[i] = drawWindow.Draw(t, "window")
	}
	seen, out := map[uint32]bool{}, list[:0]
	for _, w := range list {
		if !seen[w.ID] {
			seen[w.ID] = true
			out = append(out, w)
		}
	}
	return out
}

// storm is a body under random treatment, with what must always hold.
type storm struct {
	*rapid.T
	b    *Body
	desk Desktop
	now  time.Time
	done []int
	open int // moves that were told to start and not yet to end
}

func (s *storm) pass(d time.Duration) { s.now = s.now.Add(d); s.step() }

func (s *storm) step() {
	f := s.b.Step(s.now)
	for i, v := range []float64{f.Root.X, f.Root.Y, f.Yaw, f.Ease, f.Velocity.X, f.Velocity.Y, f.Bed, f.Start} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			s.Fatalf("number %d of %+v is not finite", i, f)
		}
	}
	if f.Ease < 0 || f.Ease > 1 || f.Bed < 0 || f.Bed > 1 || math.Abs(f.Yaw) > math.Pi/2+1e-9 {
		s.Fatalf("out of range: %+v", f)
	}
	if next, ok := s.b.Next(s.now); ok && next.Before(s.now) {
		s.Fatalf("Next %v lies %v in the past", next, s.now.Sub(next))
	}
	h := s.b.host
	if h.id != 0 {
		i := s.b.desk.window(h.id)
		if i < 0 {
			s.Fatalf("holds on to window %d, which is gone", h.id)
		}
		if top := s.b.desk.Windows[i].Rect.Y; s.b.cfg.Ride.On && !h.side && !h.wall && math.Abs(s.b.State(s.now).Root.Y-top) > 1 {
			s.Fatalf("root %v, edge %v in mode %d", s.b.root, top, s.b.mode)
		}
	}
	switch s.b.mode {
	case modeSitDown, modeSit, modePeek, modeStandUp, modeLeap, modeJumpLand:
		if h.id == 0 {
			s.Fatalf("mode %d without a host", s.b.mode)
		}
	case modeFall, modeDrag, modeBedLie, modeBedSleep, modeBedWake, modeFlight, modeClimbLand:
		if h.id != 0 {
			s.Fatalf("mode %d on a host", s.b.mode)
		}
	}
	hangs := s.b.climbing.hanging() && s.b.mode != modeClimbLand
	if h.wall != (hangs && s.b.climbing.climb.wall.id != 0) || hangs && h.id != s.b.climbing.climb.wall.id {
		s.Fatalf("mode %d holds on to %d, wall %v of %d", s.b.mode, h.id, h.wall, s.b.climbing.climb.wall.id)
	}
	if f.Flight != (s.b.mode == modeFlight) || f.Origin != (Point{}) && !s.b.climbing.hanging() || f.Back && f.Clip != "climb_up_done" {
		s.Fatalf("mode %d shows %+v", s.b.mode, f)
	}
	for _, e := range s.b.Events() {
		switch e.Name {
		case "avatar.walk_start", "avatar.climb_start", "avatar.jump_start":
			s.open++
		case "avatar.walk_end", "avatar.climb_end", "avatar.jump_end":
			s.open--
		}
	}
	jumps := s.b.mode == modeLeap || s.b.mode == modeFlight || s.b.mode == modeJumpLand
	if moves := s.b.mode == modeWalk || s.b.climbing.hanging() || jumps; (s.open == 1) != moves || s.open < 0 || s.open > 1 {
		s.Fatalf("%d starts were told without an end, mode %d", s.open, s.b.mode)
	}
}

// follow lets time pass as a loop would: it sleeps as Next says.
func (s *storm) follow(d time.Duration) {
	end, still := s.now.Add(d), 0
	for s.now.Before(end) {
		next, ok := s.b.Next(s.now)
		if !ok || next.After(end) {
			s.now = end
			break
		}
		if still++; next.After(s.now) {
			still = 0
		}
		if still > 4 {
			s.Fatalf("a busy loop in mode %d: Next is %v again and again", s.b.mode, next)
		}
		s.now = next
		s.step()
	}
	s.step()
}

func (s *storm) do(c Command) {
	n := len(s.done)
	s.done = append(s.done, 0)
	s.b.Do(c, s.now, func(r Result) {
		s.done[n]++
		switch r {
		case OK, NotFound, Blocked, Interrupted, Busy, Unsupported, Timeout:
		default:
			s.Fatalf("result %q", r)
		}
	})
}

func drawCommand(t *rapid.T) Command {
	c := Command{
		Action: rapid.SampledFrom([]string{protocol.SitOnWindow, protocol.SitOnWindow, protocol.Peek, protocol.MoveTo, protocol.Stand, protocol.GoToBed, "fly"}).Draw(t, "action"),
		App:    rapid.SampledFrom([]string{"app1", "app2", "app3", "app", "nobody", ""}).Draw(t, "app"),
		Side:   rapid.SampledFrom([]string{"left", "right", "up"}).Draw(t, "sideways"),
		Spot:   rapid.SampledFrom([]string{"center", "top-left", "top-right", "bottom-left", "bottom-right", "x"}).Draw(t, "spot"),
	}
	if rapid.Bool().Draw(t, "numbered") {
		n := int(even(t, "monitor", -1, 3.9))
		c.Monitor = &n
	}
	return c
}

func drawPoint(t *rapid.T) Point {
	return Point{even(t, "px", -3000, 4000), even(t, "py", -1500, 2500)}
}

func TestStorm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := DefaultConfig()
		cfg.Ride.On = rapid.Bool().Draw(t, "ride")
		cfg.Fall.On = int(even(t, "fall", 0, 4)) > 0
		cfg.ReducedMotion = int(even(t, "reduced", 0, 5)) == 0
		cfg.Stroll.StepOff = rapid.SampledFrom([]float64{0.1, 1}).Draw(t, "stepoff")
		cfg.Walk.Every = [2]time.Duration{time.Second, 4 * time.Second}
		cfg.Stroll.Dwell = [2]time.Duration{time.Second, 4 * time.Second}
		cfg.Climb.Every, cfg.Climb.Dwell = cfg.Walk.Every, cfg.Stroll.Dwell
		cfg.Climb.On = int(even(t, "climb", 0, 4)) > 0
		cfg.Jump.Chance = rapid.SampledFrom([]float64{0, 1}).Draw(t, "jump")
		cfg.Bed.WakeAfter = 10 * time.Second
		clips := DefaultClips()
		clips.Backward = rapid.Bool().Draw(t, "backward")
		s := &storm{T: t, now: epoch, b: New(cfg, girl(), clips, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))}
		s.desk = Desktop{Monitors: drawMonitors.Draw(t, "desk"), Windows: drawWindows(t)}
		tell := func() {
			s.b.SetDesktop(Desktop{append([]Window(nil), s.desk.Windows...), append([]Monitor(nil), s.desk.Monitors...)}, s.now)
		}
		tell()
		t.Repeat(map[string]func(*rapid.T){
			"do":       func(t *rapid.T) { s.do(drawCommand(t)); s.step() },
			"windows":  func(t *rapid.T) { s.desk.Windows = drawWindows(t); tell(); s.step() },
			"monitors": func(t *rapid.T) { s.desk.Monitors = drawMonitors.Draw(t, "desk"); tell(); s.step() },
			"dark":     func(t *rapid.T) { s.b.SetDesktop(Desktop{Windows: s.desk.Windows}, s.now); s.step(); tell() },
			"nudge": func(t *rapid.T) {
				if len(s.desk.Windows) == 0 {
					return
				}
				i := rapid.IntRange(0, len(s.desk.Windows)-1).Draw(t, "which")
				for range int(even(t, "times", 1, 12)) {
					r := &s.desk.Windows[i].Rect
					r.X += even(t, "dx", -90, 90)
					r.Y += even(t, "dy", -90, 90)
					if int(even(t, "size", 0, 4)) == 0 {
						r.W = max(0, r.W+even(t, "dw", -200, 200))
					}
					tell()
					s.pass(time.Duration(even(t, "ms", 0, 40)) * time.Millisecond)
				}
			},
			"raise": func(t *rapid.T) {
				if n := len(s.desk.Windows); n > 1 {
					s.desk.Windows[0], s.desk.Windows[n-1] = s.desk.Windows[n-1], s.desk.Windows[0]
					tell()
					s.step()
				}
			},
			"grab": func(t *rapid.T) { s.b.DragStart(drawPoint(t), s.now); s.step() },
			"move": func(t *rapid.T) { s.b.DragMove(drawPoint(t), s.now); s.step() },
			"drop": func(t *rapid.T) { s.b.DragEnd(s.now); s.step() },
			"live": func(t *rapid.T) { s.b.SetSeat(drawPoint(t)); s.b.SetScruff(drawPoint(t)) },
			"dropNear": func(t *rapid.T) {
				if len(s.desk.Windows) == 0 {
					return
				}
				r := rapid.SampledFrom(s.desk.Windows).Draw(t, "target").Rect
				s.b.DragStart(s.b.State(s.now).Root, s.now)
				s.pass(200 * time.Millisecond)
				f := s.b.Step(s.now)
				s.b.SetSeat(Point{f.Root.X, f.Root.Y - 30})
				s.b.SetScruff(Point{f.Root.X, f.Root.Y - 110})
				s.b.DragMove(Point{r.X + r.W*even(t, "at", 0, 1), r.Y - 60}, s.now)
				s.b.DragEnd(s.now)
				s.step()
			},
			"others": func(t *rapid.T) {
				o := s.b.Bounds()
				o.X += even(t, "apart", -150, 150)
				s.b.SetOthers([]Rect{o, s.b.Bounds()}, 1, s.now)
				s.step()
			},
			"click":   func(t *rapid.T) { s.b.Click(s.now); s.b.Message(s.now) },
			"cancel":  func(t *rapid.T) { s.b.Cancel() },
			"place":   func(t *rapid.T) { s.b.Place(drawPoint(t), s.now); s.step() },
			"back":    func(t *rapid.T) { s.b.Step(s.now.Add(-time.Hour)) },
			"wait":    func(t *rapid.T) { s.follow(time.Duration(even(t, "ms", 0, 20000)) * time.Millisecond) },
			"a frame": func(t *rapid.T) { s.pass(33 * time.Millisecond) },
			"gates": func(t *rapid.T) {
				s.b.SetGates(Gates{rapid.Bool().Draw(t, "m"), rapid.Bool().Draw(t, "p"), rapid.Bool().Draw(t, "h")}, s.now)
				s.step()
			},
			"config": func(t *rapid.T) {
				cfg.Fall.On, cfg.ReducedMotion = rapid.Bool().Draw(t, "fall"), rapid.Bool().Draw(t, "reduced")
				cfg.Climb.On, cfg.Walk.On = rapid.Bool().Draw(t, "climb"), rapid.Bool().Draw(t, "walk")
				s.b.SetConfig(cfg, s.now)
				s.step()
			},
		})
		s.b.DragEnd(s.now)
		s.b.SetGates(Gates{}, s.now)
		s.b.SetConfig(func() Config { c := cfg; c.Fall.On, c.Walk.On, c.Climb.On = true, false, false; return c }(), s.now)
		tell()
		s.follow(40 * time.Second)
		for i, n := range s.done {
			if n != 1 {
				t.Fatalf("command %d of %d was answered %d times", i, len(s.done), n)
			}
		}
		if s.b.desk.monitorAt(s.b.middle()) == nil {
			t.Fatalf("she is off every monitor at %v in mode %d, host %v", s.b.root, s.b.mode, s.b.host.rect)
		}
		if m := s.b.ground(); s.b.mode == modeStand && s.b.host.id == 0 && math.Abs(s.b.root.Y-m.floor()) > 1 {
			t.Fatalf("she stands at %v in mid-air; the floor is %v", s.b.root, m.floor())
		}
	})
}

// TestLife lets her live by herself for five minutes on a desktop that rests: nothing leaps, and she is always on a floor,
// on an edge, on a wall or in the air between.
func TestLife(t *testing.T) {
	seen := map[mode]int{}
	rapid.Check(t, func(t *rapid.T) {
		cfg := DefaultConfig()
		cfg.Stroll.StepOff, cfg.Jump.Chance = 0.2, 0.6
		cfg.Walk.Every, cfg.Stroll.Dwell = [2]time.Duration{time.Second, 9 * time.Second}, [2]time.Duration{time.Second, 5 * time.Second}
		cfg.Climb.Every, cfg.Climb.Dwell = [2]time.Duration{2 * time.Second, 9 * time.Second}, cfg.Stroll.Dwell
		clips := DefaultClips()
		clips.Backward = rapid.Bool().Draw(t, "backward")
		b := New(cfg, girl(), clips, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		windows := drawWindows(t)
		row, x := rapid.Bool().Draw(t, "row"), 100.0
		for i := range windows { // on the floor or not far above it, so that there is something to climb
			r := &windows[i].Rect
			r.W, r.H = math.Round(even(t, "width", 150, 900)), math.Round(even(t, "height", 150, 700))
			r.X = math.Round(even(t, "left", 0, 1700))
			if row { // side by side, so that there is somewhere to jump
				x += rapid.SampledFrom([]float64{0, 60, 150}).Draw(t, "gap")
				r.X, r.H = x, math.Round(even(t, "low", 200, 400))
				x = r.Right()
			}
			r.Y = 1040 - r.H - rapid.SampledFrom([]float64{0, 0, 100, 260}).Draw(t, "above")
		}
		monitors := []Monitor{screen(0, 0, 1920, 1080)}
		switch rapid.IntRange(0, 2).Draw(t, "screens") {
		case 1:
			monitors = append(monitors, screen(0, -1040, 1920, 1080))
		case 2:
			monitors = append(monitors, screen(1920, 200, 1280, 1080))
		}
		now := epoch
		b.SetDesktop(Desktop{Windows: windows, Monitors: monitors}, now)
		if rapid.Bool().Draw(t, "seated") { // only who has not climbed up strolls and jumps up there
			b.Do(sit("app"), now, func(Result) {})
		}
		last := b.Step(now)
		for range 5 * 60 * 20 {
			now = now.Add(50 * time.Millisecond)
			f := b.Step(now)
			seen[b.mode]++
			dx, dy := f.Root.X-last.Root.X, f.Root.Y-last.Root.Y
			if f.Jump != last.Jump || math.Abs(dx) > 45 || math.Abs(dy) > 61 {
				t.Fatalf("leapt by %v %v in mode %d: %+v after %+v", dx, dy, b.mode, f, last)
			}
			if d := math.Abs(f.Yaw - last.Yaw); d > 0.4 {
				t.Fatalf("turned by %v in mode %d", d, b.mode)
			}
			last = f
			switch b.mode {
			case modeStand, modeWalk, modeSit, modeSitDown, modeStandUp, modeFace, modeLeap, modeLand:
				if m := b.ground(); b.host.id == 0 && b.root.Y != m.floor() && b.walking.walk.after != thenFall {
					t.Fatalf("mode %d at %v; the floor is %v", b.mode, b.root, m.floor())
				}
			}
			b.Events()
		}
	})
	for m := modeStand; m <= modeJumpLand; m++ {
		switch m {
		case modePeek, modeDrag, modeBedLie, modeBedSleep, modeBedWake:
		default:
			if seen[m] == 0 {
				t.Errorf("mode %d was never seen: %v", m, seen)
			}
		}
	}
}

func FuzzParseCommand(f *testing.F) {
	for _, s := range []string{`{"action":"stand"}`, `{"action":"sit_on_window","app":"x"}`, `{"action":"move_to","spot":"center","monitor":1e309}`, `[`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		fuzzmem.Watch(t)
		c, ok := ParseCommand(args)
		if ok != c.valid() {
			t.Fatalf("%q: ok %v, valid %v", args, ok, c.valid())
		}
	})
}
