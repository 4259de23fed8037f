// Package scan walks over the JSON of common stream events an order of magnitude faster than encoding/json. It takes
// only what it fully understands: what it accepts means the same to encoding/json, and everything else is left to that.
package scan

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Scanner walks over JSON. At the first thing that it does not expect it is bad and stays so.
type Scanner struct {
	b   []byte
	i   int
	bad bool
}

// Space passes over white space.
func (s *Scanner) Space() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\t' || s.b[s.i] == '\n' || s.b[s.i] == '\r') {
		s.i++
	}
}

// Peek is the next byte, 0 at the end.
func (s *Scanner) Peek() byte {
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

// Take passes over one byte behind white space, which must be there.
func (s *Scanner) Take(c byte) {
	s.Space()
	if s.Peek() != c {
		s.bad = true
		return
	}
	s.i++
}

// New walks over b.
func New(b []byte) *Scanner { return &Scanner{b: b} }

// Fail leaves the whole to the ordinary decoder.
func (s *Scanner) Fail() { s.bad = true }

// Good says whether everything was read and expected.
func (s *Scanner) Good() bool {
	s.Space()
	return !s.bad && s.i == len(s.b)
}

// Has passes over c where it is next.
func (s *Scanner) Has(c byte) bool {
	if s.Peek() != c || c == 0 {
		return false
	}
	s.i++
	return true
}

// TextOrNull decodes a string; null gives "".
func (s *Scanner) TextOrNull() string {
	if s.Peek() == 'n' {
		s.Null()
		return ""
	}
	return s.Decode()
}

// Small reads a number of one or two digits, such as an index.
func (s *Scanner) Small() int {
	n, start := 0, s.i
	for c := s.Peek(); c >= '0' && c <= '9' && s.i < start+2; c = s.Peek() {
		n = n*10 + int(c-'0')
		s.i++
	}
	switch c := s.Peek(); {
	case s.i == start, s.b[start] == '0' && s.i > start+1, c == '.' || c == 'e' || c == 'E' || c >= '0' && c <= '9':
		s.bad = true
	}
	return n
}

func (s *Scanner) literal(word string) {
	if len(s.b)-s.i < len(word) || string(s.b[s.i:s.i+len(word)]) != word {
		s.bad = true
		return
	}
	s.i += len(word)
}

// Null passes over a null, which must be there.
func (s *Scanner) Null() { s.literal("null") }

// Object calls value at the value of each key. Keys with capitals are left to the ordinary decoder, which does not
// distinguish them.
func (s *Scanner) Object(value func(key []byte)) {
	s.Take('{')
	s.Space()
	if s.Peek() == '}' {
		s.i++
		return
	}
	for !s.bad {
		s.Space()
		key := s.Text()
		for _, c := range key {
			if c >= 'A' && c <= 'Z' || c == '\\' || c >= utf8.RuneSelf {
				s.bad = true
			}
		}
		s.Take(':')
		s.Space()
		if s.bad {
			return
		}
		value(key)
		s.Space()
		if s.Peek() == '}' {
			s.i++
			return
		}
		s.Take(',')
	}
}

// Text gives the bytes between the quotes, escapes as they are.
func (s *Scanner) Text() []byte {
	if s.Peek() != '"' {
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

// Plain gives a string without escapes as its bytes.
func (s *Scanner) Plain() []byte {
	raw := s.Text()
	for _, c := range raw {
		if c == '\\' || c >= utf8.RuneSelf {
			s.bad = true
		}
	}
	return raw
}

// Decode decodes a string.
func (s *Scanner) Decode() string {
	raw := s.Text()
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

func (s *Scanner) unescape(raw []byte) string {
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

// Skip passes over any value.
func (s *Scanner) Skip() { s.skip(0) }

func (s *Scanner) skip(depth int) {
	if depth > deepest {
		s.bad = true
	}
	if s.bad {
		return
	}
	switch c := s.Peek(); {
	case c == '"':
		for _, c := range s.Text() {
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
		s.Null()
	default:
		s.number()
	}
}

func (s *Scanner) skipObject(depth int) {
	s.Object(func([]byte) { s.skip(depth + 1) })
}

func (s *Scanner) skipList(depth int) {
	s.Take('[')
	s.Space()
	if s.Peek() == ']' {
		s.i++
		return
	}
	for !s.bad {
		s.Space()
		s.skip(depth + 1)
		s.Space()
		if s.Peek() == ']' {
			s.i++
			return
		}
		s.Take(',')
	}
}

// number passes over a number in the strict form of JSON.
func (s *Scanner) number() {
	if s.Peek() == '-' {
		s.i++
	}
	if s.Peek() == '0' {
		s.i++
	} else {
		s.digits()
	}
	if s.Peek() == '.' {
		s.i++
		s.digits()
	}
	if c := s.Peek(); c == 'e' || c == 'E' {
		s.i++
		if c := s.Peek(); c == '+' || c == '-' {
			s.i++
		}
		s.digits()
	}
}

func (s *Scanner) digits() {
	start := s.i
	for c := s.Peek(); c >= '0' && c <= '9'; c = s.Peek() {
		s.i++
	}
	s.bad = s.bad || s.i == start
}
