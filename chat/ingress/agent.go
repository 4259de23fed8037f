package ingress

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"yui/chat"
	"yui/internal/readable"
)

// The caps of what a program may say (docs/rules/chat.md#ingress), in bytes, and ours for names, in characters.
const (
	maxSummary = 8192
	maxDetail  = 16384
	maxName    = 80
	maxMarked  = 40 // of a tool's name in a line
	cutMark    = "…[truncated]"
)

// The phases of an agent.
const (
	phaseDone  = "done"
	phaseInput = "needs_input"
)

// AgentEvent is one report of a coding agent, capped and cleaned.
type AgentEvent struct {
	Tool, Project, Cwd string
	// Phase is "done" or "needs_input".
	Phase string
	// Summary has at most 8192 bytes, Detail 16384.
	Summary, Detail string
	// Status is the agent's own word, "ok"; Session tells its sessions apart. Both may be empty.
	Status, Session string
	// At is when it happened by the sender's clock, or when it arrived where that reads like no time of today.
	At time.Time
}

// errBody says what is wrong with a body, to whoever sent it.
func errBody(format string, args ...any) error { return fmt.Errorf("read body: "+format, args...) }

// parseAgentEvent reads the body of /agent-event. Extra fields are ignored.
func parseAgentEvent(body []byte, now time.Time) (AgentEvent, error) {
	var raw struct {
		Tool, Project, Cwd, Phase, Summary *string
		TS                                 *float64
		Status, Detail                     *string
		Session                            *string `json:"session_id"`
	}
	if err := decode(body, &raw); err != nil {
		return AgentEvent{}, err
	}
	for _, f := range []struct {
		name  string
		value *string
	}{{"tool", raw.Tool}, {"project", raw.Project}, {"cwd", raw.Cwd}, {"phase", raw.Phase}, {"summary", raw.Summary}} {
		if f.value == nil {
			return AgentEvent{}, errBody("%s is missing", f.name)
		}
	}
	if raw.TS == nil {
		return AgentEvent{}, errBody("ts is missing")
	}
	e := AgentEvent{
		Tool: name(*raw.Tool), Project: name(*raw.Project), Cwd: chat.Clean(*raw.Cwd), Phase: *raw.Phase,
		Summary: capped(*raw.Summary, maxSummary), Detail: capped(value(raw.Detail), maxDetail),
		Status: name(value(raw.Status)), Session: name(value(raw.Session)), At: sentAt(*raw.TS, now),
	}
	switch {
	case e.Tool == "":
		return AgentEvent{}, errBody("tool is empty")
	case e.Phase != phaseDone && e.Phase != phaseInput:
		return AgentEvent{}, errBody("phase must be done or needs_input")
	}
	return e, nil
}

// line is "<tool> <phase> (<status>), project "p" (Nmin ago)" of the trigger line.
func (e AgentEvent) line(now time.Time) string {
	var b strings.Builder
	b.WriteString(readable.Line(e.Tool, maxMarked) + " " + e.Phase)
	if e.Status != "" {
		b.WriteString(" (" + e.Status + ")")
	}
	if e.Project != "" {
		b.WriteString(`, project "` + e.Project + `"`)
	}
	return b.String() + ago(e.At, now)
}

// trigger is the turn of one report.
func (e AgentEvent) trigger(now time.Time) chat.Trigger {
	t := chat.Trigger{Event: "agent." + e.Phase, Line: "agent " + e.line(now), Names: []string{e.Tool}}
	if e.Summary != "" {
		t.Lines = append(t.Lines, "agent note: "+e.Summary)
	}
	if e.Detail != "" {
		t.Lines = append(t.Lines, "agent detail: "+e.Detail)
	}
	return t
}

// maxNote is how much of a report's summary a catch-up turn tells, in bytes: there may be forty.
const maxNote = 400

func (e AgentEvent) caughtUp(now time.Time) string {
	line := "agent event: " + e.line(now)
	if e.Summary != "" {
		line += ": " + cut(e.Summary, maxNote)
	}
	return line
}

// decode reads one JSON value and nothing behind it.
func decode(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return errBody("no JSON at byte %d", syntax.Offset)
		}
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && kind.Field != "" {
			return errBody("%s has the wrong type", readable.Line(kind.Field, maxName))
		}
		return errBody("it must be one JSON object")
	}
	return nil
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// name cleans a foreign name. Quotes and brackets become harmless, so that a name ends where its line says so.
func name(s string) string {
	s = strings.NewReplacer(`"`, "'", "(", "[", ")", "]").Replace(chat.Clean(s))
	return strings.Clone(strings.TrimSpace(readable.Line(s, maxName)))
}

// capped cleans a foreign text to one line of at most n bytes. It does not walk through more than it may need, even
// where half of it does not show.
func capped(s string, n int) string {
	if len(s) > 4*n {
		s = s[:4*n]
	}
	return cut(strings.Join(strings.Fields(readable.Line(s, math.MaxInt)), " "), n)
}

// cut shortens to at most n bytes, mark included, at the border of a character. The result keeps nothing else alive.
func cut(s string, n int) string {
	if len(s) <= n {
		return strings.Clone(s)
	}
	end := n - len(cutMark)
	for end > 0 && s[end]&0xC0 == 0x80 {
		end--
	}
	return strings.TrimRight(s[:end], " ") + cutMark
}

// sentAt reads a sender's epoch milliseconds; what is no time of the last week counts as now.
func sentAt(ms float64, now time.Time) time.Time {
	if math.IsNaN(ms) || math.Abs(ms) > 1e15 {
		return now
	}
	at := time.UnixMilli(int64(ms))
	if at.After(now) || now.Sub(at) > 7*24*time.Hour {
		return now
	}
	return at
}

// ago is " (Nmin ago)".
func ago(at, now time.Time) string {
	return fmt.Sprintf(" (%dmin ago)", max(0, int(math.Round(now.Sub(at).Minutes()))))
}
