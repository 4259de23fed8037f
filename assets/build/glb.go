package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// document is the part of glTF 2.0 that our files use.
type document struct {
	Asset          asset          `json:"asset"`
	ExtensionsUsed []string       `json:"extensionsUsed,omitempty"`
	Extensions     map[string]any `json:"extensions,omitempty"`
	Extras         any            `json:"extras,omitempty"`
	Scene          int            `json:"scene"`
	Scenes         []scene        `json:"scenes"`
	Nodes          []node         `json:"nodes"`
	Meshes         []gltfMesh     `json:"meshes,omitempty"`
	Skins          []gltfSkin     `json:"skins,omitempty"`
	Materials      []material     `json:"materials,omitempty"`
	Textures       []texture      `json:"textures,omitempty"`
	Images         []gltfImage    `json:"images,omitempty"`
	Samplers       []sampler      `json:"samplers,omitempty"`
	Animations     []animation    `json:"animations,omitempty"`
	Accessors      []accessor     `json:"accessors,omitempty"`
	BufferViews    []bufferView   `json:"bufferViews,omitempty"`
	Buffers        []buffer       `json:"buffers,omitempty"`

	bin []byte
}

type asset struct {
	Version   string `json:"version"`
	Generator string `json:"generator"`
	Copyright string `json:"copyright,omitempty"`
}

type scene struct {
	Nodes []int `json:"nodes"`
}

type node struct {
	Name        string      `json:"name"`
	Children    []int       `json:"children,omitempty"`
	Translation *[3]float32 `json:"translation,omitempty"`
	Mesh        *int        `json:"mesh,omitempty"`
	Skin        *int        `json:"skin,omitempty"`
}

type gltfMesh struct {
	Name       string      `json:"name"`
	Primitives []primitive `json:"primitives"`
	Weights    []float32   `json:"weights,omitempty"`
	Extras     any         `json:"extras,omitempty"`
}

type primitive struct {
	Attributes map[string]int   `json:"attributes"`
	Indices    int              `json:"indices"`
	Material   int              `json:"material"`
	Targets    []map[string]int `json:"targets,omitempty"`
}

type gltfSkin struct {
	InverseBindMatrices int   `json:"inverseBindMatrices"`
	Skeleton            int   `json:"skeleton"`
	Joints              []int `json:"joints"`
}

type textureRef struct {
	Index int      `json:"index"`
	Scale *float32 `json:"scale,omitempty"` // VRMC_materials_mtoon's shadingShiftTexture alone
}

type texture struct {
	Name    string `json:"name"`
	Sampler int    `json:"sampler"`
	Source  int    `json:"source"`
}

type gltfImage struct {
	Name       string `json:"name"`
	MimeType   string `json:"mimeType"`
	BufferView int    `json:"bufferView"`
}

type sampler struct {
	MagFilter int `json:"magFilter"`
	MinFilter int `json:"minFilter"`
	WrapS     int `json:"wrapS"`
	WrapT     int `json:"wrapT"`
}

type accessor struct {
	BufferView    *int      `json:"bufferView,omitempty"`
	ComponentType int       `json:"componentType"`
	Normalized    bool      `json:"normalized,omitempty"`
	Count         int       `json:"count"`
	Type          string    `json:"type"`
	Min           []float32 `json:"min,omitempty"`
	Max           []float32 `json:"max,omitempty"`
	Sparse        *sparse   `json:"sparse,omitempty"`
}

type sparse struct {
	Count   int `json:"count"`
	Indices struct {
		BufferView    int `json:"bufferView"`
		ComponentType int `json:"componentType"`
	} `json:"indices"`
	Values struct {
		BufferView int `json:"bufferView"`
	} `json:"values"`
}

type bufferView struct {
	Buffer     int `json:"buffer"`
	ByteOffset int `json:"byteOffset"`
	ByteLength int `json:"byteLength"`
	Target     int `json:"target,omitempty"`
}

type buffer struct {
	ByteLength int `json:"byteLength"`
}

// Component types and buffer targets of glTF.
const (
	typeUint8     = 5121
	typeUint16    = 5123
	typeFloat     = 5126
	vertexTarget  = 34962
	indexTarget   = 34963
	filterLinear  = 9729
	filterMipmaps = 9987
	wrapClamp     = 33071
)

func newDocument() *document {
	return &document{Asset: asset{Version: "2.0", Generator: "yui assets"}}
}

func ptr[T any](v T) *T { return &v }

// view appends bytes to the binary chunk, on a boundary of four.
func (d *document) view(b []byte, target int) int {
	for len(d.bin)%4 != 0 {
		d.bin = append(d.bin, 0)
	}
	d.BufferViews = append(d.BufferViews, bufferView{ByteOffset: len(d.bin), ByteLength: len(b), Target: target})
	d.bin = append(d.bin, b...)
	return len(d.BufferViews) - 1
}

func (d *document) accessor(a accessor) int {
	d.Accessors = append(d.Accessors, a)
	return len(d.Accessors) - 1
}

func floats(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func uint16s(v []uint16) []byte {
	b := make([]byte, 0, 2*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint16(b, x)
	}
	return b
}

func width(kind string) int {
	return map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
}

// floatAccessor stores plain floats; bounds are needed for positions and times.
func (d *document) floatAccessor(kind string, v []float32, target int, bounds bool) int {
	a := accessor{BufferView: ptr(d.view(floats(v), target)), ComponentType: typeFloat, Type: kind, Count: len(v) / width(kind)}
	if bounds {
		a.Min, a.Max = boundsOf(v, width(kind))
	}
	return d.accessor(a)
}

func boundsOf(v []float32, w int) (lo, hi []float32) {
	lo, hi = append([]float32(nil), v[:w]...), append([]float32(nil), v[:w]...)
	for i, x := range v {
		lo[i%w], hi[i%w] = min(lo[i%w], x), max(hi[i%w], x)
	}
	return lo, hi
}

func vecFloats(v []vec) []float32 {
	out := make([]float32, 0, 3*len(v))
	for _, p := range v {
		out = append(out, float32(p[0]), float32(p[1]), float32(p[2]))
	}
	return out
}

func (d *document) bytes4(v [][4]uint8, normalized bool) int {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = append(b, x[:]...)
	}
	return d.accessor(accessor{BufferView: ptr(d.view(b, vertexTarget)), ComponentType: typeUint8, Normalized: normalized, Type: "VEC4", Count: len(v)})
}

func (d *document) texcoords(v [][2]float64) int {
	q := make([]uint16, 0, 2*len(v))
	for _, x := range v {
		q = append(q, uint16(math.Round(clamp(x[0], 0, 1)*65535)), uint16(math.Round(clamp(x[1], 0, 1)*65535)))
	}
	return d.accessor(accessor{BufferView: ptr(d.view(uint16s(q), vertexTarget)), ComponentType: typeUint16, Normalized: true, Type: "VEC2", Count: len(v)})
}

func (d *document) indices(tris [][3]int) int {
	q := make([]uint16, 0, 3*len(tris))
	for _, t := range tris {
		q = append(q, uint16(t[0]), uint16(t[1]), uint16(t[2]))
	}
	return d.accessor(accessor{BufferView: ptr(d.view(uint16s(q), indexTarget)), ComponentType: typeUint16, Type: "SCALAR", Count: len(q)})
}

// deltas stores a morph target: the moved vertices alone, or nothing but zeros if none moves.
func (d *document) deltas(from, to []vec) int {
	var at []uint16
	var moved []vec
	all := make([]vec, len(from))
	for i := range from {
		if v := to[i].sub(from[i]); v.len() > 1e-6 {
			at, moved, all[i] = append(at, uint16(i)), append(moved, v), v
		}
	}
	lo, hi := boundsOf(vecFloats(all), 3)
	a := accessor{ComponentType: typeFloat, Type: "VEC3", Count: len(from), Min: lo, Max: hi}
	switch {
	case len(at) == 0:
	case 14*len(at) < 12*len(from):
		s := &sparse{Count: len(at)}
		s.Indices.ComponentType = typeUint16
		s.Indices.BufferView = d.view(uint16s(at), 0)
		s.Values.BufferView = d.view(floats(vecFloats(moved)), 0)
		a.Sparse = s
	default:
		a.BufferView = ptr(d.view(floats(vecFloats(all)), vertexTarget))
	}
	return d.accessor(a)
}

// encode returns the GLB.
func (d *document) encode() ([]byte, error) {
	for len(d.bin)%4 != 0 {
		d.bin = append(d.bin, 0)
	}
	if len(d.bin) > 0 {
		d.Buffers = []buffer{{len(d.bin)}}
	}
	js, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encode glb: %w", err)
	}
	for len(js)%4 != 0 {
		js = append(js, ' ')
	}
	total := 12 + 8 + len(js)
	if len(d.bin) > 0 {
		total += 8 + len(d.bin)
	}
	le := binary.LittleEndian
	out := append(make([]byte, 0, total), "glTF"...)
	out = le.AppendUint32(le.AppendUint32(out, 2), uint32(total))
	out = append(le.AppendUint32(out, uint32(len(js))), "JSON"...)
	out = append(out, js...)
	if len(d.bin) > 0 {
		out = append(le.AppendUint32(out, uint32(len(d.bin))), "BIN\x00"...)
		out = append(out, d.bin...)
	}
	return out, nil
}
