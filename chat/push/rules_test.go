package push

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yui/chat"
	"yui/internal/protocol"
)

// story plays a turn's events to its end and tells their order.
func story(t *testing.T, r *rig) (order []string, done chat.TurnDone) {
	t.Helper()
	for {
		switch e := until[chat.Event](t, r).(type) {
		case chat.Speech:
			order = append(order, e.Text)
		case chat.CueReleased:
			order = append(order, "<"+e.Cue.EmotionID+e.Cue.MotionID+">")
		case chat.ToolStatus:
			order = append(order, e.Tool+map[bool]string{true: " runs", false: " is done"}[e.Running])
		case chat.Thought:
			order = append(order, "("+e.Text+")")
		case chat.TurnDone:
			return order, e
		}
	}
}

// "Push: The client, in hello.tools of the connection; tool_call frames. generate_express is not declared there: its cues
// arrive in render and speech segments" (docs/rules/tools.md#declaring): each at its place in the speech.
func TestCuesArriveInRenderAndSpeechSegments(t *testing.T) {
	r := newRig(t, tools(new([]string)), nil)
	r.push.Open(r.Session)
	w := r.wire(t)
	for _, tool := range w.next("hello").Tools {
		if name := tool["function"].(map[string]any)["name"].(string); protocol.IsExpress(name) {
			t.Errorf("%s is declared", name)
		}
	}
	w.ready()
	await(t, "ready", func() bool { return r.push.State().Phase == Ready })
	id := r.say(t, w, "hm")
	w.put(`{"type":"render","turn_id":%q,"source":"x","segments":[{"cues":[],"speech":"One."},{"cues":[{"emotion_id":"joy"}],"speech":"Two."}]}`, id)
	w.put(`{"type":"speech","turn_id":%q,"segments":[{"cues":[{"motion_id":"wave"}],"speech":"Thr"}]}`, id)
	w.put(`{"type":"speech","turn_id":%q,"segments":[{"cues":[],"speech":"ee."},{"cues":[{"emotion_id":"sad"}],"speech":""}]}`, id)
	w.end(id)
	order, d := story(t, r)
	// A piece is shown once it is clear that it begins no tag; a cue never passes the words before it.
	if got := strings.Join(order, ""); got != "One.<joy> Two.<wave> Three.<sad>" && got != "One. <joy>Two. <wave>Three.<sad>" || d.Text != "One. Two. Three." {
		t.Errorf("%q, %+v", order, d)
	}
	w.quiet() // "plays no cue" is answered: a cue of a segment is no call
}

// "A tool outside the registry runs on the backend. The client shows it as tool status and sends no result" (docs/rules/chat.md#calls-of-the-backend):
// on push by its tool_status frames.
func TestToolsOfTheBackend(t *testing.T) {
	r := newRig(t, tools(new([]string)), nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	w.put(`{"type":"tool_status","turn_id":%q,"state":"running","tool_id":"web"}`, id)
	w.put(`{"type":"reasoning","turn_id":%q,"delta":"Where was it"}`, id)
	w.put(`{"type":"reasoning","turn_id":%q,"delta":"?"}`, id)
	w.put(`{"type":"tool_status","turn_id":%q,"state":"done","tool_id":"web"}`, id)
	w.render(id, "There.")
	w.end(id)
	order, d := story(t, r)
	if diff := cmp.Diff([]string{"web runs", "(Where was it)", "(?)", "web is done", "There."}, order); diff != "" || d.Text != "There." {
		t.Errorf("%s\n%+v", diff, d)
	}
	w.quiet()
}

// "Any tool name ending in generate_express plays its cue, whichever side registered it. … Only the exact registered name
// is answered" (docs/rules/chat.md#calls-of-the-backend): none is registered on push, and every tool_call wants an answer, so that is "error: unknown tool".
func TestCuesOfCalls(t *testing.T) {
	names := []string{"generate_express", "mcp_x_generate_express"}
	check := func(t *testing.T, w *wire, turn string) {
		t.Helper()
		for _, name := range names {
			w.put(`{"type":"tool_call","turn_id":%q,"call_id":%q,"name":%q,"arguments":{"emotion_id":"joy"}}`, turn, name, name)
			if f := w.next("tool_result"); f.CallID != name || f.Result != "error: unknown tool" {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
	t.Run("of a turn", func(t *testing.T) {
		r := newRig(t, tools(new([]string)), nil)
		w := r.open(t)
		id := r.say(t, w, "hm")
		check(t, w, id)
		w.end(id)
		if order, d := story(t, r); !slices.Equal(order, []string{"<joy>", "<joy>"}) || !d.Silent {
			t.Errorf("%q, %+v", order, d)
		}
	})
	t.Run("of a reply that waits", func(t *testing.T) {
		r := newRig(t, tools(new([]string)), nil)
		r.setFast(false)
		w := r.open(t)
		id := r.say(t, w, "hm")
		w.render(id, "This sentence is spoken for a good while.")
		w.end(id)
		r.done(t)
		check(t, w, "hermes-1") // at once, though its cues must wait
		w.render("hermes-1", "Hello.")
		w.end("hermes-1")
		r.pass(time.Hour)
		order, d := story(t, r)
		if !slices.Equal(order, []string{"<joy>", "<joy>", "Hello."}) || wireID(d.Turn) != "hermes-1" {
			t.Errorf("%q, %+v", order, d)
		}
		w.quiet() // each is answered once
	})
}

// "Push carries the text in tool_result.result and the data URLs in tool_result.images", "A tool whose execution throws
// returns error: <message> as its result" (docs/rules/chat.md#round-trips): as often as the backend asks, for the round trips are its own.
func TestResultsOnTheWire(t *testing.T) {
	r := newRig(t, tools(new([]string)), nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	for i := range 3 * chat.MaxRoundTrips {
		want := sent{Type: "tool_result", TurnID: id, CallID: fmt.Sprint("call-", i), Result: "error: no luck"}
		name := "boom"
		if i%2 == 0 {
			name, want.Result, want.Images = "look", "screenshot of display 0", []string{pixel, pixel}
		}
		w.put(`{"type":"tool_call","turn_id":%q,"call_id":%q,"name":%q,"arguments":{}}`, id, want.CallID, name)
		if diff := cmp.Diff(want, w.next("tool_result")); diff != "" {
			t.Error(diff)
		}
	}
	w.render(id, "Seen.")
	w.end(id)
	if d := r.done(t); d.Text != "Seen." || d.Outcome != chat.OK {
		t.Errorf("%+v", d)
	}
}

// "Tool traffic lives in the in-flight request" (docs/rules/chat.md#what-the-next-turn-carries): on push the next turn frame is the
// lines of its context and the words, and the conversation is the backend's own.
func TestWhatTheNextTurnCarries(t *testing.T) {
	r := newRig(t, tools(new([]string)), nil)
	w := r.open(t)
	id := r.say(t, w, "Look.")
	w.put(`{"type":"tool_call","turn_id":%q,"call_id":"c","name":"look","arguments":{}}`, id)
	w.next("tool_result")
	w.render(id, "A kettle.")
	w.end(id)
	r.done(t)
	r.Say(context.Background(), "And now?", nil)
	f := w.next("turn")
	if f.Text != "And now?" || strings.Contains(f.Context, "kettle") || strings.Contains(f.Context, "screenshot") || len(f.Tools)+len(f.Images) > 0 || f.Result != "" {
		t.Errorf("%+v", f)
	}
	w.end(f.TurnID)
	r.done(t)
}

// A pet that becomes the main one "takes its tools with the next turn" (docs/rules/tools.md#declaring): the backend is greeted anew. "A
// preset opened later joins the list at the next connect" (docs/rules/tools.md#vocabulary): for a name in an enum alone it is not. And "a vocabulary edit …
// reaches the schema on the next turn", though nobody has told the connection of it.
func TestToolsOfTheNextTurn(t *testing.T) {
	var mu sync.Mutex
	list, motions := []chat.Tool{{Name: "browser"}}, []string{"wave"}
	change := func(tools []chat.Tool, words ...string) {
		mu.Lock()
		defer mu.Unlock()
		list, motions = tools, words
	}
	r := newRig(t, nil, func(c *Config) {
		c.Tools = boxFunc(func() []chat.Tool { mu.Lock(); defer mu.Unlock(); return list })
		c.Vocabulary = func() Vocabulary { mu.Lock(); defer mu.Unlock(); return Vocabulary{MotionIDs: motions} }
	})
	w := r.open(t)
	w.end(r.say(t, w, "One"))
	r.done(t)

	change([]chat.Tool{{Name: "browser", Parameters: []byte(`{"type":"object","properties":{"to":{"enum":["Momo"]}}}`)}}, "wave", "nod")
	r.Say(context.Background(), "Two", nil)
	if f := w.next("vocabulary"); fmt.Sprint(f.Vocabulary["motion_ids"]) != "[wave nod]" {
		t.Errorf("%+v", f)
	}
	w.end(w.next("turn").TurnID)
	r.done(t)

	change([]chat.Tool{{Name: "body_action"}, {Name: "browser"}}, "wave", "nod")
	w.render("hermes-1", "I am speaking.")
	until[chat.Speech](t, r)
	r.Background(context.Background(), chat.Trigger{Event: "proactive.peek"}) // waits for it, and cuts nothing
	w.end("hermes-1")
	r.done(t)
	again := r.wire(t)
	hello := again.next("hello")
	if len(hello.Tools) != 2 || hello.Tools[0]["function"].(map[string]any)["name"] != "body_action" {
		t.Errorf("%v", hello.Tools)
	}
	again.ready()
	again.end(again.next("turn").TurnID)
	if d := r.done(t); d.Outcome != chat.OK {
		t.Errorf("%+v", d)
	}

	change(nil)
	r.Say(context.Background(), "Three", nil)
	last := r.wire(t)
	last.next("hello")
	r.Stop() // while the backend is being greeted
	if d := r.done(t); !d.Stopped {
		t.Errorf("%+v", d)
	}
}

// "speech frames open one utterance, closed by the turn's next render, turn_end, wait expiry or another turn's frame"
// (docs/rules/chat.md#push-turns): what comes behind it is another utterance, and a word of its own.
func TestAnotherTurnsFrameClosesAnUtterance(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	piece := func(text string) {
		w.put(`{"type":"speech","turn_id":%q,"segments":[{"cues":[],"speech":%q}]}`, id, text)
	}
	piece("One mo")
	piece("ment")
	w.put(`{"type":"tool_status","turn_id":"hermes-1","state":"running","tool_id":"web"}`)
	piece("please")
	w.end(id)
	if d := r.done(t); d.Text != "One moment please" {
		t.Errorf("%+v", d)
	}
}

// A turn that was given up and ended after all is nothing to be stopped when the person goes on: "stop {type,turn_ids[]}"
// names turns that still run.
func TestNoStopForWhatHasEnded(t *testing.T) {
	r := newRig(t, nil, func(c *Config) { c.Waits.Frame = 300 * time.Millisecond })
	w := r.open(t)
	id := r.say(t, w, "hm")
	if d := r.done(t); d.Outcome != chat.NetworkStall {
		t.Errorf("%+v", d)
	}
	w.end(id)
	w.raw(`{"type":"turn_end"}`) // malformed: once it is in the log, all before it has been read
	r.log.has(t, "msg=frame_malformed field=turn_id")
	r.Say(context.Background(), "again", nil)
	w.end(w.next("turn").TurnID) // and no stop before it
	r.done(t)
}

// The lists of hello keep their meaning for as long as the connection does: calls run by what hello has declared, whatever
// a later turn would declare. Who is open decides when the backend is greeted anew: before the next turn, never within one.
func TestListsKeepTheMeaningOfHello(t *testing.T) {
	var mu sync.Mutex
	version, company := 1, []string{"momo"}
	set := func(v int, ids ...string) {
		mu.Lock()
		defer mu.Unlock()
		version, company = v, ids
	}
	r := newRig(t, nil, func(c *Config) {
		c.Tools = boxFunc(func() []chat.Tool {
			mu.Lock()
			defer mu.Unlock()
			v := version
			return []chat.Tool{{Name: "rate", Run: func(context.Context, chat.Call) chat.Result { return chat.Result{Text: fmt.Sprint("list ", v)} }}}
		})
		c.Company = func() []string { mu.Lock(); defer mu.Unlock(); return company }
	})
	r.setFast(false)
	w := r.open(t)
	check := func(w *wire, id, want string) {
		t.Helper()
		w.put(`{"type":"tool_call","turn_id":%q,"call_id":"c","name":"rate","arguments":{}}`, id)
		if f := w.next("tool_result"); f.Result != want {
			t.Errorf("%s: %q, want %q", id, f.Result, want)
		}
	}
	finish := func(w *wire, id string) {
		t.Helper()
		w.render(id, "Hm.")
		w.end(id)
		r.done(t)
		r.pass(time.Minute)
	}
	set(2, "momo") // renamed
	id := r.say(t, w, "one")
	check(w, id, "list 1")
	set(3, "momo", "sora") // opened within the turn
	check(w, id+"0", "list 1")
	finish(w, id)
	finish(w, id+"0")
	check(w, "hermes-1", "list 1") // a reply of its own greets nobody
	finish(w, "hermes-1")
	r.Say(context.Background(), "two", nil)
	again := r.meet(t)
	f := again.next("turn")
	check(again, f.TurnID, "list 3")
	set(4, "sora") // closed
	check(again, f.TurnID+"0", "list 3")
	finish(again, f.TurnID)
	finish(again, f.TurnID+"0")
	r.Background(context.Background(), chat.Trigger{Event: "proactive.peek"})
	last := r.meet(t)
	f = last.next("turn")
	check(last, f.TurnID, "list 4")
	finish(last, f.TurnID)
}
