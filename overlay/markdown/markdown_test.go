package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yui/internal/fuzzmem"
)

// show writes blocks as a person would see them, styles in brackets.
func show(blocks []Block) string {
	var b strings.Builder
	spans := func(list []Span) {
		for _, s := range list {
			open, end := "", ""
			for style, c := range map[Style]string{Strong: "b", Emphasis: "i", Code: "c"} {
				if s.Style&style != 0 {
					open, end = open+"<"+c+">", "</"+c+">"+end
				}
			}
			if s.Link != "" {
				open, end = open+"<"+s.Link+">", "</>"+end
			}
			b.WriteString(open + s.Text + end)
		}
	}
	for _, k := range blocks {
		b.WriteString(strings.Repeat("> ", k.Quote) + strings.Repeat("  ", max(0, k.Indent-1)))
		if k.Marker != "" {
			b.WriteString(k.Marker + " ")
		}
		switch k.Kind {
		case Heading:
			fmt.Fprintf(&b, "h%d ", k.Level)
		case Fence:
			fmt.Fprintf(&b, "fence(%s) ", k.Language)
		case Rule:
			b.WriteString("rule")
		case Row:
			for i, c := range k.Cells {
				if i > 0 {
					b.WriteString(" | ")
				}
				spans(c)
			}
		}
		spans(k.Spans)
		b.WriteString("\n")
	}
	return b.String()
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"what models write", "**London** is *big*.\n- one\n# Title\n[site](https://example.org) 2 * 3 * 4 = 24, snake_case_name, \\*no\\*",
			"<b>London</b> is <i>big</i>.\n• one\nh1 Title\n<https://example.org>site</> 2 * 3 * 4 = 24, snake_case_name, *no*\n"},
		{"an unclosed mark is text", "**never", "**never\n"},
		{"half a link is text", "see [the page](https://exam", "see [the page](https://exam\n"},
		{"lines stay lines", "roses are red\nviolets are blue", "roses are red\nviolets are blue\n"},
		{"faces", ">_< ^_^ hello ^_^ T_T (*^^*) >.< ^__^ and ^__^", ">_< ^_^ hello ^_^ T_T (*^^*) >.< ^__^ and ^__^\n"},
		{"a quote", "> so it\n> was", "> so it\nwas\n"},
		{"stage directions", "*waves* Hello!", "<i>waves</i> Hello!\n"},
		{"both", "***very*** `x*y*z`", "<i><b>very</b></i> <c>x*y*z</c>\n"},
		{"numbers", "3. three\n4. four", "3. three\n4. four\n"},
		{"lists in lists", "- a\n  - b\n- c", "• a\n  • b\n• c\n"},
		{"code keeps its marks", "```go\nx := *p // **b**\n\n  y\n```\nend", "fence(go) <c>x := *p // **b**\n\n  y</c>\nend\n"},
		{"code that still comes", "```\nhalf", "fence() <c>half</c>\n"},
		{"a rule is no heading of what stands above", "above\n---\nbelow", "above\nrule\nbelow\n"},
		{"a table", "| a | b |\n|---|---|\n| **1** | 2 |", "a | b\n<b>1</b> | 2\n"},
		{"an address", "look at https://example.org/a_b_c now", "look at <https://example.org/a_b_c>https://example.org/a_b_c</> now\n"},
		{"only web addresses open", "[a](javascript:alert(1)) [b](file:///etc/passwd) [c](/x)", "a b c\n"},
		{"a picture is its link", "![a cat](https://example.org/c.png)", "<https://example.org/c.png>a cat</>\n"},
		{"no HTML", "<b>x</b> &amp; <script>y</script>", "<b>x</b> & <script>y</script>\n"},
		{"Japanese", "これは**大事**です。\n- 一\n- 二", "これは<b>大事</b>です。\n• 一\n• 二\n"},
		{"indented poems are no code", "    far in\nand out", "far in\nand out\n"},
		{"nothing", "", ""},
		{"white space", " \n\n ", ""},
		{"carriage returns", "a\r\n\r\nb", "a\nb\n"},
		{"a year is no list", "It was\n1986. A good year.", "It was\n1986. A good year.\n"},
		{"no setext", "x\n===", "x\n===\n"},
	} {
		got := show(NewReader().Read(c.in))
		if c.name == "both" {
			got = strings.ReplaceAll(got, "<b><i>very</i></b>", "<i><b>very</b></i>") // the order of a map
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// What is laid out does not jump while the rest comes: all but the last block stay as they are.
func TestStreaming(t *testing.T) {
	const whole = "Hello **dear** friend.\n\n1. one *two*\n2. three `four`\n\n> quoted **text**\n\n```go\na := 1\n```\n\n# End\n\nlast [link](https://example.org)."
	r := NewReader()
	last := r.Read(whole)
	for i := range whole {
		part := r.Read(whole[:i])
		if len(part) > len(last)+1 {
			t.Fatalf("%q has %d blocks, the whole %d", whole[:i], len(part), len(last))
		}
		for j := range len(part) - 1 {
			if diff := cmp.Diff(last[j].Spans, part[j].Spans); diff != "" {
				t.Errorf("block %d of %q is not what it will be (-whole +part):\n%s", j, whole[:i], diff)
			}
		}
	}
}

// Hostile text takes no more than any other: depth, delimiters and brackets are bounded.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"**a** _b_", "> > > x", "- - - x", "| a |\n|-|\n", "```\nx", "[a](b)", "<http://x>", "&#x41; &amp; \\*", "1) x\n   2) y"} {
		f.Add(s)
	}
	r := NewReader()
	f.Fuzz(func(t *testing.T, s string) {
		fuzzmem.Watch(t)
		if len(s) > 1<<14 {
			return
		}
		for _, b := range r.Read(s) {
			if b.Indent > deepest || b.Quote > deepest {
				t.Fatalf("%d lists and %d quotes deep", b.Indent, b.Quote)
			}
			for _, span := range b.Spans {
				if span.Text == "" {
					t.Fatal("an empty span")
				}
				if span.Link != "" && web(span.Link) == "" {
					t.Fatalf("a link to %q", span.Link)
				}
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for name, s := range map[string]string{
		"prose":    strings.Repeat("Some **bold** prose with `code` and a [link](https://example.org).\n\n", 300),
		"stars":    strings.Repeat("*a ", 20000),
		"brackets": strings.Repeat("[", 60000),
		"quotes":   strings.Repeat("> ", 30000),
		"lists":    strings.Repeat("- ", 30000),
		"lines":    strings.Repeat("a\n", 30000),
		"ticks":    strings.Repeat("` `` ", 12000),
		"pipes":    strings.Repeat("|a", 20000) + "\n" + strings.Repeat("|-", 20000),
	} {
		r := NewReader()
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				r.Read(s)
			}
		})
	}
}
