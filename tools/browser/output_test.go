package browser

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pgregory.net/rapid"
	"yui/internal/fuzzmem"
	"yui/tools"
)

func TestArguments(t *testing.T) {
	for args, want := range map[string]arguments{
		``:                                 {refusal: resultMissingCode},
		`null`:                             {refusal: resultMissingCode},
		`[]`:                               {refusal: resultMissingCode},
		`{}`:                               {refusal: resultMissingCode},
		`{"code":""}`:                      {refusal: resultMissingCode},
		`{"code":null}`:                    {refusal: resultMissingCode},
		`{"code":5}`:                       {refusal: resultMissingCode},
		`{"code":"","guide":false}`:        {refusal: resultMissingCode},
		`{"guide":"true"}`:                 {refusal: resultMissingCode},
		`{"guide":1}`:                      {refusal: resultMissingCode},
		`{"code":"x"}`:                     {code: "x"},
		`{"code":" "}`:                     {code: " "},
		`{"code":"x","guide":false}`:       {code: "x"},
		`{"code":"x","guide":null}`:        {code: "x"},
		`{"code":"x","guide":"yes","a":1}`: {code: "x"},
		`{"guide":true}`:                   {guide: true},
		`{"guide":true,"code":""}`:         {guide: true},
		`{"guide":true,"code":null}`:       {guide: true},
		`{"guide":true,"code":"x"}`:        {guide: true, code: "x", refusal: resultInvalidCode},
		`{"guide":true,"code":7}`:          {guide: true, refusal: resultInvalidCode},
	} {
		if got := readArguments(json.RawMessage(args)); got != want {
			t.Errorf("%s: %+v, not %+v", args, got, want)
		}
	}
}

func TestDefinition(t *testing.T) {
	tool := New(Options{Relay: NewRelay(RelayOptions{})})
	def := tool.Define()
	if tool.Name != "browser" || tool.Switch != "browser" || tool.OneWay {
		t.Errorf("%+v", tool)
	}
	for _, said := range []string{"top-level await", "await import()", "task, screenshot", "__yui", "taskSpace()", "console.log", "await screenshot(page)",
		"EGO_TASK_SPACE_NAME_IN_USE", "5 more", "guide: true", "minimized", "untrusted"} {
		if !strings.Contains(def.Description, said) {
			t.Errorf("the description does not speak of %q", said)
		}
	}
	catalog, err := os.ReadFile("../../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"\n| `browser` |", "\n## browser\n", resultUnknown, resultTimeLimit, resultNotFound, resultGuideTimedOut, resultNoStart, resultNoFolder, tools.Declined, resultOff, resultFailed, resultStopped, untrusted} {
		if !strings.Contains(string(catalog), said) {
			t.Errorf("docs/tools.md does not have %q", said)
		}
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(def.Parameters)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("browser.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("browser.json")
	if err != nil {
		t.Fatal(err)
	}
	for args, valid := range map[string]bool{`{}`: true, `{"code":"x"}`: true, `{"guide":true}`: true, `{"guide":1}`: false, `{"code":1}`: false, `{"x":1}`: false} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(args))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != valid {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func short(s string) string {
	if len(s) > 600 {
		return s[:300] + " … " + s[len(s)-300:]
	}
	return s
}

// printed is a capture of pieces.
func printed(pieces ...string) *capture {
	c := &capture{}
	for _, p := range pieces {
		if n, err := c.Write([]byte(p)); n != len(p) || err != nil {
			panic("a capture takes everything")
		}
	}
	c.end()
	return c
}

func TestDeadlineMark(t *testing.T) {
	for _, c := range []struct {
		pieces []string
		want   bool
	}{
		{[]string{"[yui] deadline\n"}, true},
		{[]string{"[yui] deadline"}, true},
		{[]string{"[yui]", " dead", "line", "\r", "\n", "x"}, true},
		{[]string{strings.Repeat("x", 100), "[yui] deadlin", "e\nmore\nand more"}, true},
		{[]string{"[yui] deadline\n[yui] deadline "}, true},
		{[]string{strings.Repeat("x\n", textLimit), "log [yui] deadline\n"}, true},
		{nil, false},
		{[]string{"\n\n"}, false},
		{[]string{"[yui] deadline "}, false},
		{[]string{"[yui] dead\nline\n"}, false},
		{[]string{"[yui] deadline\r\r\n"}, false},
	} {
		if got := printed(c.pieces...).sawDeadline(); got != c.want {
			t.Errorf("%q: %v", c.pieces, got)
		}
	}
}

// TestNeverCut: at every length round the limit, with every kind of character, what must stay stays.
func TestNeverCut(t *testing.T) {
	notes := shots{dropped: 3, unreadable: []string{"a\nerror: no", strings.Repeat("長", 300)}}.notes()
	head := resultFailed + "\n" + overlapNote + "\n" + untrusted + "\n"
	foot := "\n[screenshots] 3 earlier screenshots were dropped: the last 4 are kept\n[screenshots] could not be read: \"a\\nerror: no\", \"" + strings.Repeat("長", 79) + "…\""
	for _, char := range []string{"a", "é", "長", "😀", "\xff"} {
		for _, extra := range []int{-6000, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 100000} {
			n := (textLimit - len(head) - len(foot) + extra) / len(char)
			got := compose(resultFailed, true, printed(strings.Repeat(char, n)), notes)
			if len(got) > textLimit || !utf8.ValidString(got) {
				t.Fatalf("%q %d: %d bytes, valid %v", char, extra, len(got), utf8.ValidString(got))
			}
			body, isHead := strings.CutPrefix(got, head)
			body, isFoot := strings.CutSuffix(body, foot)
			if !isHead || !isFoot {
				t.Fatalf("%q %d: head %v, foot %v: %q", char, extra, isHead, isFoot, short(got))
			}
			cut := strings.HasSuffix(body, "\n[truncated]")
			if wantCut := extra > 0 && n*len(char) > textLimit-len(head)-len(foot) || char == "\xff" && extra >= -6000; cut != wantCut {
				t.Errorf("%q %d: cut %v", char, extra, cut)
			}
			if cut && char != "\xff" && strings.Contains(body, "\uFFFD") {
				t.Errorf("%q %d: a character was cut", char, extra)
			}
			if cut && len(got) < textLimit-8 {
				t.Errorf("%q %d: cut too early, at %d", char, extra, len(got))
			}
		}
	}
}

// TestCompose holds for every output: the limit, the encoding, and that no line that is ours can come from a script.
func TestCompose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(rapid.SampledFrom([]string{"\n", "\r\n", "\r", untrusted, resultFailed, shotsMark, "[screenshots] could not be read: x", deadlineMark, "[truncated]", "\xe9", "\xe9\x95", "長", "\x1b[2J"}),
			rapid.String(), rapid.Map(rapid.IntRange(0, 70000), func(n int) string { return strings.Repeat("y", n) }))
		out := printed(rapid.SliceOfN(piece, 0, 20).Draw(t, "output")...)
		status := rapid.SampledFrom([]string{"", resultFailed, resultTimeLimit, resultUnknown}).Draw(t, "status")
		overlap := rapid.Bool().Draw(t, "overlap")
		s := shots{dropped: rapid.IntRange(0, 3).Draw(t, "dropped"), unreadable: rapid.SliceOfN(rapid.String(), 0, 4).Draw(t, "names")}
		got := compose(status, overlap, out, s.notes())
		if len(got) > textLimit || !utf8.ValidString(got) {
			t.Fatalf("%d bytes, valid %v", len(got), utf8.ValidString(got))
		}
		head := untrusted
		if overlap {
			head = overlapNote + "\n" + head
		}
		if status != "" {
			head = status + "\n" + head
		}
		if got != head && !strings.HasPrefix(got, head+"\n") {
			t.Fatalf("the result starts with %q", short(got))
		}
		notes := 0
		for _, line := range strings.Split(strings.TrimPrefix(got, head), "\n") {
			if strings.HasPrefix(line, shotsMark) {
				notes++
			}
		}
		if notes != len(s.notes()) {
			t.Fatalf("%d notes of %d: %q", notes, len(s.notes()), short(got))
		}
		if strings.ContainsAny(got, "\r\x1b\x00") {
			t.Fatal("control characters")
		}
	})
}

func FuzzCompose(f *testing.F) {
	f.Add([]byte("x\n[yui] deadline\n"), 1)
	f.Add([]byte("\xe9\x95"), 70000)
	f.Fuzz(func(t *testing.T, b []byte, times int) {
		fuzzmem.Watch(t)
		out := printed(strings.Repeat(string(b), max(0, min(times, 200_000/(len(b)+1)))))
		if got := compose("", false, out, nil); len(got) > textLimit || !utf8.ValidString(got) || !strings.HasPrefix(got, untrusted) {
			t.Errorf("%q", short(got))
		}
	})
}
