package main

import "image"

type material struct {
	Name        string         `json:"name"`
	PBR         pbr            `json:"pbrMetallicRoughness"`
	AlphaMode   string         `json:"alphaMode,omitempty"`
	DoubleSided bool           `json:"doubleSided,omitempty"`
	Extensions  map[string]any `json:"extensions,omitempty"`
	Extras      any            `json:"extras,omitempty"`
}

type pbr struct {
	BaseColorFactor  [4]float32  `json:"baseColorFactor"`
	BaseColorTexture *textureRef `json:"baseColorTexture,omitempty"`
	MetallicFactor   float32     `json:"metallicFactor"`
	RoughnessFactor  float32     `json:"roughnessFactor"`
}

type mtoon struct {
	SpecVersion                 string      `json:"specVersion"`
	TransparentWithZWrite       bool        `json:"transparentWithZWrite"`
	RenderQueueOffsetNumber     int         `json:"renderQueueOffsetNumber"`
	ShadeColorFactor            [3]float32  `json:"shadeColorFactor"`
	ShadeMultiplyTexture        *textureRef `json:"shadeMultiplyTexture,omitempty"`
	ShadingShiftFactor          float32     `json:"shadingShiftFactor"`
	ShadingShiftTexture         *textureRef `json:"shadingShiftTexture,omitempty"`
	ShadingToonyFactor          float32     `json:"shadingToonyFactor"`
	GIEqualizationFactor        float32     `json:"giEqualizationFactor"`
	ParametricRimColorFactor    [3]float32  `json:"parametricRimColorFactor"`
	RimLightingMixFactor        float32     `json:"rimLightingMixFactor"`
	OutlineWidthMode            string      `json:"outlineWidthMode"`
	OutlineWidthFactor          float32     `json:"outlineWidthFactor"`
	OutlineWidthMultiplyTexture *textureRef `json:"outlineWidthMultiplyTexture,omitempty"`
	OutlineColorFactor          [3]float32  `json:"outlineColorFactor"`
	OutlineLightingMixFactor    float32     `json:"outlineLightingMixFactor"`
}

// The toon look of all bundled models: open places are lit up to a shift of +0.12, closed ones fall into shade.
const (
	shiftFactor  = -0.78
	shiftScale   = 0.9
	toony        = 0.97
	giEqual      = 0.9
	outlineWidth = 0.0075 // metres
	outlinePx    = 1.2    // least width on the screen
)

// image adds a picture and its texture. Mipmaps serve only pictures with detail: palette rows must not mix.
func (d *document) image(name string, img image.Image, mipmaps bool) *textureRef {
	if len(d.Samplers) == 0 {
		d.Samplers = []sampler{
			{filterLinear, filterLinear, wrapClamp, wrapClamp},
			{filterLinear, filterMipmaps, wrapClamp, wrapClamp},
		}
	}
	d.Images = append(d.Images, gltfImage{name, "image/png", d.view(pngBytes(img), 0)})
	t := texture{name, 0, len(d.Images) - 1}
	if mipmaps {
		t.Sampler = 1
	}
	d.Textures = append(d.Textures, t)
	return &textureRef{Index: len(d.Textures) - 1}
}

func (d *document) material(m material, t mtoon) int {
	t.SpecVersion = "1.0"
	m.PBR.RoughnessFactor = 1
	m.Extensions = map[string]any{"VRMC_materials_mtoon": t}
	d.Materials = append(d.Materials, m)
	return len(d.Materials) - 1
}

// toonSet is the palette of one file as textures.
type toonSet struct{ lit, shade, shift, width *textureRef }

func (d *document) toonTextures(rows []colour) toonSet {
	return toonSet{
		lit:   d.image("lit", paletteImage(rows, func(c colour) string { return c.lit }), false),
		shade: d.image("shade", paletteImage(rows, func(c colour) string { return c.shade }), false),
		shift: d.image("shift", shiftImage(), false),
		width: d.image("width", widthImage(), false),
	}
}

// toon is a shaded surface with an outline.
func (d *document) toon(s toonSet, name, outline string) int {
	shift := *s.shift
	shift.Scale = ptr(float32(shiftScale))
	return d.material(material{
		Name:   name,
		PBR:    pbr{BaseColorFactor: [4]float32{1, 1, 1, 1}, BaseColorTexture: s.lit},
		Extras: map[string]any{"yui": map[string]any{"minOutlinePx": outlinePx}},
	}, mtoon{
		ShadeColorFactor: [3]float32{1, 1, 1}, ShadeMultiplyTexture: s.shade,
		ShadingShiftFactor: shiftFactor, ShadingShiftTexture: &shift, ShadingToonyFactor: toony,
		GIEqualizationFactor: giEqual,
		OutlineWidthMode:     "worldCoordinates", OutlineWidthFactor: outlineWidth, OutlineWidthMultiplyTexture: s.width,
		OutlineColorFactor: linear(outline),
	})
}

// flat is a material without shade or outline: whatever the light's direction, its lit colour shows.
func (d *document) flat(name string, tex *textureRef, alpha float32) int {
	m := material{
		Name:        name,
		PBR:         pbr{BaseColorFactor: [4]float32{1, 1, 1, alpha}, BaseColorTexture: tex},
		DoubleSided: true,
	}
	if alpha < 1 {
		m.AlphaMode = "BLEND"
	}
	return d.material(m, mtoon{
		ShadeColorFactor: [3]float32{1, 1, 1}, ShadeMultiplyTexture: tex,
		ShadingShiftFactor: 0.9, ShadingToonyFactor: 0.9, GIEqualizationFactor: giEqual, OutlineWidthMode: "none",
	})
}
