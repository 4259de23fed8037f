package render

import (
	"math"

	gl "github.com/go-gl/gl/v3.1/gles2"
)

// sliceBytes is how much of a texture goes to GL at once: a few milliseconds of the main thread.
const sliceBytes = 4 << 20

// glStock is a scene in the GPU's memory.
type glStock struct {
	b        *glBackend
	scene    *Scene
	wanted   wants
	fixed    uint32 // buffer of fixedVertex
	index    uint32 // buffer
	wide     bool   // indices are 32 bits
	draws    []drawing
	textures []uint32

	started bool // the buffers are up
	batch   int  // programs of those before are there
	sending *shipment
}

// drawing is everything one batch binds.
type drawing struct {
	surface, outline *program
	texture          [unitCount]uint32
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

func (b *glBackend) stock(s *Scene, wanted wants) stock {
	k := &glStock{b: b, scene: s, wanted: wanted, draws: make([]drawing, len(s.looks))}
	for i := range s.looks {
		for unit, used := range s.looks[i].units() {
			if used {
				k.draws[i].texture[unit] = b.white
			}
		}
	}
	return k
}

func (k *glStock) take(key textureKey, a painting) {
	if len(a.levels) == 0 {
		return
	}
	k.sending = &shipment{key: key, art: a, format: gl.RGBA8}
	if !k.b.lit {
		a.show()
		if a.means != data {
			k.sending.format = gl.SRGB8_ALPHA8
		}
	}
}

func (k *glStock) waits() bool { return !k.started || k.batch < len(k.draws) || k.sending != nil }

// send gives GL the buffers, the programs of one look, or some rows of a texture.
func (k *glStock) send() error {
	switch {
	case !k.started:
		k.uploadBuffers()
		k.started = true
	case k.batch < len(k.draws):
		if err := k.compile(); err != nil {
			return err
		}
	case k.sending != nil:
		k.ship()
	}
	return glError("upload model")
}

func (k *glStock) uploadBuffers() {
	m := k.scene.mesh
	gl.BindVertexArray(0)
	gl.GenBuffers(1, &k.fixed)
	gl.BindBuffer(gl.ARRAY_BUFFER, k.fixed)
	if len(m.fixed) > 0 {
		gl.BufferData(gl.ARRAY_BUFFER, len(m.fixed)*fixedSize, gl.Ptr(m.fixed), gl.STATIC_DRAW)
	}
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
	gl.GenBuffers(1, &k.index)
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, k.index)
	k.wide = len(m.position) > math.MaxUint16
	switch {
	case len(m.index) == 0:
		gl.BufferData(gl.ELEMENT_ARRAY_BUFFER, 4, nil, gl.STATIC_DRAW)
	case k.wide:
		gl.BufferData(gl.ELEMENT_ARRAY_BUFFER, 4*len(m.index), gl.Ptr(m.index), gl.STATIC_DRAW)
	default:
		short := make([]uint16, len(m.index))
		for i, v := range m.index {
			short[i] = uint16(v)
		}
		gl.BufferData(gl.ELEMENT_ARRAY_BUFFER, 2*len(short), gl.Ptr(short), gl.STATIC_DRAW)
	}
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, 0)
}

// compile finds the programs of batches until one had to be compiled.
func (k *glStock) compile() error {
	for had := len(k.b.programs); k.batch < len(k.draws) && len(k.b.programs) == had; k.batch++ {
		d, l := &k.draws[k.batch], k.scene.looks[k.batch]
		var err error
		if d.surface, err = k.b.program(l.surface); err != nil {
			return err
		}
		if l.outline != 0 {
			if d.outline, err = k.b.program(l.outline); err != nil {
				return err
			}
		}
	}
	return nil
}

// ship sends rows of the texture, at most sliceBytes of them.
func (k *glStock) ship() {
	a := k.sending
	if a.id == 0 {
		gl.GenTextures(1, &a.id)
		k.textures = append(k.textures, a.id)
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
		setFilters(a.art)
		k.wanted.each(a.key, func(batch, unit int) { k.draws[batch].texture[unit] = a.id })
		k.sending = nil
	}
	gl.BindTexture(gl.TEXTURE_2D, 0)
}

// setFilters tells how the bound texture is read.
func setFilters(a painting) {
	filter := int32(gl.LINEAR)
	if a.nearest {
		filter = gl.NEAREST
	}
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter)
	if len(a.levels) > 1 {
		filter = gl.LINEAR_MIPMAP_NEAREST
	}
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, int32(a.wrapS))
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, int32(a.wrapT))
}

func (k *glStock) release() {
	if !k.started {
		return
	}
	gl.DeleteBuffers(1, &k.fixed)
	gl.DeleteBuffers(1, &k.index)
	for i := range k.textures {
		gl.DeleteTextures(1, &k.textures[i])
	}
	k.textures, k.started = nil, false
}
