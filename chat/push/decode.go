package push

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"yui/chat"
	"yui/internal/readable"
)

// The limits of what a frame may hold.
const (
	maxID          = 200  // characters of a turn, call or tool id
	maxTitle       = 120  // characters of a delegation's title
	maxSummary     = 2000 // code points of a delegation's summary
	maxDelegations = 50
)

// frame is what arrives, decoded. Which fields are set depends on kind.
type frame struct {
	kind     string // the type on the wire
	turn     string // turn_id
	chatID   string
	source   string
	segments []segment
	running  bool
	tool     string // tool_id, or the name of a call
	call     string // call_id
	args     json.RawMessage
	wait     time.Duration // wait_ms, 0 where it is absent
	items    []Delegation
	delta    string // of reasoning
}

// segment is a piece of speech with the cues before it.
type segment struct {
	cue    chat.Cue
	speech string
}

// Delegation is a task that the backend has given to somebody, as its delegations frame lists it.
type Delegation struct {
	ID, Title string
	Started   time.Time
	Running   bool
	Ended     time.Time // zero where it is absent
	Status    string    // ok, error, unknown, or "" while it runs
	Summary   string
}

// malformed says which field of a frame is not as it should be.
type malformed struct{ field string }

func (m malformed) Error() string { return fmt.Sprintf("read frame: malformed %s", m.field) }

// decode reads a text frame. A type that is not known gives an empty kind and no error; a frame that does not fit its
// schema gives malformed. Fields that a frame does not have by its schema are ignored, and so is null where a field
// may be absent.
func decode(raw []byte) (f frame, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case malformed:
			f, err = frame{kind: f.kind}, p
		default:
			panic(p)
		}
	}()
	top := fields{of: object(parse(raw), "frame")}
	f.kind = top.text("type", 0)
	switch f.kind {
	case "ready":
		f.chatID = top.text("chat_id", 0)
	case "render":
		f.turn, f.source, f.segments = top.id("turn_id"), top.text("source", 0), top.segments("segments")
		top.maybe("reasoning", func(string) { top.text("reasoning", 0) })
	case "speech":
		f.turn, f.segments = top.id("turn_id"), top.segments("segments")
	case "turn_end":
		f.turn = top.id("turn_id")
	case "tool_status":
		f.turn, f.running, f.tool = top.id("turn_id"), top.word("state", "running", "done") == "running", top.id("tool_id")
	case "reasoning":
		f.turn, f.delta = top.id("turn_id"), top.text("delta", 0)
	case "tool_call":
		f.turn, f.call, f.tool = top.id("turn_id"), top.id("call_id"), top.id("name")
		object(top.get("arguments"), "arguments")
		f.args = rawField(raw, "arguments")
		top.maybe("wait_ms", func(name string) {
			f.wait = time.Duration(min(top.number(name), maxWaitMS)) * time.Millisecond
		})
	case "delegations":
		f.items = top.delegations()
	default:
		return frame{}, nil
	}
	return f, nil
}

const maxWaitMS = 24 * 60 * 60 * 1000

// parse reads a JSON value, with numbers as they are written.
func parse(raw []byte) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		panic(malformed{"frame"})
	}
	if _, err := d.Token(); err != io.EOF {
		panic(malformed{"frame"})
	}
	return v
}

// rawField gives a field of an object as it is written: a call's arguments reach their tool unchanged.
func rawField(raw []byte, name string) json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		panic(malformed{"frame"})
	}
	return m[name]
}

// fields reads the fields of one object by their exact names. Each method panics with malformed, which decode catches.
type fields struct {
	of   map[string]any
	path string // with a dot behind it, "" at the top
}

// object takes a value that must be an object; path names it in the error.
func object(v any, path string) map[string]any {
	m, ok := v.(map[string]any)
	if !ok {
		panic(malformed{path})
	}
	return m
}

func (o fields) bad(name string) { panic(malformed{o.path + name}) }

// get gives a field that must be there.
func (o fields) get(name string) any {
	v, found := o.of[name]
	if !found {
		o.bad(name)
	}
	return v
}

// maybe calls read where the field is there and not null.
func (o fields) maybe(name string, read func(name string)) {
	if o.of[name] != nil {
		read(name)
	}
}

// text reads a string of at most limit characters, any number where limit is 0.
func (o fields) text(name string, limit int) string {
	s, ok := o.get(name).(string)
	if !ok || limit > 0 && utf8.RuneCountInString(s) > limit {
		o.bad(name)
	}
	return s
}

// id reads a string that is not empty and not endless.
func (o fields) id(name string) string {
	s := o.text(name, maxID)
	if s == "" {
		o.bad(name)
	}
	return s
}

// word reads one of a few strings.
func (o fields) word(name string, words ...string) string {
	s := o.text(name, 0)
	if !slices.Contains(words, s) {
		o.bad(name)
	}
	return s
}

// number reads a number from 0 on.
func (o fields) number(name string) float64 {
	text, ok := o.get(name).(json.Number)
	n, err := text.Float64()
	if !ok || err != nil && !math.IsInf(n, 1) || n < 0 {
		o.bad(name)
	}
	return n
}

// list calls each with every object of an array.
func (o fields) list(name string, each func(item fields)) {
	items, ok := o.get(name).([]any)
	if !ok {
		o.bad(name)
	}
	for i, item := range items {
		path := fmt.Sprintf("%s%s[%d]", o.path, name, i)
		each(fields{object(item, path), path + "."})
	}
}

func (o fields) segments(name string) []segment {
	var list []segment
	o.list(name, func(item fields) {
		var s segment
		item.list("cues", func(cue fields) {
			read := func(name string, into *string) {
				cue.maybe(name, func(name string) {
					if text := cue.text(name, 0); text != "" {
						*into = text
					}
				})
			}
			read("emotion_id", &s.cue.EmotionID)
			read("motion_id", &s.cue.MotionID)
			read("emotion_text", &s.cue.EmotionText)
			read("caption", &s.cue.Caption)
		})
		s.speech = item.text("speech", 0)
		list = append(list, s)
	})
	return list
}

// delegations reads the list; what is too long is shortened, not refused: it is for the eyes only.
func (o fields) delegations() []Delegation {
	items := []Delegation{}
	o.list("items", func(item fields) {
		d := Delegation{ID: item.id("id"), Title: readable.Line(item.text("title", 0), maxTitle)}
		d.Started = item.moment("started_at")
		d.Running = item.word("state", "running", "done") == "running"
		item.maybe("ended_at", func(name string) { d.Ended = item.moment(name) })
		item.maybe("status", func(name string) { d.Status = item.word(name, "ok", "error", "unknown") })
		item.maybe("summary", func(name string) { d.Summary = clip(item.text(name, 0), maxSummary) })
		if len(items) < maxDelegations {
			items = append(items, d)
		}
	})
	return items
}

// lastMoment is the end of the year 9999 in milliseconds, the last that a date can be written of.
const lastMoment = 253402300799999

// moment reads a time: milliseconds since 1970, or a text as RFC 3339 writes it.
func (o fields) moment(name string) time.Time {
	if text, ok := o.get(name).(string); ok {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			o.bad(name)
		}
		return at
	}
	n := o.number(name)
	if n > lastMoment {
		o.bad(name)
	}
	return time.UnixMilli(int64(n))
}

// clip shortens to n code points and keeps line feeds; nothing else that does not show stays.
func clip(s string, n int) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = readable.Line(line, n)
	}
	return readable.Clip(strings.Join(lines, "\n"), n)
}
