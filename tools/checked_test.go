package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"yui/internal/fuzzmem"
)

func TestCheck(t *testing.T) {
	const schema = `{"type":"object","properties":{"city":{"type":"string","minLength":1},"days":{"type":"integer","maximum":7},
		"units":{"enum":["c","f"]}},"required":["city"],"additionalProperties":false}`
	s, err := CompileSchema(json.RawMessage(schema))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{`{"city":"Kyoto"}`, ""},
		{`{"city":"Kyoto","days":7,"units":"c"}`, ""},
		{``, "city"},
		{`{}`, "city"},
		{`[]`, "no object"},
		{`null`, "no object"},
		{`{"city"`, "no JSON"},
		{`{"city":"Kyoto"} x`, "no JSON"},
		{`{"city":5}`, "/city: "},
		{`{"city":""}`, "/city: "},
		{`{"city":"Kyoto","days":8}`, "/days: "},
		{`{"city":"Kyoto","days":1.5}`, "/days: "},
		{`{"city":"Kyoto","units":"k"}`, "/units: "},
		{`{"city":"Kyoto","more":1}`, "more"},
		{`{"city":"` + strings.Repeat("x", argsLimit) + `"}`, "more than"},
	} {
		got := s.Check(json.RawMessage(c.args))
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) || c.want != "" && !strings.HasPrefix(got, "error: invalid arguments: ") {
			t.Errorf("%.60s: %q, want something of %q", c.args, got, c.want)
		}
	}
	// What a model wrote comes back to it, but without what does not show and never without end.
	long := s.Check(json.RawMessage(`{"city":"x","` + strings.Repeat(`b\u202e`, 3000) + `":1}`))
	if len([]rune(long)) > 500 || strings.ContainsRune(long, '\u202e') {
		t.Errorf("%d: %q", len(long), long)
	}
}

func TestCompileSchema(t *testing.T) {
	for raw, ok := range map[string]bool{
		`{"type":"object"}`: true,
		`{}`:                true,
		// An old tuple, which the newest draft does not know.
		`{"type":"object","properties":{"a":{"type":"array","items":[{"type":"string"}]}}}`: true,
		`{"type":"string"}`:             false,
		`[]`:                            false,
		`true`:                          false,
		`{"type":"object"`:              false,
		`{"properties":5}`:              false,
		`{"$ref":"file:///etc/passwd"}`: false,
		`{"properties":{"a":{"$ref":"http://127.0.0.1:1/schema"}}}`: false,
		`{"properties":{"a":{"$ref":"#/nothing"}}}`:                 false,
	} {
		if _, err := CompileSchema(json.RawMessage(raw)); (err == nil) != ok {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestChecked(t *testing.T) {
	ran := 0
	tool := Checked(Tool{Name: "add", Define: func() Definition {
		return Definition{Parameters: json.RawMessage(`{"type":"object","required":["a"]}`)}
	}, Run: func(context.Context, Call) Result { ran++; return Result{Text: "ok"} }})
	if got := tool.Run(context.Background(), Call{Args: json.RawMessage(`{"b":1}`)}); !strings.HasPrefix(got.Text, "error: invalid arguments: ") || ran != 0 {
		t.Errorf("%q, ran %d times", got.Text, ran)
	}
	if got := tool.Run(context.Background(), Call{Args: json.RawMessage(`{"a":1}`)}); got.Text != "ok" || ran != 1 {
		t.Errorf("%q, ran %d times", got.Text, ran)
	}
}

// TestReserved holds the list of names to the tools that there are.
func TestReserved(t *testing.T) {
	for _, tool := range everyTool() {
		if !Reserved(tool.Name) {
			t.Errorf("%s may be taken", tool.Name)
		}
	}
	for name, want := range map[string]bool{"browser": true, "mcp_x_generate_express": true, "say_generate_express": true, "weather": false, "look_up": false} {
		if Reserved(name) != want {
			t.Errorf("Reserved(%q) = %v", name, !want)
		}
	}
}

// A number that the library fails at is an argument that is invalid, not an error of ours in the model's ear.
func TestCheckOfNumbersWithoutBound(t *testing.T) {
	for _, rule := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const"} {
		schema, err := CompileSchema(json.RawMessage(`{"type":"object","properties":{"n":{"` + rule + `":3}}}`))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []string{"1e-9999999", "1e9999999", "-1e9999999", "0e9999999", "1e99999999999999999999"} {
			if got := schema.Check(json.RawMessage(`{"n":` + n + `}`)); got != "" && !strings.HasPrefix(got, "error: invalid arguments: ") {
				t.Errorf("%s %s: %q", rule, n, got)
			}
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"type":"string","pattern":"^x+$"}}}`, `{"a":"xx"}`)
	f.Add(`{"properties":{"a":{"$ref":"#"}}}`, `{"a":{"a":{}}}`)
	f.Fuzz(func(t *testing.T, schema, args string) {
		fuzzmem.Watch(t)
		s, err := CompileSchema(json.RawMessage(schema))
		if err != nil {
			return
		}
		if got := s.Check(json.RawMessage(args)); got != "" && !strings.HasPrefix(got, "error: invalid arguments: ") {
			t.Errorf("%q", got)
		}
	})
}

// BenchmarkChecked is what checking the arguments adds to a call: the schema is compiled for each, since it may change.
func BenchmarkChecked(b *testing.B) {
	tool := Checked(Tool{Define: func() Definition {
		return Definition{Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","maximum":7}},"required":["city"]}`)}
	}, Run: func(context.Context, Call) Result { return Result{} }})
	call := Call{Args: json.RawMessage(`{"city":"Kyoto","days":3}`)}
	b.ReportAllocs()
	for b.Loop() {
		tool.Run(context.Background(), call)
	}
}
