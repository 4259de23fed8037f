package render

import (
	"math"
	"unsafe"

	"yui/avatar/motion"
	"yui/avatar/vrm"
)

// materialUniforms is the uniform block Material of gl_source.go, in std140.
type materialUniforms struct {
	Color, Shade, Toon, Emissive, Matcap, Rim, Outline, Line, Anim [4]float32
	UV                                                             [2 * unitCount][4]float32
}

// hardEdge is the shadingToony from which the band between lit and shade is too narrow to tell how it is blended.
const hardEdge = 0.9

const materialSize = int(unsafe.Sizeof(materialUniforms{}))

// tintStep is the least change of a colour or a texture offset that is worth a frame: a quarter of an 8-bit step, and far
// less than a pixel of any texture as it is shown. What is smaller adds up and is drawn in time.
const tintStep = 1.0 / 1024

// alike reports whether two materials look the same.
func alike(a, b *materialUniforms) bool {
	const n = materialSize / 4
	x, y := (*[n]float32)(unsafe.Pointer(a)), (*[n]float32)(unsafe.Pointer(b))
	for i := range x {
		if d := x[i] - y[i]; d > tintStep || d < -tintStep || d != d {
			return false
		}
	}
	return true
}

// units returns the texture of each unit.
func units(m *vrm.Material) [unitCount]vrm.TexRef {
	if m.Kind == vrm.Lit { // it has no shade texture
		return [unitCount]vrm.TexRef{m.ColorTex, m.MetalTex, m.ShiftTex, m.NormalTex, m.MatcapTex, m.RimTex, m.EmissiveTex, m.UVMaskTex}
	}
	return [unitCount]vrm.TexRef{m.ColorTex, m.ShadeTex, m.ShiftTex, m.NormalTex, m.MatcapTex, m.RimTex, m.EmissiveTex, m.UVMaskTex}
}

// look is how one material is drawn: what the shader needs to know besides the numbers.
type look struct {
	surface, outline features // outline is 0 if none is drawn
	double, depth    bool
	alpha            vrm.AlphaMode
	animated         bool
}

// lookOf chooses the program variants of a material. moved tells that an expression moves its texture coordinates,
// tinted that one changes its colours, baked that the vertices hold what its textures say, vertexLit
// that light need only be found at vertices.
func lookOf(m *vrm.Material, textures int, moved, tinted, baked, vertexLit bool) look {
	has := func(t vrm.TexRef) bool { return t.Index >= 0 && t.Index < textures }
	l := look{double: m.DoubleSided, alpha: m.Alpha, depth: m.Alpha != vrm.Blend || m.DepthWrite}
	var f features
	set := func(on bool, bit features) {
		if on {
			f |= bit
		}
	}
	set(has(m.ColorTex), fBaseTex)
	set(m.Alpha == vrm.Mask, fMask)
	set(m.Alpha == vrm.Blend, fBlend)
	alphaOnly := f
	glows := m.Emissive != [3]float32{} || tinted && m.Kind != vrm.Unlit
	set(glows, fEmissive)
	set(glows && has(m.EmissiveTex), fEmissiveTex)
	set(m.Kind != vrm.MToon, fColor)
	flat := m.Kind == vrm.Unlit
	if m.Kind == vrm.MToon && !tinted && m.Shade == [3]float32(m.Color[:3]) && sameTexture(m.ColorTex, m.ShadeTex, has) {
		flat = true // lit and shaded are one colour
	}
	rim := m.Kind == vrm.MToon && (m.Rim != [3]float32{} || tinted)
	matcap := m.Kind == vrm.MToon && has(m.MatcapTex) && (m.Matcap != [3]float32{} || tinted)
	switch {
	case flat && !rim && !matcap:
		f |= fUnlit
	case m.Kind == vrm.Lit:
		f |= fPBR
		set(has(m.MetalTex), fMetalTex)
		set(has(m.NormalTex) && m.NormalScale != 0, fNormalTex)
		set(m.DoubleSided, fDouble)
	default:
		switch {
		case has(m.ColorTex) && sameTexture(m.ColorTex, m.ShadeTex, has):
			f |= fShadeSame
		case has(m.ShadeTex):
			f |= fShadeTex
		}
		set(has(m.ShiftTex) && m.ShiftScale != 0, fShiftTex)
		set(has(m.NormalTex) && m.NormalScale != 0, fNormalTex)
		set(m.DoubleSided, fDouble)
		set(rim, fRim)
		set(matcap, fMatcap)
		set((rim || matcap) && has(m.RimTex), fRimTex)
	}
	if f&fShiftTex != 0 && packable(m) {
		f = f&^fShiftTex | fShiftAlpha
	}
	l.animated = m.UVScroll != [2]float32{} || m.UVRotate != 0
	move := uvFeatures(m, has, moved, l.animated)
	l.surface = f | move
	if baked {
		l.surface = l.surface&^(fBaseTex|fShadeTex|fShadeSame|fShiftTex|fShiftAlpha|fColor) | fBaked
	}
	if vertexLit && f&(fUnlit|fNormalTex|fPBR) == 0 {
		l.surface |= fVertexLit
	}
	if baked && vertexLit && f&(fRim|fMatcap|fEmissive|fNormalTex) == 0 && (f&fUnlit != 0 || m.Kind == vrm.MToon && m.ShadingToony >= hardEdge) {
		l.surface |= fShown
	}
	if m.Outline == vrm.OutlineNone || m.Kind != vrm.MToon || m.OutlineWidth <= 0 && m.ExtrasMinWidth <= 0 {
		return l
	}
	l.outline = alphaOnly | fOutline
	if m.Alpha == vrm.Opaque {
		l.outline &^= fBaseTex
	}
	if l.outline&fBaseTex != 0 {
		l.outline |= move
	}
	if m.OutlineMix == 0 {
		l.outline |= fFlat
	} else {
		l.outline |= f & (fRim | fEmissive)
	}
	if m.Outline == vrm.OutlineScreen {
		l.outline |= fScreen
	}
	return l
}

func sameTexture(a, b vrm.TexRef, has func(vrm.TexRef) bool) bool {
	return !has(a) && !has(b) || a == b
}

// packable reports whether the shift texture can travel in the base texture's alpha.
func packable(m *vrm.Material) bool {
	a, b := m.ColorTex, m.ShiftTex
	b.Index = a.Index
	return m.Alpha == vrm.Opaque && a.Index >= 0 && a == b
}

func uvFeatures(m *vrm.Material, has func(vrm.TexRef) bool, moved, animated bool) features {
	var first *vrm.TexRef
	same, plain := true, true
	us := units(m)
	for i := range us {
		t := &us[i]
		if i == unitMatcap || !has(*t) {
			continue
		}
		if t.Offset != [2]float32{} || t.Scale != [2]float32{1, 1} || t.Rotation != 0 {
			plain = false
		}
		if first == nil {
			first = t
		} else if first.Offset != t.Offset || first.Scale != t.Scale || first.Rotation != t.Rotation {
			same = false
		}
	}
	switch {
	case first == nil:
		return 0
	case animated && (!same || has(m.UVMaskTex)):
		return fUVMask | fUVMulti
	case !same:
		return fUVMulti
	case !plain || moved || animated:
		return fUVMove
	}
	return 0
}

// tint is one expression's effect on a material.
type tint struct {
	expression int
	color      *vrm.ColorBind
	uv         *vrm.UVBind
}

// uniformsOf fills the block of a material with the expressions' tints at their weights.
func uniformsOf(m *vrm.Material, tints []tint, p *motion.Pose, seconds float64) materialUniforms {
	c := struct{ color, shade, emissive, matcap, rim, line [4]float32 }{m.Color, rgb(m.Shade), rgb(m.Emissive), rgb(m.Matcap), rgb(m.Rim), rgb(m.OutlineColor)}
	us := units(m)
	for _, t := range tints {
		w := weightOf(p, t.expression)
		if w == 0 {
			continue
		}
		if t.uv != nil {
			for i := range us {
				base := units(m)[i]
				for k := range 2 {
					us[i].Offset[k] += w * (t.uv.Offset[k] - base.Offset[k])
					us[i].Scale[k] += w * (t.uv.Scale[k] - base.Scale[k])
				}
			}
			continue
		}
		blend := func(to *[4]float32, from [4]float32) {
			for k := range 4 {
				to[k] += w * (t.color.Target[k] - from[k])
			}
		}
		switch t.color.Type {
		case "color":
			blend(&c.color, m.Color)
		case "shadeColor":
			blend(&c.shade, rgb(m.Shade))
		case "emissionColor":
			blend(&c.emissive, rgb(m.Emissive))
		case "matcapColor":
			blend(&c.matcap, rgb(m.Matcap))
		case "rimColor":
			blend(&c.rim, rgb(m.Rim))
		case "outlineColor":
			blend(&c.line, rgb(m.OutlineColor))
		}
	}
	k := 1 / max(2-2*m.ShadingToony, 1e-3) // shading = linearstep(-1+toony, 1-toony, dot + shift), as scale and offset
	u := materialUniforms{Color: c.color, Shade: c.shade, Emissive: c.emissive, Matcap: c.matcap, Rim: c.rim, Line: c.line}
	u.Shade[3] = m.ShadingShift*k + 0.5
	u.Toon = [4]float32{k, m.ShiftScale * k, m.Cutoff, m.NormalScale}
	u.Rim[3] = m.RimLift
	if m.Kind == vrm.Lit {
		u.Matcap = [4]float32{m.Metallic, m.Roughness}
	}
	u.Outline = [4]float32{max(m.RimFresnel, 1e-5), m.OutlineWidth, m.ExtrasMinWidth, m.OutlineMix}
	if m.OutlineMix == 0 { // shown as it is
		for k := range 3 {
			u.Line[k] = encodeSRGB(u.Line[k])
		}
	}
	u.Anim = [4]float32{wrap(float64(m.UVScroll[0])*seconds, 1), wrap(float64(m.UVScroll[1])*seconds, 1), wrap(float64(m.UVRotate)*seconds, 2*math.Pi)}
	if m.ColorTex.Index < 0 { // the vertex program reads the first unit's
		for i := len(us) - 1; i > unitBase; i-- {
			if us[i].Index >= 0 && i != unitMatcap {
				us[unitBase] = us[i]
			}
		}
	}
	for i, t := range us {
		sin, cos := math.Sincos(float64(t.Rotation))
		s, co := float32(sin), float32(cos)
		// Columns of T*R*S as KHR_texture_transform has it.
		u.UV[2*i] = [4]float32{co * t.Scale[0], -s * t.Scale[0], s * t.Scale[1], co * t.Scale[1]}
		u.UV[2*i+1] = [4]float32{t.Offset[0], t.Offset[1]}
	}
	return u
}

func rgb(c [3]float32) [4]float32 { return [4]float32{c[0], c[1], c[2], 1} }

func wrap(x, m float64) float32 { return float32(x - math.Floor(x/m)*m) }

func weightOf(p *motion.Pose, e int) float32 {
	if p == nil || e >= len(p.Expressions) {
		return 0
	}
	return p.Expressions[e]
}

// encodeSRGB turns linear light into a screen value, both 0..1.
func encodeSRGB(l float32) float32 {
	x := float64(min(max(l, 0), 1))
	if x <= 0.0031308 {
		return float32(12.92 * x)
	}
	return float32(1.055*math.Pow(x, 1/2.4) - 0.055)
}

// decodeSRGB turns a screen value into linear light, both 0..1.
func decodeSRGB(s float32) float32 {
	if s <= 0.04045 {
		return s / 12.92
	}
	return float32(math.Pow((float64(s)+0.055)/1.055, 2.4))
}
