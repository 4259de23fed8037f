package render

import (
	"fmt"
	"strings"

	gl "github.com/go-gl/gl/v3.1/gles2"
)

// features chooses a variant of the program: what a material does not use costs nothing.
type features uint32

// The features, in the order of featureNames and of package raster.
const (
	fBaseTex features = 1 << iota
	fShadeTex
	fShadeSame // the shade texture is the base texture: sampled once
	fShiftTex
	fShiftAlpha // the shift texture travels in the base texture's alpha (opaque materials)
	fBaked      // the textures' colours and shift are in the vertices, see bake.go
	fShown      // the vertices' colours are made for the screen before they are blended: where the blend is a hard edge
	fVertexLit  // light is found at the vertices: half the cost of a pixel on software GL
	fNormalTex
	fMatcap
	fRim
	fRimTex
	fEmissive
	fEmissiveTex
	fUVMove  // one texture transform or animation for all textures, in the vertex program
	fUVMulti // a transform for each texture, in the fragment program
	fUVMask  // masked UV animation, in the fragment program
	fColor   // vertex colours
	fUnlit
	fDouble
	fMask
	fBlend
	fFade
	fOutline
	fScreen // outline width by the screen
	fFlat   // outline of one colour
	fPBR    // light by metallic and roughness
	fMetalTex
	featureCount = iota
	fDepthOnly   = 1 << featureCount // colours stay as they are; package raster only
)

var featureNames = [featureCount]string{"BASE_TEX", "SHADE_TEX", "SHADE_SAME", "SHIFT_TEX", "SHIFT_ALPHA", "BAKED", "SHOWN",
	"VERTEX_LIT", "NORMAL_TEX", "MATCAP", "RIM", "RIM_TEX", "EMISSIVE", "EMISSIVE_TEX", "UV_MOVE", "UV_MULTI", "UV_MASK", "COLOR",
	"UNLIT", "DOUBLE", "MASK", "BLEND", "FADE", "OUTLINE", "SCREEN", "FLAT", "PBR", "METAL_TEX"}

// texture units, one for each sampler.
const (
	unitBase = iota
	unitShade
	unitShift
	unitNormal
	unitMatcap
	unitRim
	unitEmissive
	unitUVMask
	unitCount
)

var samplerNames = [unitCount]string{"uBase", "uShade", "uShift", "uNormal", "uMatcap", "uRimTex", "uEmissiveTex", "uUVMask"}

// uniform block bindings and vertex attributes.
const (
	bindFrame    = 0
	bindMaterial = 1

	attrPosition = 0
	attrNormal   = 1
	attrUV       = 2
	attrLit      = 3
	attrShade    = 4
)

type program struct {
	id       uint32
	features features
}

// program returns the program of a variant, compiling it when it is first asked for.
func (r *Renderer) program(f features) (*program, error) {
	if p, ok := r.programs[f]; ok {
		return p, nil
	}
	head := "#version 300 es\n"
	if !r.lit {
		head += "#define SRGB_TEX\n"
	}
	for i, n := range featureNames {
		if f&(1<<i) != 0 {
			head += "#define " + n + "\n"
		}
	}
	id, err := link(head+uniformBlocks+sharedSource+vertexSource, head+uniformBlocks+sharedSource+fragmentSource)
	if err != nil {
		return nil, fmt.Errorf("compile shader %s: %w", f, err)
	}
	p := &program{id: id, features: f}
	gl.UniformBlockBinding(id, gl.GetUniformBlockIndex(id, gl.Str("Frame\x00")), bindFrame)
	gl.UniformBlockBinding(id, gl.GetUniformBlockIndex(id, gl.Str("Material\x00")), bindMaterial)
	gl.UseProgram(id)
	for unit, n := range samplerNames {
		if l := gl.GetUniformLocation(id, gl.Str(n+"\x00")); l >= 0 {
			gl.Uniform1i(l, int32(unit))
		}
	}
	gl.UseProgram(0)
	r.programs[f] = p
	return p, nil
}

// String lists the features, for errors and tests.
func (f features) String() string {
	var names []string
	for i, n := range featureNames {
		if f&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, " ")
}

func link(vertex, fragment string) (uint32, error) {
	vs, err := compile(gl.VERTEX_SHADER, vertex)
	if err != nil {
		return 0, err
	}
	defer gl.DeleteShader(vs)
	fs, err := compile(gl.FRAGMENT_SHADER, fragment)
	if err != nil {
		return 0, err
	}
	defer gl.DeleteShader(fs)
	id := gl.CreateProgram()
	gl.AttachShader(id, vs)
	gl.AttachShader(id, fs)
	gl.LinkProgram(id)
	var ok int32
	gl.GetProgramiv(id, gl.LINK_STATUS, &ok)
	if ok == gl.FALSE {
		log := make([]byte, 4096)
		var n int32
		gl.GetProgramInfoLog(id, int32(len(log)), &n, &log[0])
		gl.DeleteProgram(id)
		return 0, fmt.Errorf("link: %s", log[:n])
	}
	return id, nil
}

func compile(kind uint32, source string) (uint32, error) {
	id := gl.CreateShader(kind)
	text, free := gl.Strs(source + "\x00")
	defer free()
	gl.ShaderSource(id, 1, text, nil)
	gl.CompileShader(id)
	var ok int32
	gl.GetShaderiv(id, gl.COMPILE_STATUS, &ok)
	if ok == gl.FALSE {
		log := make([]byte, 4096)
		var n int32
		gl.GetShaderInfoLog(id, int32(len(log)), &n, &log[0])
		gl.DeleteShader(id)
		return 0, fmt.Errorf("%s", log[:n])
	}
	return id, nil
}
