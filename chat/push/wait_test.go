package push

import (
	"context"
	"strings"
	"testing"
	"time"

	"yui/chat"
)

// "Turn before ready -> network_drop", at once.
func TestTurnBeforeReady(t *testing.T) {
	r := newRig(t, nil, nil)
	r.Say(context.Background(), "before Open", nil)
	if d := r.done(t); d.Outcome != chat.NetworkDrop || d.Error == "" {
		t.Errorf("%+v", d)
	}
	r.push.Open(r.Session)
	w := r.wire(t)
	w.next("hello")
	r.Say(context.Background(), "before ready", nil)
	if d := r.done(t); d.Outcome != chat.NetworkDrop {
		t.Errorf("%+v", d)
	}
	w.quiet() // "sent only when ready"
}

// "Frame wait passes before the first render -> network_stall and a failure line; after it -> ok with a log line.
// Socket lost likewise (network_drop / ok)."
func TestStallAndLoss(t *testing.T) {
	for _, c := range []struct {
		name             string
		render, lost     bool
		outcome          chat.Outcome
		words, log, text string
	}{
		{"stall before", false, false, chat.NetworkStall, "fell silent", "", ""},
		{"stall after", true, false, chat.OK, "", "reason=frame_wait", "Half of it."},
		{"loss before", false, true, chat.NetworkDrop, "ended before the answer did", "", ""},
		{"loss after", true, true, chat.OK, "", "reason=network_drop", "Half of it."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, nil, func(w *Config) {
				if !c.lost {
					w.Waits.Frame = 400 * time.Millisecond
				}
			})
			w := r.open(t)
			id := r.say(t, w, "hm")
			if c.render {
				w.render(id, "Half of it.")
			}
			if c.lost {
				_ = w.conn.CloseNow()
			}
			d := r.done(t)
			if d.Outcome != c.outcome || !strings.Contains(d.Error, c.words) || d.Text != c.text || d.Cut != c.render {
				t.Errorf("%+v", d)
			}
			if c.log != "" {
				r.log.has(t, c.log)
			}
			if !c.lost { // an answer that comes late after all is heard as a reply
				w.render(id, "Here I am.")
				w.end(id)
			} else {
				w = r.meet(t)
				w.render(id, "Here I am.")
				w.end(id)
			}
			if d := r.done(t); d.Text != "Here I am." || d.User {
				t.Errorf("late: %+v", d)
			}
		})
	}
}

// The session's shorter count of silence ends a turn in the same way; its count after speech is none of push's.
func TestSessionStall(t *testing.T) {
	r := newRig(t, nil, nil)
	s := chat.NewSession(chat.Config{Backend: chat.Backend{Transport: r.push}, Observer: func(e chat.Event) { r.seen <- e },
		Limits: chat.Limits{Otherwise: 700 * time.Millisecond, AfterSpeech: 100 * time.Millisecond}})
	w := r.open(t)
	s.Say(context.Background(), "hm", nil)
	w.next("turn")
	if d := r.done(t); d.Outcome != chat.NetworkStall {
		t.Errorf("%+v", d)
	}
	s.Say(context.Background(), "again", nil)
	w.next("stop") // of the turn before, whose frames count no more
	f := w.next("turn")
	w.render(f.TurnID, "Half of it.")
	time.Sleep(300 * time.Millisecond)
	w.render(f.TurnID, "More of it.")
	if d := r.done(t); d.Outcome != chat.OK || d.Text != "Half of it. More of it." {
		t.Errorf("%+v", d)
	}
	w.quiet() // no stop: the backend may still come
}

// A turn's answer is kept waiting by frames alone: any of the turn's frames starts the wait anew.
func TestFrameWaitCountsSilence(t *testing.T) {
	r := newRig(t, nil, func(c *Config) { c.Waits.Frame = time.Second })
	w := r.open(t)
	id := r.say(t, w, "hm")
	for range 6 {
		time.Sleep(200 * time.Millisecond)
		w.put(`{"type":"reasoning","turn_id":%q,"delta":"…"}`, id)
	}
	w.render(id, "Done.")
	w.end(id)
	if d := r.done(t); d.Outcome != chat.OK || d.Text != "Done." {
		t.Errorf("%+v", d)
	}
}
