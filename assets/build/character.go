package main

import (
	"fmt"
	"math"
	"strings"
)

// joint is a bone of the rest pose; parent "" is the root.
type joint struct {
	name, parent string
	at           vec
}

type skeleton []joint

// symmetric doubles every joint whose name holds a star: L at +x and R at -x.
func symmetric(js ...joint) skeleton {
	var out skeleton
	for _, j := range js {
		if !strings.Contains(j.name, "*") {
			out = append(out, j)
			continue
		}
		for _, side := range []string{"L", "R"} {
			k := joint{strings.ReplaceAll(j.name, "*", side), strings.ReplaceAll(j.parent, "*", side), j.at}
			if side == "R" {
				k.at = k.at.mirror()
			}
			out = append(out, k)
		}
	}
	return out
}

func (s skeleton) index(name string) int {
	for i, j := range s {
		if j.name == name {
			return i
		}
	}
	return -1
}

func (s skeleton) at(name string) vec { return s[s.index(name)].at }

// colour is a palette row: lit and shaded.
type colour struct{ name, lit, shade string }

// paint colours a region of a part with a palette row, over the given rows only if any are named.
type paint struct {
	row    string
	region dist
	over   []string
}

// part is one closed surface with its own grid. Parts overlap, they do not blend.
type part struct {
	name, group, base string
	cell              vec
	relax             int
	lo, hi            vec
	local             *frame // the grid's own space, lo and hi with it
	mirrored          bool   // built for the left side and copied to the right
	snap              bool   // keep the tips of its chains
	roundNormals      bool   // the head's calm shading
	hiddenIn          []string
	skin              skinner
	prims             []prim
	paints            []paint
}

// group is a material with an outline colour. One that names a palette row takes what is painted with it, whatever part
// it is of.
type group struct{ name, outline, row string }

// character is everything that a model is made of.
type character struct {
	id, name string
	palette  []colour
	groups   []group
	parts    []part
	joints   skeleton
	springs  []spring
	face     face
	fine     fineness
	shapes   map[string]*shaped // of parts, made once for all variants of a character
}

// surface is what one material draws.
type surface struct {
	pos, nor []vec
	uv       [][2]float64
	joints   [][4]uint8
	weights  [][4]uint8
	tris     [][3]int
}

func cube(c float64) vec { return vec{c, c, c} }

// build meshes all parts; the result has one surface a group, in the order of groups.
func (c *character) build() ([]*surface, error) {
	if c.shapes == nil {
		c.shapes = map[string]*shaped{}
	}
	whole := c.solid()
	out := make([]*surface, len(c.groups))
	for i := range out {
		out[i] = &surface{}
	}
	for i := range c.parts {
		p := &c.parts[i]
		m, bones, err := c.buildPart(p, whole)
		if err != nil {
			return nil, fmt.Errorf("mesh %s of %s: %w", p.name, c.id, err)
		}
		for g := range c.groups {
			mine := c.rowsOf(g, p.group)
			c.emit(out[g], m, bones, mine, false)
			if p.mirrored {
				c.emit(out[g], m, bones, mine, true)
			}
		}
	}
	return out, nil
}

// rowsOf tells for each palette row whether group g draws it on a part of the named group.
func (c *character) rowsOf(g int, of string) []bool {
	mine := make([]bool, len(c.palette))
	for r := range mine {
		owner := of
		for _, o := range c.groups {
			if o.row == c.palette[r].name {
				owner = o.name
			}
		}
		mine[r] = owner == c.groups[g].name
	}
	return mine
}

// solid is the union of all parts, for occlusion.
func (c *character) solid() dist {
	var all []dist
	for i := range c.parts {
		d := blended(c.parts[i].prims)
		all = append(all, d)
		if c.parts[i].mirrored {
			all = append(all, func(p vec) float64 { return d(p.mirror()) })
		}
	}
	return func(p vec) float64 {
		d := 1e9
		for _, f := range all {
			d = math.Min(d, f(p))
		}
		return d
	}
}

func (c *character) part(name string) *part {
	for i := range c.parts {
		if c.parts[i].name == name {
			return &c.parts[i]
		}
	}
	return nil
}

// furAboveHead ends the inner colour of the ears a little above the head. The outline of the head stands in front of the
// ears, and a strip of their inner colour between the two would shine.
func (c *character) furAboveHead() {
	head := blended(c.part("head").prims)
	for i, p := range c.part("ear").paints {
		if p.row == "earIn" {
			c.part("ear").paints[i].region = func(v vec) float64 { return math.Max(p.region(v), earFur-head(v)) }
		}
	}
}

// earFur is how far above the head the inner colour of an ear ends, in metres.
const earFur = 0.010

func (c *character) row(name string) int {
	for i := range c.palette {
		if c.palette[i].name == name {
			return i
		}
	}
	return -1
}

// shaped is a part before it is thinned out and painted.
type shaped struct {
	mesh  *mesh
	tips  []vec
	bones []string
}

// shape meshes a part finely and weighs it.
func (c *character) shape(p *part, d, whole dist) (*shaped, error) {
	m, tips, err := p.surface(d)
	if err != nil {
		return nil, err
	}
	// An outline hull would show through any gap.
	if n := m.openEdges(); n > 0 || m.volume() <= 0 {
		return nil, fmt.Errorf("the surface has %d open edges and volume %g", n, m.volume())
	}
	m.mat = make([]int, len(m.tris))
	for i := range m.mat {
		m.mat[i] = c.row(p.base)
	}
	s := &shaped{mesh: m, tips: tips}
	s.bones, m.weights = p.skin(c.joints, m)
	m.occlude(whole, p.name == "body")
	m.subdivide(d)
	return s, nil
}

func (c *character) buildPart(p *part, whole dist) (*mesh, []string, error) {
	d := blended(p.prims)
	s, ok := c.shapes[p.name]
	if !ok {
		var err error
		if s, err = c.shape(p, d, whole); err != nil {
			return nil, nil, err
		}
		c.shapes[p.name] = s
	}
	m := s.mesh.copy()
	m.even(d, c.fine, s.tips)
	if n := m.openEdges(); n > 0 {
		return nil, nil, fmt.Errorf("the thinned surface has %d open edges", n)
	}
	m.nor = normals(d, m.pos, math.Max(0.004, p.cell.min()*0.4))
	if p.roundNormals {
		centre, r := vec{0, 0.70, 0}, vec{0.29, 0.235, 0.24}
		for i, n := range m.nor {
			e := m.pos[i].sub(centre).over(r).over(r).unit()
			m.nor[i] = n.mix(e, 0.9).unit()
		}
	}
	for _, other := range p.hiddenIn {
		m.hide(blended(c.part(other).prims))
	}
	for _, paint := range p.paints {
		var over []int
		for _, o := range paint.over {
			over = append(over, c.row(o))
		}
		m.cut(paint.region, c.row(paint.row), over...)
	}
	return m, s.bones, nil
}

// surface meshes the part, in its own space if it has one, so that the grid runs along it. It also returns the tips
// that must stay.
func (p *part) surface(d dist) (*mesh, []vec, error) {
	var tips []apex
	var ends []vec
	for _, q := range p.prims {
		if !p.snap || q.tip == nil || q.op != union {
			continue
		}
		dir := q.tip.end.sub(q.tip.before).unit()
		t := 0.0
		for t < 0.12 && d(q.tip.end.add(dir.mul(t))) < 0 {
			t += 0.0005
		}
		tips = append(tips, apex{q.tip.end.add(dir.mul(t)), dir})
		ends = append(ends, tips[len(tips)-1].at)
	}
	g := grid{p.lo, p.hi, p.cell}
	if p.local == nil {
		m, err := surfaceNets(d, g, p.relax, tips)
		return m, ends, err
	}
	f := *p.local
	for i, a := range tips {
		at := f.toLocal(a.at)
		tips[i] = apex{at, at.sub(f.toLocal(a.at.sub(a.dir.mul(0.01)))).unit()}
	}
	rot, scale := turn(f.rot), f.scaled()
	m, err := surfaceNets(func(q vec) float64 { return d(f.at.add(rot.apply(q.times(scale)))) }, g, p.relax, tips)
	if err != nil {
		return nil, nil, err
	}
	m.each(f.toWorld)
	m.nor = normals(d, m.pos, math.Max(0.004, p.cell.min()*0.4))
	return m, ends, nil
}

// occlude measures how closed in each vertex is, in the rest pose. Toon shading turns it into a shade of its own.
func (m *mesh) occlude(whole dist, armpits bool) {
	values := make([][]float64, len(m.pos))
	for i, p := range m.pos {
		a := 0.0
		for s, weight := range []float64{0.4, 0.3, 0.2, 0.1} {
			h := 0.016 * float64(s+1)
			a += math.Max(0, h-whole(p.add(m.nor[i].mul(h)))) / h * weight
		}
		if armpits {
			q := vec{math.Abs(p[0]) - 0.100, p[1] - 0.340, p[2] * 0.8}.len()
			a = math.Max(a, clamp((0.050-q)/0.03, 0, 0.62))
		}
		values[i] = []float64{math.Min(1, a)}
	}
	m.closed = make([]float64, len(m.pos))
	for i, v := range m.smooth(values, 7) {
		m.closed[i] = v[0]
	}
}

// emit adds the rows that are its own of a finished mesh to a surface, doubling vertices where two palette rows meet.
func (c *character) emit(s *surface, m *mesh, bones []string, mine []bool, mirrored bool) {
	joints := make([]int, len(bones))
	for i, b := range bones {
		if mirrored && strings.HasSuffix(strings.TrimRight(b, "0123456789"), "L") {
			k := strings.LastIndex(b, "L")
			b = b[:k] + "R" + b[k+1:]
		}
		joints[i] = c.joints.index(b)
	}
	type corner struct{ vertex, row int }
	at := map[corner]int{}
	for t, tri := range m.tris {
		if !mine[m.mat[t]] {
			continue
		}
		var out [3]int
		for k, v := range tri {
			key := corner{v, m.mat[t]}
			i, ok := at[key]
			if !ok {
				i = len(s.pos)
				at[key] = i
				p, n := m.pos[v], m.nor[v]
				if mirrored {
					p, n = p.mirror(), n.mirror()
				}
				s.pos, s.nor = append(s.pos, p), append(s.nor, n)
				s.uv = append(s.uv, [2]float64{rampU(clamp(m.closed[v], 0.03, 0.97)), c.rowV(m.mat[t])})
				j, w := packWeights(m.weights[v], joints)
				s.joints, s.weights = append(s.joints, j), append(s.weights, w)
			}
			out[k] = i
		}
		if mirrored {
			out[1], out[2] = out[2], out[1]
		}
		s.tris = append(s.tris, out)
	}
}

// rowV is the texture coordinate of the middle of a palette row, v down as in glTF.
func (c *character) rowV(row int) float64 { return (float64(row) + 0.5) / float64(len(c.palette)) }
