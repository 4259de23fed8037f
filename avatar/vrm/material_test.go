package vrm

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

func TestMToon1(t *testing.T) {
	m := mustLoad(t, fullCharacter())
	a := m.Materials[0]
	tex := TexRef{Index: 0, Scale: [2]float32{1, 1}}
	want := Material{
		Name: "skin", Kind: MToon, Alpha: Blend, Cutoff: 0.5, DoubleSided: true, DepthWrite: true, QueueOffset: 3, Color: [4]float32{0.5, 0.6, 0.7, 0.8},
		ColorTex: TexRef{Index: 0, Offset: [2]float32{0.1, 0.2}, Scale: [2]float32{2, 3}, Rotation: 0.5},
		Emissive: [3]float32{0.2, 0.4, 0.6}, EmissiveTex: noTexture(), NormalTex: noTexture(), NormalScale: 1,
		Toon:     Toon{Shade: [3]float32{0.3, 0.2, 0.1}, ShadeTex: tex, ShadingShift: -0.2, ShiftTex: tex, ShiftScale: 0.7, ShadingToony: 0.95, GIEqual: 0.4},
		Metal:    Metal{Metallic: 1, Roughness: 1, MetalTex: noTexture()},
		RimLight: RimLight{Matcap: [3]float32{0.9, 0.8, 0.7}, MatcapTex: tex, Rim: [3]float32{0.4, 0.5, 0.6}, RimTex: tex, RimMix: 0.3, RimFresnel: 4, RimLift: 0.05},
		Contour:  Contour{Outline: OutlineWorld, OutlineWidth: 0.003, OutlineTex: tex, OutlineColor: [3]float32{0.2, 0.1, 0.1}, OutlineMix: 0.6, ExtrasMinWidth: 1.5},
		UVMotion: UVMotion{UVMaskTex: tex, UVScroll: [2]float32{0.1, 0.2}, UVRotate: 0.3},
	}
	if a != want {
		t.Errorf("material\n%+v\nwant\n%+v", a, want)
	}
}

func TestMaterialDefaults(t *testing.T) {
	m := mustLoad(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
		g.add("materials", obj{"alphaMode": "MASK"})
		g.add("materials", obj{"extensions": obj{"KHR_materials_unlit": obj{}}, "alphaMode": "BLEND"})
		g.add("materials", obj{"extensions": obj{"VRMC_materials_mtoon": obj{"matcapFactor": []float32{1, 1, 1}}}})
	}))
	if a := m.Materials[0]; a.Kind != Lit || a.Alpha != Mask || a.Cutoff != 0.5 || !a.DepthWrite || a.Metallic != 1 || a.Roughness != 1 || a.Color != [4]float32{1, 1, 1, 1} || a.ColorTex.Index != -1 {
		t.Errorf("plain %+v", a)
	}
	if a := m.Materials[1]; a.Kind != Unlit || a.Alpha != Blend || a.DepthWrite {
		t.Errorf("unlit %+v", a)
	}
	a := m.Materials[2]
	if a.Kind != MToon || a.Shade != [3]float32{1, 1, 1} || a.ShadingToony != 0.9 || a.GIEqual != 0.9 || a.RimMix != 1 || a.RimFresnel != 5 || a.OutlineMix != 1 || a.Outline != OutlineNone {
		t.Errorf("mtoon %+v", a)
	}
	if a.Matcap != [3]float32{} {
		t.Error("a matcap without texture adds light")
	}
}

// Wild numbers are brought within what a shader can draw.
func TestWildMaterial(t *testing.T) {
	m := mustLoad(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
		g.add("materials", obj{"alphaCutoff": 40, "pbrMetallicRoughness": obj{"baseColorFactor": []float32{-5, 9}}, "emissiveFactor": []float64{1e30, 0, 0},
			"extensions": obj{"KHR_materials_emissive_strength": obj{"emissiveStrength": 1e30}, "VRMC_materials_mtoon": obj{
				"renderQueueOffsetNumber": 4000, "shadingToonyFactor": 7, "outlineWidthMode": "worldCoordinates", "outlineWidthFactor": 1e9, "shadingShiftFactor": "none"}}})
	}))
	a := m.Materials[0]
	if a.Color != [4]float32{0, 1, 1, 1} || a.Emissive[0] > 100 || a.ShadingToony != 1 || a.QueueOffset != 9 || a.OutlineWidth > 1 || a.Cutoff != 1 {
		t.Errorf("material %+v", a)
	}
}

// Textures and images are two lists. Only those that a material uses are decoded, each image once.
func TestTexturesAreNotImages(t *testing.T) {
	m := mustLoad(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
		red := g.add("images", obj{"bufferView": g.view(picture(3, 1, color.NRGBA{255, 0, 0, 255})), "name": "red"})
		g.add("images", obj{"bufferView": g.view([]byte("not a picture, and not used"))})
		blue := g.add("images", obj{"bufferView": g.view(picture(1, 2, color.NRGBA{0, 0, 255, 128}))})
		g.add("samplers", obj{"magFilter": 9728, "minFilter": 9729, "wrapS": 33071, "wrapT": 33648})
		g.add("textures", obj{"source": 1})
		b := g.add("textures", obj{"source": blue, "name": "sky"})
		r1 := g.add("textures", obj{"source": red, "sampler": 0})
		r2 := g.add("textures", obj{"source": red})
		none := g.add("textures", obj{})
		for _, t := range []int{b, r1, r2, r1, none} {
			g.add("materials", obj{"pbrMetallicRoughness": obj{"baseColorTexture": obj{"index": t}}})
		}
	}))
	at := func(i int) Texture { return m.Textures[m.Materials[i].ColorTex.Index] }
	if len(m.Textures) != 3 {
		t.Fatalf("%d textures", len(m.Textures))
	}
	if b := at(0); b.Image.Rect.Dy() != 2 || !bytes.Equal(b.Image.Pix[:4], []byte{0, 0, 255, 128}) || b.Name != "sky" || b.WrapS != 10497 || b.Nearest {
		t.Errorf("blue %+v", b)
	}
	if r := at(1); r.Image != at(2).Image || r.Name != "red" || r.WrapS != 33071 || r.WrapT != 33648 || !r.Nearest || !r.NoMipmaps {
		t.Errorf("red %+v", r)
	}
	if m.Materials[1].ColorTex.Index != m.Materials[3].ColorTex.Index || m.Materials[4].ColorTex.Index != -1 {
		t.Error("the same texture has two numbers, or one without image has any")
	}
}

func TestImageKinds(t *testing.T) {
	src := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	for i := range 4 {
		src.Set(i%2, i/2, color.NRGBA{200, 100, 50, 255})
	}
	gray := image.NewGray(src.Rect)
	for i := range gray.Pix {
		gray.Pix[i] = 77
	}
	pal := image.NewPaletted(src.Rect, color.Palette{color.NRGBA{200, 100, 50, 90}})
	deep := image.NewNRGBA64(src.Rect)
	for i := range 4 {
		deep.Set(i%2, i/2, color.NRGBA64{0x8000, 0x4000, 0x2000, 0x8000})
	}
	enc := func(img image.Image) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var jpg bytes.Buffer
	if err := jpeg.Encode(&jpg, src, &jpeg.Options{Quality: 100}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		want [4]int
	}{
		"png":         {enc(src), [4]int{200, 100, 50, 255}},
		"gray":        {enc(gray), [4]int{77, 77, 77, 255}},
		"palette":     {enc(pal), [4]int{200, 100, 50, 90}},
		"sixteen bit": {enc(deep), [4]int{128, 64, 32, 128}},
		"jpeg":        {jpg.Bytes(), [4]int{200, 100, 50, 255}},
	} {
		img, err := decodeImage(c.data, keptSide)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for k, w := range c.want {
			if d := int(img.Pix[k]) - w; d < -3 || d > 3 {
				t.Errorf("%s: %v, want %v", name, img.Pix[:4], c.want)
				break
			}
		}
	}
}

// headerOnly is a PNG that claims a size and brings no pixels.
func headerOnly(w, h uint32) []byte {
	ihdr := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), w), h)
	ihdr = append(ihdr, 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), ihdr...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(ihdr))
}

func TestRefusedImages(t *testing.T) {
	with := func(images ...obj) []byte {
		return vrm1(func(g *glb, _ obj, _ map[string]int) {
			for _, i := range images {
				if b, ok := i["bytes"].([]byte); ok {
					delete(i, "bytes")
					i["bufferView"] = g.view(b)
				}
				tex := g.add("textures", obj{"source": g.add("images", i)})
				g.add("materials", obj{"pbrMetallicRoughness": obj{"baseColorTexture": obj{"index": tex}}})
			}
		})
	}
	var many []obj
	great := blackPNG(t, maxImageSide, 1, 1) // its other rows are never asked for
	for range 6 {
		many = append(many, obj{"bytes": great})
	}
	for name, c := range map[string]struct {
		data  []byte
		words []string
	}{
		"too wide":        {with(obj{"bytes": headerOnly(100000, 1)}), []string{"image 0", "100000 x 1", "smaller"}},
		"many great ones": {with(many...), []string{"together"}},
	} {
		t.Run(name, func(t *testing.T) { refused(t, c.data, c.words...) })
	}
	for name, c := range map[string]struct{ data, words string }{
		"bomb":         {string(with(obj{"bytes": headerOnly(1<<31-1, 1<<31-1)})), "image 0"},
		"no pixels":    {string(with(obj{"bytes": headerOnly(16, 16)})), "damaged"},
		"gif":          {string(with(obj{"bytes": []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"), "mimeType": "image/gif", "name": "skin"})), `"skin"`},
		"broken webp":  {string(with(obj{"bytes": []byte("RIFF\x00\x00\x00\x00WEBPVP8 "), "mimeType": "image/webp"})), "damaged"},
		"another file": {string(with(obj{"uri": "skin.png"})), "another file"},
		"no data":      {string(with(obj{})), "no data"},
		"view beyond":  {string(with(obj{"bufferView": 77})), "bufferView 77"},
		"cut off":      {string(with(obj{"bytes": picture(64, 64, color.White)[:90]})), "image 0"},
		"wrong pixels": {string(with(obj{"bytes": flipped(picture(8, 8, color.White), "IDAT")})), "checksum"},
		"no such image": {string(vrm1(func(g *glb, _ obj, _ map[string]int) {
			g.add("textures", obj{"source": 9})
			g.add("materials", obj{"normalTexture": obj{"index": 0}})
		})), "image 9"},
		"no such texture": {string(vrm1(func(g *glb, _ obj, _ map[string]int) {
			g.add("materials", obj{"name": "hair", "normalTexture": obj{"index": 4}})
		})), "texture 4"},
		"no source": {string(vrm1(func(g *glb, _ obj, _ map[string]int) {
			g.add("textures", obj{})
			g.add("materials", obj{"emissiveFactor": []float32{1, 1, 1}, "emissiveTexture": obj{"index": 0}})
		})), "no image"},
	} {
		t.Run(name, func(t *testing.T) { // the picture is lost, not the model
			m := mustLoad(t, []byte(c.data))
			for _, mat := range m.Materials {
				for _, ref := range []TexRef{mat.ColorTex, mat.NormalTex, mat.EmissiveTex} {
					if ref.Index >= 0 {
						t.Errorf("a material shows texture %d", ref.Index)
					}
				}
			}
			if len(m.Textures) != 0 || len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], c.words) {
				t.Errorf("%d textures, and it says %q", len(m.Textures), m.Warnings)
			}
		})
	}
	uri := "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture(1, 1, color.White))
	if m := mustLoad(t, with(obj{"uri": uri})); len(m.Textures) != 1 {
		t.Error("an image in a data: URI is not read")
	}
}

// flipped changes the last bit of the checksum of a PNG's part.
func flipped(data []byte, part string) []byte {
	at := bytes.Index(data, []byte(part))
	n := int(binary.BigEndian.Uint32(data[at-4:]))
	data[at+4+n+3] ^= 1
	return data
}

// withPart puts a part after a PNG's head.
func withPart(data []byte, kind, body string) []byte {
	part := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	part = append(append(part, kind...), body...)
	part = binary.BigEndian.AppendUint32(part, crc32.ChecksumIEEE(part[4:]))
	return append(append(bytes.Clone(data[:33]), part...), data[33:]...)
}

// What a PNG says beside its picture may be wrong: a picture of two colours, too, which image/png reads.
func TestPartsBesideThePicture(t *testing.T) {
	two := image.NewPaletted(image.Rect(0, 0, 4, 4), color.Palette{color.White, color.NRGBA{200, 0, 0, 255}})
	for name, data := range map[string][]byte{"plain": picture(4, 4, color.NRGBA{200, 0, 0, 255}), "palette": pngOf(two)} {
		for _, part := range []string{"iCCP", "tEXt", "gAMA"} {
			broken := flipped(withPart(data, part, "name\x00\x00words"), part)
			m := mustLoad(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
				g.add("materials", obj{"pbrMetallicRoughness": obj{"baseColorTexture": obj{"index": g.texture(broken, "image/png")}}})
			}))
			if len(m.Textures) != 1 || len(m.Warnings) != 0 {
				t.Errorf("%s with a wrong %s: %d textures, and it says %q", name, part, len(m.Textures), m.Warnings)
			}
		}
	}
}

// A lost texture leaves the others where they were, and what only it kept in bounds is gone, too.
func TestLostTexture(t *testing.T) {
	m := mustLoad(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
		good, bad, other := g.texture(picture(1, 1, color.White), "image/png"), g.texture([]byte("no"), "image/png"), g.texture(picture(2, 2, color.Black), "image/png")
		g.add("materials", obj{"pbrMetallicRoughness": obj{"baseColorTexture": obj{"index": bad}}, "emissiveFactor": []float32{1, 1, 1},
			"emissiveTexture": obj{"index": bad}, "normalTexture": obj{"index": good}})
		g.add("materials", obj{"pbrMetallicRoughness": obj{"baseColorTexture": obj{"index": other}}, "emissiveFactor": []float32{1, 1, 1}})
	}))
	a, b := m.Materials[0], m.Materials[1]
	if a.ColorTex.Index != -1 || a.EmissiveTex.Index != -1 || a.Emissive != [3]float32{} || m.Textures[a.NormalTex.Index].Image.Rect.Dx() != 1 {
		t.Errorf("the first: %+v", a)
	}
	if m.Textures[b.ColorTex.Index].Image.Rect.Dx() != 2 || b.Emissive != [3]float32{1, 1, 1} || len(m.Textures) != 2 {
		t.Errorf("the second: %+v of %d", b, len(m.Textures))
	}
}

// tinyWebP is one pixel, lossless.
const tinyWebP = "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"

// WebP is read, by its extension, if there is no other picture.
func TestWebP(t *testing.T) {
	for name, c := range map[string]struct {
		texture func(g *glb, webp, other int) obj
		width   int
	}{
		"alone": {func(_ *glb, webp, _ int) obj {
			return obj{"extensions": obj{"EXT_texture_webp": obj{"source": webp}}}
		}, 1},
		"with a fallback": {func(_ *glb, webp, other int) obj {
			return obj{"source": other, "extensions": obj{"EXT_texture_webp": obj{"source": webp}}}
		}, 3},
		"without the extension": {func(_ *glb, webp, _ int) obj { return obj{"source": webp} }, 1},
	} {
		m := mustLoad(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
			g.js["extensionsRequired"] = []any{"EXT_texture_webp"}
			webp := g.add("images", obj{"bufferView": g.view([]byte(tinyWebP)), "mimeType": "image/webp"})
			other := g.add("images", obj{"bufferView": g.view(picture(3, 3, color.White)), "mimeType": "image/png"})
			g.add("materials", obj{"pbrMetallicRoughness": obj{"baseColorTexture": obj{"index": g.add("textures", c.texture(g, webp, other))}}})
		}))
		if len(m.Textures) != 1 || m.Textures[0].Image.Rect.Dx() != c.width {
			t.Errorf("%s: %d textures, %q", name, len(m.Textures), m.Warnings)
		}
	}
}

// Textures greater than a pet can show are halved.
func TestGreatTextures(t *testing.T) {
	img, err := decodeImage(picture(keptSide*2, 64, color.NRGBA{10, 20, 30, 255}), keptSide)
	if err != nil || img.Rect.Dx() != keptSide || img.Rect.Dy() != 32 || !bytes.Equal(img.Pix[:4], []byte{10, 20, 30, 255}) {
		t.Errorf("%v %v", img.Rect, err)
	}
	for _, c := range [][5]int{{100, 50, 2048, 100, 50}, {4096, 4096, 2048, 2048, 2048}, {5000, 3, 64, 39, 1}} {
		if w, h := fitted(c[0], c[1], c[2]); w != c[3] || h != c[4] {
			t.Errorf("%v: %d %d", c, w, h)
		}
	}
}
