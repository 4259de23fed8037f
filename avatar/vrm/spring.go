package vrm

import (
	"cmp"
	"slices"

	"yui/avatar/vrm/geom"
)

// jsonSprings is VRMC_springBone 1.0 with VRMC_springBone_extended_collider.
type jsonSprings struct {
	Colliders []struct {
		Node       *int      `json:"node"`
		Shape      jsonShape `json:"shape"`
		Extensions struct {
			Extended *struct {
				Shape jsonShape `json:"shape"`
			} `json:"VRMC_springBone_extended_collider"`
		} `json:"extensions"`
	} `json:"colliders"`
	Groups []struct {
		Colliders []int `json:"colliders"`
	} `json:"colliderGroups"`
	Springs []struct {
		Name   string       `json:"name"`
		Joints []jsonJoint1 `json:"joints"`
		Groups []int        `json:"colliderGroups"`
		Center *int         `json:"center"`
	} `json:"springs"`
}

type jsonJoint1 struct {
	Node         *int      `json:"node"`
	HitRadius    float32   `json:"hitRadius"`
	Stiffness    *float32  `json:"stiffness"`
	GravityPower float32   `json:"gravityPower"`
	GravityDir   []float32 `json:"gravityDir"`
	Drag         *float32  `json:"dragForce"`
}

type jsonShape struct {
	Sphere *struct {
		Offset []float32 `json:"offset"`
		Radius float32   `json:"radius"`
		Inside bool      `json:"inside"`
	} `json:"sphere"`
	Capsule *struct {
		Offset []float32 `json:"offset"`
		Tail   []float32 `json:"tail"`
		Radius float32   `json:"radius"`
		Inside bool      `json:"inside"`
	} `json:"capsule"`
	Plane *struct {
		Offset []float32 `json:"offset"`
		Normal []float32 `json:"normal"`
	} `json:"plane"`
}

// collider turns a shape into a Collider; false if there is none.
func (s *jsonShape) collider(node int) (Collider, bool) {
	c := Collider{Node: node}
	switch {
	case s.Sphere != nil:
		copy(c.Offset[:], s.Sphere.Offset)
		c.Radius = s.Sphere.Radius
		if s.Sphere.Inside {
			c.Shape = SphereInside
		}
	case s.Capsule != nil:
		c.Shape = Capsule
		copy(c.Offset[:], s.Capsule.Offset)
		copy(c.Tail[:], s.Capsule.Tail)
		c.Radius = s.Capsule.Radius
		if s.Capsule.Inside {
			c.Shape = CapsuleInside
		}
	case s.Plane != nil:
		c.Shape = Plane
		copy(c.Offset[:], s.Plane.Offset)
		c.Normal = geom.Vec3{0, 0, 1}
		if len(s.Plane.Normal) == 3 {
			c.Normal = geom.Vec3(s.Plane.Normal)
		}
		if c.Normal = sane(c.Normal).Unit(); c.Normal == (geom.Vec3{}) {
			return c, false
		}
	default:
		return c, false
	}
	c.Offset, c.Tail = sane(c.Offset), sane(c.Tail)
	c.Radius = min(max(c.Radius, 0), 100)
	return c, true
}

// loadSprings reads VRMC_springBone. Whatever in it is wrong is dropped and noted: rigid hair is better than no pet.
func (f *file) loadSprings(m *Model) {
	var j jsonSprings
	f.extension("VRMC_springBone", f.Extensions.Spring, &j)
	colliders := make([]*Collider, len(j.Colliders))
	for i, c := range j.Colliders {
		if c.Node == nil || *c.Node < 0 || *c.Node >= len(m.Nodes) {
			f.warn("spring collider %d has no node", i)
			continue
		}
		shape := &c.Shape
		if e := c.Extensions.Extended; e != nil {
			shape = &e.Shape
		}
		if out, ok := shape.collider(*c.Node); ok {
			colliders[i] = &out
		}
	}
	groups := make([][]*Collider, len(j.Groups))
	for i, g := range j.Groups {
		for _, c := range g.Colliders {
			if c >= 0 && c < len(colliders) {
				groups[i] = append(groups[i], colliders[c])
			}
		}
	}
	b := newSpringBuilder(f, m)
	for _, s := range j.Springs {
		out := Spring{Name: clip(s.Name, maxName), Center: b.node(s.Center)}
		b.collide(&out, groups, s.Groups)
		for _, jj := range s.Joints {
			if !b.join(&out, jj) {
				break
			}
		}
		b.add(out)
	}
	b.order()
}

// springBuilder collects chains and keeps them free of circles: a node belongs to one chain, and each joint hangs below
// the one before it.
type springBuilder struct {
	f         *file
	m         *Model
	taken     []bool
	colliders int
	// first and size number the nodes so that those below node n are first[n]+1 … first[n]+size[n]-1.
	first, size, depth []int
}

func newSpringBuilder(f *file, m *Model) *springBuilder {
	n := len(m.Nodes)
	b := &springBuilder{f: f, m: m, taken: make([]bool, n), first: make([]int, n), size: make([]int, n), depth: make([]int, n)}
	for k := n - 1; k >= 0; k-- {
		i := m.Order[k]
		b.size[i]++
		if p := m.Nodes[i].Parent; p >= 0 {
			b.size[p] += b.size[i]
		}
	}
	next := 0
	for _, r := range m.Roots {
		b.first[r] = next
		next += b.size[r]
	}
	for _, i := range m.Order {
		at := b.first[i] + 1
		for _, c := range m.Nodes[i].Children {
			b.first[c], b.depth[c] = at, b.depth[i]+1
			at += b.size[c]
		}
	}
	return b
}

// below reports whether node hangs somewhere under above.
func (b *springBuilder) below(node, above int) bool {
	return b.first[node] > b.first[above] && b.first[node] < b.first[above]+b.size[above]
}

func (b *springBuilder) node(at *int) int {
	if at == nil || *at < 0 || *at >= len(b.m.Nodes) {
		return -1
	}
	return *at
}

// collide adds groups of colliders, each collider once however often it is listed; nil ones were broken.
func (b *springBuilder) collide(s *Spring, groups [][]*Collider, which []int) {
	known := map[Collider]bool{}
	for _, g := range which {
		if g < 0 || g >= len(groups) {
			continue
		}
		for _, c := range groups[g] {
			if b.colliders++; b.colliders > maxSpringColliders {
				b.f.warn("springs have too many colliders, the rest is left out")
				return
			}
			if c != nil && !known[*c] {
				known[*c] = true
				s.Colliders = append(s.Colliders, *c)
			}
		}
	}
}

// join adds a joint; false if the chain must end before it. Tips may be shared: they are not turned.
func (b *springBuilder) join(s *Spring, j jsonJoint1) bool {
	node := b.node(j.Node)
	if node < 0 {
		b.f.warn("spring %q has a joint without node", s.Name)
		return false
	}
	if n := len(s.Joints); n > 0 {
		before := s.Joints[n-1].Node
		if b.taken[before] {
			b.f.warn("spring %q: node %q is in two springs", s.Name, b.m.Nodes[before].Name)
			return false
		}
		if !b.below(node, before) {
			b.f.warn("spring %q: node %q does not hang below %q", s.Name, b.m.Nodes[node].Name, b.m.Nodes[before].Name)
			return false
		}
		b.taken[before] = true
	}
	out := SpringJoint{Node: node, HitRadius: j.HitRadius, GravityPower: j.GravityPower, Stiffness: 1, Drag: 0.5, GravityDir: geom.Vec3{0, -1, 0}}
	if j.Stiffness != nil {
		out.Stiffness = *j.Stiffness
	}
	if j.Drag != nil {
		out.Drag = *j.Drag
	}
	if len(j.GravityDir) == 3 {
		out.GravityDir = geom.Vec3(j.GravityDir)
	}
	s.Joints = append(s.Joints, out.tidy())
	return true
}

func (j SpringJoint) tidy() SpringJoint {
	j.HitRadius = min(max(j.HitRadius, 0), 100)
	j.Stiffness = min(max(j.Stiffness, 0), 100)
	j.Drag = min(max(j.Drag, 0), 1)
	j.GravityPower = min(max(j.GravityPower, -100), 100)
	j.GravityDir = sane(j.GravityDir).Unit()
	return j
}

// add keeps a chain that has something to swing.
func (b *springBuilder) add(s Spring) {
	if n := len(s.Joints); n == 0 || n == 1 && !s.Joints[0].VirtualTail {
		return
	}
	b.m.Springs = append(b.m.Springs, s)
}

// order puts springs that hang on other springs after them, and leaves out what would cost too much in every frame.
func (b *springBuilder) order() {
	slices.SortStableFunc(b.m.Springs, func(x, y Spring) int {
		return cmp.Compare(b.depth[x.Joints[0].Node], b.depth[y.Joints[0].Node])
	})
	b.boundNodes()
	b.boundMeetings()
}

// boundNodes keeps the springs whose joints, with all that hangs below them, are as many as may swing.
func (b *springBuilder) boundNodes() {
	swings := make([]bool, len(b.m.Nodes)) // by the number that first gives
	left, all := maxSwinging, len(b.m.Springs)
	b.m.Springs = slices.DeleteFunc(b.m.Springs, func(s Spring) bool {
		root := s.Joints[0].Node
		if at := b.first[root]; !swings[at] { // the order has it that nothing below root swings either
			if b.size[root] > left {
				return true
			}
			left -= b.size[root]
			for i := range b.size[root] {
				swings[at+i] = true
			}
		}
		return false
	})
	if n := all - len(b.m.Springs); n > 0 {
		b.f.warn("the springs move more than %d nodes: %d of %d springs stay stiff", maxSwinging, n, all)
	}
}

// boundMeetings takes the colliders off the springs for which too many joints would have to be held against colliders.
func (b *springBuilder) boundMeetings() {
	left, bare := maxSpringMeetings, 0
	for i := range b.m.Springs {
		s := &b.m.Springs[i]
		n := len(s.Joints) * len(s.Colliders)
		if n > left {
			s.Colliders = nil
			bare++
			continue
		}
		left -= n
	}
	if bare > 0 {
		b.f.warn("the springs have more than %d pairs of joint and collider: %d springs pass through the body", maxSpringMeetings, bare)
	}
}
