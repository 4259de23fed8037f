package body

import (
	"math"
	"testing"
	"time"

	"yui/internal/protocol"
)

func jumper(c *Config) { c.Walk.On, c.Jump.Chance, c.Stroll.StepOff = true, 1, 0 }

func TestJump(t *testing.T) { // docs/rules/body.md#jump
	for name, right := range map[string]Window{
		"level": win(2, "Right", 1060, 600, 500, 300),
		"up":    win(2, "Right", 1000, 460, 500, 300),
		"down":  win(2, "Right", 1050, 850, 500, 100),
	} {
		r := newRig(t, jumper, win(1, "Left", 500, 600, 400, 300), right)
		r.do(sit("left"))
		r.run(2 * time.Second)
		r.told("")
		r.untilClip("jump", 3*time.Minute)
		r.root(900-60, 600)
		if f := r.frame; f.Phase != "crouch" || f.Flight || !near(f.Yaw, math.Pi/2) || r.State(r.now).Posture != Standing {
			t.Fatalf("%s: crouch %+v", name, f)
		}
		began, serial, from := r.now, r.frame.Serial, r.frame.Root
		phases := ""
		apex := math.Inf(1)
		for r.frame.Clip == "jump" && r.now.Sub(began) < 5*time.Second {
			if r.frame.Serial != serial {
				t.Fatalf("%s: the clip starts anew", name)
			}
			if p := string(r.frame.Phase); len(phases) < len(p) || phases[len(phases)-len(p):] != p {
				phases += " " + p
			}
			if r.frame.Flight != (r.State(r.now).Posture == Falling) {
				t.Fatalf("%s: flight %v while %s", name, r.frame.Flight, r.State(r.now).Posture)
			}
			apex = min(apex, r.frame.Root.Y)
			r.step(time.Second / 60)
		}
		if phases != " crouch launch air land" {
			t.Fatalf("%s: phases%s", name, phases)
		}
		to := right.Rect.Y
		if root := r.State(r.now).Root; !near(root.Y, to) || r.host.id != 2 {
			t.Fatalf("%s: at %v on %d", name, root, r.host.id)
		}
		// y(u) = (1-u) from + u to - 4 apex u (1-u)
		a := 0.15*300 + math.Abs(to-from.Y)/2
		u := clamp(0.5-(to-from.Y)/(8*a), 0, 1)
		if want := (1-u)*from.Y + u*to - 4*a*u*(1-u); math.Abs(apex-want) > 4 {
			t.Fatalf("%s: highest at %v, want %v", name, apex, want)
		}
		r.untilPosture(Sitting, time.Minute)
		if p := r.State(r.now).Perch; p.App != "Right" {
			t.Fatalf("%s: sits on %v", name, p)
		}
		if n := r.told("avatar.jump_end"); n != 1 {
			t.Fatalf("%s: the end was told %d times", name, n)
		}
	}
}

func TestJumpCandidates(t *testing.T) { // she sits in the middle of 500..900 at 600; H 300, width 120, margin 60
	host := win(1, "Host", 500, 600, 400, 300)
	for _, c := range []struct {
		name    string
		windows []Window
		to      float64 // x of the landing, 0 for none
	}{
		{"across a gap", []Window{host, win(2, "B", 1000, 600, 400, 300)}, 1060},
		{"to the left", []Window{host, win(2, "B", 100, 600, 300, 300)}, 340},
		{"1.5 widths", []Window{host, win(2, "B", 1080, 600, 400, 300)}, 1140},
		{"wider", []Window{host, win(2, "B", 1081, 600, 400, 300)}, 0},
		{"0.5 H up", []Window{host, win(2, "B", 1000, 450, 400, 300)}, 1060},
		{"higher", []Window{host, win(2, "B", 1000, 449, 400, 300)}, 0},
		{"H down", []Window{host, win(2, "B", 1000, 900, 400, 100)}, 1060},
		{"lower", []Window{host, win(2, "B", 1000, 901, 400, 100)}, 0},
		{"touching and level is walked", []Window{host, win(2, "B", 900, 604, 400, 300)}, 0},
		{"touching, not level", []Window{host, win(2, "B", 900, 650, 400, 300)}, 960},
		{"the nearest gap", []Window{host, win(2, "B", 1000, 600, 400, 300), win(3, "C", 100, 600, 350, 300)}, 390},
		{"a tie: the smaller height", []Window{host, win(2, "B", 1000, 500, 400, 300), win(3, "C", 100, 650, 300, 300)}, 340},
		{"too narrow", []Window{host, win(2, "B", 1000, 600, 119, 300)}, 0},
		{"just wide enough", []Window{host, win(2, "B", 1000, 600, 120, 300)}, 1060},
		{"covered", []Window{win(3, "Front", 980, 300, 300, 400), host, win(2, "B", 1000, 600, 400, 300)}, 0},
		{"no room above", []Window{host, win(2, "B", 1000, 299, 400, 300)}, 0},
	} {
		r := newRig(t, func(c *Config) { c.Jump.Chance = 1 }, c.windows...)
		r.do(sit("host"))
		r.run(2 * time.Second)
		r.posture(Sitting)
		_, ok := r.jumping.plan()
		if ok != (c.to != 0) || ok && r.jumping.leap.to.X != c.to {
			t.Errorf("%s: %v %+v", c.name, ok, r.jumping.leap)
		}
		r.cfg.Jump.Chance = 0
		if _, ok := r.jumping.plan(); ok {
			t.Errorf("%s: jumps against the dice", c.name)
		}
	}
}

func TestJumpTargetLost(t *testing.T) { // re-checked before take-off and at landing: moved more than 12 px is lost
	host, other := win(1, "Left", 500, 600, 400, 300), win(2, "Right", 1060, 600, 500, 300)
	moved := func(d float64) Window { w := other; w.Rect.Y += d; return w }
	for _, c := range []struct {
		name string
		late bool // in the flight, otherwise in the crouch
		to   []Window
		want Posture
	}{
		{"gone before", false, []Window{host}, Standing},
		{"moved before", false, []Window{host, moved(13)}, Standing},
		{"moved a little before", false, []Window{host, moved(12)}, Falling},
		{"gone in the flight", true, []Window{host}, Falling},
		{"moved in the flight", true, []Window{host, moved(-13)}, Falling},
		{"covered in the flight", true, []Window{win(3, "Front", 1080, 500, 300, 200), host, other}, Falling},
		{"moved a little in the flight", true, []Window{host, moved(-12)}, Standing},
	} {
		r := newRig(t, jumper, host, other)
		r.do(sit("left"))
		r.run(2 * time.Second)
		r.untilClip("jump", 3*time.Minute)
		if c.late {
			r.untilPosture(Falling, time.Second)
			r.step(100 * time.Millisecond)
		}
		r.told("")
		r.show(Desktop{Monitors: r.desk.Monitors, Windows: c.to})
		if c.late {
			r.run(700 * time.Millisecond)
		} else {
			r.run(500 * time.Millisecond)
		}
		r.posture(c.want)
		if y := r.frame.Root.Y; c.name == "gone in the flight" && y < 720 {
			t.Errorf("%s: at %v, as if she had stopped in the air", c.name, y)
		}
		if c.want == Falling && c.late {
			if r.frame.Clip != "falling" || r.frame.Flight {
				t.Errorf("%s: %+v", c.name, r.frame)
			}
			r.run(2 * time.Second)
			if y := r.State(r.now).Root.Y; y != 1040 {
				t.Errorf("%s: at %v", c.name, y)
			}
		}
		if c.late && c.want == Standing && (r.host.id != 2 || r.State(r.now).Root.Y != 588) {
			t.Errorf("%s: on %d at %v", c.name, r.host.id, r.State(r.now).Root)
		}
	}
}

func TestJumpIsCutOff(t *testing.T) {
	for name, do := range map[string]func(*rig){
		"a drag":    func(r *rig) { r.DragStart(r.frame.Root, r.now) },
		"stand":     func(r *rig) { r.do(Command{Action: protocol.Stand}) },
		"hidden":    func(r *rig) { r.SetGates(Gates{Hidden: true}, r.now) },
		"a command": func(r *rig) { r.do(peek("left")) },
	} {
		r := newRig(t, jumper, win(1, "Left", 500, 600, 400, 300), win(2, "Right", 1060, 600, 500, 300))
		r.do(sit("left"))
		r.run(2 * time.Second)
		r.untilClip("jump", 3*time.Minute)
		r.untilPosture(Falling, time.Second)
		r.told("")
		do(r)
		r.step(33 * time.Millisecond)
		if r.frame.Flight || r.frame.Clip == "jump" || r.told("avatar.jump_end") != 1 {
			t.Errorf("%s: %+v", name, r.frame)
		}
	}
}
