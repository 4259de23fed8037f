package tools

import (
	"strings"
	"unicode"
)

// BrowserRule asks before a script of browser runs, where something from outside has entered the conversation since the
// person last spoke (spec/decisions.md 19). on is the switch yui.browser. Pages that browser itself read are no reason.
func BrowserRule(language string, on func() bool, taint *Taint) Rule {
	return Rule{When: taint.Tainted, Question: func(call Call) (Question, bool) {
		f := fields(call.Args)
		code, _ := text(f, "code")
		if strings.TrimSpace(code) == "" || string(f["guide"]) == "true" || !on() {
			return Question{}, false // nothing would run
		}
		return Question{Title: inLanguage(language, "Run this script in the browser?", "このスクリプトをブラウザで実行しますか？", "이 스크립트를 브라우저에서 실행할까요?"), Body: visible(code)}, true
	}}
}

// visible shows a script as it is, and marks the characters that would hide or reorder parts of it.
func visible(code string) string {
	code = strings.ToValidUTF8(strings.ReplaceAll(code, "\r\n", "\n"), "\uFFFD")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\u200c', r == '\u200d':
			return r
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return '\uFFFD'
		}
		return r
	}, code)
}
