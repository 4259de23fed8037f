package push

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

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
		var bad malformed
		if !errors.As(err, &bad) || bad.field != field {
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

// The lines of the turn record log (docs/rules/chat.md#turn-records).
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
