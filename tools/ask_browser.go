package tools

import (
	"strings"
	"time"

	"yui/internal/protocol"
)

// browserRest is how long browser may be left alone before it has to be asked for again.
const browserRest = 30 * time.Minute

// BrowserRules are when a script of browser is asked for. on is the switch yui.browser. Where something from outside has
// entered the conversation since the person last spoke, each script is; where that is nothing but what browser itself has
// read, once in a conversation. Hand the tool to a Guard with each of them.
func BrowserRules(language string, on func() bool, taint *Taint) []Rule {
	return []Rule{
		{When: taint.Beyond(FromPages), Question: scriptQuestion(on, inLanguage(language,
			"Run this script in the browser?", "このスクリプトをブラウザで実行しますか？", "이 스크립트를 브라우저에서 실행할까요?"))},
		{When: taint.Only(FromPages), Once: taint.Grant(protocol.Browser, browserRest), Question: scriptQuestion(on, inLanguage(language,
			"May I go on by myself in the browser in this talk? Next I would run:",
			"この会話の間、ブラウザの操作を自分で続けてもいいですか？次に実行するのはこれです:",
			"이 대화 동안 브라우저를 알아서 계속 써도 될까요? 다음에 실행할 것:"))},
	}
}

func scriptQuestion(on func() bool, title string) func(Call) (Question, bool) {
	return func(call Call) (Question, bool) {
		f := fields(call.Args)
		code, _ := text(f, "code")
		if strings.TrimSpace(code) == "" || string(f["guide"]) == "true" || !on() {
			return Question{}, false // nothing would run
		}
		return Question{Title: title, Body: code}, true
	}
}
