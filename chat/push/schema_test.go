package push

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"yui/internal/fuzzmem"
)

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
		fuzzmem.Watch(t)
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
