package render

import (
	"image"
	"math"

	"yui/avatar/vrm"
)

// How a texture goes on beyond its edges, in the numbers of glTF, which are OpenGL's.
const (
	repeat         = 0x2901
	clampToEdge    = 0x812F
	mirroredRepeat = 0x8370
)

// role is what a texture's numbers mean.
type role int

const (
	colors role = iota // sRGB colour, stored as the square root of linear light
	data               // linear numbers, stored as they are
	packed             // colour whose alpha is a number of its own
)

// textureKey tells uploaded textures apart. shift is the texture whose red goes into alpha, -1 for none. A whole one keeps
// the size that the file has.
type textureKey struct {
	index, shift int
	role         role
	whole        bool
}

// picture is an image on its way to a texture, 4 bytes a pixel.
type picture struct {
	w, h int
	pix  []uint8
}

// toPicture copies an image tightly, converted for its role.
func toPicture(img *image.NRGBA, r role) picture {
	b := img.Bounds()
	p := picture{w: b.Dx(), h: b.Dy()}
	p.pix = make([]uint8, 4*p.w*p.h)
	lut := &identityTable
	if r == colors {
		lut = &rootTable
	}
	for y := range p.h {
		from := img.Pix[img.PixOffset(b.Min.X, b.Min.Y+y):]
		to := p.pix[4*p.w*y : 4*p.w*(y+1)]
		for i := 0; i < len(to); i += 4 {
			to[i], to[i+1], to[i+2], to[i+3] = lut[from[i]], lut[from[i+1]], lut[from[i+2]], from[i+3]
		}
	}
	return p
}

var identityTable, rootTable = func() (id, root [256]uint8) {
	for i := range 256 {
		id[i] = uint8(i)
		root[i] = uint8(math.Sqrt(float64(decodeSRGB(float32(i)/255)))*255 + 0.5)
	}
	return
}()

// shownTable turns square roots of linear light back into sRGB.
var shownTable = func() (shown [256]uint8) {
	for i := range 256 {
		root := float32(i) / 255
		shown[i] = uint8(encodeSRGB(root*root)*255 + 0.5)
	}
	return
}()

// halve shrinks a picture by two in each direction that is longer than one pixel. Colours are weighed by alpha, so that
// the unseen colour of empty pixels does not bleed in, and averaged as linear light if they are colours.
func (p picture) halve(r role) picture {
	q := picture{w: max(p.w/2, 1), h: max(p.h/2, 1)}
	q.pix = make([]uint8, 4*q.w*q.h)
	right, below := 4*(min(p.w, 2)-1), 4*p.w*(min(p.h, 2)-1) // 0 if there is but one: the same pixel twice
	for y := range q.h {
		from := p.pix[4*p.w*y*min(p.h, 2):]
		to := q.pix[4*q.w*y : 4*q.w*(y+1)]
		for i := 0; i < len(to); i += 4 {
			at := i * min(p.w, 2)
			halvePixel((*[4]uint8)(to[i:]), (*[4]uint8)(from[at:]), (*[4]uint8)(from[at+right:]), (*[4]uint8)(from[at+below:]), (*[4]uint8)(from[at+below+right:]), r)
		}
	}
	return q
}

func halvePixel(d, a, b, c, e *[4]uint8, r role) {
	wa, wb, wc, we := uint32(a[3]), uint32(b[3]), uint32(c[3]), uint32(e[3])
	alpha := wa + wb + wc + we
	d[3] = uint8((alpha + 2) / 4)
	if r == data {
		for k := range 3 {
			d[k] = uint8((uint32(a[k]) + uint32(b[k]) + uint32(c[k]) + uint32(e[k]) + 2) / 4)
		}
		return
	}
	weigh := r == colors && alpha > 0 && alpha != 4*255
	for k := range 3 {
		sa, sb, sc, se := uint32(a[k])*uint32(a[k]), uint32(b[k])*uint32(b[k]), uint32(c[k])*uint32(c[k]), uint32(e[k])*uint32(e[k])
		if weigh {
			d[k] = squareRoots[(sa*wa+sb*wb+sc*wc+se*we+alpha/2)/alpha]
		} else {
			d[k] = squareRoots[(sa+sb+sc+se+2)/4]
		}
	}
}

// squareRoots are the rounded roots of all squares of bytes and what lies between.
var squareRoots = func() (t [255*255 + 1]uint8) {
	for i := range t {
		t[i] = uint8(math.Sqrt(float64(i)) + 0.5)
	}
	return
}()

// bleed gives fully transparent pixels the colour of their seen neighbourhood, so that filtering makes no dark rims.
func (p picture) bleed() {
	seen := false
	for i := 3; i < len(p.pix); i += 4 {
		if p.pix[i] == 0 {
			seen = true
			break
		}
	}
	if !seen || p.w <= 1 && p.h <= 1 {
		return
	}
	q := p.halve(colors)
	q.bleed()
	for y := range p.h {
		for x := range p.w {
			if d := p.pix[4*(y*p.w+x):]; d[3] == 0 {
				copy(d[:3], q.pix[4*(min(y/2, q.h-1)*q.w+min(x/2, q.w-1)):])
			}
		}
	}
}

// sample reads a picture's colour with bilinear filtering, as GL would with the texture's wrapping.
func (p picture) sample(u, v float32, t *vrm.Texture) (c [3]float32) {
	x, y := float64(u)*float64(p.w)-0.5, float64(v)*float64(p.h)-0.5
	if math.IsNaN(x+y) || math.Abs(x) > 1e9 || math.Abs(y) > 1e9 {
		return c
	}
	if t.Nearest {
		x, y = math.Round(x), math.Round(y)
	}
	x0, y0 := math.Floor(x), math.Floor(y)
	fx, fy := float32(x-x0), float32(y-y0)
	for j := range 2 {
		for i := range 2 {
			w := (fx*float32(i) + (1-fx)*float32(1-i)) * (fy*float32(j) + (1-fy)*float32(1-j)) / 255
			s := p.pix[4*(wrapIndex(int(y0)+j, p.h, t.WrapT)*p.w+wrapIndex(int(x0)+i, p.w, t.WrapS)):]
			for k := range c {
				c[k] += w * float32(s[k])
			}
		}
	}
	return c
}

func wrapIndex(i, n, mode int) int {
	if mode == clampToEdge {
		return min(max(i, 0), n-1)
	}
	if uint(i) < uint(n) {
		return i
	}
	if mode == mirroredRepeat {
		i = ((i % (2 * n)) + 2*n) % (2 * n)
		return min(i, 2*n-1-i)
	}
	return ((i % n) + n) % n
}

func usable(img *image.NRGBA) bool {
	return img != nil && img.Bounds().Dx() > 0 && img.Bounds().Dy() > 0
}

// sameGrid reports whether what one texture says can be told by another's texels: those are as many, or much finer.
func sameGrid(m *vrm.Model, base, other int) bool {
	a, b := m.Textures[base].Image, m.Textures[other].Image
	if !usable(a) || !usable(b) {
		return true
	}
	fits := func(a, b int) bool { return a == b || a >= 8*b }
	return fits(a.Bounds().Dx(), b.Bounds().Dx()) && fits(a.Bounds().Dy(), b.Bounds().Dy())
}

// packShift replaces the alpha of a base picture by the red of another one.
func (p picture) packShift(shift picture, t *vrm.Texture) {
	for y := range p.h {
		for x := range p.w {
			c := shift.sample((float32(x)+0.5)/float32(p.w), (float32(y)+0.5)/float32(p.h), t)
			p.pix[4*(y*p.w+x)+3] = uint8(c[0]*255 + 0.5)
		}
	}
}

// pictureOf is the picture of a key, halved while it is more than twice as large as need (pixels for its whole width)
// asks for, and what its numbers mean.
func pictureOf(m *vrm.Model, key textureKey, need float32, limit int) (p picture, r role, ok bool) {
	t := &m.Textures[key.index]
	if !usable(t.Image) {
		return p, 0, false
	}
	p = toPicture(t.Image, key.role)
	if key.shift >= 0 && usable(m.Textures[key.shift].Image) {
		s := toPicture(m.Textures[key.shift].Image, data)
		for s.w > p.w && s.h > p.h {
			s = s.halve(data)
		}
		p.packShift(s, &m.Textures[key.shift])
		key.role = packed // alpha is no coverage now
	}
	for (float32(max(p.w, p.h)) >= 2*need || max(p.w, p.h) > limit) && min(p.w, p.h) > 4 {
		p = p.halve(key.role)
	}
	if key.role == colors {
		p.bleed()
	}
	return p, key.role, true
}

// painting is what a texture is made of: its picture and, if it has them, all smaller ones (GL's own would average
// square roots), and how it is read.
type painting struct {
	levels       []picture
	means        role
	wrapS, wrapT int
	nearest      bool
}

// paint makes the painting of a key; it has no levels if there is nothing to show. For any goroutine.
func paint(m *vrm.Model, key textureKey, need float32, limit int) (a painting) {
	t := &m.Textures[key.index]
	p, means, ok := pictureOf(m, key, need, limit)
	if !ok {
		return a
	}
	a = painting{levels: []picture{p}, means: means, wrapS: wrapMode(t.WrapS), wrapT: wrapMode(t.WrapT), nearest: t.Nearest}
	if !t.NoMipmaps && !t.Nearest && max(p.w, p.h) > 64 {
		for max(p.w, p.h) > 1 {
			p = p.halve(means)
			a.levels = append(a.levels, p)
		}
	}
	return a
}

// show turns stored colours back into sRGB, which the hardware decodes.
func (a painting) show() {
	if a.means == data {
		return
	}
	for _, p := range a.levels {
		for i := 0; i+3 < len(p.pix); i += 4 {
			c := p.pix[i : i+3 : i+3]
			c[0], c[1], c[2] = shownTable[c[0]], shownTable[c[1]], shownTable[c[2]]
		}
	}
}

func wrapMode(m int) int {
	if m == clampToEdge || m == mirroredRepeat {
		return m
	}
	return repeat
}
