package settings

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is no number.
const (
	mostText  = 2000 // code points, where a row says nothing else
	mostPath  = 4096
	mostItems = 100
	mostShown = 60 // code points of a wrong value in its error
)

// mistake is what is wrong with a value: where, and why.
type mistake struct {
	path []string
	why  string
}

func (m mistake) Error() string {
	if strings.HasPrefix(m.why, ":") {
		return strings.Join(m.path, ".") + m.why
	}
	return strings.Join(m.path, ".") + " " + m.why
}

// Check returns a value as it is kept, or what is wrong with it: the error begins with the key. v is what a decoder of
// JSON or TOML makes of a text.
func (s Setting) Check(v any) (any, error) {
	kept, bad := s.take(s.path(), v)
	if len(bad) > 0 {
		return nil, bad[0]
	}
	return kept, nil
}

func (s Setting) take(path []string, v any) (any, []mistake) {
	wrong := func(want string) (any, []mistake) {
		if s.Kind == Secret {
			return nil, []mistake{{path, "is no text"}} // and is not repeated
		}
		return nil, []mistake{{path, "is " + shown(v) + "; it must be " + want}}
	}
	kept, want, bad := v, "", []mistake(nil)
	switch s.Kind {
	case Switch:
		kept, want = takeSwitch(v)
	case Choice:
		if text, ok := v.(string); !ok || !slices.Contains(s.Choices, text) {
			want = oneOf(s.Choices)
		}
	case Number:
		kept, want = s.takeNumber(v)
	case Text, Secret, Path:
		text, ok := v.(string)
		if !ok {
			return wrong("a text")
		}
		if why := s.refuse(text); why != "" {
			return nil, []mistake{{path, why}}
		}
	case List:
		kept, want, bad = s.takeList(path, v)
	case Fields:
		kept, want, bad = s.takeFields(path, v)
	case Table:
		kept, want, bad = s.takeTable(path, v)
	}
	if want != "" {
		return wrong(want)
	}
	if len(bad) == 0 && s.check != nil {
		if want := s.check(kept); want != "" {
			return wrong(want)
		}
	}
	return kept, bad
}

// takeSwitch takes {"enabled": …} as well, as the database has it.
func takeSwitch(v any) (kept any, want string) {
	if m, ok := v.(map[string]any); ok && len(m) == 1 {
		v = m["enabled"]
	}
	if on, ok := v.(bool); ok {
		return on, ""
	}
	return nil, "true or false"
}

func (s Setting) takeNumber(v any) (kept any, want string) {
	var f float64
	switch n := v.(type) {
	case int64:
		f = float64(n)
	case float64:
		f = n
	default:
		f = math.NaN()
	}
	span := fmt.Sprintf("from %s to %s", figure(s.Min), figure(s.Max))
	switch {
	case math.IsNaN(f):
		return nil, "a number " + span
	case f < s.Min || f > s.Max:
		return nil, span
	case s.Whole && f != math.Trunc(f):
		return nil, "a whole number " + span
	case f == math.Trunc(f):
		return int64(f), ""
	}
	return f, ""
}

// figure is a number without an exponent.
func figure(f float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") }

// refuse says why a text cannot be, "" where it can.
func (s Setting) refuse(text string) string {
	most := s.Most
	switch {
	case most > 0:
	case s.Kind == Path:
		most = mostPath
	default:
		most = mostText
	}
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Sprintf("is too long: %d characters; at most %d can be", n, most)
	}
	odd := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' }
	if !utf8.ValidString(text) || strings.ContainsFunc(text, odd) {
		return "has characters that are no text"
	}
	return ""
}

func (s Setting) most() int {
	if s.Most > 0 {
		return s.Most
	}
	return mostItems
}

func (s Setting) takeList(path []string, v any) (kept any, want string, bad []mistake) {
	list, ok := v.([]any)
	if !ok {
		return nil, "a list", nil
	}
	if len(list) > s.most() {
		return nil, "", []mistake{{path, fmt.Sprintf("is too long: %d entries; at most %d can be", len(list), s.most())}}
	}
	if s.Of == nil {
		return list, "", nil
	}
	out := make([]any, len(list))
	for i, one := range list {
		var wrong []mistake
		out[i], wrong = s.Of.take(path, one)
		for _, w := range wrong {
			bad = append(bad, mistake{path, fmt.Sprintf("has an entry that %s", w.why)})
		}
	}
	return out, "", bad
}

func (s Setting) takeFields(path []string, v any) (kept any, want string, bad []mistake) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, "a table like " + s.Default, nil
	}
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		at := append(slices.Clone(path), name)
		part := s.part(name)
		if part == nil {
			bad = append(bad, mistake{at, "is no part of it"})
			continue
		}
		value, wrong := part.take(at, m[name])
		out[name], bad = value, append(bad, wrong...)
	}
	return out, "", bad
}

func (s Setting) part(name string) *Setting {
	for i := range s.Parts {
		if s.Parts[i].Key == name {
			return &s.Parts[i]
		}
	}
	return nil
}

func (s Setting) takeTable(path []string, v any) (kept any, want string, bad []mistake) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, "a table", nil
	}
	if len(m) > s.most() {
		return nil, "", []mistake{{path, fmt.Sprintf("is too long: %d entries; at most %d can be", len(m), s.most())}}
	}
	out := map[string]any{}
	for name, one := range m {
		value, wrong := s.Of.take(append(slices.Clone(path), name), one)
		out[name], bad = value, append(bad, wrong...)
	}
	return out, "", bad
}

// shown is a value in an error.
func shown(v any) string {
	text := fmt.Sprint(v)
	switch v.(type) {
	case nil:
		return "nothing"
	case string:
		text = fmt.Sprintf("%q", v)
	case map[string]any:
		return "a table"
	}
	if runes := []rune(text); len(runes) > mostShown {
		text = string(runes[:mostShown]) + "…"
	}
	return text
}

func oneOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
