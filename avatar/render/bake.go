package render

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"yui/avatar/vrm"
)

// Many toon models are painted from a palette: within a triangle every texture is one colour or an even ramp. Such
// triangles get their colours from the vertices, exactly as the textures have them, and no texture is sampled while
// drawing. On software GL that halves the cost of a pixel.

// bakeTolerance is how far a texture may be from the vertices' ramp inside a triangle, in steps of 8 bits.
const bakeTolerance = 3

// point is what the textures of a material say at one place: square roots of linear light, and plain numbers.
type point struct {
	lit, shade [3]float32
	shift      float32
}

// baker samples a material's textures on the processor.
type baker struct {
	base, shade, shift, width sampler
	lit                       bool // there is a shade colour
}

func newBaker(m *vrm.Model, mat *vrm.Material, pictures map[textureKey]picture) *baker {
	b := &baker{lit: mat.Kind == vrm.MToon}
	b.base = newSampler(m, mat.ColorTex, colors, pictures)
	if mat.Kind == vrm.MToon {
		b.shade = newSampler(m, mat.ShadeTex, colors, pictures)
		b.shift = newSampler(m, mat.ShiftTex, data, pictures)
		if mat.Outline != vrm.OutlineNone {
			b.width = newSampler(m, mat.OutlineTex, data, pictures)
		}
	} else {
		b.shade = b.base
	}
	return b
}

func (b *baker) at(uv [2]float32) point {
	p := point{lit: [3]float32{1, 1, 1}, shade: [3]float32{1, 1, 1}}
	if b.base.tex != nil {
		p.lit = b.base.at(uv)
	}
	switch {
	case b.shade.tex != nil && b.shade.tex == b.base.tex && b.shade.ref == b.base.ref:
		p.shade = p.lit
	case b.shade.tex != nil:
		p.shade = b.shade.at(uv)
	}
	if b.shift.tex != nil {
		p.shift = b.shift.at(uv)[0]
	}
	return p
}

func (b *baker) widthAt(uv [2]float32) float32 {
	if b.width.tex == nil {
		return 1
	}
	return b.width.at(uv)[1]
}

// evenOnes reports for each triangle of a primitive whether its textures are an even ramp, on all cores.
func (b *baker) evenOnes(p *vrm.Primitive) []bool {
	const chunk = 256
	n := len(p.Indices) / 3
	out := make([]bool, n)
	var next atomic.Int32
	var wg sync.WaitGroup
	work := func() {
		for from := int(next.Add(chunk)) - chunk; from < n; from = int(next.Add(chunk)) - chunk {
			for i := from; i < min(from+chunk, n); i++ {
				t := p.Indices[3*i : 3*i+3]
				out[i] = b.even([3][2]float32{uvAt(p, t[0]), uvAt(p, t[1]), uvAt(p, t[2])})
			}
		}
	}
	for range min(runtime.GOMAXPROCS(0)-1, n/chunk) {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return out
}

// even reports whether the textures are an even ramp between the corners of a triangle.
func (b *baker) even(uv [3][2]float32) bool {
	n := max(b.base.texels(uv), b.shade.texels(uv), b.shift.texels(uv))
	steps := min(max(int(math.Ceil(float64(n))), 2), 12)
	var corner [3]point
	for i := range 3 {
		corner[i] = b.at(uv[i])
	}
	for i := range steps + 1 {
		for j := range steps + 1 - i {
			w := [3]float32{float32(i) / float32(steps), float32(j) / float32(steps), float32(steps-i-j) / float32(steps)}
			var at [2]float32
			for k := range 3 {
				at[0] += w[k] * uv[k][0]
				at[1] += w[k] * uv[k][1]
			}
			if !ramp(&corner, w, b.at(at)) {
				return false
			}
		}
	}
	return true
}

func ramp(corner *[3]point, w [3]float32, is point) bool {
	const tolerance = float32(bakeTolerance) / 255
	var shift float32
	for c := range 3 {
		var lit, shade float32 // the program blends linear light
		for k := range 3 {
			lit += w[k] * corner[k].lit[c] * corner[k].lit[c]
			shade += w[k] * corner[k].shade[c] * corner[k].shade[c]
		}
		if abs(float32(math.Sqrt(float64(lit)))-is.lit[c]) > tolerance || abs(float32(math.Sqrt(float64(shade)))-is.shade[c]) > tolerance {
			return false
		}
		shift += w[c] * corner[c].shift
	}
	return abs(shift-is.shift) <= 5*tolerance // moves the edge of the shade by a hair
}

// bakeable reports whether a material's surface may come from its vertices at all.
func bakeable(m *vrm.Material, moved bool) bool {
	return m.Alpha == vrm.Opaque && !moved && m.UVScroll == [2]float32{} && m.UVRotate == 0
}

// sampler reads one texture as GL would, without mipmaps.
type sampler struct {
	pic picture
	tex *vrm.Texture
	ref vrm.TexRef
	sin float32
	cos float32
}

func newSampler(m *vrm.Model, ref vrm.TexRef, r role, pictures map[textureKey]picture) sampler {
	if ref.Index < 0 || ref.Index >= len(m.Textures) || !usable(m.Textures[ref.Index].Image) {
		return sampler{}
	}
	key := textureKey{index: ref.Index, shift: -1, role: r}
	p, ok := pictures[key]
	if !ok {
		p = toPicture(m.Textures[ref.Index].Image, r)
		pictures[key] = p
	}
	sin, cos := math.Sincos(float64(ref.Rotation))
	return sampler{p, &m.Textures[ref.Index], ref, float32(sin), float32(cos)}
}

func (s *sampler) place(uv [2]float32) (u, v float32) {
	x, y := uv[0]*s.ref.Scale[0], uv[1]*s.ref.Scale[1]
	return s.cos*x + s.sin*y + s.ref.Offset[0], -s.sin*x + s.cos*y + s.ref.Offset[1]
}

func (s *sampler) at(uv [2]float32) [3]float32 {
	u, v := s.place(uv)
	return s.pic.sample(u, v, s.tex)
}

// texels returns how many texels a triangle spans at most.
func (s *sampler) texels(uv [3][2]float32) float32 {
	if s.tex == nil {
		return 0
	}
	var n float32
	for i := range 3 {
		u0, v0 := s.place(uv[i])
		u1, v1 := s.place(uv[(i+1)%3])
		n = max(n, abs(u1-u0)*float32(s.pic.w), abs(v1-v0)*float32(s.pic.h))
	}
	return n
}
