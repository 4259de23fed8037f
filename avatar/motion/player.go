package motion

import (
	"math/rand/v2"
	"time"

	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// HoldOpts is how the body imposes a clip.
type HoldOpts struct {
	Mirror bool
	// Phase is a named span of the clip: it plays to that span's end and waits there. "hold" of peek repeats, and
	// "enter" goes on to it by itself.
	Phase clips.Phase
	// Fade is the crossfade; 0 takes the clip's own.
	Fade time.Duration
	// Restart plays the clip again although it is held already.
	Restart bool
	// Start is where in a plain clip to begin when it is played again; 0 takes the clip's own entry.
	Start time.Duration
	// Rate is the speed of a looping clip, so that steps fit a root that moves faster or slower; 0 is 1.
	Rate float32
	// Back plays a plain one-shot from its end to its start.
	Back bool
	// Origin is where the clip's own root lies from the model's, in metres in the body's own space: the corner of an edge
	// that she climbs over. It may change with every call. A clip that something else fades out keeps its last one, so
	// that a root that goes from one clip's place to the next's never shows as a leap.
	Origin geom.Vec3
	// Flight leaves out how far the clip lifts her off the floor: the root flies on a path of its own.
	Flight bool
}

// Player moves one pet. It keeps no clock: Step tells it the time. All methods belong to one goroutine; the Model and
// the Library may be shared.
type Player struct {
	m     *vrm.Model
	lib   *Library
	rig   *rig
	rng   *rand.Rand
	mix   mixer
	now   frame
	dir   director
	face  face
	gaze  gaze
	skel  skeleton
	rods  *springs
	swing pendulum
	pose  Pose
	last  stillness
	time  float32 // seconds since the start, wrapped, for breath
	anat  Anatomy
	rest  *clip
}

// NewPlayer makes a Player for one pet. seed decides the order of idle motions and blinks.
func NewPlayer(m *vrm.Model, lib *Library, seed uint64) *Player {
	p := &Player{m: m, lib: lib, rig: newRig(m), rng: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
	p.anat = p.rig.public()
	p.rest = restClip()
	p.skel.init(p.rig)
	p.rods = newSprings(m, p.rig.unit)
	p.face.init(m, p.rng)
	p.gaze.next = 1
	p.pose.World = make([]geom.Mat4, len(m.Nodes))
	p.pose.Expressions = make([]float32, len(m.Expressions))
	p.last.init(m)
	p.fitFaces()
	return p
}

// Anatomy returns the measure of the Player's model, as Measure would.
func (p *Player) Anatomy() Anatomy { return p.anat }

// fitFaces makes room for the expressions that the Library's clips name; it works only when clips were added.
func (p *Player) fitFaces() {
	if n := len(p.lib.faces); len(p.mix.faces) != n || p.face.clipFaces != n {
		p.mix.faces = append(p.mix.faces, make([]float32, n-len(p.mix.faces))...)
		p.mix.frozenFaces = append(p.mix.frozenFaces, make([]float32, n-len(p.mix.frozenFaces))...)
		p.mix.scratchFaces = append(p.mix.scratchFaces, make([]float32, n-len(p.mix.scratchFaces))...)
		p.face.bindClips(p.m, p.lib.faces)
	}
}

// maxStep bounds one Step: after a long pause she goes on from where she was instead of racing to catch up.
const maxStep = time.Second

// Step moves on by dt and returns the pose, which the next Step overwrites. It allocates nothing once running.
func (p *Player) Step(dt time.Duration, in Input) *Pose {
	s := float32(min(max(dt, 0), maxStep).Seconds())
	in = in.sane()
	p.fitFaces()
	p.direct(s, in.ReducedMotion)
	p.mix.step(s, p.rig)
	p.time += s
	if p.time > 3600 {
		p.time -= 3600
	}
	p.now = p.mix.out // what follows bends this copy; the mixer may need its own again
	f := &p.now
	p.swing.step(p, f, s, in)
	p.addBreath(f)
	p.addNod(f)
	p.gaze.step(p, f, s, in)
	p.skel.pose(p.rig, f)
	p.place(in)
	p.rods.step(p, s, in, f)
	p.face.step(p, s, in)
	p.mark(in)
	p.pose.Still = !p.last.changed(&p.pose, p.rig.unit)
	return &p.pose
}

// sane keeps numbers that are none, and impossible speeds, out of the pose.
func (in Input) sane() Input {
	for _, v := range []*float32{&in.Yaw, &in.GazeX, &in.GazeY, &in.Mouth, &in.Velocity[0], &in.Velocity[1], &in.Velocity[2]} {
		if !finite(*v) || abs(*v) > 1e6 {
			*v = 0
		}
	}
	in.Mouth = clamp(in.Mouth, 0, 1)
	in.Velocity = geom.AxisAngle(geom.Vec3{0, 1, 0}, in.Yaw).Rotate(in.Velocity) // from here on in model space
	return in
}

// Reset puts hair, ears and tails to rest where they are, after a jump that must not make them swing.
func (p *Player) Reset() { p.rods.fresh = true }

// addBreath lets the chest breathe over clips that do not breathe by themselves.
func (p *Player) addBreath(f *frame) {
	if f.breath <= 0 {
		return
	}
	// A breath of 4 s: in 40 %, out 60 %.
	t := p.time/4 - float32(int(p.time/4))
	lift := smooth(t / .4)
	if t > .4 {
		lift = 1 - smooth((t-.4)/.6)
	}
	a := lift * f.breath * rad
	f.rot[vrm.Chest] = f.rot[vrm.Chest].Mul(geom.AxisAngle(geom.Vec3{1, 0, 0}, -1.2*a))
	f.rot[vrm.Head] = f.rot[vrm.Head].Mul(geom.AxisAngle(geom.Vec3{1, 0, 0}, .8*a))
}

// addNod moves the head a little with the voice if no talking clip does: on an edge, behind a window.
func (p *Player) addNod(f *frame) {
	if p.face.mouth > .01 && p.dir.mode == modeHold && f.asleep < .5 {
		f.rot[vrm.Head] = f.rot[vrm.Head].Mul(geom.AxisAngle(geom.Vec3{1, 0, 0}, -3*rad*p.face.mouth))
	}
}

// place writes the skeleton into the world matrices.
func (p *Player) place(in Input) {
	m, w := p.m, p.pose.World
	yaw := geom.AxisAngle(geom.Vec3{0, 1, 0}, in.Yaw)
	root := geom.TRS(yaw.Rotate(p.now.origin).Add(geom.Vec3{0, p.rig.lift(), 0}), yaw, geom.Vec3{1, 1, 1})
	p.skel.locals(p.rig, &p.now, &p.gaze, p.face.eyes)
	for _, n := range m.Order {
		node := &m.Nodes[n]
		local := geom.TRS(p.skel.move[n], p.skel.turn[n], node.Scale)
		if node.Parent >= 0 {
			w[n] = w[node.Parent].Mul(local)
		} else {
			w[n] = root.Mul(local)
		}
	}
	p.skel.constrain(p, root)
}

// lift raises models whose soles are not at y = 0.
func (r *rig) lift() float32 {
	if abs(r.sole) > .01*r.height {
		return -r.sole
	}
	return 0
}

// mark sets the live points of the pose.
func (p *Player) mark(in Input) {
	r, s := p.rig, &p.skel
	if !r.has(vrm.Hips) {
		p.pose.Seat, p.pose.Scruff = geom.Vec3{}, geom.Vec3{0, r.height * .45, 0}
		p.pose.HeadTop, p.pose.Low = geom.Vec3{0, r.height, 0}, 0
		return
	}
	yaw := geom.AxisAngle(geom.Vec3{0, 1, 0}, in.Yaw)
	out := func(b vrm.Bone, d geom.Vec3) geom.Vec3 {
		v := s.at[b].Add(s.world[b].Rotate(d)).Add(p.now.origin)
		v[1] += r.lift()
		return yaw.Rotate(v)
	}
	p.pose.Seat = out(vrm.Hips, geom.Vec3{0, -r.seatDrop, 0})
	head, neck := vrm.Head, vrm.Neck
	if !r.has(head) {
		head = vrm.Hips
	}
	if !r.has(neck) {
		neck = head
	}
	p.pose.Scruff = out(neck, geom.Vec3{0, 0, -.02 * r.unit})
	p.pose.HeadTop = out(head, r.headTip)
	low := float32(1e9)
	for _, b := range []vrm.Bone{vrm.LeftFoot, vrm.RightFoot} {
		if r.has(b) {
			low = min(low, s.at[b][1]-r.at[b][1])
		}
	}
	if low == 1e9 {
		low = 0
	}
	p.pose.Low = low
}
