package motion

import (
	"math"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

const (
	// springStep is the step for which stiffness and gravity of VRMC_springBone are tuned: 60 a second.
	springStep = 1.0 / 60
	// springSteps bounds the work of one Step; after a longer pause the springs simply catch up less.
	springSteps = 6
	// airGain: the true drag of moving air is 1; the motion study found that 2 looks right.
	airGain = 2
	// airMost bounds the root's speed that springs feel, in H a second: at two, tails and scarf stream straight up, and
	// more would only turn a cape inside out.
	airMost = 2.5
	// edgeFace is how far in front of the root the face of a window is on whose edge she sits, in H.
	edgeFace = .045
	// leap is how far the hips may move in one step, in H, before springs are put to rest instead of flung.
	leap = .25
)

// rod is one spring joint: a node that swings so that its tail follows.
type rod struct {
	node                      int
	rest                      geom.Vec3 // tail in the node's space, rest
	stiff, drag, gravity, hit float32
	down                      geom.Vec3
	set                       []int // colliders, indices into springs.colliders
	center                    int   // -1 for none

	tail, prev geom.Vec3
	length     float32
}

// springs are all spring joints of a model. Collider places are computed once a substep.
type springs struct {
	rods      []rod
	at        []int // rod of each node, -1 for none
	nodes     []int // spring joints and all below them, parents first
	colliders []vrm.Collider
	a, b      []geom.Vec3 // world ends of each collider (b: normal of a plane)
	centers   []int
	was       []geom.Mat4 // world of each center at the last step
	base      []geom.Quat // local turns that springs pull back to, for nodes
	unit      float32
	fresh     bool
	hips      geom.Vec3 // at the last step
	owed      float32
	h         float32 // length of the last substep
}

func newSprings(m *vrm.Model, unit float32) *springs {
	s := &springs{at: make([]int, len(m.Nodes)), unit: unit, fresh: true, h: springStep}
	for i := range s.at {
		s.at[i] = -1
	}
	known := map[vrm.Collider]int{}
	for i := range m.Springs {
		s.add(m, &m.Springs[i], known)
	}
	s.a, s.b = make([]geom.Vec3, len(s.colliders)), make([]geom.Vec3, len(s.colliders))
	s.was = make([]geom.Mat4, len(s.centers))
	below := make([]bool, len(m.Nodes))
	for _, n := range m.Order {
		p := m.Nodes[n].Parent
		if below[n] = s.at[n] >= 0 || p >= 0 && below[p]; below[n] {
			s.nodes = append(s.nodes, n)
		}
	}
	s.base = make([]geom.Quat, len(m.Nodes))
	return s
}

func (s *springs) add(m *vrm.Model, g *vrm.Spring, known map[vrm.Collider]int) {
	var set []int
	for _, c := range g.Colliders {
		if c.Node < 0 || c.Node >= len(m.Nodes) {
			continue
		}
		i, ok := known[c]
		if !ok {
			i = len(s.colliders)
			known[c] = i
			s.colliders = append(s.colliders, c)
		}
		set = append(set, i)
	}
	center := -1
	if g.Center >= 0 && g.Center < len(m.Nodes) {
		for i, c := range s.centers {
			if c == g.Center {
				center = i
			}
		}
		if center < 0 {
			center = len(s.centers)
			s.centers = append(s.centers, g.Center)
		}
	}
	for i, j := range g.Joints {
		if j.Node < 0 || j.Node >= len(m.Nodes) || s.at[j.Node] >= 0 {
			continue
		}
		tail, ok := tailOf(m, g, i)
		if !ok {
			continue
		}
		down := j.GravityDir.Unit()
		s.at[j.Node] = len(s.rods)
		s.rods = append(s.rods, rod{
			node: j.Node, rest: tail, stiff: max(j.Stiffness, 0), drag: clamp(j.Drag, 0, 1), gravity: j.GravityPower,
			hit: max(j.HitRadius, 0), down: down, set: set, center: center,
		})
	}
}

// tailOf is where the tail of joint i is in the joint's own space. The last joint of a chain is only a tail, unless it
// is a leaf of a 0.x model, whose tail lies seven centimetres on.
func tailOf(m *vrm.Model, g *vrm.Spring, i int) (geom.Vec3, bool) {
	n := g.Joints[i].Node
	if i+1 < len(g.Joints) {
		next := g.Joints[i+1].Node
		if next < 0 || next >= len(m.Nodes) {
			return geom.Vec3{}, false
		}
		t := m.Rest[n].Inverse().Point(m.Rest[next].Pos())
		return t, t.Len() > 1e-6
	}
	if !g.Joints[i].VirtualTail || m.Nodes[n].Parent < 0 {
		return geom.Vec3{}, false
	}
	dir := m.Rest[n].Pos().Sub(m.Rest[m.Nodes[n].Parent].Pos()).Unit()
	if dir == (geom.Vec3{}) {
		return geom.Vec3{}, false
	}
	return m.Rest[n].Inverse().Point(m.Rest[n].Pos().Add(dir.Mul(.07))), true
}

// step swings all springs for dt seconds, in the pose's world matrices.
func (s *springs) step(p *Player, dt float32, in Input, f *frame) {
	if len(s.rods) == 0 {
		return
	}
	for _, n := range s.nodes {
		s.base[n] = p.skel.turn[n]
	}
	if r := p.rig; r.has(vrm.Hips) {
		hips := p.pose.World[r.node[vrm.Hips]].Pos()
		s.fresh = s.fresh || hips.Sub(s.hips).Len() > leap*s.unit
		s.hips = hips
	}
	s.follow(p)
	if s.fresh {
		s.settle(p)
	}
	s.owed += dt
	if s.owed < .002 {
		s.write(p)
		return
	}
	n := int(math.Ceil(float64(s.owed/springStep) - .25))
	n = min(max(n, 1), springSteps)
	h := min(s.owed/float32(n), springStep*1.25)
	s.owed = 0
	air := in.Velocity
	if v, most := air.Len(), airMost*s.unit; v > most {
		air = air.Mul(most / v)
	}
	// The floor lies behind this plane: everywhere, nowhere, or behind the face of the window that she sits on.
	front := float32(math.MaxFloat32)
	switch {
	case f.hanging > .5:
		front = -front
	case f.edge > .5:
		front = edgeFace * s.unit
	}
	for range n {
		s.sub(p, h, air, front)
	}
}

// follow carries tails along with their center, if a spring has one.
func (s *springs) follow(p *Player) {
	for i, c := range s.centers {
		now := p.pose.World[c]
		if !s.fresh {
			move := now.Mul(s.was[i].Inverse())
			for k := range s.rods {
				if r := &s.rods[k]; r.center == i {
					r.tail, r.prev = move.Point(r.tail), move.Point(r.prev)
				}
			}
		}
		s.was[i] = now
	}
}

// settle puts every tail where its rest turn has it.
func (s *springs) settle(p *Player) {
	for i := range s.rods {
		r := &s.rods[i]
		w := p.pose.World[r.node]
		r.tail = w.Point(r.rest)
		r.prev = r.tail
		r.length = r.tail.Sub(w.Pos()).Len()
	}
	s.fresh, s.owed = false, 0
}

// write gives the swung nodes the turns that fit the present tails, without moving these.
func (s *springs) write(p *Player) { s.walk(p, nil) }

// sub is one substep of the verlet integration of VRMC_springBone.
func (s *springs) sub(p *Player, h float32, air geom.Vec3, front float32) {
	s.placeColliders(p.pose.World)
	// Both ratios are 1 at an even 60 steps a second.
	ratio := clamp(h/s.h, .5, 2)
	s.h = h
	push := springStep * (h / springStep) * (h / springStep)
	s.walk(p, func(r *rod, head geom.Vec3, restDir geom.Vec3) {
		keep := float32(math.Pow(float64(1-r.drag), float64(h/springStep))) * ratio
		next := r.tail.Add(r.tail.Sub(r.prev).Mul(keep)).
			Add(restDir.Mul(r.stiff * push)).
			Add(r.down.Mul(r.gravity * push)).
			Sub(air.Mul(r.drag * h * airGain))
		next = s.tether(r, head, next)
		for _, c := range r.set {
			if q, hit := s.collide(c, next, r.hit); hit {
				next = s.tether(r, head, q)
			}
		}
		if next[1] < r.hit && next[2] < front {
			next = s.floor(r, head, next)
		}
		if !finite(next[0]) || !finite(next[1]) || !finite(next[2]) || next.Sub(head).Len() < r.length*.5 {
			next = head.Add(restDir.Mul(r.length))
			r.tail = next
		}
		r.prev, r.tail = r.tail, next
	})
}

// walk goes down all swinging nodes, moves each tail and turns its node after it.
func (s *springs) walk(p *Player, move func(r *rod, head, restDir geom.Vec3)) {
	w := p.pose.World
	for _, n := range s.nodes {
		node := &p.m.Nodes[n]
		parent := geom.IdentMat
		if node.Parent >= 0 {
			parent = w[node.Parent]
		}
		turn := s.base[n]
		if i := s.at[n]; i >= 0 {
			r := &s.rods[i]
			head := parent.Point(p.skel.move[n])
			at := parent.Dir(turn.Rotate(geom.Vec3{r.rest[0] * node.Scale[0], r.rest[1] * node.Scale[1], r.rest[2] * node.Scale[2]}))
			r.length = at.Len()
			dir := at.Mul(1 / max(r.length, 1e-12))
			if move != nil {
				move(r, head, dir)
			}
			// The turn is found in the parent's axes, where the node's local turn lives.
			x, y, z := axis(&parent, 0), axis(&parent, 4), axis(&parent, 8)
			to := r.tail.Sub(head)
			turn = geom.Between(geom.Vec3{x.Dot(dir), y.Dot(dir), z.Dot(dir)}.Unit(), geom.Vec3{x.Dot(to), y.Dot(to), z.Dot(to)}.Unit()).Mul(turn)
		}
		p.skel.turn[n] = turn
		w[n] = parent.Mul(geom.TRS(p.skel.move[n], turn, node.Scale))
	}
}

// axis is a matrix's axis from its element i on, one long.
func axis(m *geom.Mat4, i int) geom.Vec3 { return geom.Vec3{m[i], m[i+1], m[i+2]}.Unit() }

// tether keeps the tail at its length from the head.
func (s *springs) tether(r *rod, head, tail geom.Vec3) geom.Vec3 {
	d := tail.Sub(head).Unit()
	if d == (geom.Vec3{}) {
		return r.tail
	}
	return head.Add(d.Mul(r.length))
}

// floor lifts a tail onto the floor, turning it about its head rather than stretching it.
func (s *springs) floor(r *rod, head, tail geom.Vec3) geom.Vec3 {
	rise := clamp(r.hit-head[1], -r.length, r.length)
	flat := sqrt(max(r.length*r.length-rise*rise, 0))
	side := geom.Vec3{tail[0] - head[0], 0, tail[2] - head[2]}.Unit()
	return geom.Vec3{head[0] + side[0]*flat, head[1] + rise, head[2] + side[2]*flat}
}

func (s *springs) placeColliders(w []geom.Mat4) {
	for i := range s.colliders {
		c := &s.colliders[i]
		s.a[i] = w[c.Node].Point(c.Offset)
		switch c.Shape {
		case vrm.Capsule, vrm.CapsuleInside:
			s.b[i] = w[c.Node].Point(c.Tail)
		case vrm.Plane:
			s.b[i] = w[c.Node].Dir(c.Normal).Unit()
		}
	}
}

// collide pushes a tail of radius hit out of (or back into) collider i.
func (s *springs) collide(i int, tail geom.Vec3, hit float32) (geom.Vec3, bool) {
	c := &s.colliders[i]
	from := s.a[i]
	switch c.Shape {
	case vrm.Plane:
		d := tail.Sub(from).Dot(s.b[i]) - hit
		if d >= 0 {
			return tail, false
		}
		return tail.Sub(s.b[i].Mul(d)), true
	case vrm.Capsule, vrm.CapsuleInside:
		axis := s.b[i].Sub(from)
		if l := axis.Dot(axis); l > 1e-12 {
			from = from.Add(axis.Mul(clamp(tail.Sub(from).Dot(axis)/l, 0, 1)))
		}
	}
	out := tail.Sub(from)
	square := out.Dot(out)
	bound := c.Radius + hit
	if inside := c.Shape == vrm.SphereInside || c.Shape == vrm.CapsuleInside; inside {
		if bound = c.Radius - hit; bound <= 0 || square <= bound*bound {
			return tail, false
		}
	} else if square >= bound*bound || square < 1e-18 {
		return tail, false
	}
	return from.Add(out.Mul(bound / sqrt(square))), true
}
