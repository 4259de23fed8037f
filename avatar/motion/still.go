package motion

import (
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// stillness remembers the last pose that differed visibly, so that a slow drift is not taken for rest forever.
type stillness struct {
	world []geom.Mat4
	expr  []float32
	known bool
}

func (s *stillness) init(m *vrm.Model) {
	s.world = make([]geom.Mat4, len(m.Nodes))
	s.expr = make([]float32, len(m.Expressions))
}

// changed compares and, if something changed, remembers. What moves a limb by less than a thousandth of the height
// is less than half a pixel of any pet's size.
func (s *stillness) changed(p *Pose, unit float32) bool {
	moved := !s.known
	for i := range p.World {
		if moved {
			break
		}
		for k := 0; k < 12; k++ { // the turn: its lever is at most the height
			if abs(p.World[i][k]-s.world[i][k]) > 2.5e-3 {
				moved = true
			}
		}
		for k := 12; k < 15; k++ {
			if abs(p.World[i][k]-s.world[i][k]) > 1e-3*unit {
				moved = true
			}
		}
	}
	for i := range p.Expressions {
		if abs(p.Expressions[i]-s.expr[i]) > .01 {
			moved = true
		}
	}
	if moved {
		copy(s.world, p.World)
		copy(s.expr, p.Expressions)
		s.known = true
	}
	return moved
}
