// Package figure is the pets on the screen: what each does, how she is drawn, where the pointer touches her, what she wears,
// and what bursts from her. It knows overlay/window, never overlay/ui; cmd/yui/app ties the two.
//
// All of it belongs to the main thread, which window.Loop owns, unless a method says otherwise.
package figure

import (
	"fmt"
	"image"
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
	Reports
	opt    PetOptions
	loop   *window.Loop
	dress  *Wardrobe
	surf   *window.Surface
	body   *body.Body
	player *motion.Player
	size   size
	art    drawing
	hand   hand
	mood   mood

	hidden, paused bool
	frame          body.Frame   // of the last step
	pose           *motion.Pose // likewise; nil before the first
	steppedAt      time.Time
	soon           bool // the next frame is due now, though its clock goes on from the last one
	serial, jump   int  // of the clip and the cut that the player was told last
	restAt         body.Point
	toldBox        image.Rectangle // her figure when her place was last told
	portrait       image.Image     // kept for panels
}

// Reports is what a pet tells. All of it is optional, and called on the main thread.
type Reports struct {
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
}

// mood is what the conversation wants of her.
type mood struct {
	looks   bool // her eyes follow the pointer
	talking bool
	attends bool       // the person writes, or an answer is on its way
	state   clips.ID   // of the talk
	avoided []clips.ID // clips that she does not play by herself
	mouth   float64    // how long she has been speaking, in seconds
}

// NewPet makes a hidden pet.
func (w *Wardrobe) NewPet(opt PetOptions) (*Pet, error) {
	scene, err := w.wear(opt.Model, opt.Prepared)
	if err != nil {
		return nil, fmt.Errorf("draw %s: %w", opt.Name, err)
	}
	p := &Pet{opt: opt, loop: w.loop, dress: w, mood: mood{looks: true}}
	p.player = motion.NewPlayer(opt.Model, w.clips, uint64(w.loop.Now().UnixNano()))
	p.size = opt.measure(p.player.Anatomy())
	p.body = body.New(opt.Body, p.size.shape(), bodyClips(w.clips), nil)
	if p.surf, err = w.loop.NewSurface(window.Figure, opt.Name, p.size.box.Size()); err != nil {
		w.takeOff(opt.Model)
		return nil, err
	}
	p.surf.SetAllWorkspaces(opt.AllWorkspaces)
	p.art = drawing{log: w.loop.Log().With("pet", opt.ID), surf: p.surf, scene: scene, stale: true}
	p.hand = hand{pet: p, touch: body.NewTouch(body.DefaultTouch())}
	if p.art.target, err = render.NewTarget(w.renderer, p.size.box.Dx(), p.size.box.Dy()); err != nil {
		p.surf.Destroy()
		w.takeOff(opt.Model)
		return nil, err
	}
	p.art.target.SetQuality(opt.Quality)
	p.surf.Listen(p.hand.hear)
	w.loop.Add(p)
	return p, nil
}

// Close takes the pet off the screen.
func (p *Pet) Close() {
	p.loop.Remove(p)
	p.body.Cancel()
	p.surf.Current()
	p.art.target.Release()
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
	if err := p.art.try(p.opt.measure(player.Anatomy()), scene, player); err != nil {
		p.dress.takeOff(m)
		p.art.stale = true // the trial has drawn over her
		return fmt.Errorf("draw %s: %w", p.opt.Name, err)
	}
	old := p.opt.Model
	p.opt.Model, p.art.scene, p.player = m, scene, player
	p.player.Avoid(p.mood.avoided...)
	p.fit()
	p.serial, p.portrait = -1, nil
	p.dress.takeOff(old)
	return nil
}

// fit measures anew and has it drawn.
func (p *Pet) fit() {
	p.size = p.opt.measure(p.player.Anatomy())
	p.body.SetShape(p.size.shape())
	p.art.stale = true
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
	p.art.target.SetQuality(q)
	p.art.stale = true
}

// SetAllWorkspaces puts her on every workspace, or leaves her on the present one.
func (p *Pet) SetAllWorkspaces(yes bool) { p.surf.SetAllWorkspaces(yes) }

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
		p.surf.Place(p.size.window(f.Root, p.frame.Bed > 0))
		if f.Cut != nil || p.frame.Cut != nil {
			p.art.stale = true
		}
		p.frame.Root = f.Root
		p.tellPlace()
	}
}

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
		p.art.stale = true
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
	p.body.SetGates(body.Gates{Motion: p.frame.Clip == "" && p.player.Busy() || p.mood.attends, Pipeline: p.mood.talking || p.mood.attends, Hidden: !p.Visible()}, p.loop.Now())
}

// SetLooks tells whether her eyes follow the pointer.
func (p *Pet) SetLooks(yes bool) { p.mood.looks = yes }

// SetAvoided keeps clips out of her idling and pools, by their own names ("lively_hop"), whatever model she wears.
func (p *Pet) SetAvoided(ids []clips.ID) {
	p.mood.avoided = slices.Clone(ids)
	p.player.Avoid(p.mood.avoided...)
}

// SetAttends keeps her where she is while the person writes or an answer is on its way.
func (p *Pet) SetAttends(yes bool) {
	if yes != p.mood.attends {
		p.mood.attends = yes
		p.gates()
	}
}

// SetTalking moves her mouth and keeps her from strolling off.
func (p *Pet) SetTalking(yes bool) {
	if yes != p.mood.talking {
		p.mood.talking = yes
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
	p.mood.state = id
	if !p.hand.touch.Patting() {
		p.player.State(id)
	}
}
