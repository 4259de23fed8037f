package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"path"
	"testing"
)

// glb is a file read back with a reader that shares nothing with the writer but the type of the JSON.
type glb struct {
	document
	bin []byte
}

func parseGLB(b []byte) (*glb, error) {
	le := binary.LittleEndian
	if len(b) < 20 || string(b[:4]) != "glTF" || le.Uint32(b[4:]) != 2 || int(le.Uint32(b[8:])) != len(b) {
		return nil, fmt.Errorf("bad header")
	}
	g := &glb{}
	for at := 12; at < len(b); {
		n, kind := int(le.Uint32(b[at:])), string(b[at+4:at+8])
		if n%4 != 0 || at+8+n > len(b) {
			return nil, fmt.Errorf("chunk %q of %d bytes at %d", kind, n, at)
		}
		body := b[at+8 : at+8+n]
		switch kind {
		case "JSON":
			dec := json.NewDecoder(bytes.NewReader(body))
			if err := dec.Decode(&g.document); err != nil {
				return nil, err
			}
		case "BIN\x00":
			g.bin = body
		default:
			return nil, fmt.Errorf("chunk %q", kind)
		}
		at += 8 + n
	}
	if len(g.Buffers) != 1 || g.Buffers[0].ByteLength != len(g.bin) {
		return nil, fmt.Errorf("buffer does not match its chunk of %d bytes", len(g.bin))
	}
	return g, nil
}

func (g *glb) bytesOf(view int) []byte {
	v := g.BufferViews[view]
	return g.bin[v.ByteOffset : v.ByteOffset+v.ByteLength]
}

// values reads an accessor as numbers, zeros and sparse parts resolved.
func (g *glb) values(t *testing.T, i int) [][]float64 {
	t.Helper()
	a := g.Accessors[i]
	w := width(a.Type)
	out := make([][]float64, a.Count)
	size := map[int]int{typeUint8: 1, typeUint16: 2, typeFloat: 4}[a.ComponentType]
	if size == 0 {
		t.Fatalf("accessor %d: component type %d", i, a.ComponentType)
	}
	num := func(b []byte, k int) float64 {
		switch size {
		case 1:
			return float64(b[k])
		case 2:
			return float64(binary.LittleEndian.Uint16(b[2*k:]))
		}
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*k:])))
	}
	row := func(b []byte, r int) []float64 {
		v := make([]float64, w)
		for c := range v {
			v[c] = num(b, r*w+c)
			if a.Normalized {
				v[c] /= float64(int(1)<<(8*size) - 1)
			}
		}
		return v
	}
	for r := range out {
		out[r] = make([]float64, w)
		if a.BufferView != nil {
			out[r] = row(g.bytesOf(*a.BufferView), r)
		}
	}
	if s := a.Sparse; s != nil {
		at, last := g.bytesOf(s.Indices.BufferView), -1
		for k := range s.Count {
			r := int(binary.LittleEndian.Uint16(at[2*k:]))
			if r <= last || r >= a.Count {
				t.Fatalf("accessor %d: sparse index %d after %d", i, r, last)
			}
			out[r], last = row(g.bytesOf(s.Values.BufferView), k), r
		}
	}
	return out
}

// Every file keeps to glTF 2.0: ranges, alignment, bounds, references.
func TestFilesAreValid(t *testing.T) {
	for _, f := range files(t) {
		if ext := path.Ext(f.name); ext == ".png" || ext == ".go" {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			g, err := parseGLB(f.data)
			if err != nil {
				t.Fatal(err)
			}
			g.checkAccessors(t)
			g.checkNodes(t)
			for _, m := range g.Meshes {
				for _, p := range m.Primitives {
					g.checkPrimitive(t, p, len(m.Weights))
				}
			}
			for _, i := range g.Images {
				if _, err := png.Decode(bytes.NewReader(g.bytesOf(i.BufferView))); err != nil {
					t.Errorf("picture %s: %v", i.Name, err)
				}
			}
			for _, m := range g.Materials {
				ext := m.Extensions["VRMC_materials_mtoon"].(map[string]any)
				if ext["outlineWidthMode"] == "worldCoordinates" {
					if px := m.Extras.(map[string]any)["yui"].(map[string]any)["minOutlinePx"]; px != 1.2 {
						t.Errorf("material %s: least outline %v", m.Name, px)
					}
				}
			}
		})
	}
}

func (g *glb) checkAccessors(t *testing.T) {
	for i, v := range g.BufferViews {
		if v.ByteOffset%4 != 0 || v.ByteLength == 0 || v.ByteOffset+v.ByteLength > len(g.bin) {
			t.Errorf("view %d: %d bytes at %d of %d", i, v.ByteLength, v.ByteOffset, len(g.bin))
		}
	}
	for i, a := range g.Accessors {
		v := g.values(t, i)
		for _, row := range v {
			for c, x := range row {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatalf("accessor %d holds %v", i, x)
				}
				if a.Min != nil && (x < float64(a.Min[c])-1e-6 || x > float64(a.Max[c])+1e-6) {
					t.Fatalf("accessor %d: %v outside its bounds %v %v", i, x, a.Min[c], a.Max[c])
				}
			}
		}
	}
}

func (g *glb) checkNodes(t *testing.T) {
	parents := make([]int, len(g.Nodes))
	for i, n := range g.Nodes {
		for _, c := range n.Children {
			if c < 0 || c >= len(g.Nodes) || c == i {
				t.Fatalf("node %d: child %d", i, c)
			}
			parents[c]++
		}
	}
	for _, r := range g.Scenes[g.Scene].Nodes {
		parents[r]++
	}
	for i, p := range parents {
		if p != 1 {
			t.Errorf("node %d (%s) has %d parents", i, g.Nodes[i].Name, p)
		}
	}
}

func (g *glb) checkPrimitive(t *testing.T, p primitive, targets int) {
	pos := g.values(t, p.Attributes["POSITION"])
	for name, a := range p.Attributes {
		if g.Accessors[a].Count != len(pos) {
			t.Errorf("%s has %d entries for %d vertices", name, g.Accessors[a].Count, len(pos))
		}
	}
	for _, n := range g.values(t, p.Attributes["NORMAL"]) {
		if l := (vec{n[0], n[1], n[2]}).len(); math.Abs(l-1) > 1e-4 {
			t.Fatalf("a normal has length %v", l)
		}
	}
	for _, i := range g.values(t, p.Indices) {
		if int(i[0]) >= len(pos) {
			t.Fatalf("index %v of %d vertices", i[0], len(pos))
		}
	}
	if p.Material < 0 || p.Material >= len(g.Materials) {
		t.Errorf("material %d", p.Material)
	}
	if len(p.Targets) != targets {
		t.Errorf("%d morph targets for %d weights", len(p.Targets), targets)
	}
	for _, m := range p.Targets {
		if g.Accessors[m["POSITION"]].Count != len(pos) {
			t.Error("a morph target has another vertex count")
		}
	}
	if _, ok := p.Attributes["WEIGHTS_0"]; !ok {
		return
	}
	joints := g.values(t, p.Attributes["JOINTS_0"])
	for v, w := range g.values(t, p.Attributes["WEIGHTS_0"]) {
		sum := 0.0
		for k, x := range w {
			sum += x
			if int(joints[v][k]) >= len(g.Skins[0].Joints) || x == 0 && joints[v][k] != 0 {
				t.Fatalf("vertex %d: joint %v with weight %v", v, joints[v][k], x)
			}
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Fatalf("vertex %d: weights sum to %v", v, sum)
		}
	}
}
