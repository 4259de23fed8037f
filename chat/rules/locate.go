package rules

import (
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// place is where a key or a table of a file is written; a key's place is that of its value. Both count from 1.
type place struct{ line, column int }

// places are the places by dotted key. A file that does not parse has those before the fault.
type places map[string]place

func locate(b []byte) places {
	l := locator{places{}, lineStarts(b)}
	var p unstable.Parser
	p.Reset(b)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = l.note(e, "")
		case unstable.KeyValue:
			l.pair(e, table)
		}
	}
	return l.places
}

// locator finds lines by itself: the parser counts from the top each time.
type locator struct {
	places
	lines []int // where each begins
}

func lineStarts(b []byte) []int {
	starts := []int{0}
	for i, c := range b {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func (l locator) at(r unstable.Range) place {
	line := sort.SearchInts(l.lines, int(r.Offset)+1)
	return place{line, int(r.Offset) - l.lines[line-1] + 1}
}

// note remembers where the key of a node begins and gives its name, which stands under another one.
func (l locator) note(n *unstable.Node, under string) (name string) {
	var parts []string
	if under != "" {
		parts = append(parts, under)
	}
	var at place
	for it := n.Key(); it.Next(); {
		k := it.Node()
		parts = append(parts, string(k.Data))
		if at.line == 0 {
			at = l.at(k.Raw)
		}
	}
	name = strings.Join(parts, ".")
	if _, has := l.places[name]; !has {
		l.places[name] = at
	}
	return name
}

func (l locator) pair(n *unstable.Node, under string) {
	name := l.note(n, under)
	v := n.Value()
	if v.Raw.Length > 0 {
		l.places[name] = l.at(v.Raw)
	}
	if v.Kind == unstable.InlineTable {
		for it := v.Children(); it.Next(); {
			l.pair(it.Node(), name)
		}
	}
}

// fault places what is wrong with a key of a rule, or of the file where rule is "". Where the key itself is not in the
// file, the table that lacks it is named.
func (ps places) fault(rule, key string, err error) error {
	path := key
	if rule != "" {
		path = strings.TrimSuffix("rule."+rule+"."+key, ".")
	}
	e := &Error{1, 1, rule, strings.TrimPrefix(key+": "+err.Error(), ": ")}
	for p := path; ; {
		if at, ok := ps[p]; ok && at.line > 0 {
			e.Line, e.Column = at.line, at.column
			return e
		}
		i := strings.LastIndexByte(p, '.')
		if i < 0 {
			return e
		}
		p = p[:i]
	}
}
