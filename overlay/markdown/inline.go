package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// inline reads the marks within one block's text.
func (w *walker) inline(s string) []Span {
	s = trimLines(s)
	if len(s) > longest || !strings.ContainsAny(s, "*_`[<&\\") && !strings.Contains(s, "://") && !strings.Contains(s, "www.") {
		return plain(s)
	}
	i := inliner{source: []byte(s)}
	doc := w.reader.spans.Parse(text.NewReader(i.source))
	for p := doc.FirstChild(); p != nil; p = p.NextSibling() {
		if p.PreviousSibling() != nil {
			i.add("\n", Span{})
		}
		i.children(p, Span{})
	}
	return i.out
}

func plain(s string) []Span {
	if s == "" {
		return nil
	}
	return []Span{{Text: s}}
}

// trimLines takes the line feed at the end away, and the spaces around lines that a paragraph would lose.
func trimLines(s string) string {
	all := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, line := range all {
		all[i] = strings.Trim(line, " \t")
	}
	return strings.Join(all, "\n")
}

type inliner struct {
	source []byte
	out    []Span
}

// add appends text in the style and link of at, joined to the span before where nothing changes.
func (i *inliner) add(s string, at Span) {
	if s == "" {
		return
	}
	if n := len(i.out); n > 0 && i.out[n-1].Style == at.Style && i.out[n-1].Link == at.Link {
		i.out[n-1].Text += s
		return
	}
	at.Text = s
	i.out = append(i.out, at)
}

func (i *inliner) children(n ast.Node, at Span) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		i.node(c, at)
	}
}

func (i *inliner) node(n ast.Node, at Span) {
	switch n := n.(type) {
	case *ast.Text:
		i.add(typed(n.Segment.Value(i.source)), at)
		if n.SoftLineBreak() || n.HardLineBreak() {
			i.add("\n", at)
		}
	case *ast.String:
		i.add(string(n.Value), at)
	case *ast.Emphasis:
		if i.face(n) {
			mark := strings.Repeat(string(i.mark(n)), n.Level)
			i.add(mark, at)
			i.children(n, at)
			i.add(mark, at)
			return
		}
		if n.Level >= 2 {
			at.Style |= Strong
		} else {
			at.Style |= Emphasis
		}
		i.children(n, at)
	case *ast.CodeSpan:
		at.Style |= Code
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				i.add(strings.ReplaceAll(string(t.Segment.Value(i.source)), "\n", " "), at)
			}
		}
	case *ast.Link:
		at.Link = web(string(n.Destination))
		i.named(n, at)
	case *ast.Image: // shown as its link
		at.Link = web(string(n.Destination))
		i.named(n, at)
	case *ast.AutoLink:
		at.Link = web(string(n.URL(i.source)))
		i.add(string(n.Label(i.source)), at)
	default:
		i.children(n, at)
	}
}

// face reports whether what stands between the marks is no words but a face's eyes: (*^^*), ^_^ hi ^_^.
func (i *inliner) face(n ast.Node) bool {
	inner := inliner{source: i.source}
	inner.children(n, Span{})
	var b strings.Builder
	for _, s := range inner.out {
		b.WriteString(s.Text)
	}
	words := b.String()
	first, _ := utf8.DecodeRuneInString(words)
	last, _ := utf8.DecodeLastRuneInString(words)
	eye := func(r rune) bool { return unicode.In(r, unicode.Sm, unicode.Sk) && r != '~' && r != '+' }
	return eye(first) || eye(last) || !strings.ContainsFunc(words, func(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.So) })
}

// mark is the byte that opened an emphasis.
func (i *inliner) mark(n *ast.Emphasis) byte {
	back := n.Level
	for c := n.FirstChild(); c != nil; c = c.FirstChild() {
		switch c := c.(type) {
		case *ast.Text:
			if at := c.Segment.Start - back; at >= 0 && i.source[at] == '_' {
				return '_'
			}
			return '*'
		case *ast.Emphasis:
			back += c.Level
		}
	}
	return '*'
}

// named adds a link's words, or its address where it has none.
func (i *inliner) named(n ast.Node, at Span) {
	before := len(i.out)
	i.children(n, at)
	if len(i.out) == before && !n.HasChildren() {
		i.add(at.Link, at)
	}
}

// typed resolves what was escaped.
func typed(b []byte) string {
	if !bytes.ContainsAny(b, `\&`) {
		return string(b)
	}
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(b))))
}

// web returns an address that may be opened, or "". Foreign text names no programs and no files.
func web(address string) string {
	if low := strings.ToLower(address); !strings.HasPrefix(low, "http://") && !strings.HasPrefix(low, "https://") {
		return ""
	}
	if strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return ""
	}
	return address
}
