package push

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"yui/chat"
	"yui/internal/protocol"
)

// "text "" when no user utterance", and only user turns cut: a turn that nobody typed sends no words of its own.
func TestTextIsEmptyWhereNobodySpoke(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	r.Background(context.Background(), chat.Trigger{Event: "proactive.head_pat", Line: `proactive "a pat"`})
	f := w.next("turn")
	if f.Text != "" || !strings.Contains(f.Context, `trigger: proactive "a pat"`) {
		t.Errorf("background turn %+v", f)
	}
	w.end(f.TurnID)
	if d := r.done(t); !d.Silent || d.Outcome != chat.OK {
		t.Errorf("%+v", d)
	}
	r.Background(context.Background(), chat.Addressed("Momo", "Tea?"))
	f = w.next("turn")
	if f.Text != "(Momo says to you) Tea?" {
		t.Errorf("addressed turn %+v", f)
	}
	w.end(f.TurnID)
	r.done(t)
	w.quiet()
}

// "Silence = all speech empty or exactly [SILENT]; cues still play."
func TestSilence(t *testing.T) {
	for _, segments := range []string{
		`[{"cues":[{"emotion_id":"sad"}],"speech":"[SILENT]"}]`,
		`[{"cues":[{"emotion_id":"sad"}],"speech":""}]`,
		`[{"cues":[],"speech":" [SILENT]\n"},{"cues":[{"emotion_id":"sad"}],"speech":""},{"cues":[],"speech":"[SILENT]"}]`,
	} {
		r := newRig(t, nil, nil)
		w := r.open(t)
		id := r.say(t, w, "hm")
		w.put(`{"type":"render","turn_id":%q,"source":"x","segments":%s}`, id, segments)
		if c := until[chat.CueReleased](t, r); c.Cue.EmotionID != "sad" {
			t.Errorf("%s: %+v", segments, c)
		}
		w.end(id)
		if d := r.done(t); !d.Silent || d.Text != "" || d.Outcome != chat.OK {
			t.Errorf("%s: %+v", segments, d)
		}
	}
}

// Silence in one utterance is not the silence of the next.
func TestSilentThenSpeech(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	w.render(id, "[SILENT]")
	for _, piece := range []string{"[SIL", "ENT]"} {
		w.put(`{"type":"speech","turn_id":%q,"segments":[{"cues":[],"speech":%q}]}`, id, piece)
	}
	w.render(id, "<think>no</think>Yes.")
	w.end(id)
	if d := r.done(t); d.Text != "Yes." || d.Silent {
		t.Errorf("%+v", d)
	}
}

// Cues apply with the next sentence behind them (docs/rules/chat.md#playback), and two at one place are one.
func TestCues(t *testing.T) {
	r := newRig(t, []chat.Tool{{Name: protocol.Express, OneWay: true, Run: func(context.Context, chat.Call) chat.Result {
		t.Error("a cue of a segment was run as a call")
		return chat.Result{}
	}}}, nil)
	r.setFast(false)
	w := r.open(t)
	id := r.say(t, w, "hm")
	w.put(`{"type":"render","turn_id":%q,"source":"x","segments":[{"cues":[],"speech":"One."},`+
		`{"cues":[{"emotion_id":"joy"},{"motion_id":"wave","caption":"loud"}],"speech":"Two."},{"cues":[{"emotion_id":"sad"}],"speech":""}]}`, id)
	w.end(id)
	if d := r.done(t); d.Text != "One. Two." {
		t.Errorf("%+v", d)
	}
	_, p := r.Step(r.now())
	if len(p.Cues) != 1 || p.Cues[0] != (chat.Cue{EmotionID: "sad"}) || p.Sentence != 0 {
		t.Errorf("at first %+v", p) // nothing follows it: it applies when it is released
	}
	r.pass(time.Second)
	if _, p = r.Step(r.now()); len(p.Cues) != 1 || p.Cues[0] != (chat.Cue{EmotionID: "joy", MotionID: "wave", Caption: "loud"}) {
		t.Errorf("with the second sentence %+v", p)
	}
}

// Speech frames come as they are written; the utterance is closed by "the turn's next render, turn_end, …".
func TestSpeechFrames(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	for _, piece := range []string{"It was a long", " way.", "We wal", "ked for 3.", "5 hours."} {
		w.put(`{"type":"speech","turn_id":%q,"segments":[{"cues":[],"speech":%q}]}`, id, piece)
	}
	w.render(id, "And back.")
	w.end(id)
	if d := r.done(t); d.Text != "It was a long way. We walked for 3.5 hours. And back." {
		t.Errorf("%q", d.Text)
	}
}

// The bubble shows what has come while the turn still runs: nothing is held back for a turn_end.
func TestRenderShowsAtOnce(t *testing.T) {
	r := newRig(t, nil, nil)
	r.setFast(false)
	w := r.open(t)
	id := r.say(t, w, "hm")
	w.render(id, "I look it up") // no full stop: the utterance is whole all the same
	until[chat.Speech](t, r)
	await(t, "the sentence", func() bool { _, p := r.Step(r.now()); return p.Sentence == 0 })
	w.end(id)
	r.done(t)
}

// "Renders play after what is queued": two turns at once, in any mixture, are heard one after the other.
func TestTwoTurnsAtOnce(t *testing.T) {
	r := newRig(t, nil, nil)
	r.setFast(false)
	w := r.open(t)
	id := r.say(t, w, "hm")
	w.render("hermes-7", "By the way.")
	w.render(id, "Mine first.")
	w.render("hermes-7", "The post is there.")
	w.end("hermes-7")
	w.end(id)
	if d := r.done(t); d.Turn != id || d.Text != "Mine first." {
		t.Errorf("%+v", d)
	}
	select {
	case e := <-r.seen:
		t.Fatalf("%+v began while the speech before it was owed", e)
	case <-time.After(100 * time.Millisecond):
	}
	r.pass(time.Minute)
	if d := r.done(t); wireID(d.Turn) != "hermes-7" || d.Text != "By the way. The post is there." || d.User {
		t.Errorf("%+v", d)
	}
	w.quiet() // nothing was cut
}

// A reply that stays open makes room for another one, and goes on behind it: "closed by … another turn's frame". Its parts
// are of one identity, and all but the last say that more follows.
func TestOpenReplyMakesRoom(t *testing.T) {
	ended := make(chan string, 10)
	r := newRig(t, nil, func(c *Config) { c.OnEnd = func(turn string) { ended <- turn } })
	w := r.open(t)
	w.put(`{"type":"speech","turn_id":"hermes-1","segments":[{"cues":[],"speech":"I am still working"}]}`)
	until[chat.Speech](t, r)
	w.render("hermes-2", "A letter came.")
	first := r.done(t)
	if wireID(first.Turn) != "hermes-1" || first.Text != "I am still working" || !first.More {
		t.Errorf("%+v", first)
	}
	w.end("hermes-2")
	if d := r.done(t); wireID(d.Turn) != "hermes-2" || d.Text != "A letter came." || d.More {
		t.Errorf("%+v", d)
	}
	w.put(`{"type":"tool_status","turn_id":"hermes-1","state":"running","tool_id":"x"}`)
	w.render("hermes-1", "Now it is done.")
	w.end("hermes-1")
	if d := r.done(t); d.Turn != first.Turn || d.Text != "Now it is done." || d.Outcome != chat.OK || d.More {
		t.Errorf("%+v", d)
	}
	r.push.mu.Lock()
	left := len(r.push.open) + len(r.push.queue) + len(r.push.live)
	r.push.mu.Unlock()
	if left != 0 || len(ended) != 0 {
		t.Errorf("left behind: %+v, told of %d ends", r.push.turns, len(ended))
	}
	// One that made room and has nothing more to say is told of all the same.
	w.render("hermes-3", "I am thinking.")
	until[chat.Speech](t, r)
	w.render("hermes-4", "A visitor.")
	first = r.done(t)
	w.end("hermes-4")
	r.done(t)
	w.end("hermes-3")
	select {
	case turn := <-ended:
		if turn != first.Turn || !first.More {
			t.Errorf("%s has ended, want %+v", turn, first)
		}
	case <-time.After(patience):
		t.Fatal("nobody was told that the reply is over")
	}
}

// What a reply says of its end holds behind a call, too, which is answered while the reply is played.
func TestOpenReplyMakesRoomBehindCall(t *testing.T) {
	r := newRig(t, []chat.Tool{{Name: "look", Run: func(context.Context, chat.Call) chat.Result { return chat.Result{Text: "seen"} }}}, nil)
	w := r.open(t)
	w.put(`{"type":"tool_call","turn_id":"h9","call_id":"c1","name":"look","arguments":{}}`)
	w.next("tool_result")
	w.render("h9", "Part one.")
	until[chat.Speech](t, r)
	w.render("h10", "A letter came.")
	first := r.done(t)
	if first.Text != "Part one." || !first.More {
		t.Errorf("%+v", first)
	}
	w.end("h10")
	r.done(t)
	w.render("h9", "Part two.")
	w.end("h9")
	if d := r.done(t); d.Turn != first.Turn || d.Text != "Part two." || d.More {
		t.Errorf("%+v", d)
	}
	// So does that it is not whole.
	w.put(`{"type":"tool_call","turn_id":"h11","call_id":"c2","name":"look","arguments":{}}`)
	w.next("tool_result")
	w.render("h11", "I was about to say")
	until[chat.Speech](t, r)
	_ = w.conn.CloseNow()
	if d := r.done(t); d.Text != "I was about to say" || !d.Cut {
		t.Errorf("%+v", d)
	}
}

// A backend that counts its turns from 1 again begins new ones: each opened turn has an identity of its own, over a
// connection and over several.
func TestAnIDUsedAgainIsAnotherTurn(t *testing.T) {
	var mu sync.Mutex
	var turns []string
	r := newRig(t, []chat.Tool{{Name: "rate", Run: func(_ context.Context, c chat.Call) chat.Result {
		mu.Lock()
		defer mu.Unlock()
		turns = append(turns, c.Turn)
		return chat.Result{Text: "neutral"}
	}}}, nil)
	r.setFast(false)
	w := r.open(t)
	call := func() {
		t.Helper()
		for _, id := range []string{"c1", "c2"} {
			w.put(`{"type":"tool_call","turn_id":"hermes-1","call_id":%q,"name":"rate","arguments":{}}`, id)
			if f := w.next("tool_result"); f.TurnID != "hermes-1" || f.Result != "neutral" {
				t.Errorf("%+v", f)
			}
		}
		w.render("hermes-1", "Hello.")
		w.end("hermes-1")
		r.done(t)
	}
	call()
	r.pass(time.Minute)
	call()
	r.pass(time.Minute)
	_ = w.conn.CloseNow() // the backend starts anew
	w = r.meet(t)
	call()
	if len(turns) != 6 || turns[0] != turns[1] || turns[2] != turns[3] || turns[4] != turns[5] || turns[0] == turns[2] || turns[2] == turns[4] || turns[0] == turns[4] {
		t.Errorf("%q", turns)
	}
}

// A user turn that has spoken and still runs is not ended by a reply without a request.
func TestUserTurnDoesNotMakeRoom(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	w.render(id, "One moment.")
	w.render("hermes-1", "A letter came.")
	w.end("hermes-1")
	w.render(id, "Found.")
	w.end(id)
	if d := r.done(t); d.Turn != id || d.Text != "One moment. Found." {
		t.Errorf("%+v", d)
	}
	if d := r.done(t); wireID(d.Turn) != "hermes-1" {
		t.Errorf("%+v", d)
	}
}

// "Only a user turn, voice barge-in and the stop button cut speech; cut turns' frames are dropped until their
// turn_end."
func TestUserTurnCuts(t *testing.T) {
	r := newRig(t, nil, nil)
	r.setFast(false)
	w := r.open(t)
	w.render("hermes-1", "A very long story begins here.")
	until[chat.Speech](t, r)
	w.render("hermes-2", "Another one.")
	w.end("hermes-2")
	w.render("hermes-3", "And a third.")
	await(t, "the replies", func() bool {
		r.push.mu.Lock()
		defer r.push.mu.Unlock()
		return len(r.push.queue) == 2 || len(r.push.queue) == 1 && r.push.open["hermes-3"] != nil
	})
	r.Say(context.Background(), "Stop that", nil)
	stopped := map[string]bool{}
	var f sent
	for f = range w.got {
		if f.Type == "turn" {
			break
		}
		for _, id := range f.TurnIDs {
			stopped[id] = true
		}
	}
	if !stopped["hermes-3"] || stopped["hermes-2"] {
		t.Errorf("stop names %v", stopped)
	}
	w.render("hermes-3", "still talking")
	w.end("hermes-3")
	w.render(f.TurnID, "Sorry.")
	w.end(f.TurnID)
	for {
		d := r.done(t)
		if d.Turn == f.TurnID {
			if d.Text != "Sorry." {
				t.Errorf("%+v", d)
			}
			break
		}
	}
	r.pass(time.Hour)
	w.render("hermes-3", "I may speak again.") // its turn_end has come: the name is free
	w.end("hermes-3")
	if d := r.done(t); wireID(d.Turn) != "hermes-3" || d.Text != "I may speak again." {
		t.Errorf("%+v", d)
	}
}

// A turn that nobody typed cuts nothing.
func TestBackgroundCutsNothing(t *testing.T) {
	r := newRig(t, nil, nil)
	r.setFast(false)
	w := r.open(t)
	w.render("hermes-1", "A very long story begins here.")
	w.end("hermes-1")
	until[chat.TurnDone](t, r)
	w.render("hermes-2", "And another one.")
	w.end("hermes-2")
	r.Background(context.Background(), chat.Trigger{Event: "proactive.head_pat"})
	r.pass(time.Minute)
	r.Step(r.now())
	r.setFast(true)
	seen := map[string]string{}
	f := w.next("turn")
	w.end(f.TurnID)
	for range 2 {
		d := r.done(t)
		seen[wireID(d.Turn)] = d.Text
	}
	if seen["hermes-2"] != "And another one." {
		t.Errorf("%v", seen)
	}
	w.quiet()
}

// The stop button: "stop {type,turn_ids[]}", then nothing of that turn is shown until its turn_end.
func TestStop(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	id := r.say(t, w, "Tell me all")
	w.render(id, "Once upon a time.")
	until[chat.Speech](t, r)
	r.Stop()
	if f := w.next("stop"); fmt.Sprint(f.TurnIDs) != "["+id+"]" {
		t.Errorf("%+v", f)
	}
	if d := r.done(t); !d.Stopped || d.Outcome != chat.Superseded || d.Text != "Once upon a time." {
		t.Errorf("%+v", d)
	}
	w.render(id, "There was a king.")
	w.put(`{"type":"speech","turn_id":%q,"segments":[{"cues":[],"speech":"And a queen."}]}`, id)
	w.put(`{"type":"tool_call","turn_id":%q,"call_id":"c","name":"lookup","arguments":{}}`, id)
	w.end(id)
	next := r.say(t, w, "Thanks")
	w.render(next, "Gladly.")
	w.end(next)
	if d := r.done(t); d.Turn != next || d.Text != "Gladly." {
		t.Errorf("%+v", d)
	}
	w.quiet()
}

// Cut drops what is queued although its turn_end has come, and the session stays usable.
func TestCut(t *testing.T) {
	r := newRig(t, nil, nil)
	r.setFast(false)
	w := r.open(t)
	w.render("hermes-1", "A very long story begins here.")
	w.end("hermes-1")
	until[chat.TurnDone](t, r)
	for i := 2; i < 6; i++ {
		w.render(fmt.Sprintf("hermes-%d", i), "More.")
		w.end(fmt.Sprintf("hermes-%d", i))
	}
	await(t, "the queue", func() bool {
		r.push.mu.Lock()
		defer r.push.mu.Unlock()
		return len(r.push.queue) == 4 && len(r.push.open) == 0
	})
	r.Stop()
	r.push.Cut()
	r.pass(time.Hour)
	r.setFast(true)
	id := r.say(t, w, "hm")
	w.render(id, "Yes?")
	w.end(id)
	if d := r.done(t); d.Turn != id || d.Text != "Yes?" {
		t.Errorf("%+v", d)
	}
}
