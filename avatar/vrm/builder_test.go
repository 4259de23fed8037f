package vrm

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
)

// glb builds small GLB files for tests: lists of JSON objects over one binary chunk.
type glb struct {
	js  map[string]any
	bin []byte
}

type obj = map[string]any

func newGLB() *glb {
	return &glb{js: obj{"asset": obj{"version": "2.0"}}}
}

// add appends v to a list of the JSON and returns its number.
func (g *glb) add(list string, v obj) int {
	l, _ := g.js[list].([]any)
	g.js[list] = append(l, v)
	return len(l)
}

// at returns the i-th object of a list, to change it.
func (g *glb) at(list string, i int) obj { return g.js[list].([]any)[i].(obj) }

func (g *glb) ext(name string, v any) {
	e, _ := g.js["extensions"].(obj)
	if e == nil {
		e = obj{}
		g.js["extensions"] = e
	}
	e[name] = v
}

// view appends bytes to the binary chunk and returns the number of their buffer view.
func (g *glb) view(b []byte) int {
	for len(g.bin)%4 != 0 {
		g.bin = append(g.bin, 0)
	}
	at := len(g.bin)
	g.bin = append(g.bin, b...)
	return g.add("bufferViews", obj{"buffer": 0, "byteOffset": at, "byteLength": len(b)})
}

func le(v any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// floats adds an accessor of float32 elements.
func (g *glb) floats(kind string, v ...float32) int {
	return g.add("accessors", obj{"bufferView": g.view(le(v)), "componentType": 5126, "count": len(v) / widths[kind], "type": kind})
}

// shorts adds an accessor of uint16 elements.
func (g *glb) shorts(kind string, v ...uint16) int {
	return g.add("accessors", obj{"bufferView": g.view(le(v)), "componentType": 5123, "count": len(v) / widths[kind], "type": kind})
}

// bytes returns the file.
func (g *glb) bytes() []byte {
	if len(g.bin) > 0 {
		g.js["buffers"] = []any{obj{"byteLength": len(g.bin)}}
	}
	js, err := json.Marshal(g.js)
	if err != nil {
		panic(err)
	}
	return container(string(js), g.bin)
}

// container wraps JSON and data in a GLB.
func container(js string, bin []byte) []byte {
	js += strings.Repeat(" ", (4-len(js)%4)%4)
	out := le([]uint32{glbMagic, 2, 0, uint32(len(js)), chunkJSON})
	out = append(out, js...)
	if len(bin) > 0 {
		for len(bin)%4 != 0 {
			bin = append(bin, 0)
		}
		out = append(out, le([]uint32{uint32(len(bin)), chunkBIN})...)
		out = append(out, bin...)
	}
	binary.LittleEndian.PutUint32(out[8:], uint32(len(out)))
	return out
}

// joint is a bone of the test skeleton: its parent and where it lies in the world.
type joint struct {
	name, parent string
	x, y, z      float32
}

// skeleton is what VRM demands, facing +z, one metre and a half high; the left side is at +x.
var skeleton = []joint{
	{"hips", "", 0, 0.8, 0}, {"spine", "hips", 0, 0.9, 0}, {"head", "spine", 0, 1.3, 0},
	{"leftUpperArm", "spine", 0.2, 1.2, 0}, {"leftLowerArm", "leftUpperArm", 0.4, 1.2, 0}, {"leftHand", "leftLowerArm", 0.6, 1.2, 0},
	{"rightUpperArm", "spine", -0.2, 1.2, 0}, {"rightLowerArm", "rightUpperArm", -0.4, 1.2, 0}, {"rightHand", "rightLowerArm", -0.6, 1.2, 0},
	{"leftUpperLeg", "hips", 0.1, 0.75, 0}, {"leftLowerLeg", "leftUpperLeg", 0.1, 0.4, 0}, {"leftFoot", "leftLowerLeg", 0.1, 0.05, 0},
	{"rightUpperLeg", "hips", -0.1, 0.75, 0}, {"rightLowerLeg", "rightUpperLeg", -0.1, 0.4, 0}, {"rightFoot", "rightLowerLeg", -0.1, 0.05, 0},
}

// bones adds the skeleton's nodes, named by name, and returns their numbers.
func (g *glb) bones(name func(bone string) string) map[string]int {
	at := map[string]int{}
	place := map[string]joint{}
	for _, j := range skeleton {
		p := place[j.parent]
		at[j.name] = g.add("nodes", obj{"name": name(j.name), "translation": []float32{j.x - p.x, j.y - p.y, j.z - p.z}})
		place[j.name] = j
		if j.parent != "" {
			n := g.at("nodes", at[j.parent])
			kids, _ := n["children"].([]any)
			n["children"] = append(kids, at[j.name])
		}
	}
	return at
}

func same(name string) string { return name }

// humanBones lists the bones as VRM 1.0 does.
func humanBones(at map[string]int) obj {
	out := obj{}
	for n, i := range at {
		out[n] = obj{"node": i}
	}
	return out
}

// triangle adds a mesh of one triangle with morph targets that move its first corner; returns mesh and node.
func (g *glb) triangle(targets ...string) (mesh, node int) {
	pos := g.floats("VEC3", 0, 0, 0, 1, 0, 0, 0, 1, 0)
	prim := obj{"attributes": obj{"POSITION": pos}}
	var list []any
	for i := range targets {
		list = append(list, obj{"POSITION": g.floats("VEC3", float32(i+1), 0, 0, 0, 0, 0, 0, 0, 0)})
	}
	m := obj{"name": "triangle", "primitives": []any{prim}}
	if len(targets) > 0 {
		prim["targets"] = list
		m["extras"] = obj{"targetNames": targets}
	}
	mesh = g.add("meshes", m)
	return mesh, g.add("nodes", obj{"name": "shown", "mesh": mesh})
}

// vrm1 returns a bare VRM 1.0 character; change adds to it before it is packed.
func vrm1(change func(g *glb, vrm obj, at map[string]int)) []byte {
	g := newGLB()
	at := g.bones(same)
	v := obj{"specVersion": "1.0", "meta": obj{"name": "Test", "authors": []string{"us"}}, "humanoid": obj{"humanBones": humanBones(at)}}
	if change != nil {
		change(g, v, at)
	}
	g.ext("VRMC_vrm", v)
	return g.bytes()
}

// vrm0 returns a bare VRM 0.x character, which looks to -z in its file: left is at -x.
func vrm0(change func(g *glb, vrm obj, at map[string]int)) []byte {
	g := newGLB()
	at := g.bones(same)
	for _, n := range g.js["nodes"].([]any) {
		t := n.(obj)["translation"].([]float32)
		t[0], t[2] = -t[0], -t[2]
	}
	var bones []any
	for n, i := range at {
		bones = append(bones, obj{"bone": n, "node": i})
	}
	v := obj{"meta": obj{"title": "Old", "author": "us"}, "humanoid": obj{"humanBones": bones}}
	if change != nil {
		change(g, v, at)
	}
	g.ext("VRM", v)
	return g.bytes()
}

func mustLoad(t testing.TB, data []byte) *Model {
	t.Helper()
	m, err := read(data) // with something to see or without
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	return m
}

// refused checks that loading fails with an error that holds every one of the words.
func refused(t testing.TB, data []byte, words ...string) {
	t.Helper()
	m, err := Load(data)
	if err == nil {
		t.Fatalf("load: no error, want one with %q", words)
	}
	if m != nil {
		t.Error("load: a model beside an error")
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("load: error %q does not say %q", err, w)
		}
	}
}

func near(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-4 }

// picture returns a PNG of one colour.
func picture(w, h int, c color.Color) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, c)
		}
	}
	return pngOf(img)
}

func pngOf(img image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// texture adds an image with a texture of its own.
func (g *glb) texture(data []byte, mime string) int {
	img := g.add("images", obj{"bufferView": g.view(data), "mimeType": mime})
	return g.add("textures", obj{"source": img})
}

// paint gives the mesh's first part a material.
func (g *glb) paint(mesh int, material obj) int {
	i := g.add("materials", material)
	g.at("meshes", mesh)["primitives"].([]any)[0].(obj)["material"] = i
	return i
}
