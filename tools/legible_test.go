package tools

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"yui/assets/lang"
)

func TestLegible(t *testing.T) {
	for name, c := range map[string]struct{ lang, in, want string }{
		"as it is":                    {"en", "a()\n  b() // 猫 👩‍👧 ❤️\n\nc", "a()\n  b() // 猫 👩‍👧 ❤️\n\nc"},
		"many empty lines":            {"en", "Milk." + strings.Repeat("\n", 59) + "PASSWORD", "Milk.\n(58 empty lines)\nPASSWORD"},
		"in Japanese":                 {"ja", "a\n\n\nb", "a\n（空行 2 行）\nb"},
		"in Korean":                   {"ko", "a\n\n\nb", "a\n(빈 줄 2개)\nb"},
		"lines of what shows nothing": {"en", "a\n \u00a0\n\u3000\u3164\n\t\n\u2800\nb", "a\n(4 empty lines)\nb"},
		"other ends of lines":         {"en", "a\r\n\r\v\f\u2028\u0085b", "a\n(5 empty lines)\nb"},
		"at the end":                  {"en", "a\n\n\n", "a\n(3 empty lines)"},
		"many spaces":                 {"en", "a" + strings.Repeat(" ", 300) + "b" + strings.Repeat("\u00a0", 50) + "c", "a(300 spaces)b(50 spaces)c"},
		"direction":                   {"en", "a\u202e(b", "a(direction mark U+202E)(b"},
		"direction, Japanese":         {"ja", "a\u2066b", "a（方向制御文字 U+2066）b"},
		"control":                     {"en", "a\x1b[2Jb\x00", "a(control character U+001B)[2Jb(control character U+0000)"},
		"invisible":                   {"ko", "a\u200bb\U000e0041", "a(보이지 않는 문자 U+200B)b(보이지 않는 문자 U+E0041)"},
		"a joiner in a word":          {"en", "pass\u200dword", "pass(invisible character U+200D)word"},
		"a filler in a word":          {"en", "a\u3164b", "a b"},
		"selectors in a row":          {"en", "a\ufe0f\ufe0e\U000e0100", "a\ufe0f(invisible character U+FE0E)(invisible character U+E0100)"},
		"no UTF-8":                    {"en", "a\xffb", "a\uFFFDb"},
		"nothing":                     {"en", "", ""},
	} {
		if got := Legible(lang.In(c.lang), c.in); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", name, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		got := Legible(lang.In("en"), rapid.String().Draw(t, "s"))
		if strings.Contains(got, "\n\n\n") || strings.ContainsFunc(got, func(r rune) bool {
			return r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
		}) {
			t.Fatalf("%q", got)
		}
	})
}
