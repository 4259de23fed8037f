package tools

import (
	"context"
	"encoding/json"
	"testing"

	"yui/assets/lang"
)

func TestBrowserRule(t *testing.T) {
	on := true
	var taint Taint
	runs, p := 0, &person{}
	tool := Guard{Asker: p}.GuardedBy(probe(&runs), BrowserRules(lang.In("en"), func() bool { return on }, &taint)...)
	for _, c := range []struct {
		name, args string
		tainted    bool
		off        bool
		asked      string
	}{
		{"clean", `{"code":"a()"}`, false, false, ""},
		{"tainted", `{"code":"a()\n  b() // 猫 👩‍👧"}`, true, false, "a()\n  b() // 猫 👩‍👧"},
		{"the guide", `{"guide":true}`, true, false, ""},
		{"both", `{"guide":true,"code":"a()"}`, true, false, ""},
		{"no code", `{"code":" "}`, true, false, ""},
		{"off", `{"code":"a()"}`, true, true, ""},
	} {
		taint.Turn(true)
		if c.tainted {
			taint.Mark(FromMCP)
		}
		on, p.asked, runs = !c.off, nil, 0
		r := tool.Run(context.Background(), Call{Args: json.RawMessage(c.args)})
		got := ""
		if len(p.asked) > 0 {
			got = p.asked[0].Body
		}
		if got != c.asked || (r.Text == Declined) != (c.asked != "") || (runs == 1) != (c.asked == "") {
			t.Errorf("%s: asked %q, result %q", c.name, got, r.Text)
		}
	}
	for _, code := range []string{"ja", "ko"} {
		for _, rule := range BrowserRules(lang.In(code), func() bool { return true }, &taint) {
			q, _ := rule.Question(Call{Args: []byte(`{"code":"a"}`)})
			speaks(t, code, q.Title)
		}
	}
}
