package push

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"yui/chat"
	"yui/internal/protocol"
)

const pixel = "data:image/png;base64,iVBORw0KGgo="

func tools(log *[]string) []chat.Tool {
	var mu sync.Mutex
	note := func(c chat.Call) {
		mu.Lock()
		defer mu.Unlock()
		*log = append(*log, c.Turn+" "+c.ID+" "+c.Name+" "+string(c.Args))
	}
	return []chat.Tool{
		{Name: protocol.Express, OneWay: true, Run: func(context.Context, chat.Call) chat.Result { return chat.Result{Text: "ok"} }},
		{Name: "look", Description: "sees <things> & more", Parameters: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"}}}`),
			Run: func(_ context.Context, c chat.Call) chat.Result {
				note(c)
				return chat.Result{Text: "screenshot of display 0", Images: []string{pixel, pixel}}
			}},
		{Name: "echo", Run: func(_ context.Context, c chat.Call) chat.Result { note(c); return chat.Result{Text: string(c.Args)} }},
		{Name: "boom", Run: func(context.Context, chat.Call) chat.Result { panic("no luck") }},
		{Name: "big", Run: func(_ context.Context, c chat.Call) chat.Result {
			var size struct{ MiB float64 }
			_ = json.Unmarshal(c.Args, &size)
			return chat.Result{Text: "here", Images: []string{"data:image/jpeg;base64," + strings.Repeat("A", int(size.MiB*(1<<20)))}}
		}},
		{Name: "slow", Run: func(ctx context.Context, c chat.Call) chat.Result {
			note(c)
			<-ctx.Done()
			return chat.Result{Text: "too late"}
		}},
	}
}

// "hello.tools holds Chat Completions function schemas", and "generate_express is not declared there".
func TestHelloTools(t *testing.T) {
	var log []string
	list := tools(&log)
	r := newRig(t, list, func(c *Config) {
		c.Vocabulary = func() Vocabulary { return Vocabulary{VoiceTags: map[string]string{"soft": "a low voice"}} }
	})
	r.push.Open(r.Session)
	hello := r.wire(t).next("hello")
	var names []string
	for _, tool := range hello.Tools {
		f := tool["function"].(map[string]any)
		names = append(names, f["name"].(string))
		if f["name"] == "look" && (f["description"] != "sees <things> & more" || f["parameters"].(map[string]any)["properties"].(map[string]any)["at"] == nil) {
			t.Errorf("%v", f)
		}
	}
	if want := []string{"look", "echo", "boom", "big", "slow"}; !slices.Equal(names, want) {
		t.Errorf("declared %v, want %v", names, want)
	}
	if v := hello.Vocabulary; v["emotion_text_mode"] != "enum" || fmt.Sprint(v["emotion_text_map"]) != "map[soft:a low voice]" {
		t.Errorf("%v", v)
	}
}

// "calls arrive as tool_call; answers are tool_result {result: text, images: [dataUrl]?}".
func TestToolCalls(t *testing.T) {
	var log []string
	r := newRig(t, tools(&log), nil)
	w := r.open(t)
	id := r.say(t, w, "look")
	for _, c := range []struct {
		name, args, result string
		images             int
	}{
		{"look", `{"at":"screen"}`, "screenshot of display 0", 2},
		{"echo", `{"a":[1,2,{"b":null}]}`, `{"a":[1,2,{"b":null}]}`, 0},
		{"boom", `{}`, "error: no luck", 0},
		{"see_camera", `{}`, "error: unknown tool", 0},
		{protocol.Express, `{"emotion_id":"joy"}`, "error: unknown tool", 0},
		{"big", `{"MiB":3.5}`, "here", 1},
		{"big", `{"MiB":4.5}`, "error: result too large: more than 4 MiB", 0},
	} {
		call := chat.NewCallID()
		w.put(`{"type":"tool_call","turn_id":%q,"call_id":%q,"name":%q,"arguments":%s,"wait_ms":32000}`, id, call, c.name, c.args)
		f := w.next("tool_result")
		if f.TurnID != id || f.CallID != call || f.Result != c.result || len(f.Images) != c.images {
			t.Errorf("%s: %.200s, %d images", c.name, f.Result, len(f.Images))
		}
	}
	r.log.has(t, "msg=frame_oversize direction=out")
	w.render(id, "Seen.")
	w.end(id)
	if d := r.done(t); d.Outcome != chat.OK || d.Text != "Seen." {
		t.Errorf("%+v", d)
	}
	if len(log) != 2 || log[0] != id+" "+strings.Fields(log[0])[1]+` look {"at":"screen"}` {
		t.Errorf("ran %q", log)
	}
	w.quiet() // and no second turn frame for the results
}

// The cue of a call plays although the call is none of ours.
func TestExpressCallPlaysItsCue(t *testing.T) {
	r := newRig(t, tools(new([]string)), nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	w.put(`{"type":"tool_call","turn_id":%q,"call_id":"c1","name":"generate_express","arguments":{"emotion_id":"joy"}}`, id)
	if c := until[chat.CueReleased](t, r); c.Cue.EmotionID != "joy" {
		t.Errorf("%+v", c)
	}
	w.next("tool_result")
	w.end(id)
	r.done(t)
}

// A call runs once, however often it comes.
func TestRepeatedCall(t *testing.T) {
	var log []string
	r := newRig(t, tools(&log), nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	for range 3 {
		w.put(`{"type":"tool_call","turn_id":%q,"call_id":"c1","name":"echo","arguments":{}}`, id)
	}
	w.put(`{"type":"tool_call","turn_id":%q,"call_id":"c2","name":"echo","arguments":{"n":2}}`, id)
	if a, b := w.next("tool_result"), w.next("tool_result"); a.CallID+b.CallID != "c1c2" && a.CallID+b.CallID != "c2c1" {
		t.Errorf("%+v %+v", a, b)
	}
	w.end(id)
	r.done(t)
	if len(log) != 2 {
		t.Errorf("ran %q", log)
	}
}

// "A tool that is cut off because the turn was stopped ends with error: turn stopped" (docs/rules/chat.md#results).
func TestStoppedCall(t *testing.T) {
	var log []string
	r := newRig(t, tools(&log), nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	w.put(`{"type":"tool_call","turn_id":%q,"call_id":"c1","name":"slow","arguments":{}}`, id)
	until[chat.ToolStatus](t, r)
	r.Stop()
	got := map[string]sent{}
	for range 2 {
		f := <-w.got
		got[f.Type] = f
	}
	if got["stop"].TurnIDs[0] != id {
		t.Errorf("%+v", got)
	}
	if f := got["tool_result"]; f.CallID != "c1" || f.Result != "error: turn stopped" && f.Result != "too late" {
		t.Errorf("%+v", f)
	}
	r.done(t)
}

// A reply that waits behind speech gets its calls answered all the same, and is heard in its time.
func TestCallsOfWaitingReply(t *testing.T) {
	var log []string
	r := newRig(t, tools(&log), nil)
	r.setFast(false)
	w := r.open(t)
	id := r.say(t, w, "hm")
	w.render(id, "This sentence is spoken for a good while.")
	w.end(id)
	r.done(t)
	w.put(`{"type":"tool_call","turn_id":"hermes-1","call_id":"c1","name":"look","arguments":{}}`)
	if f := w.next("tool_result"); f.TurnID != "hermes-1" || len(f.Images) != 2 {
		t.Errorf("%+v", f)
	}
	w.put(`{"type":"tool_call","turn_id":"hermes-1","call_id":"c2","name":"nothing","arguments":{}}`)
	if f := w.next("tool_result"); f.Result != "error: unknown tool" {
		t.Errorf("%+v", f)
	}
	w.put(`{"type":"tool_call","turn_id":"hermes-1","call_id":"c3","name":"boom","arguments":{}}`)
	if f := w.next("tool_result"); f.Result != "error: no luck" {
		t.Errorf("%+v", f)
	}
	w.render("hermes-1", "I have looked.")
	w.end("hermes-1")
	select {
	case e := <-r.seen:
		t.Fatalf("%+v came too early", e)
	case <-time.After(60 * time.Millisecond):
	}
	r.pass(time.Minute)
	if d := r.done(t); wireID(d.Turn) != "hermes-1" || d.Text != "I have looked." {
		t.Errorf("%+v", d)
	}
}

// A reply may begin with a call; it runs inside the reply's own turn, where the pill shows it.
func TestReplyBeginsWithCall(t *testing.T) {
	var log []string
	r := newRig(t, tools(&log), func(c *Config) { c.Waits.Calls = patience })
	w := r.open(t)
	w.put(`{"type":"tool_call","turn_id":"hermes-1","call_id":"c1","name":"echo","arguments":{"x":1}}`)
	if s := until[chat.ToolStatus](t, r); s.Tool != "echo" || !s.Running || wireID(s.Turn) != "hermes-1" {
		t.Errorf("%+v", s)
	}
	if f := w.next("tool_result"); f.Result != `{"x":1}` {
		t.Errorf("%+v", f)
	}
	w.end("hermes-1")
	if d := r.done(t); !d.Silent {
		t.Errorf("%+v", d)
	}
}
