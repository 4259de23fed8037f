// Package vrmtest makes model files for tests and benchmarks of other packages.
package vrmtest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"sync"
)

type object map[string]any

// glb is a glTF file in the making.
type glb struct {
	bin  bytes.Buffer
	json object
}

func (g *glb) add(list string, v any) int {
	l, _ := g.json[list].([]any)
	g.json[list] = append(l, v)
	return len(l)
}

func (g *glb) view(b []byte) int {
	for g.bin.Len()%4 != 0 {
		g.bin.WriteByte(0)
	}
	at := g.bin.Len()
	g.bin.Write(b)
	return g.add("bufferViews", object{"buffer": 0, "byteOffset": at, "byteLength": len(b)})
}

func (g *glb) accessor(kind string, component, width int, count int, data any) int {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, data); err != nil {
		panic(err) // a slice of numbers always encodes
	}
	return g.add("accessors", object{"bufferView": g.view(b.Bytes()), "componentType": component, "type": kind, "count": count / width})
}

func (g *glb) floats(kind string, width int, v []float32) int {
	return g.accessor(kind, 5126, width, len(v), v)
}

func (g *glb) bytes() []byte {
	g.json["buffers"] = []any{object{"byteLength": g.bin.Len()}}
	text, err := json.Marshal(g.json)
	if err != nil {
		panic(err) // maps of numbers and strings always encode
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	for g.bin.Len()%4 != 0 {
		g.bin.WriteByte(0)
	}
	out := []byte("glTF")
	for _, v := range []int{2, 28 + len(text) + g.bin.Len(), len(text)} {
		out = binary.LittleEndian.AppendUint32(out, uint32(v))
	}
	out = append(append(out, "JSON"...), text...)
	out = binary.LittleEndian.AppendUint32(out, uint32(g.bin.Len()))
	return append(append(out, "BIN\x00"...), g.bin.Bytes()...)
}

var joints = []struct {
	name   string
	parent int
	at     [3]float64
}{
	{"hips", -1, [3]float64{0, 1, 0}}, {"spine", 0, [3]float64{0, .12, 0}}, {"chest", 1, [3]float64{0, .12, 0}}, {"head", 2, [3]float64{0, .25, 0}},
	{"leftUpperArm", 2, [3]float64{.12, .1, 0}}, {"leftLowerArm", 4, [3]float64{.25, 0, 0}}, {"leftHand", 5, [3]float64{.25, 0, 0}},
	{"rightUpperArm", 2, [3]float64{-.12, .1, 0}}, {"rightLowerArm", 7, [3]float64{-.25, 0, 0}}, {"rightHand", 8, [3]float64{-.25, 0, 0}},
	{"leftUpperLeg", 0, [3]float64{.08, -.05, 0}}, {"leftLowerLeg", 10, [3]float64{0, -.42, 0}}, {"leftFoot", 11, [3]float64{0, -.42, 0}},
	{"rightUpperLeg", 0, [3]float64{-.08, -.05, 0}}, {"rightLowerLeg", 13, [3]float64{0, -.42, 0}}, {"rightFoot", 14, [3]float64{0, -.42, 0}},
}

// skeleton adds the joints as the first nodes and returns the bones that they are.
func (g *glb) skeleton() (bones object) {
	bones = object{}
	for i, j := range joints {
		n := object{"name": j.name, "translation": j.at}
		var children []int
		for k, c := range joints {
			if c.parent == i {
				children = append(children, k)
			}
		}
		if len(children) > 0 {
			n["children"] = children
		}
		g.add("nodes", n)
		bones[j.name] = object{"node": i}
	}
	return bones
}

// Dressed is a whole VRM 1.0 character as heavy as those that people make with character editors: some 14 MB, 44,000
// triangles in eight parts, a face with 57 morph targets, twelve textures of 2048 x 2048, MToon with outlines. The same
// bytes each time; do not change them.
var Dressed = sync.OnceValue(func() []byte {
	g := &glb{json: object{"asset": object{"version": "2.0"}, "scene": 0, "extensionsUsed": []string{"VRMC_vrm", "VRMC_materials_mtoon"}}}
	bones := g.skeleton()
	var list, roots []int
	for i := range joints {
		list = append(list, i)
	}
	roots = append(roots, 0)
	skin := g.add("skins", object{"joints": list})
	for i := range 12 {
		img := g.add("images", object{"bufferView": g.view(cloth(2048, i)), "mimeType": "image/png"})
		g.add("textures", object{"source": img})
	}
	var face int
	for i := range 8 {
		mat := g.add("materials", object{"name": fmt.Sprint("cloth", i), "pbrMetallicRoughness": object{"baseColorTexture": object{"index": i}},
			"extensions": object{"VRMC_materials_mtoon": object{"specVersion": "1.0", "shadeMultiplyTexture": object{"index": min(i+4, 11)},
				"outlineWidthMode": "worldCoordinates", "outlineWidthFactor": 0.002}}})
		mesh := g.add("meshes", object{"primitives": []any{g.ball(i, mat)}})
		node := g.add("nodes", object{"mesh": mesh, "skin": skin})
		roots = append(roots, node)
		if i == 0 {
			face = node
		}
	}
	g.add("scenes", object{"nodes": roots})
	preset := object{}
	for i, name := range []string{"happy", "angry", "sad", "relaxed", "surprised", "aa", "ih", "ou", "ee", "oh", "blink", "blinkLeft", "blinkRight"} {
		preset[name] = object{"morphTargetBinds": []any{object{"node": face, "index": 4 * i, "weight": 1}, object{"node": face, "index": 4*i + 1, "weight": 0.5}}}
	}
	g.json["extensions"] = object{"VRMC_vrm": object{"specVersion": "1.0", "humanoid": object{"humanBones": bones}, "expressions": object{"preset": preset},
		"meta": object{"name": "Dressed", "version": "1", "authors": []string{"YUI"}, "licenseUrl": "https://vrm.dev/licenses/1.0/"}}}
	return g.bytes()
})

// ball is a part of the body: the first one is the head with its morph targets.
func (g *glb) ball(part, material int) object {
	w, h := 60, 46
	centre, size := [3]float64{0, .25 + .15*float64(part), 0}, [3]float64{.16, .1, .12}
	bone := []int{3, 13, 10, 14, 11, 0, 1, 2}[part]
	if part == 0 {
		centre, size = [3]float64{0, 1.62, 0}, [3]float64{.12, .14, .12}
	}
	var pos, normal, uv, weights []float32
	var joint []uint8
	var index []uint16
	for y := range h + 1 {
		for x := range w + 1 {
			s, c := math.Sincos(2 * math.Pi * float64(x) / float64(w))
			sy, cy := math.Sincos(math.Pi * float64(y) / float64(h))
			pos = append(pos, float32(centre[0]+size[0]*s*sy), float32(centre[1]+size[1]*cy), float32(centre[2]+size[2]*c*sy))
			normal = append(normal, float32(s*sy), float32(cy), float32(c*sy))
			uv = append(uv, float32(x)/float32(w), float32(y)/float32(h))
			joint = append(joint, uint8(bone), uint8(max(bone-1, 0)), 0, 0)
			weights = append(weights, .75, .25, 0, 0)
			if x < w && y < h {
				a := uint16(y*(w+1) + x)
				b := a + uint16(w) + 1
				index = append(index, a, b, a+1, a+1, b, b+1)
			}
		}
	}
	n := len(pos) / 3
	p := object{"material": material, "indices": g.accessor("SCALAR", 5123, 1, len(index), index), "attributes": object{
		"POSITION": g.floats("VEC3", 3, pos), "NORMAL": g.floats("VEC3", 3, normal), "TEXCOORD_0": g.floats("VEC2", 2, uv),
		"JOINTS_0": g.accessor("VEC4", 5121, 4, len(joint), joint), "WEIGHTS_0": g.floats("VEC4", 4, weights)}}
	if part > 0 {
		return p
	}
	var targets []any
	for t := range 57 {
		move := make([]float32, 3*n)
		turn := make([]float32, 3*n)
		for i := range n / 3 { // the front, as far as this face moves
			move[3*(3*i)+t%3] = .002 * float32(1+i%(t+2))
			turn[3*(3*i)+(t+1)%3] = .05
		}
		targets = append(targets, object{"POSITION": g.floats("VEC3", 3, move), "NORMAL": g.floats("VEC3", 3, turn)})
	}
	p["targets"] = targets
	return p
}

// cloth is a painted texture as a PNG: areas of colour with soft shades, seams and a little grain.
func cloth(n, seed int) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	noise := uint32(seed + 1)
	for y := range n {
		shade := 20 * math.Sin(float64(y)/90+float64(seed))
		for x := range n {
			noise = noise*1664525 + 1013904223
			grain := 0
			if (x/256+y/256)%5 == 0 {
				grain = int(noise >> 30)
			}
			base := color.NRGBA{uint8(120 + 60*((x/256+seed)%3)), uint8(90 + 50*((y/256+seed)%3)), 150, 255}
			if x%128 < 2 || y%128 < 2 {
				base = color.NRGBA{80, 60, 90, 255}
			}
			off := int(shade) + grain + x%256/32
			at := img.Pix[img.PixOffset(x, y):]
			at[0], at[1], at[2], at[3] = clip(int(base.R)+off), clip(int(base.G)+off), clip(int(base.B)+off), 255
			if (x/512+y/512+seed)%7 == 0 && x%512 > 400 {
				at[3] = 0
			}
		}
	}
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, img); err != nil {
		panic(err) // a buffer takes all
	}
	return b.Bytes()
}

func clip(v int) uint8 { return uint8(min(max(v, 0), 255)) }
