package main

// feature is one thing that a material may need. Its place in the table is its bit.
type feature struct {
	name, note string
}

// The features: what a material does not use costs nothing.
var features = []feature{
	{"BaseTex", ""},
	{"ShadeTex", ""},
	{"ShadeSame", "the shade texture is the base texture: sampled once"},
	{"ShiftTex", ""},
	{"ShiftAlpha", "the shift texture travels in the base texture's alpha (opaque materials)"},
	{"Baked", "the textures' colours and shift are in the vertices, see bake.go"},
	{"Shown", "the vertices' colours are made for the screen before they are blended: where the blend is a hard edge"},
	{"VertexLit", "light is found at the vertices: half the cost of a pixel if the processor draws"},
	{"NormalTex", ""},
	{"Matcap", ""},
	{"Rim", ""},
	{"RimTex", ""},
	{"Emissive", ""},
	{"EmissiveTex", ""},
	{"UVMove", "one texture transform or animation for all textures, found at the vertices"},
	{"UVMulti", "a transform for each texture, found at the pixels"},
	{"UVMask", "masked UV animation, found at the pixels"},
	{"Color", "vertex colours"},
	{"Unlit", ""},
	{"Double", "both sides are seen"},
	{"Mask", ""},
	{"Blend", ""},
	{"Fade", "a prop that appears or goes"},
	{"Outline", ""},
	{"Screen", "outline width by the screen"},
	{"Flat", "outline of one colour"},
	{"PBR", "light by metallic and roughness"},
	{"MetalTex", ""},
	{"DepthOnly", "colours stay as they are; the processor only, GL has a mask for that"},
}

// unit is a place for a texture, in the order of vrm's references (units in material.go). The features sample it.
type unit struct {
	name, sampler string
	features      []string
	ball          bool // sampled by the normal, not by the texture coordinates
}

var units = []unit{
	{"Base", "uBase", []string{"BaseTex"}, false},
	{"Shade", "uShade", []string{"ShadeTex", "MetalTex"}, false},
	{"Shift", "uShift", []string{"ShiftTex"}, false},
	{"Normal", "uNormal", []string{"NormalTex"}, false},
	{"Matcap", "uMatcap", []string{"Matcap"}, true},
	{"Rim", "uRimTex", []string{"RimTex"}, false},
	{"Emissive", "uEmissiveTex", []string{"EmissiveTex"}, false},
	{"UVMask", "uUVMask", []string{"UVMask"}, false},
}
