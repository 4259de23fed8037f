package render

import (
	"math"
	"slices"

	gl "github.com/go-gl/gl/v3.1/gles2"

	"yui/avatar/render/raster"
	"yui/avatar/vrm"
)

// sliceBytes is how much of a texture goes to GL at once: a few milliseconds of the main thread.
const sliceBytes = 4 << 20

// Delivery brings a model into the GPU's memory in pieces, so that the main thread draws frames between them. Make and
// Send take turns; they never run at the same time.
type Delivery struct {
	scene  *Scene
	model  *vrm.Model
	wanted [][unitCount]*textureKey
	need   map[int]float32

	todo    []textureKey // pictures still to be made
	started bool         // the buffers are up
	batch   int          // programs of those before are there
	sending *shipment
}

// shipment is one texture on its way.
type shipment struct {
	key    textureKey
	id     uint32
	art    painting
	level  int
	row    int
	format int32
}

// Deliver begins to upload a model, with what Prepare has made of it or nil. For any goroutine. An error names the part
// of the model that cannot be drawn.
func (r *Renderer) Deliver(m *vrm.Model, p *Prepared) (*Delivery, error) {
	if m == nil || p == nil || p.exact != r.opt.Exact {
		var err error
		if p, err = prepare(m, r.opt.Exact); err != nil {
			return nil, err
		}
	}
	s := &Scene{r: r, mesh: p.mesh, hulls: p.hulls, textures: map[textureKey]uint32{}}
	s.collectTints(m)
	if r.soft {
		s.pictures, s.spans = map[textureKey]*raster.Texture{}, s.vertexSpans()
	}
	d := &Delivery{scene: s, model: m, wanted: s.choose(m), need: s.textureNeed(m)}
	for _, keys := range d.wanted {
		for _, k := range keys {
			if k != nil && !slices.Contains(d.todo, *k) {
				d.todo = append(d.todo, *k)
			}
		}
	}
	return d, nil
}

// Make makes the next piece ready, one picture at a time, and tells whether there is one for Send. For any goroutine.
func (d *Delivery) Make() bool {
	s := d.scene
	if !s.r.soft && (!d.started || d.batch < len(s.draws)) || d.sending != nil {
		return true
	}
	for len(d.todo) > 0 {
		key := d.todo[0]
		d.todo = d.todo[1:]
		n, known := d.need[key.index]
		if !known || key.whole {
			n = math.MaxInt32
		}
		art := paint(d.model, key, n, s.r.largest)
		if s.r.soft {
			s.pictures[key] = softTexture(&d.model.Textures[key.index], art)
			continue
		}
		if len(art.levels) == 0 {
			continue
		}
		d.sending = &shipment{key: key, art: art, format: gl.RGBA8}
		if !s.r.lit {
			art.show()
			if art.means != data {
				d.sending.format = gl.SRGB8_ALPHA8
			}
		}
		return true
	}
	return false
}

// Send gives GL one piece of bounded size: the buffers, the programs of one look, or some rows of a texture. Main thread.
func (d *Delivery) Send() error {
	s := d.scene
	switch {
	case s.r.soft:
	case !d.started:
		s.uploadBuffers()
		d.started = true
	case d.batch < len(s.draws):
		if err := d.compile(); err != nil {
			return err
		}
	case d.sending != nil:
		d.ship()
	}
	return glError("upload model")
}

// compile finds the programs of batches until one had to be compiled.
func (d *Delivery) compile() error {
	s := d.scene
	for had := len(s.r.programs); d.batch < len(s.draws) && len(s.r.programs) == had; d.batch++ {
		draw, l := &s.draws[d.batch], s.looks[d.batch]
		var err error
		if draw.surface, err = s.r.program(l.surface); err != nil {
			return err
		}
		if l.outline != 0 {
			if draw.outline, err = s.r.program(l.outline); err != nil {
				return err
			}
		}
	}
	return nil
}

// ship sends rows of the texture, at most sliceBytes of them.
func (d *Delivery) ship() {
	a := d.sending
	if a.id == 0 {
		gl.GenTextures(1, &a.id)
		d.scene.textures[a.key] = a.id
	}
	gl.BindTexture(gl.TEXTURE_2D, a.id)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 4)
	for left := sliceBytes; left > 0 && a.level < len(a.art.levels); {
		p := a.art.levels[a.level]
		if a.row == 0 {
			gl.TexImage2D(gl.TEXTURE_2D, int32(a.level), a.format, int32(p.w), int32(p.h), 0, gl.RGBA, gl.UNSIGNED_BYTE, nil)
		}
		rows := min(max(left/(4*p.w), 1), p.h-a.row)
		gl.TexSubImage2D(gl.TEXTURE_2D, int32(a.level), 0, int32(a.row), int32(p.w), int32(rows), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(p.pix[4*p.w*a.row:]))
		left -= 4 * p.w * rows
		if a.row += rows; a.row == p.h {
			a.level, a.row = a.level+1, 0
		}
	}
	if a.level == len(a.art.levels) {
		setFilters(&d.model.Textures[a.key.index], len(a.art.levels) > 1)
		d.sending = nil
	}
	gl.BindTexture(gl.TEXTURE_2D, 0)
}

// setFilters tells how the bound texture is read.
func setFilters(t *vrm.Texture, mipmaps bool) {
	filter := int32(gl.LINEAR)
	if t.Nearest {
		filter = gl.NEAREST
	}
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter)
	if mipmaps {
		filter = gl.LINEAR_MIPMAP_NEAREST
	}
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wrapMode(t.WrapS))
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wrapMode(t.WrapT))
}

// Scene is the model once Make has told that nothing is left to send.
func (d *Delivery) Scene() *Scene {
	s := d.scene
	for i, keys := range d.wanted {
		for unit, k := range keys {
			if k == nil {
				continue
			}
			s.soft[i][unit] = s.pictures[*k]
			if id := s.textures[*k]; id != 0 {
				s.draws[i].texture[unit] = id
			}
		}
	}
	return s
}

// Drop frees what was delivered so far, in place of Scene. Main thread.
func (d *Delivery) Drop() { d.scene.Release() }
