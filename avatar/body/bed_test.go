package body

import (
	"testing"
	"time"
)

// abed is a rig that has just been told to go to bed on the floor.
func abed(t *testing.T) *rig {
	r := newRig(t, nil)
	r.do(bedGo)
	r.want(OK) // as soon as the clip starts
	r.posture(Lying)
	return r
}

func TestBedSequence(t *testing.T) { // docs/rules/body.md#bed
	r := abed(t)
	if r.told("avatar.bed_start") != 1 {
		t.Fatal("the start was not told")
	}
	f := r.step(33 * time.Millisecond)
	if f.Clip != "bed_lie" || f.Bed <= 0 || f.Bed >= 1 {
		t.Fatalf("frame %+v", f)
	}
	r.run(time.Second)
	if r.frame.Bed != 1 {
		t.Fatalf("bed %v", r.frame.Bed)
	}
	r.run(3 * time.Second)
	if r.frame.Clip != "bed_sleep" {
		t.Fatalf("clip %q", r.frame.Clip)
	}
	if next, ok := r.Next(r.now); !ok || next.Sub(r.now) < time.Minute {
		t.Fatalf("asleep, nothing is to be stepped before the timeout: %v", next.Sub(r.now))
	}
	r.run(115 * time.Second)
	r.posture(Lying)
	r.run(6 * time.Second)
	if r.frame.Clip != "bed_wake" || r.told("proactive.wake") != 1 {
		t.Fatalf("clip %q", r.frame.Clip)
	}
	r.posture(Lying)
	r.run(2300 * time.Millisecond)
	r.posture(Standing)
	if r.told("avatar.bed_end") != 1 {
		t.Fatal("the end was not told")
	}
	if b := r.frame.Bed; b <= 0 || b > 1 {
		t.Fatalf("bed %v: it fades", b)
	}
	r.run(700 * time.Millisecond)
	if r.frame.Bed != 0 {
		t.Fatalf("bed %v", r.frame.Bed)
	}
}

func TestBedBusy(t *testing.T) { // 1.4
	try := func(r *rig, c Command) (got Result) {
		r.Do(c, r.now, func(x Result) { got = x })
		return got
	}
	phases := []struct {
		name string
		to   func(*rig)
		bed  Result
	}{
		{"lying down", func(*rig) {}, OK},
		{"asleep", func(r *rig) { r.run(5 * time.Second) }, OK},
		{"waking", func(r *rig) { r.run(5 * time.Second); r.Click(r.now) }, Busy},
		{"the tail", func(r *rig) { r.run(5 * time.Second); r.Click(r.now); r.run(3700 * time.Millisecond) }, Busy},
	}
	for _, p := range phases {
		r := abed(t)
		p.to(r)
		for _, c := range []Command{sit("xterm"), peek("left"), move("center")} {
			if got := try(r, c); got != Busy {
				t.Errorf("%s: %s = %q", p.name, c.Action, got)
			}
		}
		if got := try(r, bedGo); got != p.bed {
			t.Errorf("%s: go_to_bed = %q", p.name, got)
		}
		if got := try(r, stand); got != OK {
			t.Errorf("%s: stand = %q", p.name, got)
		}
	}
}

func TestBedWakes(t *testing.T) {
	for _, c := range []struct {
		name  string
		wake  func(*rig)
		cause string // told with proactive.wake
	}{
		{"click", func(r *rig) {
			if !r.Click(r.now) {
				r.Fatal("the click did not wake her")
			}
		}, "click"},
		{"message", func(r *rig) { r.Message(r.now) }, ""},
		{"stand", func(r *rig) { r.do(stand); r.want(OK) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := abed(t)
			r.run(5 * time.Second)
			r.told("")
			c.wake(r)
			r.step(0)
			if r.frame.Clip != "bed_wake" {
				t.Fatalf("clip %q", r.frame.Clip)
			}
			cause := ""
			for _, e := range r.events {
				if e.Name == "proactive.wake" {
					cause = e.Data["cause"]
				}
			}
			if cause != c.cause {
				t.Fatalf("cause %q", cause)
			}
			if r.Click(r.now) {
				t.Fatal("she is awake: the click is not hers")
			}
			r.run(4 * time.Second)
			r.posture(Standing)
		})
	}
	t.Run("before she has sat down she just stays up", func(t *testing.T) {
		r := abed(t)
		r.run(500 * time.Millisecond)
		r.Click(r.now)
		r.posture(Standing)
		if r.told("proactive.wake") != 1 {
			t.Fatal("the wake was not told")
		}
	})
	t.Run("while lying down she lies down first", func(t *testing.T) {
		r := abed(t)
		r.run(2 * time.Second)
		r.Click(r.now)
		r.Click(r.now)
		r.posture(Lying)
		r.run(1600 * time.Millisecond)
		if r.frame.Clip != "bed_wake" {
			t.Fatalf("clip %q", r.frame.Clip)
		}
		if r.told("proactive.wake") != 1 {
			t.Fatal("the wake was not told once")
		}
	})
	t.Run("a plain click elsewhere", func(t *testing.T) {
		if r := newRig(t, nil); r.Click(r.now) {
			t.Fatal("she was not asleep")
		}
	})
}

func TestBedFromAPerch(t *testing.T) {
	host, low := win(7, "XTerm", 600, 300, 400, 300), win(8, "Low", 500, 700, 700, 200)
	start := func(t *testing.T) *rig {
		r := newRig(t, nil, host, low)
		r.do(sit("xterm"))
		r.run(2 * time.Second)
		r.want(OK)
		r.told("")
		r.do(bedGo)
		r.pending()
		if r.told("user.window_sit_exit") != 1 {
			t.Fatal("the perch is released")
		}
		r.posture(Falling)
		return r
	}
	t.Run("down to the floor, past other windows", func(t *testing.T) {
		r := start(t)
		r.run(4 * time.Second)
		r.want(OK)
		r.posture(Lying)
		r.root(800, 1040)
	})
	for name, cut := range map[string]func(*rig){
		"click":   func(r *rig) { r.Click(r.now) },
		"message": func(r *rig) { r.Message(r.now) },
		"drag":    func(r *rig) { r.DragStart(r.State(r.now).Root, r.now) },
	} {
		t.Run(name+" during the set-up", func(t *testing.T) {
			r := start(t)
			r.run(200 * time.Millisecond)
			cut(r)
			r.step(33 * time.Millisecond)
			r.want(Interrupted)
			r.run(6 * time.Second)
			if r.State(r.now).Posture == Lying {
				t.Fatal("she went to bed all the same")
			}
		})
	}
}

func TestBedUnsupported(t *testing.T) {
	r := newRig(t, nil)
	clips := DefaultClips()
	clips.Bed.Wake = 0
	r.SetClips(clips)
	r.do(bedGo)
	r.want(Unsupported)
	r = newRig(t, nil)
	r.show(Desktop{})
	r.do(bedGo)
	r.want(Busy) // no floor to be put on
}

func TestBedDragged(t *testing.T) {
	r := abed(t)
	r.run(6 * time.Second)
	r.told("")
	r.DragStart(Point{960, 1000}, r.now)
	if r.told("avatar.bed_end") != 1 {
		t.Fatal("the end was not told")
	}
	r.run(200 * time.Millisecond)
	if r.frame.Bed != 0 {
		t.Fatalf("bed %v hangs in the air", r.frame.Bed)
	}
	r.DragMove(Point{960, 400}, r.now)
	r.step(33 * time.Millisecond)
	r.DragEnd(r.now)
	r.posture(Falling)
}

func TestBedFloorMoves(t *testing.T) {
	r := abed(t)
	r.run(5 * time.Second)
	r.show(Desktop{Monitors: []Monitor{screen(0, 0, 1920, 1000)}})
	r.step(33 * time.Millisecond)
	r.posture(Lying)
	r.root(960, 960)
}
