package vrm

import (
	"math"
	"slices"
	"strings"
)

// jsonMaterial0 is one of VRM 0.x's materialProperties: the settings of a Unity shader by their names there.
type jsonMaterial0 struct {
	Name     string               `json:"name"`
	Shader   string               `json:"shader"`
	Queue    int                  `json:"renderQueue"`
	Floats   map[string]float32   `json:"floatProperties"`
	Vectors  map[string][]float32 `json:"vectorProperties"`
	Textures map[string]int       `json:"textureProperties"`
}

func (j *jsonMaterial0) float(name string, other float32) float32 {
	if v, ok := j.Floats[name]; ok {
		return v
	}
	return other
}

// color returns an sRGB colour of the file as linear, or other.
func (j *jsonMaterial0) color(name string, other [4]float32) [4]float32 {
	v, ok := j.Vectors[name]
	if !ok || len(v) < 3 {
		return other
	}
	out := [4]float32{linear(v[0]), linear(v[1]), linear(v[2]), 1}
	if len(v) > 3 {
		out[3] = v[3]
	}
	return out
}

func rgb(c [4]float32) [3]float32 { return [3]float32{c[0], c[1], c[2]} }

// material0 overlays a 0.x material on the glTF material beside it. MToon 0.x is converted to the parameters of 1.0 by
// the rules that VRM's own migration uses; the unlit shaders of 0.x become Unlit; other shaders keep the glTF material.
func (f file0) material0(m *Material, j *jsonMaterial0, queues queues0) {
	switch {
	case j.Shader == "VRM/MToon":
	case strings.HasPrefix(j.Shader, "VRM/Unlit"):
		f.unlit0(m, j, queues)
		return
	default:
		return
	}
	m.Kind = MToon
	m.alpha0(j, queues)
	m.DoubleSided = j.float("_CullMode", 2) == 0
	m.Cutoff = j.float("_Cutoff", 0.5)
	m.Color = j.color("_Color", [4]float32{1, 1, 1, 1})
	m.Shade = rgb(j.color("_ShadeColor", [4]float32{linear(0.97), linear(0.81), linear(0.86), 1}))
	m.ShadingToony, m.ShadingShift = shading0(j.float("_ShadeToony", 0.9), j.float("_ShadeShift", 0))
	m.GIEqual = 1 - j.float("_IndirectLightIntensity", 0.1)
	m.NormalScale = j.float("_BumpScale", 1)
	m.Emissive = [3]float32{}
	copy(m.Emissive[:], j.Vectors["_EmissionColor"]) // linear in the file: the shader marks it HDR
	m.Rim = rgb(j.color("_RimColor", [4]float32{0, 0, 0, 1}))
	m.RimMix, m.RimFresnel, m.RimLift = j.float("_RimLightingMix", 0), j.float("_RimFresnelPower", 1), j.float("_RimLift", 0)
	m.outline0(j)
	m.UVScroll = [2]float32{j.float("_UvAnimScrollX", 0), -j.float("_UvAnimScrollY", 0)}
	m.UVRotate = 2 * math.Pi * j.float("_UvAnimRotation", 0)
	f.textures0(m, j, []slot0{
		{"_MainTex", &m.ColorTex}, {"_ShadeTexture", &m.ShadeTex}, {"_BumpMap", &m.NormalTex}, {"_EmissionMap", &m.EmissiveTex},
		{"_SphereAdd", &m.MatcapTex}, {"_RimTexture", &m.RimTex}, {"_OutlineWidthTexture", &m.OutlineTex}, {"_UvAnimMaskTexture", &m.UVMaskTex},
	})
	if m.ShadeTex == m.ColorTex { // the shader of 0.x never lets shade be brighter than light
		for k := range m.Shade {
			m.Shade[k] = min(m.Shade[k], m.Color[k])
		}
	}
}

// shading0 turns the toony and shift of 0.x, which shade where dot(n,l) lies under [shift, lerp(1, shift, toony)],
// into those of 1.0, which shade symmetrically round minus the shift.
func shading0(toony, shift float32) (float32, float32) {
	t := toony + (1-toony)*(0.5+0.5*shift)
	return t, -shift - (1 - t)
}

// outline0 converts the outline: 0.x counts centimetres, or per cent of half the screen's height.
func (m *Material) outline0(j *jsonMaterial0) {
	m.OutlineWidth = j.float("_OutlineWidth", 0.5) / 100
	switch j.float("_OutlineWidthMode", 0) {
	case 1:
		m.Outline = OutlineWorld
	case 2:
		m.Outline = OutlineScreen
		m.OutlineWidth /= 2
	}
	m.OutlineColor = rgb(j.color("_OutlineColor", [4]float32{0, 0, 0, 1}))
	m.OutlineMix = 0
	if j.float("_OutlineColorMode", 0) == 1 {
		m.OutlineMix = j.float("_OutlineLightingMix", 1)
	}
}

func (m *Material) alpha0(j *jsonMaterial0, queues queues0) {
	m.Alpha, m.DepthWrite, m.QueueOffset = Opaque, true, queues.offset(j.mode(), j.Queue)
	switch j.mode() {
	case 1:
		m.Alpha = Mask
	case 2:
		m.Alpha, m.DepthWrite = Blend, false
	case 3:
		m.Alpha = Blend
	}
}

func (f file0) unlit0(m *Material, j *jsonMaterial0, queues queues0) {
	m.Kind = Unlit
	m.alpha0(j, queues)
	m.Cutoff = j.float("_Cutoff", m.Cutoff)
	m.Color = j.color("_Color", m.Color)
	f.textures0(m, j, []slot0{{"_MainTex", &m.ColorTex}})
}

type slot0 struct {
	name string
	to   *TexRef
}

// textures0 sets the textures that the 0.x material names. All follow the offset and scale of _MainTex, whose v axis
// points up where glTF's points down.
func (f file0) textures0(m *Material, j *jsonMaterial0, slots []slot0) {
	offset, scale := [2]float32{0, 0}, [2]float32{1, 1}
	if v := j.Vectors["_MainTex"]; len(v) >= 4 {
		scale = [2]float32{v[2], v[3]}
		offset = [2]float32{v[0], 1 - v[1] - v[3]}
	}
	for _, s := range slots {
		*s.to = noTexture()
		i, ok := j.Textures[s.name]
		if !ok || i < 0 {
			continue
		}
		ref := f.textureNumber(i)
		ref.Offset, ref.Scale = offset, scale
		if s.name == "_SphereAdd" {
			m.Matcap = [3]float32{1, 1, 1}
			ref.Offset, ref.Scale = [2]float32{}, [2]float32{1, 1}
		}
		*s.to = ref
	}
}

// mode returns the blend mode: 0 opaque, 1 cut out, 2 transparent, 3 transparent with depth.
func (j *jsonMaterial0) mode() int {
	switch j.Shader {
	case "VRM/MToon":
		return int(j.float("_BlendMode", 0))
	case "VRM/UnlitCutout":
		return 1
	case "VRM/UnlitTransparent":
		return 2
	case "VRM/UnlitTransparentZWrite":
		return 3
	}
	return 0
}

// queues0 ranks the render queues of the transparent materials, for 1.0 has nine steps before and nine after where 0.x has
// thousands: plain transparent ones end at 0, those that write depth begin there.
type queues0 struct{ plain, deep []int }

func sortQueues(old []jsonMaterial0) (q queues0) {
	for i := range old {
		switch old[i].mode() {
		case 2:
			q.plain = append(q.plain, old[i].Queue)
		case 3:
			q.deep = append(q.deep, old[i].Queue)
		}
	}
	slices.Sort(q.plain)
	slices.Sort(q.deep)
	q.plain, q.deep = slices.Compact(q.plain), slices.Compact(q.deep)
	return q
}

func (q queues0) offset(mode, queue int) int {
	switch mode {
	case 2:
		return max(slices.Index(q.plain, queue)-(len(q.plain)-1), -9)
	case 3:
		return min(slices.Index(q.deep, queue), 9)
	}
	return 0
}
