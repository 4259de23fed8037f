package vrm

import (
	"image"
	"math"
	"os"
	"path/filepath"
	"testing"

	"yui/avatar/vrm/vrmtest"
)

// heavy builds a character of the size of a bundled one: 14,000 triangles in four parts, 20 morph targets that move a
// face of some 1,200 vertices, one 512 x 512 texture; about 2 MB.
func heavy() []byte {
	return vrm1(func(g *glb, v obj, at map[string]int) {
		skin := g.add("skins", obj{"joints": []int{at["hips"], at["spine"], at["head"]}})
		g.texture(noise(512), "image/png")
		var parts []any
		for k := range 4 {
			parts = append(parts, sphere(g, 60, 30, k == 0))
		}
		mesh := g.add("meshes", obj{"primitives": parts})
		g.add("materials", obj{"pbrMetallicRoughness": obj{"baseColorTexture": obj{"index": 0}}, "extensions": obj{"VRMC_materials_mtoon": obj{"specVersion": "1.0"}}})
		node := g.add("nodes", obj{"mesh": mesh, "skin": skin})
		preset := obj{}
		for i := range 18 {
			preset[presets[i]] = obj{"morphTargetBinds": []any{obj{"node": node, "index": i, "weight": 1}, obj{"node": node, "index": (i + 2) % 20, "weight": 0.2}}}
		}
		v["expressions"] = obj{"preset": preset}
	})
}

func noise(n int) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	for i := range img.Pix {
		img.Pix[i] = byte(i * i >> 7)
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	return pngOf(img)
}

func sphere(g *glb, w, h int, morphs bool) obj {
	var pos, normal, uv, weight []float32
	var joints, idx []uint16
	for y := range h + 1 {
		for x := range w + 1 {
			s, c := math.Sincos(2 * math.Pi * float64(x) / float64(w))
			sy, cy := math.Sincos(math.Pi * float64(y) / float64(h))
			pos = append(pos, float32(s*sy), float32(cy), float32(c*sy))
			normal = append(normal, float32(s*sy), float32(cy), float32(c*sy))
			uv = append(uv, float32(x)/float32(w), float32(y)/float32(h))
			weight = append(weight, 0.5, 0.25, 0.25, 0)
			joints = append(joints, 0, 1, 2, 0)
			if x < w && y < h {
				a := uint16(y*(w+1) + x)
				idx = append(idx, a, a+uint16(w)+1, a+1, a+1, a+uint16(w)+1, a+uint16(w)+2)
			}
		}
	}
	p := obj{"attributes": obj{"POSITION": g.floats("VEC3", pos...), "NORMAL": g.floats("VEC3", normal...), "TEXCOORD_0": g.floats("VEC2", uv...),
		"JOINTS_0": g.shorts("VEC4", joints...), "WEIGHTS_0": g.floats("VEC4", weight...)}, "indices": g.shorts("SCALAR", idx...), "material": 0}
	var targets []any
	for k := range 20 {
		move := make([]float32, len(pos))
		if morphs {
			for i := range 1200 * 3 {
				move[i] = float32(i%(k+2)) * 0.001
			}
		}
		targets = append(targets, obj{"POSITION": g.floats("VEC3", move...)})
	}
	p["targets"] = targets
	return p
}

func benchmarkLoad(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoadHeavy loads a built character of 14,000 triangles and 20 morph targets.
func BenchmarkLoadHeavy(b *testing.B) { benchmarkLoad(b, heavy()) }

// BenchmarkLoadBundled loads Yui herself.
func BenchmarkLoadBundled(b *testing.B) {
	data, err := os.ReadFile(filepath.Join("..", "..", "assets", "characters", "yui.vrm"))
	if err != nil {
		b.Skip(err)
	}
	benchmarkLoad(b, data)
}

// BenchmarkLoadGodette loads the one whole character by others.
func BenchmarkLoadGodette(b *testing.B) {
	data, err := os.ReadFile(filepath.Join(testFiles(b), "vrm0", "Godette_vrm_v4.vrm"))
	if err != nil {
		b.Skip(err)
	}
	benchmarkLoad(b, data)
}

// BenchmarkLoadAnimation loads the built animation.
func BenchmarkLoadAnimation(b *testing.B) {
	data := animated(nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := LoadAnimation(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRefuseHostile refuses a small file that asks for much.
func BenchmarkRefuseHostile(b *testing.B) {
	g := newGLB()
	at := g.add("accessors", obj{"componentType": 5126, "type": "VEC3", "count": maxVertices})
	g.part(obj{"attributes": obj{"POSITION": g.corners()}, "targets": []any{obj{"POSITION": at}}})
	data := g.bytes()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := LoadProp(data); err == nil {
			b.Fatal("no error")
		}
	}
}

// BenchmarkLoadDressed loads a character of 14 MB with twelve textures of 2048 x 2048.
func BenchmarkLoadDressed(b *testing.B) { benchmarkLoad(b, vrmtest.Dressed()) }
