package render

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"unsafe"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// Scene is a model as it is drawn, shared by all pets that wear it. It keeps no reference to the model's images.
type Scene struct {
	r        *Renderer
	mesh     *mesh
	looks    []look   // for each batch
	tints    [][]tint // for each material
	hulls    []hull
	animated []bool // for each material: its uniforms change by themselves
	order    []stroke
	stock    stock // what the back end holds
	released bool
}

const fixedSize = int(unsafe.Sizeof(fixedVertex{}))

// stroke is a batch that is drawn, or its outline.
type stroke struct {
	batch   int
	outline bool
}

// Upload brings a model to where it is drawn from, for GL into the GPU's memory, with the programs that it needs. Several
// pets may share the Scene. An error names the part of the model that cannot be drawn.
func (r *Renderer) Upload(m *vrm.Model) (*Scene, error) {
	return r.UploadPrepared(m, nil)
}

// Prepared is a model made ready for Upload as far as that needs no Renderer.
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
	built, err := build(m, !exact)
	if err != nil {
		return nil, err
	}
	if len(built.bones) > math.MaxUint16 {
		return nil, fmt.Errorf("upload model: %d bones", len(built.bones))
	}
	return &Prepared{mesh: built, hulls: newHulls(built, !exact), exact: exact}, nil
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

// Release frees the model's buffers and textures; call it once no Target draws the Scene any more. Twice is fine.
func (s *Scene) Release() {
	if s == nil || s.released {
		return
	}
	s.released = true
	s.stock.release()
}

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

// choose finds what every batch looks like, in which order they are drawn, and which textures they want.
func (s *Scene) choose(m *vrm.Model) wants {
	n := len(s.mesh.batches)
	s.looks, s.animated = make([]look, n), make([]bool, len(s.mesh.materials))
	wanted := make(wants, n)
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
	}
	s.order = orderStrokes(s.looks)
	return wanted
}

// each calls do for every batch and unit that wants a texture.
func (w wants) each(key textureKey, do func(batch, unit int)) {
	for i := range w {
		for unit, k := range w[i] {
			if k != nil && *k == key {
				do(i, unit)
			}
		}
	}
}

// orderStrokes draws surfaces, then the outlines of what is not blended, then blended things each with its outline: all
// batches after the first blended one are blended.
func orderStrokes(looks []look) (order []stroke) {
	blended := slices.IndexFunc(looks, func(l look) bool { return l.alpha == vrm.Blend })
	if blended < 0 {
		blended = len(looks)
	}
	add := func(i int, outline bool) {
		if !outline || looks[i].outline != 0 {
			order = append(order, stroke{i, outline})
		}
	}
	for i := range blended {
		add(i, false)
	}
	for i := range blended {
		add(i, true)
	}
	for i := blended; i < len(looks); i++ {
		add(i, false)
		add(i, true)
	}
	return order
}

// units reports which textures a look samples.
func (l look) units() (used [unitCount]bool) {
	for unit := range used {
		used[unit] = (l.surface|l.outline)&unitFeatures[unit] != 0
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
	scale := math.Float32frombits(s.r.texturePixels.Load()) / height
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
