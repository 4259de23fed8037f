package motion

import (
	"yui/avatar/vrm/geom"
)

// constrain applies VRMC_node_constraint: roll and rotation copy a source's turn away from its rest, aim looks at it.
// Later constraints see earlier ones; a ring of them settles over the frames instead of recursing.
func (s *skeleton) constrain(p *Player, root geom.Mat4) {
	m := p.m
	if len(m.Constraints) == 0 {
		return
	}
	for i := range m.Constraints {
		c := &m.Constraints[i]
		if c.Node < 0 || c.Node >= len(m.Nodes) || c.Source < 0 || c.Source >= len(m.Nodes) || c.Node == c.Source {
			continue
		}
		rest, weight := m.Nodes[c.Node].Rotation, clamp(c.Weight, 0, 1)
		switch c.Kind {
		case "rotation":
			src := m.Nodes[c.Source].Rotation.Inv().Mul(s.turn[c.Source])
			s.turn[c.Node] = rest.Slerp(rest.Mul(src), weight)
		case "roll":
			s.turn[c.Node] = rest.Slerp(s.roll(p, c.Source, c.Node, c.Axis), weight)
		case "aim":
			s.turn[c.Node] = rest.Slerp(s.aim(p, c.Source, c.Node, c.Axis, root), weight)
		}
	}
	w := p.pose.World
	for _, n := range m.Order {
		node := &m.Nodes[n]
		local := geom.TRS(s.move[n], s.turn[n], node.Scale)
		if node.Parent >= 0 {
			w[n] = w[node.Parent].Mul(local)
		} else {
			w[n] = root.Mul(local)
		}
	}
}

// roll is the destination turned by the source's twist about the axis of the destination's space.
func (s *skeleton) roll(p *Player, src, dst int, axis geom.Vec3) geom.Quat {
	rest := p.m.Nodes[dst].Rotation
	delta := s.turn[src].Mul(p.m.Nodes[src].Rotation.Inv()) // in the source's parent's axes
	in := rest.Inv().Mul(delta).Mul(rest)
	to := in.Rotate(axis)
	swing := geom.Between(axis, to)
	return rest.Mul(swing.Inv().Mul(in))
}

// aim turns the destination's axis toward the source.
func (s *skeleton) aim(p *Player, src, dst int, axis geom.Vec3, root geom.Mat4) geom.Quat {
	rest := p.m.Nodes[dst].Rotation
	parent := root
	if k := p.m.Nodes[dst].Parent; k >= 0 {
		parent = p.pose.World[k]
	}
	pr := parent.Rotation()
	to := p.pose.World[src].Pos().Sub(p.pose.World[dst].Pos()).Unit()
	if to == (geom.Vec3{}) {
		return rest
	}
	from := pr.Mul(rest).Rotate(axis)
	return pr.Inv().Mul(geom.Between(from, to)).Mul(pr).Mul(rest)
}
