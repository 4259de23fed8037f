package body

import (
	"math"
	"strconv"
	"time"

	"yui/avatar/clips"
)

// Region is the part of her that is touched, by the strongest bone under the pointer (docs/rules/body.md#seat).
type Region string

// The regions. All else is Elsewhere.
const (
	Elsewhere Region = ""
	Head      Region = "head"
	Chest     Region = "chest"
	Hips      Region = "hips"
)

// Reaction is what she does by herself when a region is touched.
type Reaction struct {
	Motion  clips.ID
	Emotion string
}

// TouchConfig has the figures of docs/rules/body.md#touch (tap).
type TouchConfig struct {
	SpamCount   int
	SpamWindow  time.Duration
	Cooldown    time.Duration // shared by all regions
	EmotionHold time.Duration
	PatHold     time.Duration
	Reactions   map[Region]Reaction
}

// DefaultTouch returns the figures of docs/rules/body.md#touch.
func DefaultTouch() TouchConfig {
	return TouchConfig{
		SpamCount: 4, SpamWindow: 3 * time.Second, Cooldown: time.Minute, EmotionHold: 4 * time.Second,
		PatHold: 300 * time.Millisecond,
		Reactions: map[Region]Reaction{
			Head: {clips.HeadPat, "relaxed"}, Chest: {clips.Embarrassed, "embarrassed"}, Hips: {clips.Embarrassed, "embarrassed"},
		},
	}
}

// Deed is what a released button meant.
type Deed int

// The deeds. Only Clicked opens the talk.
const (
	Nothing Deed = iota
	Clicked      // a plain tap
	Touched      // a tap on chest or hips
	Patted       // the end of a pat
	Bored        // one plain tap too many
)

// Touch tells taps, pats and drags apart and says how she takes them. It is pure: it knows no window and no clock. Call
// Press, Drag, Release and Step from one goroutine, and take the Events after each.
type Touch struct {
	cfg     TouchConfig
	down    bool
	region  Region
	at      time.Time
	patting bool
	patAt   time.Time
	taps    []time.Time
	told    time.Time // the last proactive event of a region
	events  []Event
}

// NewTouch makes a Touch.
func NewTouch(cfg TouchConfig) *Touch {
	d := DefaultTouch()
	if cfg.SpamCount <= 0 {
		cfg.SpamCount = d.SpamCount
	}
	if cfg.PatHold <= 0 {
		cfg.PatHold = d.PatHold
	}
	return &Touch{cfg: cfg}
}

// Press tells that the button went down on a region.
func (t *Touch) Press(region Region, now time.Time) {
	t.end()
	t.down, t.region, t.at = true, region, now
}

// Next tells when Step must run: when a press becomes a pat.
func (t *Touch) Next() (time.Time, bool) {
	if t.down && t.region == Head && !t.patting {
		return t.at.Add(t.cfg.PatHold), true
	}
	return time.Time{}, false
}

// Step lets a press on the head that has lasted become a pat. playing is the motion she plays.
func (t *Touch) Step(playing clips.ID, now time.Time) {
	if due, ok := t.Next(); ok && !now.Before(due) {
		t.patting, t.patAt = true, due
		t.tell(EventPatStart, Head, playing)
	}
}

// Patting reports whether she is being patted; strokes of the pointer are then no drag as long as they stay on her head.
func (t *Touch) Patting() bool { return t.patting }

// Drag tells that the press became a drag: it ends a pat and is no tap.
func (t *Touch) Drag() { t.end() }

// end forgets the press; a pat is over without a word to the model.
func (t *Touch) end() {
	if t.patting {
		t.emit(EventPatEnd, "region", string(Head))
	}
	t.down, t.patting = false, false
}

// Release tells that the button came up, and says what it was. playing is the motion she plays.
func (t *Touch) Release(playing clips.ID, now time.Time) Deed {
	t.Step(playing, now)
	down, patting := t.down, t.patting
	t.end()
	switch {
	case !down:
		return Nothing
	case patting:
		if t.mayTell(now) {
			held := max(1, int(math.Round(now.Sub(t.at).Seconds())))
			t.emit(EventHeadPat, "context", "held for "+strconv.Itoa(held)+"s")
		}
		return Patted
	case t.region == Chest || t.region == Hips:
		t.tell(EventTouch, t.region, playing)
		if t.mayTell(now) {
			t.emit(touchEvents[t.region])
		}
		return Touched
	}
	return t.tap(now)
}

// tap counts a plain tap; the head is for pats, so a short press there is one.
func (t *Touch) tap(now time.Time) Deed {
	kept := t.taps[:0]
	for _, at := range t.taps {
		if d := now.Sub(at); d >= 0 && d < t.cfg.SpamWindow {
			kept = append(kept, at)
		}
	}
	t.taps = append(kept, now)
	if len(t.taps) < t.cfg.SpamCount {
		return Clicked
	}
	t.taps = t.taps[:0]
	t.emit(EventTapBored)
	return Bored
}

// touchEvents are what the model is told of a tap on a region.
var touchEvents = map[Region]EventName{Chest: EventTouchChest, Hips: EventTouchHips}

// mayTell reports whether the model may hear of a touched region, and then counts it.
func (t *Touch) mayTell(now time.Time) bool {
	if !t.told.IsZero() && now.Sub(t.told) < t.cfg.Cooldown {
		return false
	}
	t.told = now
	return true
}

// tell is a touch with how she takes it.
func (t *Touch) tell(name EventName, region Region, playing clips.ID) {
	r := t.cfg.Reactions[region]
	if r.Motion == playing || r == (Reaction{}) {
		t.emit(name, "region", string(region))
		return
	}
	t.emit(name, "region", string(region), "motion", string(r.Motion), "emotion", r.Emotion,
		"hold_ms", strconv.FormatInt(t.cfg.EmotionHold.Milliseconds(), 10))
}

func (t *Touch) emit(name EventName, pairs ...string) {
	t.events = append(t.events, newEvent(name, pairs))
}

// Events returns what has happened since the last call.
func (t *Touch) Events() []Event {
	e := t.events
	t.events = nil
	return e
}
