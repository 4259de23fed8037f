package tools

import (
	"context"
	"encoding/json"
	"testing"
)

func TestBrowserRule(t *testing.T) {
	on := true
	var taint Taint
	runs, p := 0, &person{}
	tool := Guard{Asker: p}.Guarded(probe(&runs), BrowserRule("en", func() bool { return on }, &taint))
	for _, c := range []struct {
		name, args string
		tainted    bool
		off        bool
		asked      string
	}{
		{"clean", `{"code":"a()"}`, false, false, ""},
		{"tainted", `{"code":"a()\n  b() // 猫 👩‍👧"}`, true, false, "a()\n  b() // 猫 👩‍👧"},
		{"hidden parts", `{"code":"a\u202e(\u200b)\u2028b\rc\u0007"}`, true, false, "a\uFFFD(\uFFFD)\uFFFDb\uFFFDc\uFFFD"},
		{"the guide", `{"guide":true}`, true, false, ""},
		{"both", `{"guide":true,"code":"a()"}`, true, false, ""},
		{"no code", `{"code":" "}`, true, false, ""},
		{"off", `{"code":"a()"}`, true, true, ""},
	} {
		taint.PersonSpoke()
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
	for _, lang := range []string{"ja", "ko"} {
		q, _ := BrowserRule(lang, func() bool { return true }, &taint).Question(Call{Args: []byte(`{"code":"a"}`)})
		speaks(t, lang, q.Title)
	}
}
