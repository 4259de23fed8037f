package body

import (
	"math"
	"math/rand/v2"
	"time"
)

// mode is what she is doing; every mode has one posture.
type mode int

const (
	modeStand mode = iota
	modeSitDown
	modeSit
	modeStandUp
	modeWalk
	modePeek
	modeDrag
	modeFall
	modeLand
	modeBedLie
	modeBedSleep
	modeBedWake
	modeFace // turns toward a wall or a leap
	modeClimbUp
	modeClimbOver // pulls herself onto the top
	modeClimbBack // the same backward
	modeClimbDown
	modeClimbLand
	modeLeap // crouches for a jump
	modeFlight
	modeJumpLand
)

// postures are what a mode is called outside. Sitting begins when the sit-down is done (spec/body.md 1.5).
var postures = [...]Posture{
	modeStand: Standing, modeSitDown: Standing, modeSit: Sitting, modeStandUp: Standing, modeWalk: Walking,
	modePeek: Peeking, modeDrag: Dragging, modeFall: Falling, modeLand: Standing,
	modeBedLie: Lying, modeBedSleep: Lying, modeBedWake: Lying,
	modeFace: Standing, modeClimbUp: Climbing, modeClimbOver: Climbing, modeClimbBack: Climbing, modeClimbDown: Climbing,
	modeClimbLand: Climbing, modeLeap: Standing, modeFlight: Falling, modeJumpLand: Standing,
}

// Gates is what keeps her from moving of her own accord.
type Gates struct {
	Motion   bool // a cue's or a state's motion has the body
	Pipeline bool // a turn or its playback is running: perched strolls wait, floor walks do not
	Hidden   bool // nothing of her is drawn
}

// Body is one pet's posture and place. Its methods belong to one goroutine; none of them blocks.
type Body struct {
	cfg   Config
	shape Shape
	clips Clips
	rng   *rand.Rand
	gates Gates
	desk  Desktop

	placed bool
	wish   *Point // a Place that came before any monitor was known
	last   time.Time

	root Point
	mode mode
	// until ends the present mode's clip, ambient is when she next moves by herself, climbAt when she next climbs;
	// zero is never.
	until, ambient time.Time
	climbAt        time.Time
	modeAt         time.Time
	posture        Posture
	since          time.Time
	grounded       bool // her feet are on a floor, not in mid-air with falling switched off

	clip   string
	serial int
	start  float64
	fade   float64
	back   bool
	phase  string
	mirror bool
	jump   int

	host  host
	cmd   *running
	fall  fall
	walk  walk
	climb climb
	leap  leap
	crowd crowd
	drag  drag
	bed   bed
	turn  float64 // -1..1 of 90 degrees, positive to the viewer's right
	glide glide
	open  opening

	keepAt      time.Time
	lastDropped time.Time
	events      []Event

	seatOff, scruffOff Point // live, from the root of the last frame
	frame              Frame
	frameRoot          Point
	frameJump          int
	frameAt            time.Time
	scruffOut          Point
	cutOut             Cut
}

// glide smooths the last bit of way to a new root: what is shown is root + from*(1-u).
type glide struct {
	from Point
	at   time.Time
}

// opening is the edge of a peek that has ended, drawn away from her so that the hidden half does not pop up.
type opening struct {
	x    float64
	left bool // what is hidden is to the left of x
	at   time.Time
	on   bool
}

// New makes a body that stands. rng is used for strolls alone; nil seeds one at random.
func New(cfg Config, shape Shape, clips Clips, rng *rand.Rand) *Body {
	if rng == nil {
		rng = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	b := &Body{cfg: cfg.cleaned(), clips: clips, rng: rng, posture: Standing}
	b.SetShape(shape)
	return b
}

// SetConfig takes new settings; they hold from now on.
func (b *Body) SetConfig(cfg Config, now time.Time) {
	b.cfg = cfg.cleaned()
	b.climbAt = time.Time{}
	if b.onWay() && (b.cfg.ReducedMotion || !b.walk.after.allowed(&b.cfg)) {
		b.endWalk(now)
	}
	if b.hanging() && (b.cfg.ReducedMotion || !b.cfg.Climb) || b.mode == modeFlight && b.cfg.ReducedMotion {
		b.letGo(false, now)
	}
	if b.mode == modeFall && (b.cfg.ReducedMotion || !b.cfg.Fall) || b.mode == modeStand && b.host.id == 0 {
		b.startFall(b.fall.again(), now)
	}
	b.armAmbient(now)
}

// SetClips tells of other loaded clips.
func (b *Body) SetClips(clips Clips) { b.clips = clips }

// SetShape tells the size of the model; a zero Height means that there is none, and commands are unsupported.
// Another Box alone leaves the live points as they are.
func (b *Body) SetShape(s Shape) {
	same := s.Height == b.shape.Height && s.Unit == b.shape.Unit
	b.shape = s
	if s.HeadTop <= 0 {
		b.shape.HeadTop = s.Height
	}
	if same {
		return
	}
	b.seatOff = Point{0, -s.SeatDrop}
	b.scruffOff = Point{0, -0.43 * s.Unit} // the neck joint at rest
}

// SetGates tells what keeps her from moving by herself. A motion that takes the body, and hiding, end a walk.
func (b *Body) SetGates(g Gates, now time.Time) {
	b.gates = g
	if b.onWay() && (g.Motion || g.Hidden) {
		b.endWalk(now)
	}
	if (b.hanging() || b.mode == modeFlight) && g.Hidden {
		b.letGo(false, now)
	}
	if b.mode == modeFall && g.Hidden {
		b.finishFall(now)
	}
}

// SetSeat tells where the live seat is on the desktop, as the last frame was drawn.
func (b *Body) SetSeat(p Point) { b.seatOff = b.liveOffset(p, b.seatOff) }

// SetScruff tells where the nape is on the desktop, as the last frame was drawn.
func (b *Body) SetScruff(p Point) { b.scruffOff = b.liveOffset(p, b.scruffOff) }

func (b *Body) liveOffset(p, old Point) Point {
	d := Point{p.X - b.frameRoot.X, p.Y - b.frameRoot.Y}
	if reach := 4*b.shape.Height + 100; !(math.Abs(d.X) <= reach && math.Abs(d.Y) <= reach) {
		return old
	}
	return d
}

// Place puts her on the floor of the monitor nearest to p: a saved position, or a reset.
func (b *Body) Place(p Point, now time.Time) {
	if !finite(p) {
		p = Point{}
	}
	if len(b.desk.Monitors) == 0 {
		b.wish = &p
		return
	}
	b.resolve(Interrupted)
	b.endBed(now)
	b.releaseHost(false, now)
	m := b.desk.nearestMonitor(p)
	r := b.desk.floorRange(m, p.X, b.shape.Box)
	b.cut(Point{clamp(p.X, r.lo, r.hi), r.floor})
	b.placed, b.wish, b.grounded = true, nil, true
	b.standStill(now)
}

func finite(p Point) bool {
	return !math.IsNaN(p.X) && !math.IsNaN(p.Y) && math.Abs(p.X) < 1e7 && math.Abs(p.Y) < 1e7
}

// SetDesktop tells what the desktop is now. The body keeps d: the caller must not change its lists afterwards. Where
// she holds on to a window, her root follows at once.
func (b *Body) SetDesktop(d Desktop, now time.Time) {
	monitors := !sameMonitors(b.desk.Monitors, d.Monitors)
	b.desk = d.usable()
	if len(b.desk.Monitors) == 0 {
		b.checkHost(now)
		return
	}
	if !b.placed {
		p := b.spot("bottom-right", &b.desk.Monitors[0])
		if b.wish != nil {
			p = *b.wish
		}
		b.Place(p, now)
		return
	}
	b.checkHost(now)
	if monitors {
		b.keepAt = now.Add(b.cfg.KeepAfter)
	}
	b.checkWall(monitors, now)
	b.checkFloor(now)
}

func sameMonitors(a, b []Monitor) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// usable leaves out what cannot be reckoned with: monitors without an area, rectangles that are no numbers.
func (d Desktop) usable() Desktop {
	good := func(m *Monitor) bool {
		return m.Rect.finite() && m.Rect.W >= 1 && m.Rect.H >= 1 && m.WorkArea.finite() &&
			m.WorkArea.W >= 1 && m.WorkArea.H >= 1 && m.Rect.overlaps(m.WorkArea)
	}
	for i := range d.Monitors {
		if good(&d.Monitors[i]) {
			continue
		}
		// Numbers of monitors are shared with the platform: the bad one is mended, not dropped.
		monitors := append([]Monitor(nil), d.Monitors...)
		for j := range monitors {
			if m := &monitors[j]; !good(m) {
				m.WorkArea = m.Rect
			}
			if !good(&monitors[j]) {
				return Desktop{Windows: d.Windows}.usable()
			}
		}
		d.Monitors = monitors
		break
	}
	for i := range d.Windows {
		if d.Windows[i].Rect.finite() {
			continue
		}
		windows := make([]Window, 0, len(d.Windows))
		for _, w := range d.Windows {
			if w.Rect.finite() {
				windows = append(windows, w)
			}
		}
		d.Windows = windows
		break
	}
	return d
}

// checkFloor keeps her on a floor that has moved, or lets her fall to it.
func (b *Body) checkFloor(now time.Time) {
	if b.host.id != 0 || !b.grounded || !b.keepAt.IsZero() && b.desk.monitorAt(b.middle()) == nil {
		return // keepOnScreen comes first
	}
	m := b.ground()
	if m == nil || math.Abs(b.root.Y-m.floor()) < 0.5 {
		return
	}
	switch b.mode {
	case modeBedLie, modeBedSleep, modeBedWake:
		b.root.Y = m.floor()
	case modeWalk, modeFace:
		if b.walk.after == thenFall {
			return
		}
		b.endWalk(now)
		b.startFall(fall{}, now)
	case modeStand, modeLand:
		b.startFall(b.fall.again(), now)
	}
}

// ground is the monitor whose floor is under her.
func (b *Body) ground() *Monitor {
	return b.desk.groundMonitor(b.root, b.shape.Height, b.cfg.MinDrop*b.shape.Height)
}

// px is n logical pixels on the monitor under her.
func (b *Body) px(n float64) float64 { return n * b.ground().scale() }

// enter begins a mode with its clip. seconds is how long it lasts, 0 for as long as it is left.
func (b *Body) enter(m mode, clip string, seconds float64, now time.Time) {
	b.goOn(m, seconds, now)
	b.clip, b.start, b.fade, b.back, b.phase, b.mirror = clip, 0, 0, false, "", false
	b.serial++
}

// goOn is enter with the clip that plays already.
func (b *Body) goOn(m mode, seconds float64, now time.Time) {
	b.tellLeave(m)
	b.mode, b.modeAt, b.until = m, now, time.Time{}
	if seconds > 0 {
		b.until = now.Add(time.Duration(seconds * float64(time.Second)))
	}
	b.ambient = time.Time{}
	if m != modeStand && m != modeWalk {
		b.climbAt = time.Time{}
	}
	b.setPosture(postures[m], now)
}

// tellLeave tells that she stops walking, climbing or jumping, where m does not go on with it.
func (b *Body) tellLeave(m mode) {
	if b.mode == modeWalk && m != modeWalk {
		b.emit("avatar.walk_end")
	}
	if postures[b.mode] == Climbing && postures[m] != Climbing {
		b.emit("avatar.climb_end")
	}
	if b.jumping() && !(m == modeFlight || m == modeJumpLand) {
		b.emit("avatar.jump_end")
	}
}

func (b *Body) setPosture(p Posture, now time.Time) {
	if p != b.posture {
		b.posture, b.since = p, now
	}
}

// standStill ends whatever she does: she stands where she is.
func (b *Body) standStill(now time.Time) {
	if b.mode != modeStand {
		b.enter(modeStand, "", 0, now)
	}
	b.armAmbient(now)
}

// cut sets the root elsewhere at once.
func (b *Body) cut(p Point) {
	b.root = p
	b.jump++
	b.turn = 0
	b.glide = glide{}
	b.open.on = false
	b.grounded = false
}

// slide sets the root elsewhere and lets what is shown follow smoothly.
func (b *Body) slide(p Point, now time.Time) {
	shown := b.shownRoot(now)
	b.root = p
	b.glide = glide{Point{shown.X - p.X, shown.Y - p.Y}, now}
	if b.cfg.ReducedMotion || b.cfg.Glide <= 0 {
		b.glide = glide{}
		b.jump++
	}
}

// shownRoot is the root with what is left of a glide.
func (b *Body) shownRoot(now time.Time) Point {
	if b.glide == (glide{}) {
		return b.root
	}
	u := 1 - smooth(float64(now.Sub(b.glide.at))/float64(b.cfg.Glide))
	if u <= 0 {
		b.glide = glide{}
	}
	return Point{b.root.X + b.glide.from.X*u, b.root.Y + b.glide.from.Y*u}
}

func (b *Body) emit(name string, pairs ...string) { b.events = append(b.events, newEvent(name, pairs)) }

func newEvent(name string, pairs []string) Event {
	var data map[string]string
	if len(pairs) > 0 {
		data = make(map[string]string, len(pairs)/2)
		for i := 0; i+1 < len(pairs); i += 2 {
			data[pairs[i]] = pairs[i+1]
		}
	}
	return Event{Name: name, Data: data}
}

// Events returns what has happened since the last call.
func (b *Body) Events() []Event {
	e := b.events
	b.events = nil
	return e
}

// State tells how she is now. It never waits for a command.
func (b *Body) State(now time.Time) State {
	s := State{Posture: b.posture, Since: b.since, Moving: b.cmd != nil, Root: b.root}
	if b.host.id != 0 {
		s.Perch = &Perch{App: b.host.app, Title: b.host.title}
	}
	return s
}

// Targets returns the windows front to back, for look at perch_targets.
func (b *Body) Targets() []Window { return append([]Window(nil), b.desk.Windows...) }
