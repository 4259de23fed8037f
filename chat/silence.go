package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"yui/internal/protocol"
)

// silence holds back the head of a response while it may still become the silence token (docs/rules/chat.md#silence). Inside
// a longer text the token is ordinary text.
type silence struct {
	held string
	open bool // diverged: everything passes
}

// write gives what may be spoken now.
func (s *silence) write(text string) string {
	if s.open {
		return text
	}
	s.held += text
	head := strings.TrimSpace(s.held)
	if strings.HasPrefix(protocol.Silent, head) {
		return ""
	}
	s.open = true
	out := s.held
	s.held = ""
	return out
}

// close gives what is left at the end: a beginning of the token that did not become it. silent says that the whole
// text was the token or white space.
func (s *silence) close() (rest string, silent bool) {
	if s.open {
		return "", false
	}
	s.open = true
	switch strings.TrimSpace(s.held) {
	case "", protocol.Silent:
		return "", true
	}
	return s.held, false
}

// Joint is what stands between the speech of consecutive responses (docs/rules/chat.md#joining): one space, unless the earlier text ends
// in white space or one of 。！？ or the later begins with white space.
func Joint(earlier, later string) string {
	if earlier == "" || later == "" {
		return ""
	}
	last, _ := utf8.DecodeLastRuneInString(earlier)
	first, _ := utf8.DecodeRuneInString(later)
	if unicode.IsSpace(last) || strings.ContainsRune("。！？", last) || unicode.IsSpace(first) {
		return ""
	}
	return " "
}
