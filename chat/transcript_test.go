package chat

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// "estimate = CJK-range chars + others/4, rounded up" (docs/rules/chat.md#transcript).
func TestEstimateTokens(t *testing.T) {
	for in, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "日本語": 3, "日本語abcde": 5, "한국": 2, "😀": 1} {
		if got := EstimateTokens(in); got != want {
			t.Errorf("EstimateTokens(%q) = %d, want %d", in, got, want)
		}
	}
}

// "Send suffix: newest-first while estimated tokens fit" (docs/rules/chat.md#transcript); what was not sent is not sent again.
func TestHistory(t *testing.T) {
	items := []Item{
		{Role: "user", Text: "old"}, {Kind: KindBoundary},
		{Role: "user", Text: "一二三四五"}, {Role: "assistant", Text: "六七八"}, {Role: "user", Text: "lost", NotSent: true},
		{Role: "assistant", Text: "  "}, {Role: "narrator", Text: "x"}, {Role: "user", Text: "九十", Guide: true},
	}
	for _, c := range []struct {
		window int
		scale  float64
		want   []Message
	}{
		{0, 1, []Message{{"user", "一二三四五"}, {"assistant", "六七八"}, {"user", "九十"}}},
		{10, 1, []Message{{"user", "一二三四五"}, {"assistant", "六七八"}, {"user", "九十"}}},
		{9, 1, []Message{{"assistant", "六七八"}, {"user", "九十"}}},
		{10, 2, []Message{{"assistant", "六七八"}, {"user", "九十"}}},
		{1, 1, nil},
	} {
		if diff := cmp.Diff(c.want, History(items, c.window, c.scale)); diff != "" {
			t.Errorf("window %d, scale %v:\n%s", c.window, c.scale, diff)
		}
	}
}
