package push

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"yui/assets/lang"
	"yui/chat"
)

// "text frame 256 KiB (262144 bytes) either way"; "oversize dropped (frame_oversize + direction)".
func TestOversize(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	fill := func(size int, mark string) string {
		frame := fmt.Sprintf(`{"type":"render","turn_id":%q,"source":"x","segments":[{"cues":[],"speech":"%s%%s"}]}`, id, mark)
		return fmt.Sprintf(frame, strings.Repeat(" ", size-len(frame)+2))
	}
	w.raw(fill(MaxFrame+1, "One too many."))
	r.log.has(t, "msg=frame_oversize direction=in bytes=262145")
	w.raw(fill(10<<20, "Far too many."))
	r.log.has(t, "msg=frame_oversize direction=in bytes=10485760")
	w.raw(fill(MaxFrame, "Just right."))
	w.end(id)
	if d := r.done(t); strings.TrimSpace(d.Text) != "Just right." {
		t.Errorf("%.100q", d.Text)
	}
	r.Say(context.Background(), strings.Repeat("x", MaxFrame), nil)
	if d := r.done(t); d.Outcome != chat.NetworkDrop || !strings.Contains(d.Error, "256 KiB") {
		t.Errorf("%+v", d)
	}
	r.log.has(t, "msg=frame_oversize direction=out")
	w.quiet()
	next := r.say(t, w, "shorter")
	w.end(next)
	r.done(t)
}

// A hello that does not fit is no reason to talk nonsense to the backend.
func TestOversizeHello(t *testing.T) {
	r := newRig(t, []chat.Tool{{Name: "x", Description: strings.Repeat("long ", 60000)}}, nil)
	r.push.Open(r.Session)
	if s, _ := r.state(t, Reconnecting); s.Err == nil || !strings.Contains(s.Err.Plain(lang.In("en")), "do not fit into hello") {
		t.Errorf("%+v", s)
	}
}

// A flood for a turn that is played reaches it whole: the connection waits.
func TestFloodOfPlayedTurn(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	for i := range 3000 {
		w.raw(fmt.Sprintf(`{"type":"speech","turn_id":%q,"segments":[{"cues":[],"speech":"%d "}]}`, id, i))
		if i%10 == 0 {
			w.raw(`{"type":"noise"}`)
			w.raw(`{"type":"turn_end","turn_id":"never-heard-of"}`)
			w.raw(`{"type":"tool_status","turn_id":"never-heard-of","state":"running","tool_id":"x"}`)
		}
	}
	w.end(id)
	if d := r.done(t); len(strings.Fields(d.Text)) != 3000 || !strings.HasSuffix(strings.TrimSpace(d.Text), "2999") {
		t.Errorf("%d words", len(strings.Fields(d.Text)))
	}
}

// A flood for replies that wait holds nothing up and does not grow without end.
func TestFloodOfWaitingReplies(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	for i := range 30 {
		for range 20 {
			w.raw(fmt.Sprintf(`{"type":"render","turn_id":"hermes-%d","source":"x","segments":[{"cues":[],"speech":"%s."}]}`, i, strings.Repeat("la ", 2000)))
		}
	}
	for range 600 {
		w.raw(`{"type":"speech","turn_id":"hermes-0","segments":[{"cues":[],"speech":"x"}]}`)
	}
	w.render(id, "I am heard.")
	w.end(id)
	if d := r.done(t); d.Text != "I am heard." {
		t.Errorf("%.100q", d.Text)
	}
	r.log.has(t, "too many wait")
	r.log.has(t, "more than can wait")
	r.push.mu.Lock()
	if n := len(r.push.open) + len(r.push.queue) + len(r.push.live); n > 3*mostUnasked {
		t.Errorf("%d turns are kept", n)
	}
	r.push.mu.Unlock()
	r.push.Cut()
	for {
		if f := w.next("stop"); len(f.TurnIDs) > 0 {
			break
		}
	}
}

// The list of cut turns has an end.
func TestCutsAreBounded(t *testing.T) {
	p, err := New(Config{BaseURL: "h"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for i := range 10 * mostCut {
		p.dropFrames(fmt.Sprint(i))
	}
	if len(p.cuts) != mostCut || len(p.cutList) != mostCut || !p.cuts[fmt.Sprint(10*mostCut-1)] {
		t.Errorf("%d %d", len(p.cuts), len(p.cutList))
	}
	p.uncut(fmt.Sprint(10*mostCut - 5))
	if len(p.cuts) != mostCut-1 || len(p.cutList) != mostCut-1 {
		t.Errorf("%d %d", len(p.cuts), len(p.cutList))
	}
}
