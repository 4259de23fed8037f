package completions

import "yui/chat/internal/scan"

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
	s := scan.New(raw)
	seen := 0
	s.Object(func(key []byte) {
		switch string(key) {
		case "choices":
			seen++
			p.choices = true
			choices(s, &p)
		case "usage", "error", "message", "detail":
			s.Null()
		case "object":
			if string(s.Text()) == "error" {
				s.Fail()
			}
		default:
			s.Skip()
		}
	})
	return p, s.Good() && seen == 1
}

// choices reads a list of no or one choice.
func choices(s *scan.Scanner, p *plain) {
	s.Take('[')
	s.Space()
	if s.Has(']') {
		return
	}
	p.choice = true
	seen := 0
	s.Object(func(key []byte) {
		switch string(key) {
		case "index":
			s.Take('0')
		case "delta":
			seen++
			readDelta(s, p)
		case "message":
			s.Null()
		case "finish_reason":
			seen += 10
			p.finish = s.TextOrNull()
		default:
			s.Skip()
		}
	})
	if seen > 11 || seen%10 > 1 { // a key twice
		s.Fail()
	}
	s.Take(']')
}

func readDelta(s *scan.Scanner, p *plain) {
	seen := 0
	s.Object(func(key []byte) {
		switch string(key) {
		case "content":
			seen++
			p.content = s.TextOrNull()
		case "tool_calls", "reasoning_content", "reasoning":
			s.Null()
		default:
			s.Skip()
		}
	})
	if seen > 1 {
		s.Fail()
	}
}
