package render

import "strings"

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
