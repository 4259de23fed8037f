package body

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// hand touches and keeps the time.
type hand struct {
	*Touch
	now    time.Time
	events []Event
}

func newHand() *hand { return &hand{Touch: NewTouch(DefaultTouch()), now: epoch} }

func (h *hand) wait(d time.Duration) {
	h.now = h.now.Add(d)
	h.Step("", h.now)
}

func (h *hand) tap(r Region) Deed { return h.hold(r, 80*time.Millisecond) }

func (h *hand) hold(r Region, d time.Duration) Deed {
	h.Press(r, h.now)
	h.wait(d)
	return h.Release("", h.now)
}

func (h *hand) want(t *testing.T, names ...EventName) {
	t.Helper()
	h.events = h.Events()
	got := []EventName{}
	for _, e := range h.events {
		got = append(got, e.Name)
	}
	if fmt.Sprint(got) != fmt.Sprint(names) {
		t.Fatalf("events %v, want %v", got, names)
	}
}

func TestTapSpam(t *testing.T) { // docs/rules/body.md#touch: the 4th click inside 3000 ms outside a region
	h := newHand()
	for round := range 3 {
		for i := range 3 {
			if d := h.tap(Elsewhere); d != Clicked {
				t.Fatalf("round %d tap %d: %v", round, i, d)
			}
			h.wait(500 * time.Millisecond)
		}
		h.want(t)
		if d := h.tap(Elsewhere); d != Bored {
			t.Fatalf("round %d: %v", round, d)
		}
		h.want(t, "proactive.tap_bored")
	}
	for range 10 {
		h.wait(1100 * time.Millisecond)
		if d := h.tap(Elsewhere); d == Bored && h.now.Sub(epoch) > 8*time.Second {
			t.Fatal("slow taps bored her")
		}
	}
}

func TestTapRegion(t *testing.T) {
	for _, region := range []Region{Chest, Hips} {
		h := newHand()
		if d := h.tap(region); d != Touched {
			t.Fatalf("deed %v", d)
		}
		h.want(t, "user.touch", EventName("proactive.touch_"+string(region)))
		if d := h.events[0].Data; d["region"] != string(region) || d["motion"] != "embarrassed" || d["emotion"] != "embarrassed" || d["hold_ms"] != "4000" {
			t.Fatalf("data %v", d)
		}
		h.wait(59 * time.Second)
		h.tap(Chest)
		h.want(t, "user.touch") // one cooldown for all regions
		h.wait(time.Second)
		h.tap(Hips)
		h.want(t, "user.touch", "proactive.touch_hips")
		h.Press(Chest, h.now)
		if h.Release("embarrassed", h.now) != Touched {
			t.Fatal("not touched")
		}
		h.want(t, "user.touch")
		if _, ok := h.events[0].Data["motion"]; ok {
			t.Fatal("that motion plays already")
		}
		for range 8 {
			if h.tap(region) != Touched {
				t.Fatal("a region is no spam")
			}
		}
	}
}

func TestPat(t *testing.T) { // press and hold 300 ms on the head
	for _, c := range []struct {
		held    time.Duration
		context string // "" for no pat
	}{
		{299 * time.Millisecond, ""}, {300 * time.Millisecond, "held for 1s"}, {1400 * time.Millisecond, "held for 1s"},
		{1600 * time.Millisecond, "held for 2s"}, {12 * time.Second, "held for 12s"},
	} {
		h := newHand()
		d := h.hold(Head, c.held)
		if c.context == "" {
			if d != Clicked {
				t.Fatalf("%v: %v", c.held, d)
			}
			h.want(t)
			continue
		}
		h.want(t, "user.pat_start", "user.pat_end", "proactive.head_pat")
		if d != Patted || h.events[2].Data["context"] != c.context || h.events[0].Data["motion"] != "head_pat" || h.events[0].Data["emotion"] != "relaxed" {
			t.Fatalf("%v: %v %v", c.held, d, h.events)
		}
		h.wait(10 * time.Second)
		h.hold(Head, time.Second)
		h.want(t, "user.pat_start", "user.pat_end")
	}
	for _, region := range []Region{Elsewhere, Chest, Hips} {
		h := newHand()
		h.hold(region, 5*time.Second)
		for _, e := range h.Events() {
			if e.Name == "user.pat_start" {
				t.Fatalf("%q was patted", region)
			}
		}
	}
}

func TestPatByTheClock(t *testing.T) { // nothing but Next tells when
	h := newHand()
	if _, ok := h.Next(); ok {
		t.Fatal("waits for nothing")
	}
	h.Press(Head, h.now)
	at, ok := h.Next()
	if !ok || at != h.now.Add(300*time.Millisecond) {
		t.Fatalf("%v %v", at, ok)
	}
	h.Step("head_pat", at)
	if _, again := h.Next(); again || !h.Patting() {
		t.Fatal("the pat did not begin")
	}
	h.want(t, "user.pat_start")
	if h.events[0].Data["motion"] != "" {
		t.Fatal("that motion plays already")
	}
	h.Drag() // a drag that starts ends a pat
	h.want(t, "user.pat_end")
	if h.Release("", at) != Nothing || h.Patting() {
		t.Fatal("a drag is no tap")
	}
	h.want(t)
}

func TestTouchStorm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHand()
		pats, told := 0, time.Time{}
		take := func() {
			for _, e := range h.Events() {
				switch e.Name {
				case "user.pat_start":
					pats++
				case "user.pat_end":
					pats--
				case "proactive.head_pat", "proactive.touch_chest", "proactive.touch_hips":
					if !told.IsZero() && h.now.Sub(told) < time.Minute {
						t.Fatalf("told again after %v", h.now.Sub(told))
					}
					told = h.now
				}
				if pats != 0 && pats != 1 {
					t.Fatalf("%d pats at once", pats)
				}
			}
			if h.Patting() != (pats == 1) {
				t.Fatal("a pat was not told")
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"press": func(t *rapid.T) {
				h.Press(rapid.SampledFrom([]Region{Elsewhere, Head, Chest, Hips}).Draw(t, "region"), h.now)
				take()
			},
			"release": func(*rapid.T) { h.Release("", h.now); take() },
			"drag":    func(*rapid.T) { h.Drag(); take() },
			"wait":    func(t *rapid.T) { h.wait(time.Duration(even(t, "ms", 0, 9000)) * time.Millisecond); take() },
		})
	})
}
