package completions

import (
	"unicode/utf16"
	"unicode/utf8"
)

// plain is the common chunk: at most one choice with text or a finish_reason, nothing else of interest.
type plain struct {
	choices bool // the key was there
	choice  bool // and held one
	content string
	finish  string
}

// readPlain reads the common chunk an order of magnitude faster than encoding/json. It gives false for anything else,
// bad JSON included, which the ordinary decoder then judges: what it accepts means the same there.
func readPlain(raw []byte) (plain, bool) {
	var p plain
	s := scanner{b: raw}
	seen := 0
	s.object(func(key []byte) {
		switch string(key) {
		case "choices":
			seen++
			p.choices = true
			s.choices(&p)
		case "usage", "error", "message", "detail":
			s.null()
		case "object":
			if string(s.text()) == "error" {
				s.bad = true
			}
		default:
			s.skip(0)
		}
	})
	s.space()
	return p, !s.bad && seen == 1 && s.i == len(raw)
}

// choices reads a list of no or one choice.
func (s *scanner) choices(p *plain) {
	s.take('[')
	s.space()
	if s.peek() == ']' {
		s.i++
		return
	}
	p.choice = true
	seen := 0
	s.object(func(key []byte) {
		switch string(key) {
		case "index":
			s.take('0')
		case "delta":
			seen++
			s.delta(p)
		case "message":
			s.null()
		case "finish_reason":
			seen += 10
			if s.peek() == 'n' {
				s.null()
			} else {
				p.finish = s.string()
			}
		default:
			s.skip(0)
		}
	})
	if seen > 11 || seen%10 > 1 { // a key twice
		s.bad = true
	}
	s.take(']')
}

func (s *scanner) delta(p *plain) {
	seen := 0
	s.object(func(key []byte) {
		switch string(key) {
		case "content":
			seen++
			if s.peek() == 'n' {
				s.null()
			} else {
				p.content = s.string()
			}
		case "tool_calls":
			s.null()
		default:
			s.skip(0)
		}
	})
	if seen > 1 {
		s.bad = true
	}
}

// scanner walks over JSON. At the first thing that it does not expect it is bad and stays so.
type scanner struct {
	b   []byte
	i   int
	bad bool
}

func (s *scanner) space() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\t' || s.b[s.i] == '\n' || s.b[s.i] == '\r') {
		s.i++
	}
}

// peek is the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

func (s *scanner) take(c byte) {
	s.space()
	if s.peek() != c {
		s.bad = true
		return
	}
	s.i++
}

func (s *scanner) literal(word string) {
	if len(s.b)-s.i < len(word) || string(s.b[s.i:s.i+len(word)]) != word {
		s.bad = true
		return
	}
	s.i += len(word)
}

func (s *scanner) null() { s.literal("null") }

// object calls value at the value of each key. Keys with capitals are left to the ordinary decoder, which does not
// distinguish them.
func (s *scanner) object(value func(key []byte)) {
	s.take('{')
	s.space()
	if s.peek() == '}' {
		s.i++
		return
	}
	for !s.bad {
		s.space()
		key := s.text()
		for _, c := range key {
			if c >= 'A' && c <= 'Z' || c == '\\' || c >= utf8.RuneSelf {
				s.bad = true
			}
		}
		s.take(':')
		s.space()
		if s.bad {
			return
		}
		value(key)
		s.space()
		if s.peek() == '}' {
			s.i++
			return
		}
		s.take(',')
	}
}

// text gives the bytes between the quotes, escapes as they are.
func (s *scanner) text() []byte {
	if s.peek() != '"' {
		s.bad = true
		return nil
	}
	start := s.i + 1
	for i := start; i < len(s.b); i++ {
		switch c := s.b[i]; {
		case c == '"':
			s.i = i + 1
			return s.b[start:i]
		case c == '\\':
			i++
		case c < ' ':
			s.bad = true
			return nil
		}
	}
	s.bad = true
	return nil
}

// string decodes a string.
func (s *scanner) string() string {
	raw := s.text()
	escaped := false
	for _, c := range raw {
		escaped = escaped || c == '\\'
	}
	if !utf8.Valid(raw) {
		s.bad = true
		return ""
	}
	if !escaped {
		return string(raw)
	}
	return s.unescape(raw)
}

func (s *scanner) unescape(raw []byte) string {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			continue
		}
		i++ // text has made sure that something follows
		switch c := raw[i]; c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			r := hex4(raw[i+1:])
			if utf16.IsSurrogate(r) {
				if len(raw) < i+7 || raw[i+5] != '\\' || raw[i+6] != 'u' {
					s.bad = true
					return ""
				}
				r = utf16.DecodeRune(r, hex4(raw[i+7:]))
				i += 6
			}
			if r < 0 || r == utf8.RuneError {
				s.bad = true
				return ""
			}
			out = utf8.AppendRune(out, r)
			i += 4
		default:
			s.bad = true
			return ""
		}
	}
	return string(out)
}

// hex4 reads four hexadecimal digits, -1 where there are none.
func hex4(b []byte) rune {
	if len(b) < 4 {
		return -1
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return -1
		}
	}
	return r
}

// deepest is how far skip follows nested values before it leaves them to the ordinary decoder.
const deepest = 32

// skip passes over any value.
func (s *scanner) skip(depth int) {
	if depth > deepest {
		s.bad = true
	}
	if s.bad {
		return
	}
	switch c := s.peek(); {
	case c == '"':
		for _, c := range s.text() {
			if c == '\\' { // escapes may be wrong: the ordinary decoder knows
				s.bad = true
			}
		}
	case c == '{':
		s.skipObject(depth)
	case c == '[':
		s.skipList(depth)
	case c == 't':
		s.literal("true")
	case c == 'f':
		s.literal("false")
	case c == 'n':
		s.null()
	default:
		s.number()
	}
}

func (s *scanner) skipObject(depth int) {
	s.object(func([]byte) { s.skip(depth + 1) })
}

func (s *scanner) skipList(depth int) {
	s.take('[')
	s.space()
	if s.peek() == ']' {
		s.i++
		return
	}
	for !s.bad {
		s.space()
		s.skip(depth + 1)
		s.space()
		if s.peek() == ']' {
			s.i++
			return
		}
		s.take(',')
	}
}

// number passes over a number in the strict form of JSON.
func (s *scanner) number() {
	if s.peek() == '-' {
		s.i++
	}
	if s.peek() == '0' {
		s.i++
	} else {
		s.digits()
	}
	if s.peek() == '.' {
		s.i++
		s.digits()
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.i++
		if c := s.peek(); c == '+' || c == '-' {
			s.i++
		}
		s.digits()
	}
}

func (s *scanner) digits() {
	start := s.i
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.i++
	}
	s.bad = s.bad || s.i == start
}
