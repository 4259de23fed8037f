// Package markdown reads what models write into blocks of styled spans, to be laid out one by one. It knows no window
// and no font. Text that was written by hand stays as typed: an unclosed mark, 2 * 3 * 4, snake_case_name and a face
// like >_< are no markup, and there is no HTML.
package markdown

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Style is how a span is drawn; styles add up.
type Style uint8

// The styles.
const (
	Strong Style = 1 << iota
	Emphasis
	Code
)

// Span is a run of text of one style. A line feed in it ends a line.
type Span struct {
	Text  string
	Style Style
	// Link is the http or https address that a click opens, "" for none.
	Link string
}

// Kind is what a block is.
type Kind uint8

// The kinds.
const (
	Paragraph Kind = iota
	Heading
	Fence // code: one span, as it was typed
	Rule  // a line across; it has no spans
	Row   // of a table
)

// Block is what is laid out below the block before it.
type Block struct {
	Kind  Kind
	Spans []Span
	// Level is a heading's, 1 to 6.
	Level int
	// Indent is how many lists the block stands in, Quote how many quotes.
	Indent, Quote int
	// Marker stands before the first block of a list's item: "•" or "3.", else "".
	Marker string
	// Tight says that no space belongs between this block and the one before it.
	Tight bool
	// Cells are the cells of a Row, Head says that it is the table's first.
	Cells [][]Span
	Head  bool
	// Language is what a fence says of its code, in one word, "" for nothing.
	Language string
}

// deepest is how many quotes and lists may stand in one another; deeper marks are text. Nobody reads more, and a line
// of marks costs time by the square of their depth.
const deepest = 6

// longest is how many bytes a paragraph's own marks are looked for in; a longer one is shown as typed.
const longest = 8 << 10

// Reader reads Markdown. It keeps nothing of what it has read; it belongs to one goroutine.
type Reader struct{ blocks, spans parser.Parser }

// NewReader makes a Reader.
func NewReader() *Reader {
	blocks := parser.NewParser(parser.WithBlockParsers(
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(shallow{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(shallow{quotes{parser.NewBlockquoteParser()}}, 800),
		util.Prioritized(indented{parser.NewParagraphParser()}, 1000),
	), parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)))
	spans := parser.NewParser(parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"})), 999),
		))
	return &Reader{blocks, spans}
}

// Read returns the blocks of s in their order. Empty text has none.
func (r *Reader) Read(s string) []Block {
	source := []byte(strings.ReplaceAll(s, "\r\n", "\n"))
	w := walker{reader: r, source: source}
	w.children(r.blocks.Parse(text.NewReader(source)), Block{})
	return w.out
}

// shallow refuses to open a block that would stand too deep.
type shallow struct{ parser.BlockParser }

func (p shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if k := n.Kind(); k == ast.KindBlockquote || k == ast.KindList {
			depth++
		}
	}
	if depth >= deepest {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// quotes wants a space or nothing behind the mark: ">_<" is a face.
type quotes struct{ parser.BlockParser }

func (p quotes) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	if t := strings.TrimLeft(string(line[:min(len(line), 8)]), " "); len(t) > 1 && t[0] == '>' && !strings.ContainsRune(" \t\n", rune(t[1])) {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// indented takes lines that stand far in, too: they are poems more often than code.
type indented struct{ parser.BlockParser }

func (indented) CanAcceptIndentedLine() bool { return true }

// walker turns the tree into the list.
type walker struct {
	reader *Reader
	source []byte
	out    []Block
}

// children adds what is below n. in has the indent, the quotes and the marker of the place.
func (w *walker) children(n ast.Node, in Block) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c, in)
		in.Marker, in.Tight = "", false
	}
}

func (w *walker) block(n ast.Node, in Block) {
	b := Block{Indent: in.Indent, Quote: in.Quote, Marker: in.Marker, Tight: in.Tight}
	switch n := n.(type) {
	case *ast.List:
		w.list(n, in)
		return
	case *ast.Blockquote:
		in.Quote++
		w.children(n, in)
		return
	case *east.Table:
		w.table(n, b)
		return
	case *ast.ThematicBreak:
		b.Kind = Rule
	case *ast.Heading:
		b.Kind, b.Level, b.Spans = Heading, n.Level, w.inline(lines(n, w.source))
	case *ast.FencedCodeBlock:
		b.Kind = Fence
		if code := strings.TrimRight(lines(n, w.source), "\n"); code != "" {
			b.Spans = []Span{{Text: code, Style: Code}}
		}
		if language, _, _ := strings.Cut(string(n.Language(w.source)), "\n"); len(language) <= 24 {
			b.Language = language
		}
	default:
		b.Spans = w.inline(lines(n, w.source))
	}
	w.out = append(w.out, b)
}

func (w *walker) list(l *ast.List, in Block) {
	number := l.Start
	tight := l.IsTight
	for item, first := l.FirstChild(), true; item != nil; item, first = item.NextSibling(), false {
		at := Block{Indent: in.Indent + 1, Quote: in.Quote, Marker: "•", Tight: tight && (!first || in.Indent > 0)}
		if l.IsOrdered() {
			at.Marker = strconv.Itoa(number) + string(rune(cmp.Or(l.Marker, '.')))
			number++
		}
		if !item.HasChildren() {
			w.out = append(w.out, at)
			continue
		}
		w.children(item, at)
	}
}

func (w *walker) table(t *east.Table, at Block) {
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		b := at
		b.Kind = Row
		_, b.Head = row.(*east.TableHeader)
		b.Tight = !b.Head
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			b.Cells = append(b.Cells, w.inline(lines(cell, w.source)))
		}
		w.out = append(w.out, b)
		at.Marker = ""
	}
}

// lines is the raw text of a block.
func lines(n ast.Node, source []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(source))
	}
	return b.String()
}
