package motion

import (
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// The figures of docs/rules/avatar.md#gaze, in degrees, but smoothing (1/s).
const (
	gazeDead      = 2
	gazeEngage    = 6
	gazeDisengage = 45
	gazeHeadYaw   = 50
	gazeHeadPitch = 30
	gazeEye       = 25
	gazeHeadPart  = .6 // of the head's turn; the neck has the rest
	gazeSmooth    = 10
)

// gaze turns eyes and head toward what she looks at.
type gaze struct {
	headX, headY float32 // degrees, eased
	eyeX, eyeY   float32
	engaged      bool
	// Small wandering of the eyes while there is nothing to look at.
	driftX, driftY, next float32
}

func (g *gaze) step(p *Player, f *frame, dt float32, in Input) {
	wantX, wantY := in.GazeX-in.Yaw/rad, in.GazeY
	weight := f.gaze
	if !in.HasGaze {
		wantX, wantY = 0, 0
	} else if off := max(abs(wantX), abs(wantY)); off > gazeDisengage {
		// Past this she would have to turn round: she lets go, softly, and looks where her body does.
		weight *= 1 - smooth((off-gazeDisengage)/30)
	}
	if abs(wantX) < gazeDead && abs(wantY) < gazeDead {
		wantX, wantY = 0, 0
	}
	wantX, wantY = wantX*weight, wantY*weight
	off := max(abs(wantX), abs(wantY))
	g.engaged = off > gazeEngage || g.engaged && off > gazeEngage/2
	headX, headY := float32(0), float32(0)
	if g.engaged {
		headX = clamp(wantX*.55, -gazeHeadYaw, gazeHeadYaw)
		headY = clamp(wantY*.5, -gazeHeadPitch, gazeHeadPitch)
	}
	k := approach(gazeSmooth*.5, dt) // a head is slower than eyes
	g.headX, g.headY = mix(g.headX, headX, k), mix(g.headY, headY, k)
	g.wander(p, dt, in)
	e := approach(gazeSmooth*2, dt)
	eye := float32(1)
	if f.gaze < .05 {
		eye = 0
	}
	g.eyeX = mix(g.eyeX, clamp(wantX-g.headX+g.driftX*eye, -gazeEye, gazeEye), e)
	g.eyeY = mix(g.eyeY, clamp(wantY-g.headY+g.driftY*eye, -gazeEye, gazeEye), e)
	settle(&g.headX, headX)
	settle(&g.headY, headY)
	g.turnHead(p.rig, f)
}

// settle ends an easing that can no longer be seen, so that a still pet is still.
func settle(v *float32, to float32) {
	if abs(*v-to) < .02 {
		*v = to
	}
}

// wander lets the eyes jump a little now and then, as living eyes do.
func (g *gaze) wander(p *Player, dt float32, in Input) {
	if g.next -= dt; g.next > 0 {
		return
	}
	g.next = 1.2 + 3*p.rng.Float32()
	size := float32(7)
	if in.HasGaze || in.ReducedMotion {
		size = 1.5
	}
	if p.rng.IntN(3) == 0 { // back to the middle
		size = 0
	}
	g.driftX, g.driftY = size*(2*p.rng.Float32()-1), .5*size*(2*p.rng.Float32()-1)
}

// turnHead adds the head's part to the frame: neck and head share it.
func (g *gaze) turnHead(r *rig, f *frame) {
	if g.headX == 0 && g.headY == 0 {
		return
	}
	turn := func(b vrm.Bone, part float32) {
		f.rot[b] = geom.Euler(-g.headY*part*rad, g.headX*part*rad, 0).Mul(f.rot[b])
	}
	turn(vrm.Head, gazeHeadPart)
	turn(vrm.Neck, 1-gazeHeadPart)
}

// turnEyes turns the eye bones of models whose lookAt has that type, by its range maps.
func (g *gaze) turnEyes(r *rig, s *skeleton, weight float32) {
	if r.m.LookAt.Type != "bone" {
		return
	}
	l := &r.m.LookAt
	for i, b := range []vrm.Bone{vrm.LeftEye, vrm.RightEye} {
		if !r.has(b) {
			continue
		}
		out := g.eyeX // toward the temple on the left eye
		if i == 1 {
			out = -out
		}
		yaw := ranged(out, l.HorizOuter)
		if out < 0 {
			yaw = -ranged(-out, l.HorizInner)
		}
		if i == 1 {
			yaw = -yaw
		}
		pitch := -ranged(g.eyeY, l.Up)
		if g.eyeY < 0 {
			pitch = ranged(-g.eyeY, l.Dn)
		}
		q := geom.Euler(pitch*weight*rad, yaw*weight*rad, 0)
		s.turn[r.node[b]] = r.pre[b].Mul(q).Mul(r.post[b])
	}
}

func ranged(deg float32, m vrm.RangeMap) float32 {
	if m.InMax <= 0 || deg <= 0 {
		return 0
	}
	return min(deg/m.InMax, 1) * m.OutScale
}
