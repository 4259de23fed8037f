// Package figure is the pets on the screen: what each does, how she is drawn, where the pointer touches her, what she wears,
// and what bursts from her. It knows overlay/window, never overlay/ui; cmd/yui/app ties the two.
//
// All of it belongs to the main thread, which window.Loop owns, unless a method says otherwise.
package figure

import (
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"yui/avatar/body"
	"yui/avatar/clips"
	"yui/avatar/motion"
	"yui/avatar/render"
	"yui/avatar/vrm"
	"yui/overlay/window"
)

// PetOptions is what a pet is made of.
type PetOptions struct {
	ID, Name      string
	Model         *vrm.Model
	Prepared      *render.Prepared // of the model; nil where it was not prepared
	Height        float64          // soles to the top of the mesh in logical pixels
	Scale         float64          // of the monitor
	FPS           int
	Quality       render.Quality
	AllWorkspaces bool
	Body          body.Config
}

// Pet is one character on the desktop: body, motion and picture in a window of its own. Main thread only.
type Pet struct {
	opt    PetOptions
	loop   *window.Loop
	dress  *Wardrobe
	surf   *window.Surface
	target *render.Target
	scene  *render.Scene
	player *motion.Player
	body   *body.Body
	anat   motion.Anatomy
	ppm    float64 // pixels a metre

	// OnClick, OnMenu and OnBody report what the person and the body do. OnMoved tells that she came to rest elsewhere.
	OnClick func()
	OnMenu  func(at image.Point)
	OnBody  func(e body.Event)
	OnMoved func(root body.Point)
	// OnHover tells that the pointer has come to her.
	OnHover func()
	// OnDrop gets the paths of files that were dropped on her.
	OnDrop func(paths []string)
	// OnPlace tells that she moved, after the frame that shows it.
	OnPlace func()
	// OnSeen tells that her first frame is on the screen, or that she has left it.
	OnSeen func(seen bool)

	hidden, paused bool
	looks          bool // follows the pointer
	avoided        []clips.ID
	talking        bool
	attends        bool
	frame          body.Frame
	pose           *motion.Pose
	view           render.View
	seen           render.View     // of the frame on the screen
	box            image.Rectangle // of the window, from the root
	drawnAt        time.Time
	steppedAt      time.Time
	maskedAt       time.Time
	frames         uint64
	soon           bool // the next frame is due now, though its clock goes on from the last one
	stale          bool // the picture must be drawn although the pose rests
	mask           []byte
	region         render.Region
	serial, jump   int
	press          pressed
	over           bool        // the pointer is over her
	hover          image.Point // the pointer by its last event, from the window's corner
	hoverFrom      image.Point // that corner
	touch          *body.Touch
	state          clips.ID // of the talk
	mouth          float64
	restAt         body.Point
	drawErr        string
	portrait       image.Image     // kept for panels
	toldBox        image.Rectangle // her figure when her place was last told
}

// NewPet makes a hidden pet.
func (w *Wardrobe) NewPet(opt PetOptions) (*Pet, error) {
	scene, err := w.wear(opt.Model, opt.Prepared)
	if err != nil {
		return nil, fmt.Errorf("draw %s: %w", opt.Name, err)
	}
	p := &Pet{opt: opt, loop: w.loop, dress: w, scene: scene, looks: true, stale: true, touch: body.NewTouch(body.DefaultTouch())}
	p.player = motion.NewPlayer(opt.Model, w.clips, uint64(w.loop.Now().UnixNano()))
	p.anat = p.player.Anatomy()
	p.measure()
	p.body = body.New(opt.Body, p.shape(), bodyClips(w.clips), nil)
	if p.surf, err = w.loop.NewSurface(window.Figure, opt.Name, p.box.Size()); err != nil {
		w.takeOff(opt.Model)
		return nil, err
	}
	p.surf.SetAllWorkspaces(opt.AllWorkspaces)
	if p.target, err = render.NewTarget(w.renderer, p.box.Dx(), p.box.Dy()); err != nil {
		p.surf.Destroy()
		w.takeOff(opt.Model)
		return nil, err
	}
	p.target.SetQuality(opt.Quality)
	p.surf.Listen(p.hear)
	w.loop.Add(p)
	return p, nil
}

// Close takes the pet off the screen.
func (p *Pet) Close() {
	p.loop.Remove(p)
	p.body.Cancel()
	p.surf.Current()
	p.target.Release()
	p.surf.Destroy()
	p.dress.takeOff(p.opt.Model)
}

// Wear gives her another model, in place; Wardrobe.Bring has best brought it. On an error, a *SlowError among them, she
// keeps the one that she has.
func (p *Pet) Wear(m *vrm.Model) error {
	scene, err := p.dress.wear(m, nil)
	if err != nil {
		return fmt.Errorf("draw %s: %w", p.opt.Name, err)
	}
	player := motion.NewPlayer(m, p.dress.clips, uint64(p.loop.Now().UnixNano()))
	if err := p.try(scene, player); err != nil {
		p.dress.takeOff(m)
		p.stale = true // the trial has drawn over her
		return fmt.Errorf("draw %s: %w", p.opt.Name, err)
	}
	old := p.opt.Model
	p.opt.Model, p.scene, p.player = m, scene, player
	p.player.Avoid(p.avoided...)
	p.anat = p.player.Anatomy()
	p.fit()
	p.serial, p.portrait = -1, nil
	p.dress.takeOff(old)
	return nil
}

// measure works out the scale and the window's box round the root: room for her reach to both sides, for her ears and
// a hop above, and for legs that hang over an edge below.
func (p *Pet) measure() { p.ppm, p.box = p.opt.measure(p.anat) }

func (o *PetOptions) measure(a motion.Anatomy) (ppm float64, box image.Rectangle) {
	ppm = o.Height * o.Scale / float64(a.Height)
	side := float64(max(a.Reach, a.HalfWidth))*ppm + 6*o.Scale
	up, down := float64(a.Top)*ppm+3*o.Scale, math.Abs(float64(a.Bottom))*ppm+3*o.Scale
	return ppm, image.Rect(-int(math.Ceil(side)), -int(math.Ceil(up)), int(math.Ceil(side)), int(math.Ceil(down)))
}

func (p *Pet) shape() body.Shape {
	a := p.anat
	return body.Shape{
		Height: float64(a.Height) * p.ppm, HeadTop: float64(a.HeadTop) * p.ppm, SeatDrop: float64(a.SeatDrop) * p.ppm,
		HalfWidth: float64(a.HalfWidth) * p.ppm, Unit: float64(a.Unit) * p.ppm,
		Box: body.Rect{X: float64(p.box.Min.X), Y: float64(p.box.Min.Y), W: float64(p.box.Dx()), H: float64(p.box.Dy())},
	}
}

// fit measures anew and has it drawn.
func (p *Pet) fit() {
	p.measure()
	p.body.SetShape(p.shape())
	p.stale = true
}

// SetScale fits the pet to another content scale.
func (p *Pet) SetScale(scale float64) {
	if scale != p.opt.Scale && scale > 0 {
		p.opt.Scale = scale
		p.fit()
	}
}

// SetHeight makes her as tall as this many logical pixels.
func (p *Pet) SetHeight(height float64) {
	if height != p.opt.Height && height > 0 {
		p.opt.Height = height
		p.fit()
	}
}

// SetName gives her and her window another name.
func (p *Pet) SetName(name string) {
	if name != p.opt.Name {
		p.opt.Name = name
		p.surf.SetTitle(name)
	}
}

// SetBody changes the body's figures.
func (p *Pet) SetBody(c body.Config) {
	p.opt.Body = c
	p.body.SetConfig(c, p.loop.Now())
}

// SetFPS changes how often she is drawn while she is active.
func (p *Pet) SetFPS(fps int) { p.opt.FPS = fps }

// SetQuality changes how her edges are smoothed.
func (p *Pet) SetQuality(q render.Quality) {
	p.target.SetQuality(q)
	p.stale = true
}

// SetAllWorkspaces puts her on every workspace, or leaves her on the present one. Window managers take that when a window
// is shown, so that she is shown anew.
func (p *Pet) SetAllWorkspaces(yes bool) {
	p.surf.SetAllWorkspaces(yes)
	p.surf.Hide()
	p.stale = true
}

// Body is the pet's body; step it by SetDesktop and the pet's own methods only.
func (p *Pet) Body() *body.Body { return p.body }

// ID returns the preset's id.
func (p *Pet) ID() string { return p.opt.ID }

// SetDesktop tells what the desktop is now; a perched pet follows its host at once.
func (p *Pet) SetDesktop(d body.Desktop, now time.Time) {
	p.body.SetDesktop(d, now)
	p.follow(now)
}

// Place puts her on the floor near a point.
func (p *Pet) Place(at body.Point) {
	now := p.loop.Now()
	p.body.Place(at, now)
	p.follow(now)
}

// follow moves the window where the body is, without waiting for the next frame.
func (p *Pet) follow(now time.Time) {
	f := p.body.Step(now)
	if f.Root != p.frame.Root && p.surf.Shown() {
		p.surf.Place(p.rect(f.Root))
		if f.Cut != nil || p.frame.Cut != nil {
			p.stale = true
		}
		p.frame.Root = f.Root
		p.tellPlace()
	}
}

func (p *Pet) rect(root body.Point) image.Rectangle {
	return p.boxNow().Add(image.Pt(int(math.Round(root.X)), int(math.Round(root.Y))))
}

// boxNow is the window's box; it is wider while she is in bed.
func (p *Pet) boxNow() image.Rectangle {
	if p.frame.Bed <= 0 {
		return p.box
	}
	half := int(math.Ceil(float64(p.anat.Height) * bedHalf * p.ppm))
	if half <= -p.box.Min.X {
		return p.box
	}
	return image.Rect(-half, p.box.Min.Y, half, p.box.Max.Y)
}

// bedHalf is half of the bed's length with its rim, in heights of the pet.
const bedHalf = 0.74

// Show and Hide are the tray's. A hidden pet draws nothing at all.
func (p *Pet) Show() { p.hidden = false; p.heedGates() }

// Hide takes her off the screen; her body goes on.
func (p *Pet) Hide() { p.hidden = true; p.heedGates() }

// SetPaused hides her while a full-screen window has her monitor, or her workspace is not shown.
func (p *Pet) SetPaused(paused bool) {
	if paused != p.paused {
		p.paused = paused
		p.heedGates()
	}
}

// heedGates takes her off the screen where something hides her now, else has her next frame bring her there.
func (p *Pet) heedGates() {
	if p.Visible() {
		p.stale = true
	} else if p.surf.Shown() {
		p.surf.Hide()
		p.tellSeen()
	}
	p.gates()
}

// Seen reports whether a frame of her is on the screen.
func (p *Pet) Seen() bool { return p.surf.Shown() }

func (p *Pet) tellSeen() {
	if p.OnSeen != nil {
		p.OnSeen(p.Seen())
	}
}

// Hidden tells whether the person hid her.
func (p *Pet) Hidden() bool { return p.hidden }

// Visible tells whether she is on the screen.
func (p *Pet) Visible() bool { return !p.hidden && !p.paused }

// gates tells the body what keeps her from moving by herself: a gesture (the clips that the body itself imposes do not
// count), the talk, and not being seen.
func (p *Pet) gates() {
	p.body.SetGates(body.Gates{Motion: p.frame.Clip == "" && p.player.Busy() || p.attends, Pipeline: p.talking || p.attends, Hidden: !p.Visible()}, p.loop.Now())
}

// SetLooks tells whether her eyes follow the pointer.
func (p *Pet) SetLooks(yes bool) { p.looks = yes }

// SetAvoided keeps clips out of her idling and pools, by their own names ("lively_hop"), whatever model she wears.
func (p *Pet) SetAvoided(ids []clips.ID) {
	p.avoided = slices.Clone(ids)
	p.player.Avoid(p.avoided...)
}

// SetAttends keeps her where she is while the person writes or an answer is on its way.
func (p *Pet) SetAttends(yes bool) {
	if yes != p.attends {
		p.attends = yes
		p.gates()
	}
}

// SetTalking moves her mouth and keeps her from strolling off.
func (p *Pet) SetTalking(yes bool) {
	if yes != p.talking {
		p.talking = yes
		p.gates()
	}
}

// Express wears a face ("" for neutral) and plays a gesture ("" for none). played is false where the body has no room
// for it now.
func (p *Pet) Express(emotion string, gesture clips.ID) (played bool) {
	if emotion != "" {
		p.player.Emotion(emotion, 1)
	}
	if gesture == "" {
		return true
	}
	return p.player.Cue(gesture)
}

// Neutral takes the face back.
func (p *Pet) Neutral() { p.player.Emotion("neutral", 1) }

// SetState plays a state of the talk: clips.Thinking, Listening, Talk or "".
func (p *Pet) SetState(id clips.ID) {
	p.state = id
	if !p.touch.Patting() {
		p.player.State(id)
	}
}

// interval is the time from one frame to the next at the present rate.
func (p *Pet) interval(now time.Time) time.Duration {
	fps := p.FPS(now)
	if fps <= 0 {
		return time.Hour
	}
	return time.Second / time.Duration(fps)
}

// FPS is how many frames a second she draws at present: all while she moves, speaks, or the pointer is near; half
// while nothing of that is so; few while she sleeps; none while hidden.
func (p *Pet) FPS(now time.Time) int {
	if !p.Visible() {
		return 0
	}
	state := p.body.State(now).Posture
	if state == body.Lying && p.frame.Bed >= 1 && p.player.Current() == clips.BedSleep {
		return min(p.opt.FPS, 10)
	}
	if p.talking || p.press.down || p.frame.Velocity != (body.Point{}) || p.player.Busy() || p.near() {
		return p.opt.FPS
	}
	return max(p.opt.FPS/2, 5)
}

// near tells whether the pointer is close enough that she is looked at.
func (p *Pet) near() bool {
	at, rested := p.loop.Pointer()
	if rested > 20*time.Second {
		return false
	}
	reach := int(2 * p.opt.Height * p.opt.Scale)
	return at.In(p.surf.At().Inset(-reach))
}

// Next implements Ticker.
func (p *Pet) Next(now time.Time) (time.Time, bool) {
	at, ok := p.body.Next(now)
	if !p.Visible() {
		if ok && at.Before(p.steppedAt.Add(100*time.Millisecond)) {
			at = p.steppedAt.Add(100 * time.Millisecond) // nobody sees it: timers need no frames
		}
		return at, ok
	}
	frame := p.steppedAt.Add(p.interval(now))
	if p.soon {
		return now, true
	}
	if p.stale && !p.surf.Shown() {
		frame = now
	}
	if !ok || frame.Before(at) {
		return frame, true
	}
	// The body's wish for a frame is met at the frame rate, not beyond it.
	if floor := p.steppedAt.Add(time.Second / time.Duration(p.opt.FPS)); at.Before(floor) {
		at = floor
	}
	return at, true
}

// Tick implements Ticker: one step of body and motion, and a frame where something changed.
func (p *Pet) Tick(now time.Time) {
	dt := now.Sub(p.steppedAt)
	p.steppedAt, p.soon = now, false
	if p.press.dragging {
		p.dragOn(now)
		p.dragLost(now)
	}
	p.touch.Step(p.player.Current(), now)
	p.touched()
	f := p.body.Step(now)
	p.report(now)
	f.Root.Y -= p.bedDrop() * f.Bed // the whole cushion stands on the floor line, its front rim too
	moved := f.Root != p.frame.Root || f.Bed != p.frame.Bed
	p.frame = f
	if !p.Visible() {
		return
	}
	p.imposeClip(f)
	p.pose = p.player.Step(dt, p.input(f, now, dt))
	p.gates()
	rect := p.rect(f.Root)
	view := p.lookAt(rect, f)
	p.view = view
	changed := p.stale || p.looksDifferent()
	if !p.surf.Shown() {
		p.appear(rect, now)
	} else {
		if changed {
			p.paint(now)
		}
		p.surf.Place(rect)
		if changed {
			p.surf.Present(p.target.Picture())
		}
	}
	p.stale = false
	p.tellBody()
	if moved || changed && outgrown(p.toldBox, p.Figure(), int(8*p.opt.Scale)) {
		p.tellPlace()
	}
}

// outgrown reports whether a figure reaches beyond the one told, or has left much of it: a turned head must not end up
// under the bubble beside it. What she merely breathes tells nothing, so that the bubble rests.
func outgrown(told, now image.Rectangle, slack int) bool {
	if told.Empty() || now.Empty() {
		return told.Empty() != now.Empty()
	}
	return !now.In(told.Inset(-slack)) || !told.In(now.Inset(-5*slack))
}

// Head is where her head is on the desktop.
func (p *Pet) Head() image.Rectangle {
	if p.pose == nil {
		return image.Rectangle{}
	}
	top, scruff := p.point(p.pose.HeadTop), p.point(p.pose.Scruff)
	mid := body.Point{X: (top.X + scruff.X) / 2, Y: (top.Y + scruff.Y) / 2}
	half := max(math.Hypot(top.X-scruff.X, top.Y-scruff.Y)/2, 0.1*p.opt.Height*p.opt.Scale)
	r := image.Rect(int(mid.X-half*1.15), int(mid.Y-half), int(mid.X+half*1.15), int(mid.Y+half))
	r.Min.Y -= int(float64(p.anat.Height-p.anat.HeadTop)*p.ppm*1.05 + 3*p.opt.Scale) // the ears, which tilt and spring
	return r
}

// Figure is where her outline is on the desktop.
func (p *Pet) Figure() image.Rectangle {
	var r image.Rectangle
	for _, o := range p.surf.Outline() {
		r = r.Union(o)
	}
	return r.Add(p.surf.At().Min)
}

func (p *Pet) tellPlace() {
	p.toldBox = p.Figure()
	if p.OnPlace != nil && p.pose != nil {
		p.OnPlace()
	}
}

// Seat and Feet are what `yui state` tells, in pixels of the root window.
func (p *Pet) Seat() body.Point {
	if p.pose == nil {
		return p.frame.Root
	}
	return p.point(p.pose.Seat)
}

// Feet is the root: between the feet.
func (p *Pet) Feet() body.Point { return p.frame.Root }

// Rect is the window's place.
func (p *Pet) Rect() image.Rectangle { return p.surf.At() }

// Motion names what is played.
func (p *Pet) Motion() clips.ID { return p.player.Current() }

// Emotion names what she wears on her face.
func (p *Pet) Emotion() string { return p.player.CurrentEmotion() }

// Busy tells whether a gesture of a cue is still playing.
func (p *Pet) Busy() bool { return p.player.Busy() }

// Frames counts the frames drawn so far.
func (p *Pet) Frames() uint64 { return p.frames }

// SetComposited tells whether a compositor blends windows now.
func (p *Pet) SetComposited(yes bool) {
	if p.surf.Composited() != yes {
		p.region = render.Region{}
		p.surf.SetComposited(yes)
		p.maskedAt, p.stale = time.Time{}, true
	}
}

// report hands the body's events on and notes where she came to rest.
func (p *Pet) report(now time.Time) {
	for _, e := range p.body.Events() {
		if p.OnBody != nil {
			p.OnBody(e)
		}
	}
	s := p.body.State(now)
	if s.Posture == body.Standing && !s.Moving && s.Root != p.restAt {
		p.restAt = s.Root
		if p.OnMoved != nil {
			p.OnMoved(s.Root)
		}
	}
}

// Do runs one body command; done is called once, on the main thread.
func (p *Pet) Do(c body.Command, done func(body.Result)) {
	p.body.Do(c, p.loop.Now(), done)
	p.soon = true
}
