package vrm

import (
	"encoding/json"
	"math"
)

// jsonMToon is VRMC_materials_mtoon 1.0. What defaults to something else than zero is a pointer.
type jsonMToon struct {
	ZWrite       bool         `json:"transparentWithZWrite"`
	QueueOffset  int          `json:"renderQueueOffsetNumber"`
	Shade        []float32    `json:"shadeColorFactor"`
	ShadeTex     *textureInfo `json:"shadeMultiplyTexture"`
	Shift        float32      `json:"shadingShiftFactor"`
	ShiftTex     *textureInfo `json:"shadingShiftTexture"`
	Toony        *float32     `json:"shadingToonyFactor"`
	GIEqual      *float32     `json:"giEqualizationFactor"`
	Matcap       []float32    `json:"matcapFactor"`
	MatcapTex    *textureInfo `json:"matcapTexture"`
	Rim          []float32    `json:"parametricRimColorFactor"`
	RimTex       *textureInfo `json:"rimMultiplyTexture"`
	RimMix       *float32     `json:"rimLightingMixFactor"`
	RimFresnel   *float32     `json:"parametricRimFresnelPowerFactor"`
	RimLift      float32      `json:"parametricRimLiftFactor"`
	Outline      string       `json:"outlineWidthMode"`
	OutlineWidth float32      `json:"outlineWidthFactor"`
	OutlineTex   *textureInfo `json:"outlineWidthMultiplyTexture"`
	OutlineColor []float32    `json:"outlineColorFactor"`
	OutlineMix   *float32     `json:"outlineLightingMixFactor"`
	UVMask       *textureInfo `json:"uvAnimationMaskTexture"`
	ScrollX      float32      `json:"uvAnimationScrollXSpeedFactor"`
	ScrollY      float32      `json:"uvAnimationScrollYSpeedFactor"`
	Rotate       float32      `json:"uvAnimationRotationSpeedFactor"`
}

// DefaultMaterial has the defaults of glTF and MToon 1.0. It is that of what names no material.
func DefaultMaterial() Material {
	no := noTexture()
	return Material{
		Kind: Lit, Cutoff: 0.5, DepthWrite: true, Color: [4]float32{1, 1, 1, 1}, ColorTex: no, EmissiveTex: no, NormalTex: no, NormalScale: 1,
		Toon:     Toon{Shade: [3]float32{1, 1, 1}, ShadeTex: no, ShiftTex: no, ShiftScale: 1, ShadingToony: 0.9, GIEqual: 0.9},
		Metal:    Metal{Metallic: 1, Roughness: 1, MetalTex: no},
		RimLight: RimLight{MatcapTex: no, RimTex: no, RimMix: 1, RimFresnel: 5},
		Contour:  Contour{OutlineTex: no, OutlineMix: 1},
		UVMotion: UVMotion{UVMaskTex: no},
	}
}

// loadMaterials reads the glTF materials with MToon 1.0, or MToon 0.x if old names it.
func (f *file) loadMaterials(m *Model, old []jsonMaterial0) {
	queues := sortQueues(old)
	m.Materials = make([]Material, len(f.Materials))
	for i := range f.Materials {
		mat := f.material(&f.Materials[i])
		if i < len(old) {
			file0{f}.material0(&mat, &old[i], queues)
		}
		mat.tidy()
		m.Materials[i] = mat
	}
}

func (f *file) material(j *jsonMaterial) Material {
	m := DefaultMaterial()
	m.Name, m.DoubleSided = clip(j.Name, maxName), j.DoubleSided
	copy(m.Color[:], j.PBR.Color)
	copy(m.Emissive[:], j.Emissive)
	if s := j.Extensions.EmissiveStrength; s != nil && s.Strength != nil {
		for k := range m.Emissive {
			m.Emissive[k] *= *s.Strength
		}
	}
	switch j.AlphaMode {
	case "MASK":
		m.Alpha = Mask
	case "BLEND":
		m.Alpha, m.DepthWrite = Blend, false
	}
	for _, v := range []struct{ to, from *float32 }{{&m.Cutoff, j.Cutoff}, {&m.Metallic, j.PBR.Metallic}, {&m.Roughness, j.PBR.Roughness}} {
		if v.from != nil {
			*v.to = *v.from
		}
	}
	if j.Normal != nil && j.Normal.Scale != nil {
		m.NormalScale = *j.Normal.Scale
	}
	var yui struct {
		MinOutline float32 `json:"minOutlinePx"`
	}
	if e := yuiExtras(j.Extras); e != nil && json.Unmarshal(e, &yui) == nil {
		m.ExtrasMinWidth = min(max(yui.MinOutline, 0), 16)
	}
	f.textures([]slot{{&m.ColorTex, j.PBR.ColorTex}, {&m.NormalTex, j.Normal}, {&m.EmissiveTex, j.EmissiveTex}, {&m.MetalTex, j.PBR.MetalTex}})
	switch {
	case len(j.Extensions.MToon) > 0:
		f.mtoon(&m, j.Extensions.MToon)
	case j.Extensions.Unlit != nil:
		m.Kind = Unlit
	}
	return m
}

// slot is a texture of a material and where the file speaks of it.
type slot struct {
	to   *TexRef
	from *textureInfo
}

func (f *file) textures(slots []slot) {
	for _, s := range slots {
		*s.to = f.texture(s.from)
	}
}

func (f *file) mtoon(m *Material, raw json.RawMessage) {
	var j jsonMToon
	f.extension("VRMC_materials_mtoon", raw, &j)
	m.Kind = MToon
	m.DepthWrite = m.Alpha != Blend || j.ZWrite
	m.QueueOffset = min(max(j.QueueOffset, -9), 9)
	copy(m.Shade[:], j.Shade)
	m.ShadingShift, m.RimLift = j.Shift, j.RimLift
	for _, v := range []struct{ to, from *float32 }{
		{&m.ShadingToony, j.Toony}, {&m.GIEqual, j.GIEqual}, {&m.RimMix, j.RimMix}, {&m.RimFresnel, j.RimFresnel}, {&m.OutlineMix, j.OutlineMix},
	} {
		if v.from != nil {
			*v.to = *v.from
		}
	}
	if j.ShiftTex != nil && j.ShiftTex.Scale != nil {
		m.ShiftScale = *j.ShiftTex.Scale
	}
	copy(m.Rim[:], j.Rim)
	switch j.Outline {
	case "worldCoordinates":
		m.Outline = OutlineWorld
	case "screenCoordinates":
		m.Outline = OutlineScreen
	}
	m.OutlineWidth = j.OutlineWidth
	copy(m.OutlineColor[:], j.OutlineColor)
	m.UVScroll, m.UVRotate = [2]float32{j.ScrollX, j.ScrollY}, j.Rotate
	f.textures([]slot{
		{&m.ShadeTex, j.ShadeTex}, {&m.ShiftTex, j.ShiftTex}, {&m.MatcapTex, j.MatcapTex},
		{&m.RimTex, j.RimTex}, {&m.OutlineTex, j.OutlineTex}, {&m.UVMaskTex, j.UVMask},
	})
	if m.MatcapTex.Index >= 0 {
		m.Matcap = [3]float32{1, 1, 1}
		copy(m.Matcap[:], j.Matcap)
	}
}

// tidy keeps numbers inside what the shader can do with them; files with wild values are drawn, not refused.
func (m *Material) tidy() {
	limit := func(lo, hi float32, vs ...*float32) {
		for _, v := range vs {
			*v = min(max(*v, lo), hi)
			if *v != *v {
				*v = lo
			}
		}
	}
	each := func(lo, hi float32, v []float32) {
		for i := range v {
			limit(lo, hi, &v[i])
		}
	}
	each(0, 1, m.Color[:])
	each(0, 1, m.Shade[:])
	each(0, 1, m.OutlineColor[:])
	each(0, 64, m.Emissive[:])
	each(0, 64, m.Rim[:])
	each(0, 64, m.Matcap[:])
	each(-1e4, 1e4, m.UVScroll[:])
	limit(0, 1, &m.Cutoff, &m.Metallic, &m.Roughness, &m.ShadingToony, &m.GIEqual, &m.RimMix, &m.OutlineMix)
	limit(0, 100, &m.RimFresnel)
	limit(0, 1, &m.OutlineWidth)
	limit(-10, 10, &m.ShadingShift, &m.ShiftScale, &m.NormalScale, &m.RimLift)
	limit(-1e4, 1e4, &m.UVRotate)
	if m.Outline == OutlineNone || m.OutlineWidth == 0 {
		m.Outline, m.OutlineWidth = OutlineNone, 0
	}
	for _, t := range []*TexRef{&m.ColorTex, &m.ShadeTex, &m.ShiftTex, &m.EmissiveTex, &m.NormalTex, &m.MetalTex, &m.MatcapTex, &m.RimTex, &m.OutlineTex, &m.UVMaskTex} {
		each(-1e4, 1e4, t.Offset[:])
		each(-1e4, 1e4, t.Scale[:])
		limit(-1e4, 1e4, &t.Rotation)
	}
}

// linear decodes one sRGB component (IEC 61966-2-1).
func linear(c float32) float32 {
	if c <= 0.04045 {
		return max(c, 0) / 12.92
	}
	return float32(math.Pow((float64(c)+0.055)/1.055, 2.4))
}
