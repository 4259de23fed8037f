package render

import (
	"fmt"
	"math"
	"sort"
	"unsafe"

	gl "github.com/go-gl/gl/v3.1/gles2"

	"yui/avatar/render/raster"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// Scene is a model in the GPU's memory, shared by all pets that wear it. It keeps no reference to the model's images.
type Scene struct {
	r        *Renderer
	mesh     *mesh
	fixed    uint32 // buffer of fixedVertex
	index    uint32 // buffer
	wide     bool   // indices are 32 bits
	looks    []look // for each batch
	draws    []drawing
	tints    [][]tint // for each material
	hulls    []hull
	animated []bool // for each material: its uniforms change by themselves
	textures map[textureKey]uint32
	soft     [][unitCount]*raster.Texture // for each batch, where package raster draws
	pictures map[textureKey]*raster.Texture
	spans    []span // for each batch, its vertices
	released bool
}

const fixedSize = int(unsafe.Sizeof(fixedVertex{}))

// drawing is everything one batch binds.
type drawing struct {
	surface, outline *program
	texture          [unitCount]uint32
}

// Upload brings a model into the GPU's memory and compiles the programs it needs. Several pets may share the Scene.
// An error names the part of the model that cannot be drawn.
func (r *Renderer) Upload(m *vrm.Model) (*Scene, error) {
	return r.UploadPrepared(m, nil)
}

// Prepared is a model made ready for Upload as far as no GL is needed for that.
type Prepared struct {
	mesh  *mesh
	hulls []hull
	exact bool
}

// Prepare does the longer part of Upload beside the main thread, on any goroutine, for renderers that are not Exact.
func Prepare(m *vrm.Model) (*Prepared, error) { return prepare(m, false) }

func prepare(m *vrm.Model, exact bool) (*Prepared, error) {
	if m == nil {
		return nil, fmt.Errorf("upload model: there is none")
	}
	mesh, err := build(m, !exact)
	if err != nil {
		return nil, err
	}
	if len(mesh.bones) > math.MaxUint16 {
		return nil, fmt.Errorf("upload model: %d bones", len(mesh.bones))
	}
	return &Prepared{mesh: mesh, hulls: newHulls(mesh, !exact), exact: exact}, nil
}

// UploadPrepared is Upload for what Prepare has made of the same model. It keeps the main thread until all is there; see
// Deliver for large models.
func (r *Renderer) UploadPrepared(m *vrm.Model, p *Prepared) (*Scene, error) {
	d, err := r.Deliver(m, p)
	if err != nil {
		return nil, err
	}
	for d.Make() {
		if err := d.Send(); err != nil {
			d.Drop()
			return nil, err
		}
	}
	return d.Scene(), nil
}

// Release frees the model's buffers and textures; call it once no Target draws the Scene any more.
func (s *Scene) Release() {
	if s == nil || s.released {
		return
	}
	s.released = true
	for _, t := range s.pictures {
		t.Release()
	}
	s.pictures = nil
	if s.fixed == 0 {
		return
	}
	gl.DeleteBuffers(1, &s.fixed)
	gl.DeleteBuffers(1, &s.index)
	for _, t := range s.textures {
		if t != 0 {
			gl.DeleteTextures(1, &t)
		}
	}
	s.textures = nil
}

// Triangles returns how many triangles are drawn, outlines not counted.
func (s *Scene) Triangles() int { return len(s.mesh.index) / 3 }

func (s *Scene) collectTints(m *vrm.Model) {
	at := map[int]int{}
	for i, mm := range s.mesh.modelMaterial {
		at[mm] = i
	}
	s.tints = make([][]tint, len(s.mesh.materials))
	for e := range m.Expressions {
		x := &m.Expressions[e]
		for k := range x.Colors {
			if i, ok := at[x.Colors[k].Material]; ok && x.Colors[k].Material >= 0 {
				bind := x.Colors[k]
				s.tints[i] = append(s.tints[i], tint{expression: e, color: &bind})
			}
		}
		for k := range x.UVs {
			if i, ok := at[x.UVs[k].Material]; ok && x.UVs[k].Material >= 0 {
				bind := x.UVs[k]
				s.tints[i] = append(s.tints[i], tint{expression: e, uv: &bind})
			}
		}
	}
}

func (s *Scene) uploadBuffers() {
	m := s.mesh
	gl.BindVertexArray(0)
	gl.GenBuffers(1, &s.fixed)
	gl.BindBuffer(gl.ARRAY_BUFFER, s.fixed)
	if len(m.fixed) > 0 {
		gl.BufferData(gl.ARRAY_BUFFER, len(m.fixed)*fixedSize, gl.Ptr(m.fixed), gl.STATIC_DRAW)
	}
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
	gl.GenBuffers(1, &s.index)
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, s.index)
	s.wide = len(m.position) > math.MaxUint16
	switch {
	case len(m.index) == 0:
		gl.BufferData(gl.ELEMENT_ARRAY_BUFFER, 4, nil, gl.STATIC_DRAW)
	case s.wide:
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

// choose finds what every batch looks like and which textures it needs: those of unit are wanted[batch][unit], by the key
// of a picture or nil.
func (s *Scene) choose(m *vrm.Model) (wanted [][unitCount]*textureKey) {
	n := len(s.mesh.batches)
	s.looks, s.draws, s.soft = make([]look, n), make([]drawing, n), make([][unitCount]*raster.Texture, n)
	s.animated = make([]bool, len(s.mesh.materials))
	wanted = make([][unitCount]*textureKey, n)
	for i := range s.mesh.batches {
		b := &s.mesh.batches[i]
		mat := &s.mesh.materials[b.material]
		moved, tinted := false, false
		for _, t := range s.tints[b.material] {
			moved, tinted = moved || t.uv != nil, tinted || t.color != nil
		}
		l := lookOf(mat, len(m.Textures), moved, tinted, b.baked, s.r.lit)
		if l.surface&fShiftAlpha != 0 && !sameGrid(m, mat.ColorTex.Index, mat.ShiftTex.Index) {
			l.surface = l.surface&^fShiftAlpha | fShiftTex
		}
		s.looks[i] = l
		s.animated[b.material] = l.animated
		wanted[i] = s.keys(m, mat, l)
		for unit, used := range l.units() {
			if used {
				s.draws[i].texture[unit] = s.r.white
			}
		}
	}
	return wanted
}

// units tells which textures a look samples.
func (l look) units() (used [unitCount]bool) {
	uses := [unitCount]features{fBaseTex, fShadeTex | fMetalTex, fShiftTex, fNormalTex, fMatcap, fRimTex, fEmissiveTex, fUVMask}
	for unit := range used {
		used[unit] = (l.surface|l.outline)&uses[unit] != 0
	}
	return used
}

// keys are the textures of a material in a look.
func (s *Scene) keys(m *vrm.Model, mat *vrm.Material, l look) (keys [unitCount]*textureKey) {
	f, used := l.surface|l.outline, l.units()
	for unit, ref := range units(mat) {
		if !used[unit] || ref.Index < 0 || ref.Index >= len(m.Textures) {
			continue
		}
		key := textureKey{ref.Index, -1, colors, unit == unitMatcap || s.r.opt.KeepTextures}
		if unit == unitShift || unit == unitShade && f&fMetalTex != 0 || unit == unitNormal || unit == unitUVMask {
			key.role = data
		}
		if unit == unitBase && f&fShiftAlpha != 0 {
			key.shift = mat.ShiftTex.Index
		}
		keys[unit] = &key
	}
	return keys
}

// textureNeed estimates for each texture how many pixels its whole width is shown at, from the ratio of the triangles'
// size in space to their size in the texture.
func (s *Scene) textureNeed(m *vrm.Model) map[int]float32 {
	height := m.Max[1] - m.Min[1]
	if !(height > 0) {
		return nil
	}
	scale := s.r.opt.TexturePixels / height
	need := map[int]float32{}
	for i := range s.mesh.batches {
		b := &s.mesh.batches[i]
		if b.baked {
			continue
		}
		n := s.density(b) * scale
		for unit, ref := range units(&s.mesh.materials[b.material]) {
			if ref.Index < 0 || unit == unitMatcap {
				continue
			}
			t := n / max(min(abs(ref.Scale[0]), abs(ref.Scale[1])), 1e-3)
			need[ref.Index] = max(need[ref.Index], t)
		}
	}
	return need
}

// density returns metres for one whole texture width: exceeded by a tenth of the batch's surface only.
func (s *Scene) density(b *batch) float32 {
	type piece struct{ ratio, area float32 }
	m := s.mesh
	var pieces []piece
	var total float32
	for i := b.first; i < b.first+b.count; i += 3 {
		a, c, d := m.index[i], m.index[i+1], m.index[i+2]
		e, f := m.position[c].Sub(m.position[a]), m.position[d].Sub(m.position[a])
		area := e.Cross(f).Len()
		ta, tc, td := m.fixed[a].UV, m.fixed[c].UV, m.fixed[d].UV
		uv := abs((tc[0]-ta[0])*(td[1]-ta[1]) - (tc[1]-ta[1])*(td[0]-ta[0]))
		if area <= 0 {
			continue
		}
		total += area
		pieces = append(pieces, piece{float32(math.Sqrt(float64(area / max(uv, 1e-9)))), area})
	}
	sort.Slice(pieces, func(i, j int) bool { return pieces[i].ratio < pieces[j].ratio })
	var sum float32
	for _, p := range pieces {
		if sum += p.area; sum >= total*0.9 {
			return p.ratio
		}
	}
	return 1e6
}

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }

// Prop is a thing drawn beside the pet: a bed, a cushion.
type Prop struct {
	Scene *Scene
	// World places the prop in the model's space.
	World geom.Mat4
	// Opacity from 0 to 1; below 1 the prop shows through as one layer.
	Opacity float32
}
