package tools

import (
	"strings"
	"time"

	"yui/assets/lang"
	"yui/internal/protocol"
)

// browserRest is how long browser may be left alone before it has to be asked for again.
const browserRest = 30 * time.Minute

// BrowserRules are when a script of browser is asked for. on is the switch yui.browser. Where something from outside has
// entered the conversation since the person last spoke, each script is; where that is nothing but what browser itself has
// read, once in a conversation. Hand the tool to a Guard with each of them.
func BrowserRules(w *lang.Words, on func() bool, taint *Taint) []Rule {
	return []Rule{
		{When: taint.Beyond(FromPages), Question: scriptQuestion(on, w, "tool.browser.run")},
		{When: taint.Only(FromPages), Once: taint.Grant(protocol.Browser, browserRest), Question: scriptQuestion(on, w, "tool.browser.go_on")},
	}
}

func scriptQuestion(on func() bool, w *lang.Words, title lang.Key) func(Call) (Question, bool) {
	return func(call Call) (Question, bool) {
		f := fields(call.Args)
		code, _ := text(f, "code")
		if strings.TrimSpace(code) == "" || string(f["guide"]) == "true" || !on() {
			return Question{}, false // nothing would run
		}
		return Question{Title: w.Text(title), Body: code}, true
	}
}
