package body

import (
	"testing"
	"time"

	"yui/internal/protocol"
)

func peek(side string) Command { return Command{Action: protocol.Peek, Side: side} }
func move(spot string) Command { return Command{Action: protocol.MoveTo, Spot: spot} }

var (
	stand = Command{Action: protocol.Stand}
	bedGo = Command{Action: protocol.GoToBed}
)

// all are one valid command of each action.
var all = []Command{sit("xterm"), peek("left"), move("center"), stand, bedGo}

func TestOrderOfChecks(t *testing.T) { // docs/rules/body.md#order-of-checks
	host := win(7, "XTerm", 600, 500, 400, 300)
	t.Run("malformed comes first", func(t *testing.T) {
		r := newRig(t, nil, host)
		r.DragStart(Point{960, 1000}, r.now)
		for _, c := range []Command{{}, {Action: "fly"}, {Action: protocol.SitOnWindow, App: " "}, {Action: protocol.Peek, Side: "up"}, {Action: protocol.MoveTo, Spot: "middle"}} {
			r.do(c)
			r.want(Unsupported)
		}
	})
	t.Run("a drag refuses all", func(t *testing.T) {
		r := newRig(t, nil, host)
		r.DragStart(Point{960, 1000}, r.now)
		for _, c := range all {
			r.do(c)
			r.want(Interrupted)
		}
		r.DragEnd(r.now)
		r.do(stand)
		r.want(OK) // drag end lifts the refusal
	})
	t.Run("a drag is told before busy", func(t *testing.T) {
		r := newRig(t, nil, host)
		r.do(sit("xterm"))
		r.DragStart(Point{800, 500}, r.now)
		var second Result
		r.Do(stand, r.now, func(x Result) { second = x })
		if second != Interrupted {
			t.Fatalf("second = %q", second)
		}
	})
	t.Run("one command at a time", func(t *testing.T) {
		r := newRig(t, nil, host)
		r.do(sit("xterm"))
		r.pending()
		for _, c := range all {
			var got Result
			r.Do(c, r.now, func(x Result) { got = x })
			if got != Busy {
				t.Fatalf("%s: %q", c.Action, got)
			}
		}
		if !r.State(r.now).Moving || len(r.Targets()) != 1 {
			t.Fatal("queries must work while a command runs")
		}
		r.run(2 * time.Second)
		r.want(OK)
		if r.State(r.now).Moving {
			t.Fatal("moving after the answer")
		}
	})
	t.Run("it cancels what she does by herself", func(t *testing.T) {
		for _, c := range all {
			r := newRig(t, nil, host)
			r.walking.start(walk{to: 400, way: -1}, r.now)
			r.run(time.Second)
			r.posture(Walking)
			r.do(c)
			if got := r.State(r.now).Posture; got == Walking {
				t.Fatalf("%s: still walking", c.Action)
			}
			if r.told("avatar.walk_end") != 1 {
				t.Fatalf("%s: the end of the walk was not told", c.Action)
			}
		}
	})
	t.Run("no model", func(t *testing.T) {
		r := newRig(t, nil, host)
		r.SetShape(Shape{})
		for _, c := range all {
			want := Unsupported
			if c.Action == protocol.Stand {
				want = OK
			}
			r.do(c)
			r.want(want)
		}
	})
	t.Run("done may ask for more", func(t *testing.T) {
		r := newRig(t, nil, host)
		var words []Result
		r.Do(sit("xterm"), r.now, func(x Result) {
			words = append(words, x)
			r.Do(stand, r.now, func(x Result) { words = append(words, x) })
		})
		r.run(2 * time.Second)
		if len(words) != 2 || words[0] != OK || words[1] != OK {
			t.Fatalf("words = %v", words)
		}
	})
}

func TestSitResults(t *testing.T) { // docs/rules/body.md#results
	const roomy = 500
	for _, c := range []struct {
		name    string
		app     string
		windows []Window
		want    Result // "" = it sits
		x, y    float64
	}{
		{"no windows", "xterm", nil, NotFound, 0, 0},
		{"no such app", "firefox", []Window{win(1, "XTerm", 600, roomy, 400, 300)}, NotFound, 0, 0},
		{"the title is never matched", "notes", []Window{{ID: 1, App: "Mousepad", Title: "notes", Rect: Rect{600, roomy, 400, 300}}}, NotFound, 0, 0},
		{"a window without a name never matches", "x", []Window{{ID: 1, Title: "x", Rect: Rect{600, roomy, 400, 300}}}, NotFound, 0, 0},
		{"middle of the top edge, any case", "XTERM", []Window{win(1, "xterm", 600, roomy, 400, 300)}, "", 800, roomy},
		{"part of the name", "term", []Window{win(1, "XTerm", 600, roomy, 400, 300)}, "", 800, roomy},
		{"exact before part", "term", []Window{win(1, "XTerm", 600, roomy, 400, 300), win(2, "Term", 100, 600, 300, 200)}, "", 250, 600},
		{"the front one first", "xterm", []Window{win(1, "XTerm", 600, roomy, 400, 300), win(2, "XTerm", 100, 600, 300, 200)}, "", 800, roomy},
		{"an instance name", "scratch", []Window{{ID: 1, App: "XTerm", Names: []string{"XTerm", "scratch", "/usr/bin/xterm"}, Rect: Rect{600, roomy, 400, 300}}}, "", 800, roomy},
		{"an executable", "urxvt", []Window{{ID: 1, App: "Terminal", Names: []string{"Terminal", "terminal", "urxvt"}, Rect: Rect{600, roomy, 400, 300}}}, "", 800, roomy},
		{"covered", "xterm", []Window{win(9, "Other", 700, 400, 200, 200), win(1, "XTerm", 600, roomy, 400, 300)}, Blocked, 0, 0},
		{"covered by a touching edge", "xterm", []Window{win(9, "Other", 700, 400, 200, 100), win(1, "XTerm", 600, roomy, 400, 300)}, Blocked, 0, 0},
		{"beside is not covered", "xterm", []Window{win(9, "Other", 900, 400, 200, 200), win(1, "XTerm", 600, roomy, 400, 300)}, "", 800, roomy},
		{"behind is not covering", "xterm", []Window{win(1, "XTerm", 600, roomy, 400, 300), win(9, "Other", 700, 400, 200, 200)}, "", 800, roomy},
		{"the reachable one of two", "xterm", []Window{win(9, "Other", 700, 400, 200, 200), win(1, "XTerm", 600, roomy, 400, 300), win(2, "XTerm", 100, 600, 300, 200)}, "", 250, 600},
		{"no room above", "xterm", []Window{win(1, "XTerm", 600, 100, 400, 300)}, Blocked, 0, 0},
		{"just room above", "xterm", []Window{win(1, "XTerm", 600, 210, 400, 300)}, "", 800, 210},
		{"maximised", "xterm", []Window{win(1, "XTerm", 0, 0, 1920, 1040)}, Blocked, 0, 0},
		{"seat off the screen", "xterm", []Window{win(1, "XTerm", -700, roomy, 900, 300)}, Blocked, 0, 0},
		{"below the floor", "xterm", []Window{win(1, "XTerm", 600, 1060, 400, 300)}, Blocked, 0, 0},
		{"the roomy one of two", "xterm", []Window{win(1, "XTerm", 0, 0, 1920, 1040), win(2, "XTerm", 100, 1041, 300, 200), win(3, "xterm", 100, 600, 300, 200)}, Blocked, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, nil, c.windows...)
			before := r.State(r.now).Root
			r.do(sit(c.app))
			if c.want != "" {
				r.want(c.want)
				if r.State(r.now).Root != before {
					t.Fatal("a refusal moves nothing")
				}
				return
			}
			r.run(2 * time.Second)
			r.want(OK)
			r.posture(Sitting)
			r.root(c.x, c.y)
		})
	}
}

func TestSitInterrupted(t *testing.T) {
	host := win(7, "XTerm", 600, 500, 400, 300)
	for _, c := range []struct {
		name string
		do   func(*rig)
		want Result
	}{
		{"picked up", func(r *rig) { r.DragStart(Point{800, 450}, r.now) }, Interrupted},
		{"cancelled", func(r *rig) { r.Cancel() }, Interrupted},
		{"host closed", func(r *rig) { r.show(Desktop{Monitors: r.desk.Monitors}) }, NotFound},
		{"host without room", func(r *rig) {
			w := host
			w.Rect.Y = 20
			r.show(Desktop{Monitors: r.desk.Monitors, Windows: []Window{w}})
		}, Blocked},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, nil, host)
			r.do(sit("xterm"))
			r.run(500 * time.Millisecond)
			c.do(r)
			r.step(time.Millisecond)
			r.want(c.want)
			r.run(20 * time.Second)
			r.pending()
		})
	}
}

func TestSitAgainStays(t *testing.T) {
	r := newRig(t, nil, win(7, "XTerm", 600, 500, 400, 300))
	r.do(sit("xterm"))
	r.run(2 * time.Second)
	r.want(OK)
	jump := r.frame.Jump
	r.do(sit("xterm"))
	r.want(OK)
	if r.step(33*time.Millisecond).Jump != jump {
		t.Fatal("she was set where she sat already")
	}
}

func TestTimeout(t *testing.T) { // 15 s for a command
	r := newRig(t, nil, win(7, "XTerm", 600, 500, 400, 300))
	clips := DefaultClips()
	clips.Sit.Down = 20
	r.SetClips(clips)
	r.do(sit("xterm"))
	r.run(14900 * time.Millisecond)
	r.pending()
	r.run(200 * time.Millisecond)
	r.want(Timeout)
	r.run(10 * time.Second)
	r.pending()
}

func TestPeekResults(t *testing.T) { // docs/rules/body.md#peek, docs/rules/body.md#seat
	for _, c := range []struct {
		name    string
		side    string
		windows []Window
		want    Result
		x       float64
	}{
		{"no windows", "left", nil, NotFound, 0},
		{"left edge of the front one", "left", []Window{win(1, "A", 600, 300, 400, 600), win(2, "B", 0, 0, 500, 500)}, OK, 600},
		{"right edge", "right", []Window{win(1, "A", 600, 300, 400, 600), win(2, "B", 0, 0, 500, 500)}, OK, 1000},
		{"no screen beside the edge", "right", []Window{win(1, "A", 0, 0, 1920, 1040)}, Blocked, 0},
		{"edge off the screen", "left", []Window{win(1, "A", -300, 100, 900, 600)}, Blocked, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, nil, c.windows...)
			r.do(peek(c.side))
			r.want(c.want)
			if c.want != OK {
				return
			}
			r.posture(Peeking)
			f := r.step(33 * time.Millisecond)
			left := c.side == "left"
			if f.Clip != "peek" || f.Phase != "enter" || f.Mirror != left {
				t.Fatalf("frame %+v", f)
			}
			if f.Cut == nil || f.Cut.X != c.x || f.Cut.HideLeft == left {
				t.Fatalf("cut %+v", f.Cut)
			}
			if f.Root.X != c.x {
				t.Fatalf("root %v", f.Root)
			}
			// What shows is about the window's middle.
			if middle := f.Root.Y - 0.6*r.shape.HeadTop; middle < 550 || middle > 650 {
				t.Fatalf("what shows is at %v, the middle of the window at 600", middle)
			}
			r.run(1300 * time.Millisecond)
			if r.frame.Phase != "hold" {
				t.Fatalf("phase %q after entering", r.frame.Phase)
			}
			if r.told("proactive.peek") != 0 {
				t.Fatal("a programmatic peek must not be told as a drop")
			}
		})
	}
}

func TestPeekStaysOnScreen(t *testing.T) {
	for _, y := range []float64{-500, 0, 700, 1000} {
		r := newRig(t, nil, win(1, "A", 600, y, 400, 900))
		r.do(peek("right"))
		r.want(OK)
		root := r.State(r.now).Root
		if root.Y > 1040 || root.Y < r.shape.HeadTop {
			t.Errorf("window at %v: root %v", y, root)
		}
	}
}

func TestMoveTo(t *testing.T) { // docs/rules/body.md#move
	host := win(7, "XTerm", 600, 500, 400, 300)
	two, gone, minus := 1, 2, -1
	t.Run("no monitors", func(t *testing.T) {
		r := newRig(t, nil)
		r.show(Desktop{})
		r.do(move("center"))
		r.want(Unsupported)
	})
	t.Run("monitor numbers", func(t *testing.T) {
		r := newRig(t, nil)
		r.show(Desktop{Monitors: []Monitor{screen(0, 0, 1920, 1080), screen(1920, 0, 1000, 1080)}})
		for _, c := range []struct {
			n    *int
			want Result
		}{{&minus, NotFound}, {&gone, NotFound}, {&two, OK}, {nil, OK}} {
			r.do(Command{Action: protocol.MoveTo, Spot: "bottom-left", Monitor: c.n})
			r.want(c.want)
		}
		// Left out, it is the one she is on: the second by then.
		r.root(1920+24+130, 1040)
	})
	t.Run("a perch is released first", func(t *testing.T) {
		r := newRig(t, nil, host)
		r.do(sit("xterm"))
		r.run(2 * time.Second)
		r.want(OK)
		r.told("")
		r.do(move("bottom-left"))
		r.want(OK)
		if r.told("user.window_sit_exit") != 1 || r.State(r.now).Perch != nil {
			t.Fatal("the perch was not left")
		}
		r.posture(Standing)
	})
	t.Run("in mid-air she falls, and the answer does not wait for it", func(t *testing.T) {
		r := newRig(t, nil)
		r.do(move("top-left"))
		r.want(OK)
		r.posture(Falling)
		if since := r.State(r.now).Since; !since.Equal(r.now) {
			t.Fatalf("since %v", since)
		}
		r.run(5 * time.Second)
		r.root(24+130, 1040)
		if r.told("proactive.dropped") != 0 {
			t.Fatal("her own fall was told as a drop")
		}
	})
	t.Run("since is stamped anew", func(t *testing.T) {
		r := newRig(t, nil)
		r.run(time.Minute)
		r.do(move("bottom-left"))
		if since := r.State(r.now).Since; !since.Equal(r.now) {
			t.Fatalf("since %v", since)
		}
	})
	t.Run("bottom on a scaled screen", func(t *testing.T) {
		r := newRig(t, nil)
		r.show(Desktop{Monitors: []Monitor{{Rect: Rect{0, 0, 3840, 2160}, WorkArea: Rect{0, 0, 3840, 2080}, Scale: 2}}})
		r.do(move("bottom-right"))
		r.root(3840-48-260+130, 2080) // 24 points are 48 pixels
	})
}

func TestStand(t *testing.T) { // docs/rules/body.md#stand
	host := win(7, "XTerm", 600, 500, 400, 300)
	t.Run("with nothing armed", func(t *testing.T) {
		r := newRig(t, nil)
		r.do(stand)
		r.want(OK)
		if r.told("user.window_sit_exit") != 1 {
			t.Fatal("the sit-exit was not told")
		}
		r.posture(Standing)
	})
	t.Run("from a sit she falls past her host", func(t *testing.T) {
		r := newRig(t, nil, host)
		r.do(sit("xterm"))
		r.run(2 * time.Second)
		r.want(OK)
		r.told("")
		r.do(stand)
		r.want(OK)
		r.posture(Falling)
		if r.told("user.window_sit_exit") != 1 {
			t.Fatal("the sit-exit was not told once")
		}
		r.run(5 * time.Second)
		r.posture(Standing)
		r.root(800, 1040)
	})
	t.Run("to the next surface below", func(t *testing.T) {
		r := newRig(t, nil, host, win(8, "Files", 500, 700, 700, 300))
		r.do(sit("xterm"))
		r.run(2 * time.Second)
		r.do(stand)
		// Files is behind the terminal: its top edge is covered there.
		r.run(4 * time.Second)
		r.root(800, 1040)
		r.show(Desktop{Monitors: r.desk.Monitors, Windows: []Window{r.desk.Windows[1], r.desk.Windows[0]}})
		r.results = nil
		r.do(sit("xterm"))
		r.run(2 * time.Second)
		r.want(OK)
		r.do(stand)
		r.run(900 * time.Millisecond)
		if r.State(r.now).Root.Y != 700 {
			t.Fatalf("root %v, want on the window below", r.State(r.now).Root)
		}
	})
	t.Run("from a peek", func(t *testing.T) {
		r := newRig(t, nil, host)
		r.do(peek("right"))
		r.want(OK)
		r.told("")
		r.do(stand)
		r.want(OK)
		if r.told("user.peek_exit") != 1 {
			t.Fatal("the peek-exit was not told")
		}
		r.run(4 * time.Second)
		r.posture(Standing)
		r.root(1000, 1040)
		if r.frame.Cut != nil {
			t.Fatal("she is still cut")
		}
	})
}
