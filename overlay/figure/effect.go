package figure

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"yui/avatar/render"
	"yui/overlay/window"
)

// Effects draws confetti, hearts and sparkles that burst from a pet. It has nothing while none plays: no window, no
// goroutine, no memory of the GPU. Main thread only.
type Effects struct {
	loop   *window.Loop
	bursts []*burst
	frames uint64
	// Still shows a small glow instead (reduced motion).
	Still bool
}

// The effects of show_effect (docs/rules/tools.md#show_effect).
const (
	Confetti = "confetti"
	Hearts   = "hearts"
	Sparkles = "sparkles"
)

// burstLimit keeps a model that loves parties from filling the screen.
const burstLimit = 6

// NewEffects makes the player of effects.
func NewEffects(l *window.Loop) *Effects { return &Effects{loop: l} }

// Place is where on the desktop something bursts, in pixels of the root window.
type Place struct {
	From       image.Point
	Size       int             // the pet's height
	Within     image.Rectangle // her monitor: nothing flies beyond
	Composited bool            // a compositor blends windows
}

// Show lets an effect burst from a place. Several at once are fine.
func (e *Effects) Show(name string, at Place) error {
	if len(e.bursts) >= burstLimit {
		return nil // there is enough to see already
	}
	_, err := e.add(name, at)
	return err
}

func (e *Effects) add(name string, at Place) (*burst, error) {
	b, err := newBurst(e, name, at)
	if err != nil {
		return nil, err
	}
	e.bursts = append(e.bursts, b)
	e.loop.Add(b)
	return b, nil
}

// Running is how many play, Frames how many pictures all have drawn so far.
func (e *Effects) Running() int { return len(e.bursts) }

// Frames counts drawn pictures.
func (e *Effects) Frames() uint64 { return e.frames }

// Close ends what still plays.
func (e *Effects) Close() {
	for _, b := range slices.Clone(e.bursts) {
		b.end()
	}
}

// particle moves by itself; lengths are in pixels, times in seconds, y down.
type particle struct {
	x, y, vx, vy    float32
	gravity, drag   float32
	size, grow      float32
	turn, spin      float32
	flip, flipSpeed float32 // paper turns about its own axis
	sway, swayPhase float32
	born, life      float32
	color           [3]float32
	shape           shape
}

// burst is one effect in a window of its own, no larger than what flies.
type burst struct {
	*window.Surface
	owner     *Effects
	particles []particle
	began     time.Time
	last      time.Time
	life      time.Duration
	picture   *image.RGBA
	over      bool
	quiet     bool   // drawn once, not by the clock
	mask      []byte // without a compositor: the picture's alpha, and the shape made of it
	region    render.Region
}

func newBurst(e *Effects, name string, at Place) (*burst, error) {
	b := &burst{owner: e, began: e.loop.Now(), life: 2600 * time.Millisecond}
	half := at.Size * 9 / 10
	switch {
	case name == cameraMark:
		half, b.life, b.quiet = at.Size, forever, true
	case e.Still:
		half, b.life = at.Size/2, 900*time.Millisecond
	}
	whole := image.Rectangle{Min: at.From, Max: at.From}.Inset(-half)
	r := whole.Intersect(at.Within)
	if r.Empty() {
		r = whole
	}
	s, err := e.loop.NewSurface(window.Figure, "YUI "+name, r.Size())
	if err != nil {
		return nil, fmt.Errorf("show effect: %w", err)
	}
	b.Surface = s
	s.SetComposited(at.Composited)
	s.SetOutline(nil) // clicks pass; without a compositor shape() opens what is drawn
	b.picture = image.NewRGBA(image.Rectangle{Max: r.Size()})
	b.particles = b.make(name, at.From.Sub(r.Min), float32(half), float32(at.Size))
	s.Show(r)
	return b, nil
}

// end closes the window.
func (b *burst) end() {
	b.over = true
	b.owner.loop.Remove(b)
	b.owner.bursts = slices.DeleteFunc(b.owner.bursts, func(o *burst) bool { return o == b })
	b.Destroy()
}

// Next implements Ticker.
func (b *burst) Next(time.Time) (time.Time, bool) {
	if b.quiet && !b.last.IsZero() {
		return b.nextQuiet(), true
	}
	return b.last.Add(time.Second / 60), true
}

// nextQuiet redraws what does not move: a few times while the window is being mapped, since what is drawn before is lost,
// and now and then where something had covered it.
func (b *burst) nextQuiet() time.Time {
	next := b.last.Add(time.Second)
	if b.last.Sub(b.began) < time.Second {
		next = b.last.Add(time.Second / 10)
	}
	if end := b.began.Add(b.life); end.Before(next) {
		return end
	}
	return next
}

// Tick implements Ticker.
func (b *burst) Tick(now time.Time) {
	if now.Sub(b.began) >= b.life {
		b.end()
		return
	}
	dt := float32(min(now.Sub(b.last), time.Second).Seconds())
	if b.last.IsZero() {
		dt = 0
	}
	b.last = now
	b.draw(float32(now.Sub(b.began).Seconds()), dt)
}

func (b *burst) draw(t, dt float32) {
	clear(b.picture.Pix)
	for i := range b.particles {
		p := &b.particles[i]
		if t >= p.born && t < p.born+p.life {
			p.step(dt)
			s := p.sprite(t)
			s.draw(b.picture)
		}
	}
	if !b.Composited() {
		b.cutOut()
	}
	b.Present(b.picture)
	b.owner.frames++
}

// cutOut gives the window the shape of what is drawn, where nothing blends it: the rest would be black.
func (b *burst) cutOut() {
	size := b.picture.Rect.Size()
	if len(b.mask) != size.X*size.Y {
		b.mask = make([]byte, size.X*size.Y)
	}
	for i := range b.mask {
		b.mask[i] = b.picture.Pix[4*i+3]
	}
	if rects, changed := render.Outline(b.mask, size.X, size.Y, alphaSolid, &b.region); changed {
		b.Cut(rects)
	}
}

// step moves a particle on; a late frame is made up for in small steps, so that it flies as far on a slow machine.
func (p *particle) step(dt float32) {
	for ; dt > 0; dt -= stepMost {
		p.move(min(dt, stepMost))
	}
}

// stepMost is the longest step that is still a smooth curve, in seconds.
const stepMost = 1.0 / 30

func (p *particle) move(dt float32) {
	k := float32(math.Exp(float64(-p.drag * dt)))
	p.vx *= k
	p.vy = p.vy*k + p.gravity*dt
	p.swayPhase += dt * 5
	p.x += (p.vx + p.sway*float32(math.Sin(float64(p.swayPhase)))) * dt
	p.y += p.vy * dt
	p.turn += p.spin * dt
	p.flip += p.flipSpeed * dt
}

// sprite is how the particle looks at t.
func (p *particle) sprite(t float32) sprite {
	age := (t - p.born) / p.life
	s := sprite{x: p.x, y: p.y, color: p.color, alpha: min(1, min(age*10, (1-age)*3.2)), shape: p.shape}
	s.w = p.size * min(1, 0.3+age*7) * (1 + p.grow*age)
	s.h = s.w
	switch p.shape {
	case paper:
		turned := float32(math.Cos(float64(p.flip)))
		s.h *= 0.62 * (abs(turned)*0.92 + 0.08)
		for i := range s.color {
			s.color[i] *= 0.82 + 0.18*turned
		}
	case star:
		s.alpha *= float32(0.75 + 0.25*math.Sin(float64(p.flip)))
	}
	sin, cos := math.Sincos(float64(p.turn))
	s.sin, s.cos = float32(sin), float32(cos)
	return s
}

// papers are the palette of the house, with a little mint and sky for a feast.
var papers = [][3]float32{{0.91, 0.45, 0.35}, {0.35, 0.66, 0.63}, {0.97, 0.79, 0.28}, {0.96, 0.64, 0.36}, {0.73, 0.67, 0.82}, {0.49, 0.73, 0.92}, {1, 0.96, 0.88}}

func between(low, high float32) float32 { return low + rand.Float32()*(high-low) }

// make lets an effect's particles leave from a point of the window; half is how far they may fly.
func (b *burst) make(name string, from image.Point, half, size float32) []particle {
	cx, cy := float32(from.X), float32(from.Y)
	if name == cameraMark {
		life := float32(forever.Seconds())
		return []particle{{x: cx, y: cy, size: half, born: -life / 2, life: life, color: papers[0], shape: camera}} // whole at once
	}
	if b.owner.Still {
		return []particle{{x: cx, y: cy, size: half * 0.9, life: 0.9, color: [3]float32{1, 0.9, 0.75}, shape: glow}}
	}
	var list []particle
	switch name {
	case Hearts:
		for range 16 {
			list = append(list, particle{x: cx + between(-0.46, 0.46)*size, y: cy + between(-0.12, 0.2)*size,
				vx: between(-0.1, 0.1) * size, vy: between(-0.42, -0.22) * size, gravity: -0.05 * size, drag: 0.35,
				size: between(0.035, 0.075) * size, turn: between(-0.25, 0.25), spin: between(-0.3, 0.3), sway: between(0.05, 0.13) * size,
				swayPhase: between(0, 6), born: between(0, 0.9), life: between(1.2, 1.7), color: [3]float32{1, 0.68, 0.74}, shape: heart})
		}
	case Sparkles:
		for range 30 {
			a, d := between(0, 2*math.Pi), between(0.2, 0.62)*size
			list = append(list, particle{x: cx + d*float32(math.Cos(float64(a))), y: cy + 0.85*d*float32(math.Sin(float64(a))),
				vy: between(-0.06, -0.01) * size, size: between(0.035, 0.11) * size, turn: between(-0.2, 0.2), spin: between(-0.5, 0.5),
				flip: between(0, 6), flipSpeed: between(5, 9), born: between(0, 1.4), life: between(0.6, 1.1),
				color: [3]float32{1, between(0.78, 0.92), between(0.35, 0.6)}, shape: star})
		}
	default:
		for range 90 {
			a := between(-math.Pi*0.92, -math.Pi*0.08)
			v := between(0.9, 2.1) * size
			list = append(list, particle{x: cx + between(-0.1, 0.1)*size, y: cy,
				vx: v * float32(math.Cos(float64(a))) * 0.75, vy: v * float32(math.Sin(float64(a))), gravity: 1.9 * size, drag: 1.7,
				size: between(0.016, 0.03) * size, turn: between(0, 6), spin: between(-5, 5), flip: between(0, 6), flipSpeed: between(4, 12),
				sway: between(0.02, 0.1) * size, swayPhase: between(0, 6), born: between(0, 0.12), life: between(1.7, 2.45),
				color: papers[rand.IntN(len(papers))], shape: paper})
		}
	}
	return list
}
