package rules

import (
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// place is where a key or a table of a file is written; a key's place is that of its value. Both count from 1.
type place struct{ line, column int }

// places are the places by dotted key. A file that does not parse has those before the fault.
type places map[string]place

func locate(b []byte) places {
	out := places{}
	var p unstable.Parser
	p.Reset(b)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, _ = out.note(&p, e, "")
		case unstable.KeyValue:
			out.pair(&p, e, table)
		}
	}
	return out
}

// note remembers where the key of a node begins and gives its name, which stands under another one.
func (ps places) note(p *unstable.Parser, n *unstable.Node, under string) (name string, at place) {
	var parts []string
	if under != "" {
		parts = append(parts, under)
	}
	for it := n.Key(); it.Next(); {
		if k := it.Node(); k.Raw.Length > 0 || len(k.Data) > 0 {
			parts = append(parts, string(k.Data))
			if at.line == 0 {
				s := p.Shape(k.Raw).Start
				at = place{s.Line, s.Column}
			}
		}
	}
	name = strings.Join(parts, ".")
	if _, has := ps[name]; !has {
		ps[name] = at
	}
	return name, at
}

func (ps places) pair(p *unstable.Parser, n *unstable.Node, under string) {
	name, _ := ps.note(p, n, under)
	v := n.Value()
	if v.Raw.Length > 0 {
		s := p.Shape(v.Raw).Start
		ps[name] = place{s.Line, s.Column}
	}
	if v.Kind == unstable.InlineTable {
		for it := v.Children(); it.Next(); {
			ps.pair(p, it.Node(), name)
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
	e := &Error{1, 1, rule, strings.TrimSpace(key + " " + err.Error())}
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
