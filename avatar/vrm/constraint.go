package vrm

import (
	"slices"

	"yui/avatar/vrm/geom"
)

// jsonConstraint is VRMC_node_constraint 1.0.
type jsonConstraint struct {
	Constraint struct {
		Roll     *jsonLink `json:"roll"`
		Aim      *jsonLink `json:"aim"`
		Rotation *jsonLink `json:"rotation"`
	} `json:"constraint"`
}

type jsonLink struct {
	Source   *int     `json:"source"`
	RollAxis string   `json:"rollAxis"`
	AimAxis  string   `json:"aimAxis"`
	Weight   *float32 `json:"weight"`
}

var axes = map[string]geom.Vec3{
	"X": {1, 0, 0}, "Y": {0, 1, 0}, "Z": {0, 0, 1},
	"PositiveX": {1, 0, 0}, "PositiveY": {0, 1, 0}, "PositiveZ": {0, 0, 1},
	"NegativeX": {-1, 0, 0}, "NegativeY": {0, -1, 0}, "NegativeZ": {0, 0, -1},
}

// loadConstraints reads the constraints of the nodes and sorts them so that each comes after those it looks at. Those
// that depend on each other in a circle are left out.
func (f *file) loadConstraints(m *Model) {
	var all []Constraint
	for i := range f.Nodes {
		e := f.Nodes[i].Extensions
		if e == nil || len(e.Constraint) == 0 {
			continue
		}
		var j jsonConstraint
		f.extension("VRMC_node_constraint", e.Constraint, &j)
		c, ok := j.link(i)
		if !ok || c.Source < 0 || c.Source >= len(m.Nodes) || c.Source == i {
			f.warn("node %q has a constraint without a source", m.Nodes[i].Name)
			continue
		}
		if len(all) == maxConstraints {
			f.warn("more than %d constraints, the rest is left out", maxConstraints)
			break
		}
		all = append(all, c)
	}
	m.Constraints = f.sortConstraints(m, all)
}

func (j *jsonConstraint) link(node int) (Constraint, bool) {
	c := Constraint{Node: node, Weight: 1}
	var l *jsonLink
	ok := true
	switch {
	case j.Constraint.Roll != nil:
		l, c.Kind = j.Constraint.Roll, "roll"
		c.Axis, ok = axes[l.RollAxis]
	case j.Constraint.Aim != nil:
		l, c.Kind = j.Constraint.Aim, "aim"
		c.Axis, ok = axes[l.AimAxis]
	case j.Constraint.Rotation != nil:
		l, c.Kind = j.Constraint.Rotation, "rotation"
	}
	if l == nil || l.Source == nil {
		return c, false
	}
	c.Source = *l.Source
	if l.Weight != nil {
		c.Weight = min(max(*l.Weight, 0), 1)
	}
	return c, ok
}

// sortConstraints puts each constraint after those it depends on. Roll and rotation follow their source's own (local)
// rotation; aim looks at where its source is, so it waits for all that moves the source or the aiming node.
func (f *file) sortConstraints(m *Model, all []Constraint) []Constraint {
	if len(all) == 0 {
		return nil
	}
	at := make([]int, len(m.Nodes)) // number of a node's constraint, from 1 on
	for i, c := range all {
		at[c.Node] = i + 1
	}
	needs := make([][]int, len(all))
	waits := make([]int, len(all))
	opens := make([][]int, len(all))
	for i, c := range all {
		wait := func(n int) {
			if at[n] > 0 {
				needs[i] = append(needs[i], at[n]-1)
			}
		}
		wait(c.Source)
		if c.Kind == "aim" {
			for n := m.Nodes[c.Source].Parent; n >= 0; n = m.Nodes[n].Parent {
				wait(n)
			}
			for n := m.Nodes[c.Node].Parent; n >= 0; n = m.Nodes[n].Parent {
				wait(n)
			}
		}
		slices.Sort(needs[i])
		needs[i] = slices.Compact(needs[i])
		waits[i] = len(needs[i])
		for _, k := range needs[i] {
			opens[k] = append(opens[k], i)
		}
	}
	var ready []int
	for i, w := range waits {
		if w == 0 {
			ready = append(ready, i)
		}
	}
	var out []Constraint
	for k := 0; k < len(ready); k++ {
		out = append(out, all[ready[k]])
		for _, i := range opens[ready[k]] {
			if waits[i]--; waits[i] == 0 {
				ready = append(ready, i)
			}
		}
	}
	if len(out) < len(all) {
		f.warn("%d constraints look at each other in a circle and are left out", len(all)-len(out))
	}
	return out
}
