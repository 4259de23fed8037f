package chat

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"yui/internal/readable"
)

// preamble is the first line of the block: the model must not take desktop facts for the person's words.
const preamble = "Context from the desktop, not typed by the user."

// maxFact bounds one value from outside: a window may set a title of 100 kB (docs/rules/servers.md#c18).
const maxFact = 200

// maxTitle is how much of a window's title is told.
const maxTitle = 80

// maxNotes bounds the plugins' lines in one block.
const maxNotes = 16

// maxExtra bounds a line behind the trigger line, which may be an agent's report (16384 bytes, docs/rules/chat.md#ingress)
// with its name before it; maxExtras bounds their number.
const (
	maxExtra  = 16500
	maxRule   = 2000 // and one that a rule prepared: the results of a search
	maxExtras = 64
)

// Facts is who knows what is going on beside the conversation. It is asked once per turn, from the turn's goroutine.
type Facts interface {
	Moment(now time.Time) Moment
}

// Moment is what the desktop, the body and the relations are at one clock reading. Whatever is absent leaves its
// line out.
type Moment struct {
	Front *Front
	// Screenshot describes the picture that goes with the turn, "monitor 0 (DP-1)".
	Screenshot string
	Body       *BodyState
	// Relations lists the bands, the user first; nil while Relations is off.
	Relations []Relation
	// Notes is what plugins know: the day, the weather, the calendar.
	Notes Notes
}

// Notes are lines under one heading, both in the person's language. Without a line there is no heading.
type Notes struct {
	Heading string
	Lines   []string
}

// Front is the window in front. Since is zero where it is not known.
type Front struct {
	App, Title string
	Since      time.Time
}

// BodyState is the pet's posture and, where it perches, the app under it.
type BodyState struct {
	State, On string
	Since     time.Time
}

// Relation is the band toward the user ("user") or another open character (its name).
type Relation struct{ Name, Band string }

// previousTurn is what the next turn says of the last one, stored under keyPrevious.
type previousTurn struct {
	Event    string    `json:"event_name"`
	State    string    `json:"state"` // interrupted or failed
	At       time.Time `json:"ts"`
	Spoken   string    `json:"spoken,omitempty"`
	Unspoken string    `json:"unspoken,omitempty"`
}

// contextLines writes the lines of docs/rules/chat.md#client-context in their fixed order. Minutes come from the one reading
// now; trigger is the whole trigger line without its name, extra the lines behind it.
func contextLines(now time.Time, m Moment, prev *previousTurn, switches []SwitchState, trigger string, extra ...string) string {
	lines := []string{preamble, "time: " + now.Format(time.RFC3339) + zoneName(now)}
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if f := m.Front; f != nil && clean(f.App) != "" {
		line := clean(f.App)
		if title := cleanTo(Unquoted(f.Title), maxTitle); title != "" {
			line += ` — "` + title + `"`
		}
		add("frontmost: %s%s", line, lasting(now, f.Since))
	}
	if shot := clean(m.Screenshot); shot != "" {
		add("screenshot: %s", shot)
	}
	if b := m.Body; b != nil && clean(b.State) != "" {
		line := clean(b.State)
		if on := clean(b.On); on != "" {
			line += " on " + on
		}
		add("body: %s%s", line, lasting(now, b.Since))
	}
	if prev != nil {
		lines = append(lines, prev.line(now))
	}
	if len(m.Relations) > 0 {
		parts := make([]string, len(m.Relations))
		for i, r := range m.Relations {
			parts[i] = clean(r.Name) + " " + clean(r.Band)
		}
		add("relation: %s", strings.Join(parts, "; "))
	}
	if len(switches) > 0 {
		parts := make([]string, len(switches))
		for i, s := range switches {
			parts[i] = clean(s.ID) + map[bool]string{true: " on", false: " off"}[s.On]
		}
		add("tool switches: %s", strings.Join(parts, ", "))
	}
	lines = append(lines, m.Notes.lines()...)
	add("trigger: %s", trigger)
	for _, line := range extra[:min(len(extra), maxExtras)] {
		if line = cleanTo(line, maxExtra); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// lines writes the heading and each note behind a dash, so that no note, whatever a calendar wrote into it, looks like
// one of the block's own lines.
func (n Notes) lines() []string {
	var lines []string
	for _, note := range n.Lines[:min(len(n.Lines), maxNotes)] {
		if note = clean(note); note != "" {
			lines = append(lines, "- "+note)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	heading := strings.TrimRight(clean(n.Heading), ":： ")
	if heading == "" {
		heading = "notes"
	}
	return append([]string{heading + ":"}, lines...)
}

func (p *previousTurn) line(now time.Time) string {
	line := fmt.Sprintf("previous: %s %s (%dmin ago)", clean(p.Event), clean(p.State), minutes(now.Sub(p.At)))
	spoken, unspoken := readable.Last(clean(p.Spoken), 50), readable.First(clean(p.Unspoken), 50)
	if spoken != "" || unspoken != "" {
		line += fmt.Sprintf(`, spoken: "%s" unspoken: "%s"`, spoken, unspoken)
	}
	return line
}

// minutes rounds to whole minutes and never below zero (docs/rules/chat.md#context-lines).
func minutes(d time.Duration) int {
	return max(0, int(math.Round(d.Minutes())))
}

func lasting(now, since time.Time) string {
	if since.IsZero() {
		return ""
	}
	return fmt.Sprintf(" (for %dmin)", minutes(now.Sub(since)))
}

// zoneName gives " (Europe/Berlin)" where the zone has a name of that kind.
func zoneName(now time.Time) string {
	name := now.Location().String()
	if name == "Local" {
		name = localZone()
	}
	if !strings.Contains(name, "/") && name != "UTC" {
		return ""
	}
	return " (" + clean(name) + ")"
}

// localZone finds the name behind time.Local, which Go does not keep: TZ, else where /etc/localtime points.
func localZone() string {
	if tz, ok := os.LookupEnv("TZ"); ok {
		return strings.TrimPrefix(tz, ":")
	}
	target, err := filepath.EvalSymlinks("/etc/localtime")
	if err != nil {
		return ""
	}
	if _, name, ok := strings.Cut(target, "zoneinfo/"); ok {
		return name
	}
	return ""
}

// contextTag matches an opening or closing client_context tag, finished or not.
var contextTag = regexp.MustCompile(`(?i)<[\s/]*client_context[^<>]*>?`)

// clean makes a value from outside fit on its line: valid UTF-8, no control or invisible characters, white space
// collapsed, no client_context tag, at most maxFact characters. Nothing in it can forge a line or close the block.
func clean(s string) string { return cleanTo(s, maxFact) }

// cleanTo is clean for at most n characters.
func cleanTo(s string, n int) string {
	if len(s) > 16*n { // no need to walk through 100 kB
		s = s[:16*n]
	}
	return readable.Clip(strings.Join(strings.Fields(dropTags(readable.OneLine(s))), " "), n)
}

// Unquoted takes the double quotation marks of a foreign text away, so that it cannot end the ones that it is put between.
func Unquoted(s string) string {
	return strings.NewReplacer(`"`, "'", "“", "'", "”", "'", "「", "『", "」", "』").Replace(s)
}

// visible drops the invisible characters but line feeds and tabs and the joiners: a tag must not hide behind them.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c' {
			return -1
		}
		return r
	}, printable(s))
}

// dropTags takes client_context tags out, also one that was hidden in a tag; a text that goes on hiding them loses
// every angle bracket, so that its depth costs nothing.
func dropTags(s string) string {
	for range 4 {
		stripped := contextTag.ReplaceAllString(s, "")
		if stripped == s {
			return s
		}
		s = stripped
	}
	return strings.ReplaceAll(s, "<", "")
}

// printable drops what neither shows nor may be stored: control characters but line feeds and tabs, and bytes that are
// no text. Some servers refuse every later request over one NUL in the history.
func printable(s string) string {
	bad := func(r rune) bool { return unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' }
	if utf8.ValidString(s) && !strings.ContainsFunc(s, bad) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if bad(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
