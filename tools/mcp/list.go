package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"yui/assets/lang"
	"yui/tools"
	"yui/tools/internal/output"
)

const (
	// mostTools is how many tools of a server are offered to the model.
	mostTools = 64
	// descriptionMost is how much of a tool's description the model is told, in code points.
	descriptionMost = 1024
	// functionMost is how long models take the name of a function.
	functionMost = 64
	// rawNameMost is how long the name of a tool may be at its server, in bytes.
	rawNameMost = 256
)

// offer is a tool as the model is told of it: the part of a server's list that the person stands for.
type offer struct {
	Raw         string          `json:"raw"`  // its name at the server
	Name        string          `json:"name"` // what models call it
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
	// Closed says that the server calls it read-only and closed-world: it changes nothing and reaches nobody. It counts
	// as it was when the person stood for the list; nothing but a new switch-on makes it true.
	Closed bool `json:"closed,omitempty"`
}

// closed tells what a server says of a tool.
func closed(a *sdk.ToolAnnotations) bool {
	return a != nil && a.ReadOnlyHint && a.OpenWorldHint != nil && !*a.OpenWorldHint
}

// opened is an accepted list in which a tool is closed only where its server still says so.
func opened(accepted, now []offer) []offer {
	accepted = slices.Clone(accepted)
	for i, o := range accepted {
		if j := slices.IndexFunc(now, func(p offer) bool { return p.Raw == o.Raw }); j >= 0 {
			accepted[i].Closed = o.Closed && now[j].Closed
		}
	}
	return accepted
}

// same tells whether nothing that a model reads or sends is different.
func (o offer) same(p offer) bool {
	return o.Raw == p.Raw && o.Name == p.Name && o.Description == p.Description && string(o.Schema) == string(p.Schema)
}

// offers cleans a server's list. What cannot be used is left out; left counts it.
func offers(server string, ambiguous bool, list []*sdk.Tool) (kept []offer, left int) {
	given := map[string]bool{} // two names may become one, by chance or by design
	for _, t := range list {
		if t == nil || t.Name == "" || len(t.Name) > rawNameMost || len(kept) == mostTools {
			left++
			continue
		}
		name := functionName(server, t.Name, ambiguous)
		if given[name] {
			left++
			continue
		}
		schema, err := cleanSchema(t.InputSchema)
		if err != nil {
			left++
			continue
		}
		if _, err := tools.CompileSchema(schema); err != nil {
			left++
			continue
		}
		given[name] = true
		kept = append(kept, offer{Raw: t.Name, Name: name, Schema: schema, Closed: closed(t.Annotations),
			Description: output.Short(output.Plain(t.Description), descriptionMost)})
	}
	slices.SortFunc(kept, func(a, b offer) int { return strings.Compare(a.Name, b.Name) })
	return kept, left
}

// functionName is mcp_<server>_<tool>, of the characters that models take. Where the tool's name had to be changed or cut,
// where it would play a cue, and where another server's tools could be called the same, a short hash of both names makes
// it unique, the same in every run.
func functionName(server, tool string, ambiguous bool) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, tool)
	name := Switch(server) + "_" + plain
	if plain == tool && len(name) <= functionMost && !ambiguous && !tools.Reserved(name) && !hashed(name) {
		return name
	}
	sum := sha256.Sum256([]byte(server + "\x00" + tool))
	tail := "_" + hex.EncodeToString(sum[:4])
	return name[:min(len(name), functionMost-len(tail))] + tail
}

// hashed tells whether a name ends as ours with a hash do: such a name gets a hash too, so that none can pass for another.
func hashed(name string) bool {
	i := strings.LastIndexByte(name, '_')
	if len(name)-i != 9 {
		return false
	}
	_, err := hex.DecodeString(name[i+1:])
	return err == nil
}

// ambiguous tells whether mcp_<server>_… may also be the beginning of another server's names.
func ambiguous(server string, all []string) bool {
	return slices.ContainsFunc(all, func(other string) bool {
		return other != server && (strings.HasPrefix(server, other+"_") || strings.HasPrefix(other, server+"_"))
	})
}

// difference is what a server's list has become since the person stood for it.
type difference struct {
	added   []offer
	changed [][2]offer // before and after
	removed []offer
}

func (d difference) none() bool { return len(d.added)+len(d.changed)+len(d.removed) == 0 }

// asks tells whether the person has to see it: what is only gone can do no harm.
func (d difference) asks() bool { return len(d.added)+len(d.changed) > 0 }

func compare(before, after []offer) (d difference) {
	old := map[string]offer{}
	for _, o := range before {
		old[o.Raw] = o
	}
	for _, o := range after {
		was, had := old[o.Raw]
		switch {
		case !had:
			d.added = append(d.added, o)
		case !was.same(o):
			d.changed = append(d.changed, [2]offer{was, o})
		}
		delete(old, o.Raw)
	}
	for _, o := range before {
		if _, gone := old[o.Raw]; gone {
			d.removed = append(d.removed, o)
		}
	}
	return d
}

// portion is the part of a difference that one question shows in full, and the text of it. What does not fit is for the
// next question: nothing is used unseen.
func (d difference) portion(w *lang.Words) (part difference, text string) {
	const most = 3000 // code points of a question, unless a single tool needs more
	var b strings.Builder
	fits := func(s string) bool {
		if b.Len() > 0 && b.Len()+len(s) > most {
			return false
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(s)
		return true
	}
	for _, c := range d.changed {
		s := w.Text("tool.mcp.tool_changed", lang.Args{"tool": output.Line(c[1].Raw, 80)})
		if c[0].Description != c[1].Description {
			s += "\n" + w.Text("tool.mcp.was") + " " + c[0].Description + "\n" + w.Text("tool.mcp.is") + " " + c[1].Description
		}
		if string(c[0].Schema) != string(c[1].Schema) {
			s += "\n" + w.Text("tool.mcp.args_were") + " " + string(c[0].Schema) + "\n" + w.Text("tool.mcp.args_are") + " " + string(c[1].Schema)
		}
		if !fits(s) {
			return part, b.String()
		}
		part.changed = append(part.changed, c)
	}
	for _, o := range d.added {
		s := w.Text("tool.mcp.tool_new", lang.Args{"tool": output.Line(o.Raw, 80)}) + "\n" + o.Description + "\n" +
			w.Text("tool.mcp.args") + " " + string(o.Schema)
		if !fits(s) {
			return part, b.String()
		}
		part.added = append(part.added, o)
	}
	return part, b.String()
}

// apply gives the accepted list with a part of a difference in it.
func (d difference) apply(accepted []offer) []offer {
	next := slices.Clone(accepted)
	next = slices.DeleteFunc(next, func(o offer) bool {
		return slices.ContainsFunc(d.removed, func(r offer) bool { return r.Raw == o.Raw }) ||
			slices.ContainsFunc(d.changed, func(c [2]offer) bool { return c[0].Raw == o.Raw })
	})
	for _, c := range d.changed {
		next = append(next, c[1])
	}
	next = append(next, d.added...)
	slices.SortFunc(next, func(a, b offer) int { return strings.Compare(a.Name, b.Name) })
	return next[:min(len(next), mostTools)]
}

// only is what of a difference is exactly as in a part that the person has seen.
func (d difference) only(seen difference) (same difference) {
	for _, c := range d.changed {
		if slices.ContainsFunc(seen.changed, func(p [2]offer) bool { return p[0].same(c[0]) && p[1].same(c[1]) }) {
			same.changed = append(same.changed, c)
		}
	}
	for _, o := range d.added {
		if slices.ContainsFunc(seen.added, o.same) {
			same.added = append(same.added, o)
		}
	}
	return same
}

// without is what is left of a difference.
func (d difference) without(part difference) difference {
	d.changed = slices.DeleteFunc(slices.Clone(d.changed), func(c [2]offer) bool {
		return slices.ContainsFunc(part.changed, func(p [2]offer) bool { return p[1].Raw == c[1].Raw })
	})
	d.added = slices.DeleteFunc(slices.Clone(d.added), func(o offer) bool {
		return slices.ContainsFunc(part.added, func(p offer) bool { return p.Raw == o.Raw })
	})
	return d
}

// encode and decode are the stored form of a list. Names are made anew when it is read: they depend on the other servers.
func encode(list []offer) json.RawMessage {
	if list == nil {
		list = []offer{}
	}
	b, err := json.Marshal(list)
	if err != nil {
		return json.RawMessage("[]") // strings and JSON that was marshalled before go in
	}
	return b
}

func decode(raw json.RawMessage, server string, ambiguous bool) (list []offer, ok bool) {
	if len(raw) == 0 || json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	for i := range list {
		list[i].Name = functionName(server, list[i].Raw, ambiguous)
	}
	slices.SortStableFunc(list, func(a, b offer) int { return strings.Compare(a.Name, b.Name) })
	// A list that was stored before names were compared may have one twice.
	return slices.CompactFunc(list, func(a, b offer) bool { return a.Name == b.Name }), true
}
