package companion

import (
	"strings"
	"testing"

	"yui/internal/protocol"
)

// TestKnown: a good morning that a rule has prepared tells the day, and a question for the weather is answered by it.
func TestKnown(t *testing.T) {
	const en, ja = "- weather: Berlin now 14 °C, light rain", "- 天気: ベルリン 現在14 °C、小雨"
	for _, c := range []struct {
		context []string
		say     string
		want    string // a part of the answer; "" for none of it
	}{
		{[]string{en, "- calendar: today 14:00 \"Dentist\"", "trigger: user message", "hint: Tell the day."}, "Good morning!", "Outside: Berlin now 14 °C, light rain. Your calendar: today 14:00 \"Dentist\"."},
		{[]string{en, "trigger: user message"}, "Good morning!", ""},
		{[]string{en, "trigger: user message", "hint: Say good night."}, "Good night!", "Outside: Berlin"},
		{[]string{en, "trigger: user message", "hint: Welcome them."}, "I'm home!", "Outside: Berlin"},
		{[]string{en, "trigger: user message", "hint: Celebrate."}, "It's my birthday today", ""},
		{[]string{en, "trigger: user message"}, "How is the weather?", "Outside: Berlin now 14 °C"},
		{[]string{ja, "trigger: user message", "hint: 今日のこと。"}, "おはよう", "外は、ベルリン 現在14 °C、小雨。"},
		{[]string{ja, "trigger: user message", "hint: 今日のこと。"}, "Good morning!", ""},
	} {
		s := newSession(t, "Yui")
		s.context = func() []string { return c.context }
		got := s.say(c.say)
		if c.want != "" && !strings.Contains(got, c.want) || c.want == "" && (strings.Contains(got, "14 °C") || got == protocol.Silent) {
			t.Errorf("%v, %q: %q, want %q", c.context, c.say, got, c.want)
		}
	}
}
