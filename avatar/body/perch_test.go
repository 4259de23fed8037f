package body

import (
	"math"
	"testing"
	"time"
)

// dropAt holds her so that her seat is at the point and lets go.
func (r *rig) dropAt(seat Point) {
	r.DragStart(r.State(r.now).Root, r.now)
	r.run(200 * time.Millisecond)
	root := r.frame.Root
	r.SetScruff(Point{root.X, root.Y - 110})
	r.SetSeat(Point{root.X + 7, root.Y - 25}) // she swings a little
	r.DragMove(Point{seat.X - 7, seat.Y + 25 - 110}, r.now)
	r.step(33 * time.Millisecond)
	r.told("")
	r.DragEnd(r.now)
}

func TestDropZones(t *testing.T) { // docs/rules/body.md#drop; H is 300, so 84 above, 69 below, 84 out, 69 in
	host := win(7, "XTerm", 600, 500, 400, 400)
	for _, c := range []struct {
		name string
		seat Point
		want Posture
		side string
	}{
		{"on the edge", Point{700, 500}, Sitting, ""},
		{"highest", Point{700, 416.5}, Sitting, ""},
		{"too high", Point{700, 415}, Falling, ""},
		{"lowest", Point{700, 568.5}, Sitting, ""},
		{"too low", Point{750, 571}, Falling, ""},
		{"left corner", Point{600, 500}, Sitting, ""},
		{"right corner", Point{1000, 500}, Sitting, ""},
		{"beside the corner", Point{599, 501}, Peeking, "left"},
		{"above and beside", Point{599, 499}, Falling, ""},
		{"left, farthest out", Point{516.5, 700}, Peeking, "left"},
		{"left, too far out", Point{515, 700}, Falling, ""},
		{"left, farthest in", Point{668.5, 700}, Peeking, "left"},
		{"left, too far in", Point{671, 700}, Falling, ""},
		{"right, farthest out", Point{1083.5, 700}, Peeking, "right"},
		{"right, too far out", Point{1085, 700}, Falling, ""},
		{"right, farthest in", Point{931.5, 700}, Peeking, "right"},
		{"right, too far in", Point{929, 700}, Falling, ""},
		{"below the window", Point{600, 901}, Standing, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, nil, host)
			r.dropAt(c.seat)
			r.step(time.Millisecond)
			if c.want == Falling {
				r.posture(Falling)
				if r.told("user.window_sit_exit") != 1 {
					t.Fatal("the miss was not told")
				}
				return
			}
			r.run(2 * time.Second)
			r.posture(c.want)
			switch c.want {
			case Sitting: // y snaps to the edge, x is kept
				r.root(c.seat.X, 500)
			case Peeking:
				if r.frame.Mirror != (c.side == "left") || r.frame.Root.X != edgeX(host.Rect, c.side == "left") {
					t.Fatalf("frame %+v", r.frame)
				}
			}
		})
	}
}

func TestDropEvents(t *testing.T) {
	host := win(7, "XTerm", 600, 500, 400, 400)
	r := newRig(t, nil, host)
	r.dropAt(Point{700, 480})
	names := func() (s []EventName) {
		for _, e := range r.Events() {
			s = append(s, e.Name)
		}
		return s
	}
	if got := names(); len(got) != 2 || got[0] != "user.drag_end" || got[1] != "proactive.window_sit" {
		t.Fatalf("at once: %v", got)
	}
	if f := r.Step(r.now); f.Clip != "sit_down" || f.Start != DefaultClips().Sit.Settle {
		t.Fatalf("frame %+v", f)
	}
	r.run(time.Second)
	var drop *Event
	for i := range r.events {
		if r.events[i].Name == "user.window_sit_drop" {
			drop = &r.events[i]
		}
	}
	if drop == nil || drop.Data["app"] != "XTerm" || drop.Data["window_title"] != "XTerm title" || drop.Data["edge_local_ypx"] != "320" {
		t.Fatalf("after the clip: %v", r.events)
	}
	r.events = nil
	r.dropAt(Point{1010, 700})
	got := r.Events()
	if len(got) != 3 || got[1].Name != "proactive.peek" || got[2].Name != "user.peek_drop" || got[2].Data["side"] != "right" ||
		got[2].Data["target_local_xpx"] != "130" {
		t.Fatalf("peek: %v", got)
	}
	r.told("")
	r.DragStart(r.State(r.now).Root, r.now)
	if r.told("user.peek_exit") != 0 {
		t.Fatal("a re-grab disarms in silence")
	}
}

func TestDropCovered(t *testing.T) {
	front, back := win(1, "Front", 650, 300, 300, 400), win(2, "Back", 600, 500, 600, 400)
	for _, c := range []struct {
		name    string
		windows []Window
		seat    Point
		want    Posture
	}{
		{"under a window in front", []Window{front, back}, Point{800, 500}, Falling},
		{"beside it", []Window{front, back}, Point{1000, 500}, Sitting},
		{"the front one's side in sight", []Window{front, back}, Point{940, 520}, Peeking},
		{"the topmost wins", []Window{win(3, "Level", 700, 480, 300, 200), back}, Point{900, 490}, Sitting},
		{"no room above", []Window{win(4, "High", 600, 100, 600, 300)}, Point{800, 110}, Falling},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, nil, c.windows...)
			r.dropAt(c.seat)
			r.step(time.Millisecond)
			if c.want == Falling {
				r.posture(Falling)
				return
			}
			r.run(2 * time.Second)
			r.posture(c.want)
		})
	}
}

func TestPerchToPerchIsSilent(t *testing.T) { // a hold that ends elsewhere disarms silently
	for _, next := range []Command{sit("files"), peek("left")} {
		r := seated(t, nil, win(8, "Files", 1200, 600, 500, 300))
		r.do(next)
		r.run(2 * time.Second)
		r.want(OK)
		if r.told("user.window_sit_exit") != 0 {
			t.Fatalf("%s: the exit was told", next.Action)
		}
		if p := r.State(r.now).Perch; p.App != "Files" {
			t.Fatalf("on %s", p.App)
		}
	}
}

// seated is a rig that sits on a terminal at 600,500 400x300.
func seated(t *testing.T, change func(*Config), more ...Window) *rig {
	r := newRig(t, change, append(more, win(7, "XTerm", 600, 500, 400, 300))...)
	r.do(sit("xterm"))
	r.run(2 * time.Second)
	r.want(OK)
	r.told("")
	return r
}

// to puts her host elsewhere.
func (r *rig) to(rect Rect) {
	windows := append([]Window(nil), r.desk.Windows...)
	windows[len(windows)-1].Rect = rect
	r.show(Desktop{Monitors: r.desk.Monitors, Windows: windows})
}

func TestRide(t *testing.T) {
	r := seated(t, nil)
	for i := range 60 { // dragged about at 600 px/s
		d := float64(i) * 10
		r.to(Rect{600 + d, 500 - d/4, 400, 300})
		r.root(800+d, 500-d/4) // with the event, not a frame later
		f := r.step(16 * time.Millisecond)
		if f.Root.Y != 500-d/4 {
			t.Fatalf("shown at %v", f.Root)
		}
	}
	r.posture(Sitting)
	if v := r.frame.Velocity; math.Abs(v.X-625) > 5 || math.Abs(v.Y+156) > 5 {
		t.Fatalf("velocity %v", v)
	}
	r.step(200 * time.Millisecond)
	r.to(Rect{300, 600, 400, 300}) // one leap by a key is no shaking
	r.step(16 * time.Millisecond)
	r.posture(Sitting)
	r.root(500, 600)
}

func TestRidePeek(t *testing.T) {
	r := newRig(t, nil, win(7, "XTerm", 600, 300, 400, 500))
	r.do(peek("right"))
	y := r.State(r.now).Root.Y
	r.to(Rect{650, 340, 400, 500})
	r.root(1050, y+40)
	r.to(Rect{650, 340, 300, 500})
	r.root(950, y+40)
	if f := r.step(16 * time.Millisecond); f.Cut.X != 950 {
		t.Fatalf("cut %v", f.Cut)
	}
	r.posture(Peeking)
}

func TestResizedHost(t *testing.T) {
	r := seated(t, nil)
	for _, c := range []struct{ w, x float64 }{{800, 1000}, {200, 700}, {100, 650}, {400, 800}} {
		r.to(Rect{600, 500, c.w, 300})
		r.step(200 * time.Millisecond)
		r.root(c.x, 500)
	}
	r.dropAt(Point{990, 500}) // close to the right end
	r.run(time.Second)
	r.posture(Sitting)
	r.to(Rect{600, 500, 300, 300})
	r.step(200 * time.Millisecond)
	r.root(840, 500) // 60 px from the end are kept
}

func TestLoss(t *testing.T) { // docs/rules/body.md#riding
	for _, c := range []struct {
		name string
		do   func(*rig)
		wait time.Duration
	}{
		{"closed", func(r *rig) { r.show(Desktop{Monitors: r.desk.Monitors}) }, 0},
		{"no room above", func(r *rig) { r.to(Rect{600, 150, 400, 300}) }, 0},
		{"off the screen", func(r *rig) { r.to(Rect{-500, 500, 400, 300}) }, 0},
		{"covered", func(r *rig) {
			r.show(Desktop{Monitors: r.desk.Monitors, Windows: []Window{win(9, "Top", 700, 400, 300, 300), r.desk.Windows[0]}})
		}, 260 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := seated(t, nil)
			c.do(r)
			r.step(time.Millisecond)
			if c.wait > 0 {
				r.posture(Sitting)
				r.step(c.wait)
			}
			r.posture(Falling)
			if r.told("user.window_sit_exit") != 1 {
				t.Fatal("the exit was not told")
			}
			if r.State(r.now).Perch != nil {
				t.Fatal("still perched")
			}
			r.run(5 * time.Second)
			r.posture(Standing)
			if y := r.State(r.now).Root.Y; y != 1040 {
				t.Fatalf("landed at %v", y)
			}
			if r.told("proactive.dropped") != 1 {
				t.Fatal("the touchdown was not told")
			}
		})
	}
}

func TestHostBelowTheFloor(t *testing.T) { // she stays on the floor without a fall
	r := seated(t, nil)
	r.to(Rect{600, 1050, 400, 300})
	r.posture(Standing)
	r.root(800, 1040)
	if r.told("user.window_sit_exit") != 1 {
		t.Fatal("the exit was not told")
	}
}

func TestCoveredOnlyForAMoment(t *testing.T) {
	r := seated(t, nil)
	host := r.desk.Windows[0]
	r.show(Desktop{Monitors: r.desk.Monitors, Windows: []Window{win(9, "Passing", 700, 400, 300, 300), host}})
	r.step(100 * time.Millisecond)
	r.show(Desktop{Monitors: r.desk.Monitors, Windows: []Window{win(9, "Passing", 1200, 400, 300, 300), host}})
	r.run(2 * time.Second)
	r.posture(Sitting)
}

func TestPeekIsNotLostWhenCovered(t *testing.T) {
	r := newRig(t, nil, win(7, "XTerm", 600, 300, 400, 500))
	r.do(peek("right"))
	r.show(Desktop{Monitors: r.desk.Monitors, Windows: []Window{win(9, "Top", 500, 200, 800, 800), r.desk.Windows[0]}})
	r.run(3 * time.Second)
	r.posture(Peeking)
	r.told("")
	r.show(Desktop{Monitors: r.desk.Monitors})
	r.step(time.Millisecond)
	if r.told("user.peek_exit") != 1 {
		t.Fatal("the peek-exit was not told")
	}
	r.posture(Falling)
}

func TestShakenOff(t *testing.T) {
	for _, c := range []struct {
		name  string
		x     func(ms float64) float64
		every float64
		falls bool
	}{
		{"fast", func(ms float64) float64 { return 600 - 2.6*ms + 2.6*ms*2*step(ms > 200) - 2.6*400*step(ms > 200) }, 16, true},
		{"just slow enough", func(ms float64) float64 { return 600 + 2.3*min(ms, 300) }, 16, false},
		{"fast at 30 events a second", func(ms float64) float64 { return 600 + 2.7*min(ms, 300) }, 33, true},
		{"fast at 250 events a second", func(ms float64) float64 { return 600 + 2.7*min(ms, 300) }, 4, true},
		{"hard back and forth", func(ms float64) float64 { return 600 + 100*math.Sin(ms/1000*2*math.Pi*2.5) }, 16, true},
		{"slow back and forth", func(ms float64) float64 { return 600 + 100*math.Sin(ms/1000*2*math.Pi*0.7) }, 16, false},
		{"trembling", func(ms float64) float64 { return 600 + 10*math.Sin(ms/1000*2*math.Pi*6) }, 16, false},
		{"set here and there by a script", func(ms float64) float64 { return 600 + 250*step(int(ms)/200%2 == 0) }, 16, false},
		{"one reversal", func(ms float64) float64 { return 600 + 300*math.Sin(min(ms, 700)/1000*2*math.Pi*1) }, 16, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := seated(t, nil)
			fell := false
			for ms := c.every; ms < 1500; ms += c.every {
				r.to(Rect{c.x(ms), 500, 400, 300})
				r.step(time.Duration(c.every * float64(time.Millisecond)))
				fell = fell || r.State(r.now).Posture == Falling
			}
			if fell != c.falls {
				t.Fatalf("fell = %v", fell)
			}
		})
	}
}

func TestCircling(t *testing.T) { // a round a second is no shaking, three are
	for hz, falls := range map[float64]bool{0.9: false, 3: true} {
		r := seated(t, nil)
		fell := false
		for ms := 0.0; ms < 3000; ms += 16 {
			a := ms / 1000 * 2 * math.Pi * hz
			r.to(Rect{600 + 100*math.Sin(a), 600 - 100*math.Cos(a), 400, 300})
			r.step(16 * time.Millisecond)
			fell = fell || r.State(r.now).Posture == Falling
		}
		if fell != falls {
			t.Errorf("%v rounds a second: fell = %v", hz, fell)
		}
	}
}

func step(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestRideOff(t *testing.T) { // the reference's 12 points and two bad observations
	off := func(c *Config) { c.Ride.On = false }
	t.Run("within 12 points", func(t *testing.T) {
		r := seated(t, off)
		r.to(Rect{612, 488, 400, 300})
		r.run(3 * time.Second)
		r.posture(Sitting)
	})
	t.Run("farther", func(t *testing.T) {
		r := seated(t, off)
		r.to(Rect{613, 500, 400, 300})
		r.step(600 * time.Millisecond)
		r.posture(Sitting)
		r.root(800, 500) // she does not follow
		r.step(200 * time.Millisecond)
		r.posture(Falling)
	})
	t.Run("a good observation forgives", func(t *testing.T) {
		r := seated(t, off)
		r.to(Rect{640, 500, 400, 300})
		r.step(600 * time.Millisecond)
		r.to(Rect{600, 500, 400, 300})
		r.run(3 * time.Second)
		r.posture(Sitting)
	})
	t.Run("a resize is no loss", func(t *testing.T) {
		r := seated(t, off)
		r.to(Rect{600, 500, 700, 500})
		r.run(3 * time.Second)
		r.posture(Sitting)
	})
	t.Run("gone is lost at once", func(t *testing.T) {
		r := seated(t, off)
		r.show(Desktop{Monitors: r.desk.Monitors})
		r.posture(Falling)
	})
}

func TestDrag(t *testing.T) {
	r := newRig(t, nil)
	grab := Point{980, 950} // her chest, say
	root := r.State(r.now).Root
	r.DragStart(grab, r.now)
	f := r.step(0)
	if f.Root != root || f.Ease != 0 || f.Scruff == nil || *f.Scruff != grab {
		t.Fatalf("at the start: %+v", f)
	}
	r.DragMove(Point{1000, 900}, r.now)
	if got := r.State(r.now).Root; got != (Point{root.X + 20, root.Y - 50}) {
		t.Fatalf("the grab point is not kept: %v", got)
	}
	for range 5 {
		f = r.step(33 * time.Millisecond)
		r.SetScruff(Point{f.Root.X + 3, f.Root.Y - 120})
	}
	f = r.step(33 * time.Millisecond)
	if f.Ease != 1 || math.Abs(f.Root.X+3-1000) > 1e-6 || math.Abs(f.Root.Y-120-900) > 1e-6 {
		t.Fatalf("after 150 ms she does not hang by the scruff: %+v", f)
	}
	if _, ok := r.Next(r.now); !ok {
		t.Fatal("the long hold must be waited for")
	}
	wide := r.shape
	wide.Box.W += 300
	r.SetShape(wide)
	if g := r.step(33 * time.Millisecond); g.Root != f.Root {
		t.Fatalf("a wider box moved her from %v to %v", f.Root, g.Root)
	}
	r.told("")
	r.run(6 * time.Second)
	if r.told("proactive.drag_held") != 1 {
		t.Fatal("a drag of 5 s is told once")
	}
	r.step(time.Second)
	if next, ok := r.Next(r.now); ok {
		t.Fatalf("a drag at rest waits for nothing, not for %v", next)
	}
}
