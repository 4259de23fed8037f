package motion

import (
	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// The pendulum of a pet that hangs by the scruff (docs/rules/avatar.md#hanging): it feels a part of the pointer's
// acceleration and is damped.
const (
	swingPart = .35
	swingDamp = .25
	swingMost = 38 * rad
)

// pendulum swings the whole body in the screen's plane while she is dragged.
type pendulum struct {
	angle, speed float32
	was          float32 // root's speed along x at the last step
	hung         bool
}

func (w *pendulum) step(p *Player, f *frame, dt float32, in Input) {
	hung := p.dir.mode == modeHold && p.dir.id == clips.Drag
	if !hung && w.angle == 0 {
		w.hung = false
		return
	}
	length := .43 * max(p.rig.unit, 1e-3) // from the nape to the feet
	push := float32(0)
	if hung && w.hung && dt > 0 {
		push = clamp((in.Velocity[0]-w.was)/dt, -200*length, 200*length) * swingPart / length
	}
	w.was, w.hung = in.Velocity[0], hung
	// Gravity for a body of this length, so that small and tall models swing alike.
	pull, damp := float32(30), float32(swingDamp)
	if !hung { // let go: she rights herself at once
		pull, damp = 120, 1
	}
	rate := sqrt(pull)
	for n := max(int(dt*120), 1); n > 0 && dt > 0; n-- {
		h := min(dt, .25) / float32(max(int(dt*120), 1))
		w.speed += (-pull*w.angle - 2*damp*rate*w.speed - push) * h
		w.angle += w.speed * h
	}
	if abs(w.angle) > swingMost {
		w.angle = clamp(w.angle, -swingMost, swingMost)
		w.speed = 0
	}
	if !hung && abs(w.angle) < .002 && abs(w.speed) < .02 {
		w.angle, w.speed = 0, 0
	}
	// The legs lag behind the trunk.
	f.rot[vrm.Hips] = geom.AxisAngle(geom.Vec3{0, 0, 1}, w.angle).Mul(f.rot[vrm.Hips])
	lag := geom.AxisAngle(geom.Vec3{0, 0, 1}, clamp(-w.speed*.03, -.2, .2))
	f.rot[vrm.LeftUpperLeg] = lag.Mul(f.rot[vrm.LeftUpperLeg])
	f.rot[vrm.RightUpperLeg] = lag.Mul(f.rot[vrm.RightUpperLeg])
}
