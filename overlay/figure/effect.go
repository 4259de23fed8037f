package figure

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v3.1/gles2"

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

// The shapes that the fragment shader knows.
const (
	shapePaper = iota
	shapeHeart
	shapeStar
	shapeGlow
	shapeCamera
)

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
	shape           float32
}

// corner is a vertex as the shader wants it.
type corner struct {
	x, y, u, v float32
	color      [4]float32
	shape      float32
}

// burst is one effect in a window of its own, no larger than what flies.
type burst struct {
	*window.Surface
	owner     *Effects
	particles []particle
	began     time.Time
	last      time.Time
	life      time.Duration
	program   uint32
	array     uint32
	buffer    uint32
	view      int32
	corners   []corner
	over      bool
	quiet     bool   // drawn once, not by the clock
	pixels    []byte // without a compositor: what was drawn, its alpha, and the shape made of it
	mask      []byte
	region    render.Region
}

const effectVertex = `#version 300 es
layout(location = 0) in vec2 place;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 tint;
layout(location = 3) in float shape;
uniform vec2 size;
out vec2 at;
out vec4 color;
flat out float kind;
void main() {
	at = uv;
	color = tint;
	kind = shape;
	gl_Position = vec4(place.x / size.x * 2.0 - 1.0, 1.0 - place.y / size.y * 2.0, 0.0, 1.0);
}` + "\x00"

const effectFragment = `#version 300 es
precision highp float;
in vec2 at;
in vec4 color;
flat in float kind;
out vec4 result;
float heart(vec2 p) {
	p = vec2(abs(p.x), 0.62 - p.y) * 0.86;
	if (p.y + p.x > 1.0) return length(p - vec2(0.25, 0.75)) - 0.35355;
	vec2 a = p - vec2(0.0, 1.0);
	vec2 b = p - 0.5 * max(p.x + p.y, 0.0);
	return sqrt(min(dot(a, a), dot(b, b))) * sign(p.x - p.y);
}
float box(vec2 p, vec2 half_size, float r) {
	vec2 d = abs(p) - half_size + r;
	return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0) - r;
}
void main() {
	float edge = fwidth(at.x) + fwidth(at.y);
	vec3 c = color.rgb;
	float a;
	if (kind < 0.5) {
		a = 1.0;
	} else if (kind < 1.5) {
		float d = heart(at * 0.98);
		a = smoothstep(edge, 0.0, d);
		c = mix(vec3(1.0), color.rgb, smoothstep(-0.16, -0.07, d));
	} else if (kind < 2.5) {
		vec2 p = abs(at);
		float d = pow(p.x, 0.55) + pow(p.y, 0.55);
		a = smoothstep(1.0, 0.72, d) + 0.55 * smoothstep(0.55, 0.0, length(at));
		c = mix(color.rgb, vec3(1.0), smoothstep(0.5, 0.05, length(at)));
	} else if (kind < 3.5) {
		a = 0.6 * smoothstep(1.0, 0.0, length(at));
	} else {
		a = smoothstep(edge, 0.0, length(at) - 0.9);
		float body = min(box(at - vec2(0.0, 0.07), vec2(0.56, 0.38), 0.1), box(at + vec2(0.0, 0.32), vec2(0.2, 0.14), 0.05));
		float lens = abs(length(at - vec2(0.0, 0.07)) - 0.2) - 0.05;
		c = mix(color.rgb, mix(vec3(1.0), color.rgb, smoothstep(edge, 0.0, lens)), smoothstep(edge, 0.0, body));
	}
	a = clamp(a, 0.0, 1.0) * color.a;
	result = vec4(c * a, a);
}` + "\x00"

func newBurst(e *Effects, name string, at Place) (*burst, error) {
	b := &burst{owner: e, began: time.Now(), life: 2600 * time.Millisecond}
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
	if err := b.start(); err != nil {
		s.Destroy()
		return nil, err
	}
	b.particles = b.make(name, at.From.Sub(r.Min), float32(half), float32(at.Size))
	s.Show(r)
	return b, nil
}

func (b *burst) start() (err error) {
	b.Current()
	if b.program, err = window.Program(effectVertex, effectFragment); err != nil {
		return fmt.Errorf("show effect: %w", err)
	}
	name := gles2.Str("size\x00")
	b.view = gles2.GetUniformLocation(b.program, name)
	gles2.GenVertexArrays(1, &b.array)
	gles2.GenBuffers(1, &b.buffer)
	gles2.BindVertexArray(b.array)
	gles2.BindBuffer(gles2.ARRAY_BUFFER, b.buffer)
	const stride = int32(unsafe.Sizeof(corner{}))
	for i, a := range []struct {
		count  int32
		offset uintptr
	}{{2, 0}, {2, 8}, {4, 16}, {1, 32}} {
		gles2.EnableVertexAttribArray(uint32(i))
		gles2.VertexAttribPointerWithOffset(uint32(i), a.count, gles2.FLOAT, false, stride, a.offset)
	}
	gles2.BindVertexArray(0)
	return nil
}

// end closes the window.
func (b *burst) end() {
	b.over = true
	b.owner.loop.Remove(b)
	b.owner.bursts = slices.DeleteFunc(b.owner.bursts, func(o *burst) bool { return o == b })
	b.Current()
	gles2.DeleteProgram(b.program)
	gles2.DeleteVertexArrays(1, &b.array)
	gles2.DeleteBuffers(1, &b.buffer)
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
	b.corners = b.corners[:0]
	for i := range b.particles {
		p := &b.particles[i]
		if t >= p.born && t < p.born+p.life {
			p.step(dt)
			b.add(p, t)
		}
	}
	b.Current()
	gles2.BindFramebuffer(gles2.FRAMEBUFFER, 0)
	gles2.Viewport(0, 0, int32(b.At().Dx()), int32(b.At().Dy()))
	gles2.Disable(gles2.SCISSOR_TEST)
	gles2.Disable(gles2.DEPTH_TEST)
	gles2.Disable(gles2.CULL_FACE)
	gles2.ClearColor(0, 0, 0, 0)
	gles2.Clear(gles2.COLOR_BUFFER_BIT)
	if len(b.corners) > 0 {
		gles2.Enable(gles2.BLEND)
		gles2.BlendFunc(gles2.ONE, gles2.ONE_MINUS_SRC_ALPHA)
		gles2.UseProgram(b.program)
		gles2.Uniform2f(b.view, float32(b.At().Dx()), float32(b.At().Dy()))
		gles2.BindVertexArray(b.array)
		gles2.BindBuffer(gles2.ARRAY_BUFFER, b.buffer)
		gles2.BufferData(gles2.ARRAY_BUFFER, len(b.corners)*int(unsafe.Sizeof(corner{})), gles2.Ptr(b.corners), gles2.STREAM_DRAW)
		gles2.DrawArrays(gles2.TRIANGLES, 0, int32(len(b.corners)))
		gles2.BindVertexArray(0)
	}
	if !b.Composited() {
		b.cutOut()
	}
	b.Swap()
	b.owner.frames++
}

// cutOut gives the window the shape of what is drawn, where nothing blends it: the rest would be black.
func (b *burst) cutOut() {
	w, h := b.At().Dx(), b.At().Dy()
	if len(b.pixels) != 4*w*h {
		b.pixels, b.mask = make([]byte, 4*w*h), make([]byte, w*h)
	}
	gles2.ReadPixels(0, 0, int32(w), int32(h), gles2.RGBA, gles2.UNSIGNED_BYTE, gles2.Ptr(b.pixels))
	for y := range h {
		row := b.pixels[4*w*(h-1-y):] // GL begins at the bottom
		for x := range w {
			b.mask[y*w+x] = row[4*x+3]
		}
	}
	if rects, changed := render.Outline(b.mask, w, h, alphaSolid, &b.region); changed {
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

// add writes the two triangles of a particle.
func (b *burst) add(p *particle, t float32) {
	age := (t - p.born) / p.life
	alpha := min(1, min(age*10, (1-age)*3.2))
	w := p.size * min(1, 0.3+age*7) * (1 + p.grow*age)
	h := w
	if p.shape == shapePaper {
		h = w * 0.62 * float32(math.Abs(math.Cos(float64(p.flip)))*0.92+0.08)
	}
	if p.shape == shapeStar {
		alpha *= float32(0.75 + 0.25*math.Sin(float64(p.flip)))
	}
	s, c := math.Sincos(float64(p.turn))
	sin, cos := float32(s), float32(c)
	light := float32(1)
	if p.shape == shapePaper {
		light = 0.82 + 0.18*float32(math.Cos(float64(p.flip)))
	}
	at := func(u, v float32) corner {
		x, y := u*w, v*h
		return corner{p.x + x*cos - y*sin, p.y + x*sin + y*cos, u, v,
			[4]float32{p.color[0] * light, p.color[1] * light, p.color[2] * light, alpha}, p.shape}
	}
	b.corners = append(b.corners, at(-1, -1), at(1, -1), at(1, 1), at(-1, -1), at(1, 1), at(-1, 1))
}

// papers are the palette of the house, with a little mint and sky for a feast.
var papers = [][3]float32{{0.91, 0.45, 0.35}, {0.35, 0.66, 0.63}, {0.97, 0.79, 0.28}, {0.96, 0.64, 0.36}, {0.73, 0.67, 0.82}, {0.49, 0.73, 0.92}, {1, 0.96, 0.88}}

func between(low, high float32) float32 { return low + rand.Float32()*(high-low) }

// make lets an effect's particles leave from a point of the window; half is how far they may fly.
func (b *burst) make(name string, from image.Point, half, size float32) []particle {
	cx, cy := float32(from.X), float32(from.Y)
	if name == cameraMark {
		life := float32(forever.Seconds())
		return []particle{{x: cx, y: cy, size: half, born: -life / 2, life: life, color: papers[0], shape: shapeCamera}} // whole at once
	}
	if b.owner.Still {
		return []particle{{x: cx, y: cy, size: half * 0.9, life: 0.9, color: [3]float32{1, 0.9, 0.75}, shape: shapeGlow}}
	}
	var list []particle
	switch name {
	case Hearts:
		for range 16 {
			list = append(list, particle{x: cx + between(-0.46, 0.46)*size, y: cy + between(-0.12, 0.2)*size,
				vx: between(-0.1, 0.1) * size, vy: between(-0.42, -0.22) * size, gravity: -0.05 * size, drag: 0.35,
				size: between(0.035, 0.075) * size, turn: between(-0.25, 0.25), spin: between(-0.3, 0.3), sway: between(0.05, 0.13) * size,
				swayPhase: between(0, 6), born: between(0, 0.9), life: between(1.2, 1.7), color: [3]float32{1, 0.68, 0.74}, shape: shapeHeart})
		}
	case Sparkles:
		for range 30 {
			a, d := between(0, 2*math.Pi), between(0.2, 0.62)*size
			list = append(list, particle{x: cx + d*float32(math.Cos(float64(a))), y: cy + 0.85*d*float32(math.Sin(float64(a))),
				vy: between(-0.06, -0.01) * size, size: between(0.035, 0.11) * size, turn: between(-0.2, 0.2), spin: between(-0.5, 0.5),
				flip: between(0, 6), flipSpeed: between(5, 9), born: between(0, 1.4), life: between(0.6, 1.1),
				color: [3]float32{1, between(0.78, 0.92), between(0.35, 0.6)}, shape: shapeStar})
		}
	default:
		for range 90 {
			a := between(-math.Pi*0.92, -math.Pi*0.08)
			v := between(0.9, 2.1) * size
			list = append(list, particle{x: cx + between(-0.1, 0.1)*size, y: cy,
				vx: v * float32(math.Cos(float64(a))) * 0.75, vy: v * float32(math.Sin(float64(a))), gravity: 1.9 * size, drag: 1.7,
				size: between(0.016, 0.03) * size, turn: between(0, 6), spin: between(-5, 5), flip: between(0, 6), flipSpeed: between(4, 12),
				sway: between(0.02, 0.1) * size, swayPhase: between(0, 6), born: between(0, 0.12), life: between(1.7, 2.45),
				color: papers[rand.IntN(len(papers))], shape: shapePaper})
		}
	}
	return list
}
