package body

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTrace plays a short life at 30 frames a second and compares what was shown, every fifth frame where it differs
// and whenever the posture or clip changes, with testdata/life.trace. YUI_UPDATE=1 writes the file anew; read it when it changes.
func TestTrace(t *testing.T) {
	host := win(7, "XTerm", 500, 500, 500, 300)
	r := newRig(t, nil, host)
	var out strings.Builder
	last, shown := "", ""
	n := 0
	frames := func(count int, each func(i int)) {
		for i := range count {
			if each != nil {
				each(i)
			}
			f := r.step(time.Second / 30)
			key := fmt.Sprint(r.State(r.now).Posture, f.Clip, f.Phase)
			if key != last || n%5 == 0 {
				var line strings.Builder
				fmt.Fprintf(&line, "%-9s %-10s %-5s root %4.0f %4.0f  speed %5.0f %5.0f  yaw %4.1f",
					r.State(r.now).Posture, f.Clip, f.Phase, f.Root.X, f.Root.Y, f.Velocity.X, f.Velocity.Y, f.Yaw)
				if f.Cut != nil {
					fmt.Fprintf(&line, "  cut %4.0f left %v", f.Cut.X, f.Cut.HideLeft)
				}
				if f.Scruff != nil {
					fmt.Fprintf(&line, "  held %.2f", f.Ease)
				}
				if f.Bed > 0 {
					fmt.Fprintf(&line, "  bed %.2f", f.Bed)
				}
				if line.String() != shown {
					shown = line.String()
					fmt.Fprintf(&out, "%6.2f %s\n", r.now.Sub(epoch).Seconds(), shown)
				}
			}
			last = key
			n++
		}
		for _, e := range r.events {
			fmt.Fprintf(&out, "       %s\n", e.Name)
		}
		r.events = nil
	}
	say := func(s string) { fmt.Fprintf(&out, "-- %s\n", s) }

	say("sit on the terminal")
	r.do(sit("xterm"))
	frames(50, nil)
	r.want(OK)
	say("the terminal is dragged about")
	frames(45, func(i int) { r.to(Rect{500 + float64(i)*12, 500 - float64(i)*4, 500, 300}) })
	r.root(750+44*12, 500-44*4)
	r.posture(Sitting)
	say("the terminal is closed")
	r.show(Desktop{Monitors: r.desk.Monitors})
	frames(120, nil)
	r.root(750+44*12, 1040)
	r.posture(Standing)
	say("she peeks round another window")
	r.show(Desktop{Monitors: r.desk.Monitors, Windows: []Window{win(8, "Files", 300, 400, 600, 500)}})
	r.do(peek("right"))
	frames(50, nil)
	say("she is picked up and dropped on its top edge")
	r.DragStart(Point{950, 600}, r.now)
	frames(10, func(i int) { r.DragMove(Point{950 - float64(i)*30, 600 - float64(i)*20}, r.now) })
	r.SetSeat(Point{r.frame.Root.X, 390})
	r.DragEnd(r.now)
	frames(30, nil)
	r.posture(Sitting)
	say("she goes to bed")
	r.do(bedGo)
	frames(200, nil)
	r.posture(Lying)
	say("a click wakes her")
	r.Click(r.now)
	frames(150, nil)
	r.posture(Standing)

	path := filepath.Join("testdata", "life.trace")
	if os.Getenv("YUI_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, wanted := strings.Split(out.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(wanted)) {
		if i >= len(got) || i >= len(wanted) || got[i] != wanted[i] {
			t.Fatalf("line %d differs:\n got %s\nwant %s", i+1, at(got, i), at(wanted, i))
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no line)"
}

func TestSteadyStepAllocatesNothing(t *testing.T) {
	r := seated(t, nil)
	peeking := newRig(t, nil, win(1, "A", 600, 300, 400, 600))
	peeking.do(peek("right"))
	dragged := newRig(t, nil)
	dragged.DragStart(Point{960, 1000}, dragged.now)
	walking := newRig(t, walks)
	walking.untilPosture(Walking, 2*time.Minute)
	for name, b := range map[string]*rig{"sitting": r, "peeking": peeking, "dragged": dragged, "walking": walking} {
		b.Body.Events()
		if n := testing.AllocsPerRun(50, func() {
			b.now = b.now.Add(time.Second / 120)
			b.Step(b.now)
			b.Next(b.now)
		}); n != 0 {
			t.Errorf("%s: %v allocations a step", name, n)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	crowd := make([]Window, 200)
	for i := range crowd {
		crowd[i] = win(uint32(100+i), "W", float64(i*7%1500), float64(600+i*13%400), 300, 200)
	}
	crowd[len(crowd)-1] = win(7, "XTerm", 600, 500, 400, 300)
	for name, prepare := range map[string]func(*rig){
		"standing": func(*rig) {},
		"sitting":  func(r *rig) { r.do(sit("xterm")); r.run(2 * time.Second) },
		"walking":  func(r *rig) { r.startWalk(walk{to: 1e9, way: 1, after: thenFall}, r.now) },
		"falling":  func(r *rig) { r.cfg.Gravity, r.cfg.MaxFall = 1e-6, 1e-6; r.do(move("top-left")) },
	} {
		b.Run(name, func(b *testing.B) {
			r := newRig(b, nil, crowd...)
			prepare(r)
			b.ReportAllocs()
			for b.Loop() {
				r.now = r.now.Add(time.Millisecond)
				r.Step(r.now)
			}
		})
	}
}

func BenchmarkRide(b *testing.B) {
	crowd := make([]Window, 200)
	for i := range crowd {
		crowd[i] = win(uint32(100+i), "W", float64(i*7%1500), float64(700+i*13%300), 300, 200)
	}
	crowd[len(crowd)-1] = win(7, "XTerm", 600, 500, 400, 300)
	r := newRig(b, nil, crowd...)
	r.do(sit("xterm"))
	r.run(2 * time.Second)
	b.ReportAllocs()
	for b.Loop() {
		r.now = r.now.Add(100 * time.Millisecond)
		r.desk.Windows[len(crowd)-1].Rect.X = 600 + float64(r.now.UnixMilli()/100%100)
		r.SetDesktop(r.desk, r.now)
	}
}
