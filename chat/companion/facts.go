package companion

import (
	"regexp"
	"strings"
	"time"

	"yui/internal/readable"
)

// facts is what the client_context block says (docs/rules/chat.md#client-context). A line
// that is absent leaves its field empty.
type facts struct {
	now        time.Time
	timed      bool // the block had a time: line
	app, title string
	state, on  string // body: posture and host
	unspoken   string // of a reply that was cut
	screenshot bool
	switches   map[string]bool
	trigger    string
	// of an agent that reported
	tool, project string
	// what the plugins know, and whether a rule asks to tell it
	weather, calendar string
	hinted            bool
}

const contextHead = "client_context:"

var contextTags = regexp.MustCompile(`(?s)^\s*<client_context>\n?(.*?)</client_context>\s*`)

// splitContext takes a context block off the head of a user message, for
// servers and clients that fold it in there. ok tells whether there was one.
func splitContext(text string) (block, rest string, ok bool) {
	if m := contextTags.FindStringSubmatch(text); m != nil {
		return m[1], text[len(m[0]):], true
	}
	if after, found := strings.CutPrefix(text, contextHead); found {
		block, rest, _ = strings.Cut(after, "\n\n")
		return block, strings.TrimSpace(rest), true
	}
	return "", text, false
}

var (
	frontLine    = regexp.MustCompile(`^(.*?)(?: — "(.*)")?(?: \(for \d+min\))?$`)
	bodyLine     = regexp.MustCompile(`^(\w+)(?: on (.*?))?(?: \(for \d+min\))?$`)
	agentTrigger = regexp.MustCompile(`^agent (.+?) (?:done|needs_input)(?: \([^)]*\))?(?:, project "([^"]*)")?(?: \(|$)`)
	unspokenPart = regexp.MustCompile(`unspoken: "(.*)"`)
)

func readFacts(block string, now time.Time) facts {
	f := facts{now: now, switches: map[string]bool{}}
	for _, l := range strings.Split(block, "\n") {
		key, value, found := strings.Cut(strings.TrimSpace(l), ": ")
		if !found {
			continue
		}
		value = strings.TrimSpace(value)
		switch key {
		case "time":
			stamp, _, _ := strings.Cut(value, " ")
			if at, err := time.Parse(time.RFC3339, stamp); err == nil {
				f.now, f.timed = at, true
			}
		case "frontmost":
			if m := frontLine.FindStringSubmatch(value); m != nil {
				f.app, f.title = spokenApp(m[1]), readable.Line(m[2], 40)
			}
		case "body":
			if m := bodyLine.FindStringSubmatch(value); m != nil {
				f.state, f.on = m[1], readable.Line(m[2], 30)
			}
		case "previous":
			if m := unspokenPart.FindStringSubmatch(value); m != nil && strings.Contains(value, " interrupted ") {
				f.unspoken = readable.Line(m[1], 160)
			}
		case "screenshot":
			f.screenshot = true
		case "tool switches":
			for _, s := range strings.Split(value, ", ") {
				if name, state, ok := strings.Cut(s, " "); ok {
					f.switches[name] = state == "on"
				}
			}
		case "- weather", "- 天気", "- 날씨":
			f.weather = readable.Line(value, noteLimit)
		case "- calendar", "- 予定", "- 일정":
			f.calendar = readable.Line(value, noteLimit)
		case "hint":
			f.hinted = true
		case "trigger":
			f.trigger = value
			if m := agentTrigger.FindStringSubmatch(value); m != nil {
				f.tool, f.project = readable.Line(m[1], 24), readable.Line(m[2], 24)
			}
		}
	}
	return f
}
