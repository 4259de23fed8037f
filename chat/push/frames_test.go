package push

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
	"pgregory.net/rapid"

	"yui/chat"
)

// "Malformed frames are logged (frame_malformed + field) and dropped; … unknown types ignored."
func TestMalformedFrames(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	id := r.say(t, w, "hm")
	for raw, field := range map[string]string{
		`no json`:                          "frame",
		``:                                 "frame",
		`[]`:                               "frame",
		`null`:                             "frame",
		`"render"`:                         "frame",
		`{}`:                               "type",
		`{"type":7}`:                       "type",
		`{"Type":"turn_end"}`:              "type",
		`{"type":"turn_end"}`:              "turn_id",
		`{"type":"turn_end","turn_id":""}`: "turn_id",
		`{"type":"turn_end","turn_id":1764500000000}`:                                                                             "turn_id",
		`{"type":"turn_end","turn_id":"` + strings.Repeat("x", 201) + `"}`:                                                        "turn_id",
		`{"type":"render","turn_id":"ID","segments":[]}`:                                                                          "source",
		`{"type":"render","turn_id":"ID","source":"x"}`:                                                                           "segments",
		`{"type":"render","turn_id":"ID","source":"x","segments":{}}`:                                                             "segments",
		`{"type":"render","turn_id":"ID","source":"x","segments":null}`:                                                           "segments",
		`{"type":"render","turn_id":"ID","source":"x","segments":["hi"]}`:                                                         "segments[0]",
		`{"type":"render","turn_id":"ID","source":"x","segments":[{"cues":[],"speech":"a"},{"cues":[]}]}`:                         "segments[1].speech",
		`{"type":"render","turn_id":"ID","source":"x","segments":[{"speech":"a"}]}`:                                               "segments[0].cues",
		`{"type":"render","turn_id":"ID","source":"x","segments":[{"cues":["joy"],"speech":"a"}]}`:                                "segments[0].cues[0]",
		`{"type":"render","turn_id":"ID","source":"x","segments":[{"cues":[{"emotion_id":1}],"speech":"a"}]}`:                     "segments[0].cues[0].emotion_id",
		`{"type":"render","turn_id":"ID","source":"x","reasoning":3,"segments":[]}`:                                               "reasoning",
		`{"type":"speech","turn_id":"ID","segments":3}`:                                                                           "segments",
		`{"type":"reasoning","turn_id":"ID"}`:                                                                                     "delta",
		`{"type":"tool_status","turn_id":"ID","state":"idle","tool_id":"x"}`:                                                      "state",
		`{"type":"tool_status","turn_id":"ID","state":"done"}`:                                                                    "tool_id",
		`{"type":"tool_call","turn_id":"ID","call_id":"c","name":"x","arguments":"{}"}`:                                           "arguments",
		`{"type":"tool_call","turn_id":"ID","call_id":"c","name":"x"}`:                                                            "arguments",
		`{"type":"tool_call","turn_id":"ID","call_id":"","name":"x","arguments":{}}`:                                              "call_id",
		`{"type":"tool_call","turn_id":"ID","call_id":"c","name":"x","arguments":{},"wait_ms":-1}`:                                "wait_ms",
		`{"type":"delegations","items":[{"id":"a","title":"t","state":"done"}]}`:                                                  "items[0].started_at",
		`{"type":"delegations","items":[{"id":"a","title":"t","started_at":"soon","state":"done"}]}`:                              "items[0].started_at",
		`{"type":"delegations","items":[{"id":"a","title":"t","started_at":1,"state":"done","status":"fine"}]}`:                   "items[0].status",
		`{"type":"delegations","items":[{"id":"a","title":"t","started_at":1,"state":"done","ended_at":1e300}]}`:                  "items[0].ended_at",
		`{"type":"render","turn_id":"ID","source":"x","segments":[{"cues":[{"motion_id":[]},{"emotion_id":"joy"}],"speech":""}]}`: "segments[0].cues[0].motion_id",
	} {
		raw = strings.ReplaceAll(raw, "ID", id)
		if err := fits([]byte(raw)); err == nil {
			t.Errorf("the schema takes %s", raw)
		}
		_, err := decode([]byte(raw))
		if bad, ok := err.(malformed); !ok || bad.field != field {
			t.Errorf("%.100s: %v, want field %s", raw, err, field)
		}
		if raw != "" {
			w.raw(raw)
			r.log.has(t, "msg=frame_malformed field="+field)
		}
	}
	w.raw(`{"type":"weather","turn_id":7}`)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.conn.Write(ctx, websocket.MessageBinary, []byte(`{"type":"turn_end","turn_id":"x"}`)); err != nil {
		t.Fatal(err)
	}
	w.render(id, "Still here.")
	w.end(id)
	if d := r.done(t); d.Text != "Still here." || d.Outcome != chat.OK {
		t.Errorf("%+v", d)
	}
	if strings.Contains(r.log.String(), "weather") {
		t.Error("what an unknown frame says is in the log")
	}
}

// What may be absent may be null, and what is not known is ignored.
func TestLenientFrames(t *testing.T) {
	for _, raw := range []string{
		`{"type":"render","turn_id":"a","source":"","reasoning":null,"segments":[{"cues":[{"emotion_id":null,"speed":3}],"speech":"","more":1}],"x":[]}`,
		`{"type":"tool_call","turn_id":"a","call_id":"c","name":"n","arguments":{"a":null},"wait_ms":null}`,
		`{"type":"delegations","items":[{"id":"a","title":"","started_at":"2026-03-02T21:05:00+01:00","state":"running","ended_at":null,"status":null,"summary":null}]}`,
		` {"type" : "turn_end" , "turn_id" : "a" } `,
		`{"type":"turn_end","turn_id":"first","turn_id":"a"}`,
	} {
		if err := fits([]byte(raw)); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		if f, err := decode([]byte(raw)); err != nil || f.kind == "" || f.turn != "a" && f.kind != "delegations" {
			t.Errorf("%s: %+v %v", raw, f, err)
		}
	}
}

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
	if s, _ := r.state(t, Reconnecting); s.Err == nil || !strings.Contains(s.Err.Plain(), "do not fit into hello") {
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

// "delegation title 120 chars, summary 2000 code points, list 50".
func TestDelegations(t *testing.T) {
	got := make(chan []Delegation, 10)
	r := newRig(t, nil, func(c *Config) { c.OnDelegations = func(d []Delegation) { got <- d } })
	w := r.open(t)
	item := `{"id":"d%d","title":%q,"started_at":1772481900000,"state":"done","ended_at":"2026-03-02T21:05:00+01:00","status":"ok","summary":%q}`
	var items []string
	for i := range 60 {
		items = append(items, fmt.Sprintf(item, i, strings.Repeat("長", 300), "one\ntwo"+strings.Repeat("é", 2100)))
		if len(strings.Join(items, ",")) > MaxFrame-10000 {
			break
		}
	}
	w.put(`{"type":"delegations","items":[%s]}`, strings.Join(items, ","))
	list := <-got
	d := list[0]
	if d.ID != "d0" || utf8.RuneCountInString(d.Title) != 120 || utf8.RuneCountInString(d.Summary) != 2000 || !strings.HasPrefix(d.Summary, "one\ntwo") ||
		d.Running || d.Status != "ok" || !d.Started.Equal(time.UnixMilli(1772481900000)) || d.Ended.UTC().Hour() != 20 {
		t.Errorf("%+v", d)
	}
	items = nil
	for i := range 60 {
		items = append(items, fmt.Sprintf(`{"id":"d%d","title":"t","started_at":1,"state":"running"}`, i))
	}
	w.put(`{"type":"delegations","items":[%s]}`, strings.Join(items, ","))
	if list := <-got; len(list) != 50 || list[49].ID != "d49" || !list[49].Running {
		t.Errorf("%d", len(list))
	}
	w.put(`{"type":"delegations","items":[]}`)
	if list := <-got; list == nil || len(list) != 0 {
		t.Errorf("%v", list)
	}
}

// The lines of the turn record log (spec/chat.md 6.11).
func TestRenderRecords(t *testing.T) {
	got := make(chan RenderRecord, 10)
	r := newRig(t, nil, func(c *Config) { c.OnRender = func(r RenderRecord) { got <- r } })
	w := r.open(t)
	id := r.say(t, w, "hm")
	w.put(`{"type":"render","turn_id":"hermes-1","source":"cron","segments":[{"cues":[{"emotion_id":"joy"}],"speech":"One."},{"cues":[],"speech":"Two."}]}`)
	w.render(id, "[SILENT]")
	a, b := <-got, <-got
	raw, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	if want := `"event_name":"push.render","trigger_kind":"push","source":"cron","turn_id":"hermes-1","segments":[{"cues":[{"emotion_id":"joy"}],"speech":"One."},{"cues":[],"speech":"Two."}],"spoke_text":"One. Two.","queued_behind":1}`; !bytes.Contains(raw, []byte(want)) {
		t.Errorf("%s", raw)
	}
	if b.SpokeText != "" || b.TurnID != id || b.QueuedBehind != 0 {
		t.Errorf("%+v", b)
	}
	w.end(id)
	r.done(t)
}

// The joints of speech, by example.
func TestJoints(t *testing.T) {
	for _, c := range []struct {
		pieces   bool
		segments []string
		want     string
	}{
		{false, []string{"Hello.", "How are you?"}, "Hello. How are you?"},
		{false, []string{"Hello", ", you", "!"}, "Hello, you!"},
		{false, []string{"それは", "すごい。", "ね。"}, "それはすごい。ね。"},
		{false, []string{"안녕.", "잘 지내?"}, "안녕. 잘 지내?"},
		{false, []string{"one ", "two", " three\n", "four"}, "one two three\nfour"},
		{false, []string{"", "a", "", "b"}, "a b"},
		{false, []string{"(", "a", ")"}, "(a)"},
		{true, []string{"Hel", "lo. ", "You", "."}, "Hello. You."},
		{true, []string{"Hello.", "How", " are"}, "Hello. How are"},
		{true, []string{"3.", "14"}, "3.14"},
		{true, []string{"例.", "A"}, "例. A"},
	} {
		var u utterance
		var out strings.Builder
		for _, s := range c.segments {
			out.WriteString(u.add(s, c.pieces))
		}
		if out.String() != c.want {
			t.Errorf("%q: %q, want %q", c.segments, out.String(), c.want)
		}
	}
}

// The reader takes a frame exactly where its schema does.
func agree(t interface {
	Errorf(string, ...any)
	Helper()
}, raw []byte) {
	t.Helper()
	if !json.Valid(raw) {
		return
	}
	f, err := decode(raw)
	var top struct {
		Type json.RawMessage `json:"type"`
	}
	_ = json.Unmarshal(raw, &top)
	var kind string
	_ = json.Unmarshal(top.Type, &kind)
	if err == nil && f.kind == "" {
		return // an unknown type, or one of the client's
	}
	if !slices.Contains([]string{"ready", "render", "speech", "turn_end", "tool_status", "reasoning", "tool_call", "delegations"}, kind) {
		if err == nil {
			t.Errorf("took %s", raw)
		}
		return
	}
	if schema := fits(raw); (schema == nil) != (err == nil) {
		t.Errorf("reader: %v; schema: %v\n%s", err, schema, raw)
	}
}

// jsonValue draws any JSON value, rather often one that a frame may hold.
func jsonValue(t *rapid.T, depth int) any {
	switch rapid.IntRange(0, 12).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return rapid.SampledFrom([]any{0, -1, 1.5, 1772481900000, 253402300799999, 253402300800000, 1e300}).Draw(t, "number")
	case 3:
		return rapid.SampledFrom([]string{"running", "done", "ok", "error", "unknown", "a", "", "2026-03-02T21:05:00+01:00", strings.Repeat("é", 200), strings.Repeat("é", 201)}).Draw(t, "text")
	case 4:
		return rapid.String().Draw(t, "string")
	}
	if depth == 0 {
		return "a"
	}
	if rapid.Bool().Draw(t, "array") {
		list := []any{}
		for range rapid.IntRange(0, 2).Draw(t, "length") {
			list = append(list, jsonValue(t, depth-1))
		}
		return list
	}
	return jsonObject(t, depth-1)
}

var names = []string{"turn_id", "chat_id", "source", "segments", "reasoning", "cues", "speech", "emotion_id", "motion_id", "state", "tool_id", "delta",
	"call_id", "name", "arguments", "wait_ms", "items", "id", "title", "started_at", "ended_at", "status", "summary", "other"}

func jsonObject(t *rapid.T, depth int) map[string]any {
	o := map[string]any{}
	for range rapid.IntRange(0, 5).Draw(t, "fields") {
		o[rapid.SampledFrom(names).Draw(t, "field")] = jsonValue(t, depth)
	}
	return o
}

// good are frames to begin from.
var good = []string{
	`{"type":"ready","chat_id":"yui-3f9a2c1d"}`,
	`{"type":"render","turn_id":"a","source":"x","reasoning":"r","segments":[{"cues":[{"emotion_id":"joy","motion_id":null}],"speech":"Hi."}]}`,
	`{"type":"speech","turn_id":"a","segments":[{"cues":[],"speech":"Hi."}]}`,
	`{"type":"turn_end","turn_id":"a"}`,
	`{"type":"tool_status","turn_id":"a","state":"done","tool_id":"x"}`,
	`{"type":"reasoning","turn_id":"a","delta":"d"}`,
	`{"type":"tool_call","turn_id":"a","call_id":"c","name":"n","arguments":{"x":1},"wait_ms":32000}`,
	`{"type":"delegations","items":[{"id":"a","title":"t","started_at":1,"state":"done","ended_at":2,"status":"ok","summary":"s"}]}`,
}

func TestReaderAgreesWithSchemas(t *testing.T) {
	for _, raw := range good {
		if _, err := decode([]byte(raw)); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		agree(t, []byte(raw))
	}
	rapid.Check(t, func(rt *rapid.T) {
		var top map[string]any
		if err := json.Unmarshal([]byte(rapid.SampledFrom(good).Draw(rt, "frame")), &top); err != nil {
			rt.Fatal(err)
		}
		damage(rt, top)
		raw, err := json.Marshal(top)
		if err != nil {
			rt.Fatal(err)
		}
		agree(rt, raw)
	})
}

// damage changes something somewhere in an object.
func damage(t *rapid.T, o map[string]any) {
	for range rapid.IntRange(0, 3).Draw(t, "damages") {
		keys := []string{}
		for k := range o {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		if len(keys) == 0 {
			return
		}
		k := rapid.SampledFrom(keys).Draw(t, "key")
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			if k != "type" {
				delete(o, k)
			}
		case 1:
			if k != "type" {
				o[k] = jsonValue(t, 3)
			}
		case 2:
			o[rapid.SampledFrom(names).Draw(t, "new")] = jsonValue(t, 3)
		case 3:
			inner := o[k]
			if list, ok := inner.([]any); ok && len(list) > 0 {
				inner = list[0]
			}
			if inner, ok := inner.(map[string]any); ok {
				damage(t, inner)
			}
		}
	}
}

func FuzzFrame(f *testing.F) {
	for _, raw := range good {
		f.Add([]byte(raw))
	}
	f.Add([]byte(`{"type":"delegations","items":[{"id":"a","title":"t","started_at":"2026-03-02T21:05:00+01:00","state":"done"}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		frame, err := decode(raw)
		if err != nil {
			return
		}
		if utf8.RuneCountInString(frame.turn) > maxID || len(frame.items) > maxDelegations {
			t.Errorf("too long: %+v", frame)
		}
		for _, d := range frame.items {
			if utf8.RuneCountInString(d.Title) > maxTitle || utf8.RuneCountInString(d.Summary) > maxSummary {
				t.Errorf("too long: %+v", d)
			}
		}
		if len(frame.args) > 0 && !json.Valid(frame.args) {
			t.Errorf("arguments %s", frame.args)
		}
	})
}

// FuzzConversation plays any frames through a Transport and a Session: nothing may panic, hang or stay behind.
func FuzzConversation(f *testing.F) {
	f.Add("render 1\nspeech 2\nend 1\ncall 2\nsay\nrender 9\nlose\nend 9")
	f.Add("call 1\ncall 1\nrender 1\ncall 1\nend 1\nstop\nsay\nstop\nend 9")
	f.Add("speech 1\nspeech 2\nspeech 1\nspeech 2\nend 1\nend 2\nrender 3\nsay\nlose\nrender 3")
	f.Fuzz(func(t *testing.T, script string) {
		converse(t, strings.Split(script, "\n"))
	})
}

// Any conversation: as FuzzConversation, but of whole words.
func TestAnyConversation(t *testing.T) {
	verbs := []string{"render", "render", "speech", "end", "end", "call", "status", "say", "stop", "cut", "lose"}
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) string {
			return rapid.SampledFrom(verbs).Draw(rt, "verb") + " " + rapid.SampledFrom([]string{"1", "2", "3", "9"}).Draw(rt, "turn")
		}), 0, 40).Draw(rt, "script")
		converse(rt, lines)
	})
}

// converse gives the frames of a script to a Transport over a Session, without a socket. Turn 9 is our newest one.
func converse(t interface{ Fatalf(string, ...any) }, script []string) {
	tool := chat.Tool{Name: "echo", Run: func(context.Context, chat.Call) chat.Result { return chat.Result{Text: "ok"} }}
	r := &rig{fast: true}
	p, err := New(Config{BaseURL: "h", Tools: box{tool}, Waits: Waits{Calls: time.Millisecond, Frame: 30 * time.Millisecond}})
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	s := chat.NewSession(chat.Config{Backend: chat.Backend{Transport: p}, Tools: box{tool}, Now: r.now})
	p.receiver = s // no connection: the frames are given by hand
	up := func() *link {
		ctx, cancel := context.WithCancelCause(context.Background())
		return &link{ctx: ctx, drop: cancel, out: make(chan []byte, mostOut), up: true}
	}
	l := up()
	p.link = l
	last := "9"
	for i, line := range script[:min(len(script), 60)] {
		verb, id, _ := strings.Cut(line, " ")
		id = firstOf(id, 8)
		if id == "9" || id == "" {
			id = last
		}
		f := frame{turn: id}
		switch verb {
		case "render", "speech":
			f.kind, f.segments = verb, []segment{{cue: chat.Cue{EmotionID: "joy"}, speech: "Hi."}}
		case "end":
			f.kind = "turn_end"
		case "call":
			f.kind, f.call, f.tool, f.args = "tool_call", fmt.Sprint(i%7), "echo", json.RawMessage("{}")
		case "status":
			f.kind, f.tool = "tool_status", "x"
		case "say":
			last = s.Say(context.Background(), "hm", nil).ID()
			continue
		case "stop":
			s.Stop()
			continue
		case "cut":
			p.Cut()
			continue
		case "lose":
			p.mu.Lock()
			p.link = nil
			p.mu.Unlock()
			l.drop(errSettings)
			p.lose()
			l = up()
			p.mu.Lock()
			p.link = l
			p.mu.Unlock()
			continue
		default:
			continue
		}
		p.dispatch(l, f)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Fatalf("close: %v", err)
	}
	p.Close()
	l.drop(nil)
	if err := s.Close(ctx); err != nil {
		t.Fatalf("close: %v", err)
	}
	if len(p.queue)+len(p.live) != 0 {
		t.Fatalf("left behind %+v", p.turns)
	}
}

func firstOf(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}
