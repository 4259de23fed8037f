package body

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tracer plays a rig at 30 frames a second and writes what was shown, every fifth frame where it differs and whenever
// the posture or clip changes.
type tracer struct {
	*rig
	out         strings.Builder
	last, shown string
	n           int
}

func (r *tracer) frames(count int, each func(i int)) {
	for i := range count {
		if each != nil {
			each(i)
		}
		f := r.step(time.Second / 30)
		key := fmt.Sprint(r.State(r.now).Posture, f.Clip, f.Phase)
		if key != r.last || r.n%5 == 0 {
			if line := r.line(f); line != r.shown {
				r.shown = line
				fmt.Fprintf(&r.out, "%6.2f %s\n", r.now.Sub(epoch).Seconds(), line)
			}
		}
		r.last = key
		r.n++
	}
	for _, e := range r.events {
		fmt.Fprintf(&r.out, "       %s\n", e.Name)
	}
	r.events = nil
}

func (r *tracer) line(f Frame) string {
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
	if f.Origin != (Point{}) {
		fmt.Fprintf(&line, "  origin %4.0f %4.0f", f.Origin.X, f.Origin.Y)
	}
	if f.Flight {
		line.WriteString("  flight")
	}
	return line.String()
}

func (r *tracer) say(s string) { fmt.Fprintf(&r.out, "-- %s\n", s) }

// compare looks for what differs from testdata/name. YUI_UPDATE=1 writes the file again; read it when it changes.
func (r *tracer) compare(name string) {
	r.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("YUI_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(r.out.String()), 0o644); err != nil {
			r.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		r.Fatal(err)
	}
	got, wanted := strings.Split(r.out.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(wanted)) {
		if i >= len(got) || i >= len(wanted) || got[i] != wanted[i] {
			r.Fatalf("line %d differs:\n got %s\nwant %s", i+1, at(got, i), at(wanted, i))
		}
	}
}

// TestTrace plays a short life.
func TestTrace(t *testing.T) {
	host := win(7, "XTerm", 500, 500, 500, 300)
	r := &tracer{rig: newRig(t, nil, host)}
	r.say("sit on the terminal")
	r.do(sit("xterm"))
	r.frames(50, nil)
	r.want(OK)
	r.say("the terminal is dragged about")
	r.frames(45, func(i int) { r.to(Rect{500 + float64(i)*12, 500 - float64(i)*4, 500, 300}) })
	r.root(750+44*12, 500-44*4)
	r.posture(Sitting)
	r.say("the terminal is closed")
	r.show(Desktop{Monitors: r.desk.Monitors})
	r.frames(120, nil)
	r.root(750+44*12, 1040)
	r.posture(Standing)
	r.say("she peeks round another window")
	r.show(Desktop{Monitors: r.desk.Monitors, Windows: []Window{win(8, "Files", 300, 400, 600, 500)}})
	r.do(peek("right"))
	r.frames(50, nil)
	r.say("she is picked up and dropped on its top edge")
	r.DragStart(Point{950, 600}, r.now)
	r.frames(10, func(i int) { r.DragMove(Point{950 - float64(i)*30, 600 - float64(i)*20}, r.now) })
	r.SetSeat(Point{r.frame.Root.X, 390})
	r.DragEnd(r.now)
	r.frames(30, nil)
	r.posture(Sitting)
	r.say("she goes to bed")
	r.do(bedGo)
	r.frames(200, nil)
	r.posture(Lying)
	r.say("a click wakes her")
	r.Click(r.now)
	r.frames(150, nil)
	r.posture(Standing)
	r.compare("life.trace")
}

// TestClimbTrace plays a climb up a window, back down, and a jump between two.
func TestClimbTrace(t *testing.T) {
	r := &tracer{rig: newRig(t, climber, win(7, "XTerm", 1010, 840, 800, 200))}
	r.say("she climbs up a window")
	r.standing.climbAt = r.now
	r.frames(420, nil)
	r.posture(Sitting)
	r.say("and down again")
	r.standing.ambient = r.now
	r.frames(600, nil)
	r.root(1010-wallOff-0.13*255, 1040)
	r.say("she jumps to another window")
	r.show(Desktop{Monitors: r.desk.Monitors, Windows: []Window{win(1, "Left", 500, 600, 400, 300), win(2, "Right", 1060, 500, 500, 300)}})
	r.do(sit("left"))
	r.frames(60, nil)
	r.cfg.Walk.On, r.cfg.Jump.Chance = true, 1
	r.standing.ambient = r.now
	r.frames(330, nil)
	r.compare("climb.trace")
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
	climbing := newRig(t, climber, win(7, "XTerm", 1100, 440, 600, 600))
	climbing.untilPosture(Climbing, 4*time.Minute)
	flying := newRig(t, jumper, win(1, "Left", 500, 600, 400, 300), win(2, "Right", 1060, 600, 500, 300))
	flying.do(sit("left"))
	flying.untilPosture(Falling, 3*time.Minute)
	flying.jumping.leap.seconds = 60
	others := []Rect{{900, 740, 120, 300}, {}}
	idle := newRig(t, func(c *Config) { c.Walk.On, c.Climb.On = true, true })
	idle.SetOthers([]Rect{{900, 740, 120, 300}}, -1, idle.now)
	for name, b := range map[string]*rig{"climbing": climbing, "flying": flying, "idle": idle, "sitting": r, "peeking": peeking, "dragged": dragged, "walking": walking} {
		b.Body.Events()
		if n := testing.AllocsPerRun(50, func() {
			b.now = b.now.Add(time.Second / 120)
			b.SetOthers(others, 1, b.now)
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
		"walking":  func(r *rig) { r.walking.start(walk{to: 1e9, way: 1, after: thenFall}, r.now) },
		"climbing": func(r *rig) {
			r.cfg.Climb.On, r.clips.Climb.Rise = true, 1e-9
			r.desk.Windows = append(r.desk.Windows[:0:0], win(9, "Wall", 1100, 640, 600, 400))
			r.show(r.desk)
			r.standing.climbAt = r.now
			r.standing.arm(r.now)
			r.climbing.begin(r.now)
			r.untilPosture(Climbing, time.Minute)
		},
		"falling": func(r *rig) { r.cfg.Fall.Gravity, r.cfg.Fall.Fastest = 1e-6, 1e-6; r.do(move("top-left")) },
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
