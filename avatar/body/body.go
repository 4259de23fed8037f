package body

import (
	"math"
	"math/rand/v2"
	"time"

	"yui/avatar/clips"
	"yui/internal/protocol"
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

// postures are what a mode is called outside. Sitting begins when the sit-down is done (docs/rules/body.md#sit).
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

// Body is one pet's posture and place: what is known of the desktop, where her root is, which host she holds on to, and
// the one command. What she does is done by its parts. Its methods belong to one goroutine; none of them blocks.
type Body struct {
	parts

	// The facts.
	cfg   Config
	shape Shape
	clips Clips
	gates Gates
	desk  Desktop
	dice  dice

	// Where and what she is.
	placed   bool
	wish     *Point // a Place that came before any monitor was known
	root     Point
	turn     float64 // -1..1 of 90 degrees, positive to the viewer's right
	mode     mode
	modeAt   time.Time
	until    time.Time // ends the present mode's clip, zero for never
	posture  Posture
	since    time.Time // of the posture
	grounded bool      // her feet are on a floor, not in mid-air with falling switched off
	host     host
	cmd      *running
	keepAt   time.Time

	show   show
	live   live
	events []Event
	last   time.Time // of the last step
}

// live are the points of the last frame's drawing, from its root.
type live struct{ seat, scruff Point }

// New makes a body that stands. rng is used for strolls alone; nil seeds one at random.
func New(cfg Config, shape Shape, clips Clips, rng *rand.Rand) *Body {
	if rng == nil {
		rng = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	b := &Body{cfg: cfg.cleaned(), clips: clips, dice: dice{rng}, posture: Standing}
	b.connect()
	b.SetShape(shape)
	return b
}

// SetConfig takes new settings; they hold from now on.
func (b *Body) SetConfig(cfg Config, now time.Time) {
	b.cfg = cfg.cleaned()
	b.standing.climbAt = time.Time{}
	b.ask(func(p part) { p.configured(now) })
	b.standing.arm(now)
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
	b.live.seat = Point{0, -s.SeatDrop}
	b.live.scruff = Point{0, -0.43 * s.Unit} // the neck joint at rest
}

// SetGates tells what keeps her from moving by herself. A motion that takes the body, and hiding, end a walk.
func (b *Body) SetGates(g Gates, now time.Time) {
	b.gates = g
	b.ask(func(p part) { p.gated(now) })
}

// ask asks the part that has her, and then the one that has her now: if the first gave her up, the other may have to
// as well.
func (b *Body) ask(question func(part)) {
	p := b.part()
	question(p)
	if q := b.part(); q != p {
		question(q)
	}
}

// SetSeat tells where the live seat is on the desktop, as the last frame was drawn.
func (b *Body) SetSeat(p Point) { b.live.seat = b.liveOffset(p, b.live.seat) }

// SetScruff tells where the nape is on the desktop, as the last frame was drawn.
func (b *Body) SetScruff(p Point) { b.live.scruff = b.liveOffset(p, b.live.scruff) }

func (b *Body) liveOffset(p, old Point) Point {
	d := Point{p.X - b.show.root.X, p.Y - b.show.root.Y}
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
	b.sleeping.end(now)
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
		b.perching.check(now)
		return
	}
	if !b.placed {
		p := b.spot(protocol.BottomRight, &b.desk.Monitors[0])
		if b.wish != nil {
			p = *b.wish
		}
		b.Place(p, now)
		return
	}
	b.perching.check(now)
	if monitors {
		b.keepAt = now.Add(b.cfg.KeepAfter)
	}
	b.climbing.check(monitors, now)
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
		if b.walking.walk.after == thenFall {
			return
		}
		b.walking.end(now)
		b.falling.start(fall{}, now)
	case modeStand, modeLand:
		b.falling.start(b.falling.fall.again(), now)
	}
}

// ground is the monitor whose floor is under her.
func (b *Body) ground() *Monitor {
	return b.desk.groundMonitor(b.root, b.shape.Height, b.cfg.Fall.Least*b.shape.Height)
}

// px is n logical pixels on the monitor under her.
func (b *Body) px(n float64) float64 { return n * b.ground().scale() }

// enter begins a mode with its clip. seconds is how long it lasts, 0 for as long as it is left.
func (b *Body) enter(m mode, clip clips.ID, seconds float64, now time.Time) {
	b.goOn(m, seconds, now)
	b.show.clip = clipFrame{name: clip, serial: b.show.clip.serial + 1}
}

// goOn is enter with the clip that plays already.
func (b *Body) goOn(m mode, seconds float64, now time.Time) {
	b.part().leave(m)
	b.mode, b.modeAt, b.until = m, now, time.Time{}
	if seconds > 0 {
		b.until = now.Add(time.Duration(seconds * float64(time.Second)))
	}
	b.standing.ambient = time.Time{}
	if m != modeStand && m != modeWalk {
		b.standing.climbAt = time.Time{}
	}
	b.setPosture(postures[m], now)
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
	b.standing.arm(now)
}

// cut sets the root elsewhere at once.
func (b *Body) cut(p Point) {
	b.root = p
	b.show.jumped()
	b.turn = 0
	b.show.open.on = false
	b.grounded = false
}

// slide sets the root elsewhere and lets what is shown follow smoothly.
func (b *Body) slide(p Point, now time.Time) {
	shown := b.shownRoot(now)
	b.root = p
	b.show.glide = glide{Point{shown.X - p.X, shown.Y - p.Y}, now}
	if b.cfg.ReducedMotion || b.cfg.Glide <= 0 {
		b.show.glide = glide{}
		b.show.jump++
	}
}

func (b *Body) emit(name EventName, pairs ...string) {
	b.events = append(b.events, newEvent(name, pairs))
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
