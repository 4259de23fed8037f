package tools

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"short", 10, "short"},
		{"exactly10!", 10, "exactly10!"},
		{"one two three four", 12, "one two…"},
		{"one two three four", 14, "one two three…"},
		{"well, now then", 8, "well,…"},
		{"unbreakablelonglongword", 10, "unbreakab…"},
		{"今日は良い天気です。明日も晴れるでしょう。", 11, "今日は良い天気です。…"},
		{"오늘은 날씨가 좋습니다. 내일도 맑겠습니다.", 15, "오늘은 날씨가 좋습니다.…"},
		{"👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 14, "👩‍👩‍👧‍👦…"},
		{"😀😀😀😀", 6, "😀😀…"},
	} {
		got, cut := shorten(c.in, c.limit)
		if got != c.want || cut != (c.in != c.want) {
			t.Errorf("%q to %d: %q %v, want %q", c.in, c.limit, got, cut, c.want)
		}
	}
}

func TestShortenHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		limit := rapid.IntRange(1, 40).Draw(t, "limit")
		got, cut := shorten(s, limit)
		if units(got) > limit || !utf8.ValidString(got) || cut != (units(s) > limit) {
			t.Fatalf("%q to %d: %q %v", s, limit, got, cut)
		}
		if cut && (!strings.HasSuffix(got, "…") || !strings.HasPrefix(s, strings.TrimSuffix(got, "…"))) {
			t.Fatalf("%q to %d: %q is not its beginning", s, limit, got)
		}
	})
}

func TestPlainText(t *testing.T) {
	for in, want := range map[string]string{
		"a\r\nb\rc":                       "a\nb\nc",
		" \x00a\x1b[31mb\u202etxt.exe ":   "a[31mbtxt.exe",
		"zero\u200bwidth\ufeff":           "zerowidth",
		"👩\u200d👧":                        "👩\u200d👧",
		"  indented\n    code\n\ttab\n\n": "indented\n    code\n\ttab",
		"bad\xff":                         "bad\uFFFD",
	} {
		if got := plainText(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
