package mcp

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"yui/assets/lang"
	"yui/internal/fuzzmem"
	"yui/tools"
)

var functionShape = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func TestFunctionName(t *testing.T) {
	for _, c := range []struct {
		server, tool string
		ambiguous    bool
		want         string
	}{
		{"a", "echo", false, "mcp_a_echo"},
		{"a", "get-sum", false, "mcp_a_get-sum"},
		{"a", "read file", false, "mcp_a_read_file_"},
		{"a", "read.file", false, "mcp_a_read_file_"},
		{"a", "読む", false, "mcp_a____"},
		{"a", "generate_express", false, "mcp_a_generate_express_"},
		{"a", strings.Repeat("x", 80), false, "mcp_a_xxx"},
		{"a", "b_c", true, "mcp_a_b_c_"},
		{"a", "x_00c0ffee", false, "mcp_a_x_00c0ffee_"}, // looks like one of ours with a hash
	} {
		got := functionName(c.server, c.tool, c.ambiguous)
		if !strings.HasPrefix(got, c.want) || strings.HasSuffix(c.want, "_") && len(got) != len(c.want)+8 && !strings.HasPrefix(c.want, "mcp_a____") {
			t.Errorf("%s %q: %s", c.server, c.tool, got)
		}
	}
	if !ambiguous("a", []string{"a", "a_b"}) || !ambiguous("a_b", []string{"a", "a_b"}) || ambiguous("a", []string{"a", "ab"}) {
		t.Error("ambiguous")
	}
	seen := map[string]string{}
	rapid.Check(t, func(t *rapid.T) {
		server := rapid.SampledFrom([]string{"a", "a_b", "a_b_c"}).Draw(t, "server")
		tool := rapid.StringOf(rapid.SampledFrom([]rune("abc_ .-é0123456789f"))).Filter(func(s string) bool { return s != "" }).Draw(t, "tool")
		name := functionName(server, tool, true)
		if !functionShape.MatchString(name) || tools.Reserved(name) {
			t.Fatalf("%q is no name", name)
		}
		if was, had := seen[name]; had && was != server+"\x00"+tool {
			t.Fatalf("%q is %q and %q", name, was, server+"\x00"+tool)
		}
		seen[name] = server + "\x00" + tool
	})
}

func TestCleanSchema(t *testing.T) {
	for in, want := range map[string]string{
		`null`:              `{"properties":{},"type":"object"}`,
		`{}`:                `{"properties":{},"type":"object"}`,
		`{"type":"string"}`: ``,
		`"x"`:               ``,
		`{"$schema":"http://json-schema.org/draft-07/schema#","$id":"x","$comment":"c","type":"object","properties":{"a":{"type":"string","x-evil":"y","description":"say\u202e \u001b[1mit"}},"required":["a"],"additionalProperties":false}`: `{"additionalProperties":false,"properties":{"a":{"description":"say [1mit","type":"string"}},"required":["a"],"type":"object"}`,
		`{"properties":{"a":{"$ref":"#/$defs/x"},"b":{"$ref":"#/properties/c/items/0"},"c":{"items":[{"type":"null"}]}},"$defs":{"x":{"enum":["p","q"]}}}`:                                                                                     `{"properties":{"a":{"enum":["p","q"]},"b":{"type":"null"},"c":{"prefixItems":[{"type":"null"}]}},"type":"object"}`,
		`{"properties":{"a":{"$ref":"http://127.0.0.1/x"}}}`:                                                                                         ``,
		`{"properties":{"a":{"$ref":"other.json#/$defs/x"}},"$defs":{"x":{}}}`:                                                                       ``,
		`{"properties":{"a":{"$ref":"#/%24defs/x"},"b":{"$ref":"#/%24defs/a~1%62~0c"}},"$defs":{"x":{"type":"null"},"a/b~c":{"type":"string"}}}`:     `{"properties":{"a":{"type":"null"},"b":{"type":"string"}},"type":"object"}`,
		`{"$id":"https://example.org/s","properties":{"a":{"$ref":"https://example.org/s#/$defs/x"}},"$defs":{"x":{"type":"null"}}}`:                 `{"properties":{"a":{"type":"null"}},"type":"object"}`,
		`{"properties":{"a":{"$ref":"#/nothing"},"b":{"$ref":"#/%zz"},"c":{"$ref":"#name"},"d":{"$ref":"#/properties/e/type"},"e":{"type":"null"}}}`: `{"properties":{"a":true,"b":true,"c":true,"d":true,"e":{"type":"null"}},"type":"object"}`,
		`{"$ref":"#/$defs/Gone"}`: `{"properties":{},"type":"object"}`,
		`{"properties":{"a":{"pattern":"(?<=x)y","format":"uri","minLength":1}}}`:               `{"properties":{"a":{"format":"uri","minLength":1}},"type":"object"}`,
		`{"properties":{"a\u200b":{},"b":{}}}`:                                                  `{"properties":{"b":{}},"type":"object"}`,
		`{"properties":{"a\u200b":{}},"required":["a\u200b"]}`:                                  ``,
		`{"properties":{"a":{"enum":["x","\u202ey"]},"b":{"const":{"a":1}},"c":{"default":5}}}`: `{"properties":{"a":{},"b":{},"c":{"default":5}},"type":"object"}`,
		`{"properties":{"a":{"type":["string","null","evil"]},"b":{"type":"evil"}}}`:            `{"properties":{"a":{"type":["string","null"]},"b":{}},"type":"object"}`,
	} {
		var raw any
		if err := json.Unmarshal([]byte(in), &raw); err != nil {
			t.Fatal(in, err)
		}
		got, err := cleanSchema(raw)
		if (err != nil) != (want == "") || string(got) != want {
			t.Errorf("%s:\n got %s %v\nwant %s", in, got, err, want)
		}
	}
	// References that would grow without end, and depth without end, become something small that still compiles.
	for _, in := range []string{
		`{"properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}}`,
		`{"$ref":"#"}`,
		`{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}],"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"}]},"b":{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}}}`,
		`{"properties":{"x":` + strings.Repeat(`{"items":`, 500) + `{}` + strings.Repeat(`}`, 500) + `}}`,
	} {
		var raw any
		if err := json.Unmarshal([]byte(in), &raw); err != nil {
			t.Fatal(err)
		}
		got, err := cleanSchema(raw)
		if err != nil {
			continue // refused is as good
		}
		if _, err := tools.CompileSchema(got); err != nil || len(got) > schemaBytes {
			t.Errorf("%.80s: %d bytes, %v", in, len(got), err)
		}
	}
}

// TestPortions: nothing is allowed unseen, however much has changed.
func TestPortions(t *testing.T) {
	var list []*sdk.Tool
	for i := range mostTools {
		list = append(list, &sdk.Tool{Name: "t" + strings.Repeat("x", i), Description: strings.Repeat("long ", 150)})
	}
	fresh, left := offers("h", false, list)
	if left != 0 {
		t.Fatal(left)
	}
	d := compare(nil, fresh)
	shown, rounds := 0, 0
	var accepted []offer
	for d.asks() {
		part, text := d.portion(lang.In("en"))
		if !part.asks() || len(text) > 5000 {
			t.Fatalf("%d bytes, %d tools", len(text), len(part.added))
		}
		for _, o := range part.added {
			if !strings.Contains(text, "New: "+o.Raw+"\n"+o.Description) {
				t.Errorf("%s is not shown", o.Raw)
			}
		}
		shown += len(part.added)
		accepted = part.apply(accepted)
		d = d.without(part)
		rounds++
	}
	if shown != mostTools || rounds < 5 || len(accepted) != mostTools {
		t.Errorf("%d shown in %d rounds, %d accepted", shown, rounds, len(accepted))
	}
}

func TestReadConfig(t *testing.T) {
	for _, c := range []struct {
		name string
		c    Config
		why  string
	}{
		{"ok", Config{Command: []string{"x"}}, ""},
		{"ok-2", Config{URL: "https://example.org/mcp", Headers: map[string]string{"Authorization": "Bearer $T"}}, ""},
		{"Big", Config{Command: []string{"x"}}, "small letters"},
		{"", Config{Command: []string{"x"}}, "small letters"},
		{"a.b", Config{Command: []string{"x"}}, "small letters"},
		{"a", Config{}, "command or url"},
		{"a", Config{Command: []string{"x"}, URL: "http://x"}, "exclude"},
		{"a", Config{URL: "file:///x"}, "http://"},
		{"a", Config{URL: "http://user:pw@x/"}, "headers"},
		{"a", Config{Command: []string{"x"}, Headers: map[string]string{"A": "b"}}, "headers"},
		{"a", Config{URL: "http://x", Dir: "/"}, "command"},
		{"a", Config{URL: "http://x", Headers: map[string]string{"A b": "c"}}, "no name of a header"},
		{"a", Config{URL: "http://x", Headers: map[string]string{"A": "b\r\nC: d"}}, "line"},
		{"a", Config{Command: []string{"x"}, Dir: "x"}, "dir"},
		{"a", Config{Command: []string{"x"}, Deadline: 601}, "deadline"},
		{"a", Config{Command: []string{"x"}, Env: map[string]string{"A=B": "x"}}, "env"},
	} {
		err := CheckAll(map[string]Config{c.name: c.c})
		if (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q %+v: %v, want something of %q", c.name, c.c, err, c.why)
		}
	}
}

// FuzzStored reads the list of tools that was accepted before a restart. Whatever the database holds, each
// tool of it has a name of this server, and one of its own.
func FuzzStored(f *testing.F) {
	f.Add([]byte(`[{"raw":"add","name":"x__add","description":"adds","schema":{"type":"object","properties":{"a":{"type":"number"}}}}]`))
	f.Add([]byte(`[{"raw":""},{"raw":""},{"raw":"a","schema":{"$ref":"#/x"}},{"raw":"b","schema":7}]`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		fuzzmem.Watch(t)
		list, ok := decode(raw, "x", false)
		if !ok && len(list) > 0 {
			t.Fatalf("%d tools of nothing", len(list))
		}
		given := map[string]bool{}
		for _, o := range list {
			if given[o.Name] || !strings.HasPrefix(o.Name, "mcp_x_") {
				t.Errorf("name %q", o.Name)
			}
			given[o.Name] = true
		}
	})
}

func FuzzCleanSchema(f *testing.F) {
	f.Add(`{"properties":{"a":{"$ref":"#"}},"required":["a"]}`)
	f.Add(`{"anyOf":[{"items":[{"$ref":"#/anyOf/0"}]}],"enum":[1,null]}`)
	f.Fuzz(func(t *testing.T, in string) {
		fuzzmem.Watch(t)
		var raw any
		if json.Unmarshal([]byte(in), &raw) != nil {
			return
		}
		got, err := cleanSchema(raw)
		if err != nil {
			return
		}
		if len(got) > schemaBytes || !json.Valid(got) {
			t.Errorf("%s", got)
		}
		s, err := tools.CompileSchema(got)
		if err == nil {
			s.Check(json.RawMessage(`{"a":{"a":{"a":[1]}}}`))
		}
	})
}
