// Package motion moves a vrm.Model: clips, blending, inverse kinematics on contacts, expressions, gaze, breathing,
// blinking and spring bones. Model + time -> Pose. No GL, no clock of its own, no goroutine.
//
// A Library holds clips in a form that fits any humanoid: turns away from the rest pose, lengths by the height of the
// hips. A Player plays them on one model. Who decides what plays, the weightiest first: the body (Hold), a cue of the
// model (Cue), the state of the talk (State), and else she idles. The vocabulary of motion ids and their rules is in
// vocabulary.go, by docs/rules/avatar.md#motions, docs/rules/avatar.md#motions and docs/avatar.md.
//
// Words: H is the unit of the motion study, the height of a bundled character without her ears (Anatomy.Unit metres);
// a turn away from rest is in the model's axes, +y up, +z her front, +x her left. The body's own space is that before
// Yaw, and Input.Velocity is taken in it; model space, in which Pose is given, has Yaw in it: +x is the viewer's right
// and +z points at the viewer.
package motion

import "yui/avatar/vrm/geom"

// Pose is one instant of a model, in model space: metres, root between the feet at the origin, facing +z before Yaw.
// A Pose belongs to its Player and is overwritten by the next Step.
type Pose struct {
	// World is each node's matrix, Yaw and mirror included.
	World []geom.Mat4
	// Expressions is the final weight (0..1) of each of Model.Expressions, after overrides, blink, mouth and look-at.
	Expressions []float32
	// Seat, Scruff and HeadTop are live points in model space: the underside of the thighs below the hips, the nape
	// by which she is held, and the top of the head. Low is the lowest y of the foot joints less their height when standing.
	Seat, Scruff, HeadTop geom.Vec3
	Low                   float32
	// Still says that nothing has visibly changed since the last Step, so that a frame need not be drawn.
	Still bool
}

// Input is what the world tells a Player for one step.
type Input struct {
	// Yaw turns the whole body about y in radians; 0 faces the viewer, positive to the viewer's right (her left).
	Yaw float32
	// Velocity is the root's speed in metres a second in the body's own space (before Yaw: +x her left, +z her front):
	// it streams springs and swings her while she is dragged, since the window moves and the scene does not.
	Velocity geom.Vec3
	// Gaze is the direction to what she looks at, in degrees from straight ahead of the viewer's camera axis at her
	// head: X to the viewer's right, Y up. HasGaze false means nowhere in particular.
	GazeX, GazeY float32
	HasGaze      bool
	// Mouth opens the mouth (0..1) while she speaks.
	Mouth float32
	// ReducedMotion leaves out idle fidgets and sway; breathing and blinking stay.
	ReducedMotion bool
}

// Anatomy is the measure of a model, in metres.
type Anatomy struct {
	// Height is from the soles to the top of the mesh, ears included; HeadTop to the top of the head bone's own box
	// without ears if that can be told, otherwise Height.
	Height, HeadTop float32
	// Unit is the motion study's H on this model: rest hips height / 0.205.
	Unit float32
	// SeatDrop is from the hips joint down to the underside of the thighs.
	SeatDrop float32
	// HalfWidth is half of the body's width (without tail), Reach the farthest any pose of the clips goes to a side.
	HalfWidth, Reach float32
	// Top and Bottom bound all poses of the clips above and below the root (jumps and hanging legs; not the climbs, which
	// hang half a height below): what a window must hold.
	Top, Bottom float32
	// LiesLow says that a body in bed has its lowest points at the root's height, whatever its build; the bundled
	// characters lie as high as their bed is.
	LiesLow bool
}
