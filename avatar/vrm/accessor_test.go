package vrm

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"yui/avatar/vrm/geom"
)

// opened opens a built file without loading a model from it.
func opened(t testing.TB, g *glb) *file {
	t.Helper()
	f, err := open(g.bytes())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A sparse accessor without bufferView is zeros with some replaced, whatever was read before it.
func TestSparse(t *testing.T) {
	g := newGLB()
	plain := g.floats("VEC3", 9, 9, 9, 9, 9, 9, 9, 9, 9)
	sparse := func(v obj) int {
		v["componentType"], v["type"], v["count"] = 5126, "VEC3", 3
		v["sparse"] = obj{"count": 1, "indices": obj{"bufferView": g.view([]byte{7, 2}), "byteOffset": 1, "componentType": 5121},
			"values": obj{"bufferView": g.view(le([]float32{5, 1, 2, 3})), "byteOffset": 4}}
		return g.add("accessors", v)
	}
	bare := sparse(obj{})
	over := sparse(obj{"bufferView": g.view(le([]float32{1, 1, 1, 2, 2, 2, 3, 3, 3}))})
	empty := g.add("accessors", obj{"componentType": 5126, "type": "VEC3", "count": 2})
	f := opened(t, g)
	for name, c := range map[string]struct {
		at   int
		want []geom.Vec3
	}{
		"plain":                    {plain, []geom.Vec3{{9, 9, 9}, {9, 9, 9}, {9, 9, 9}}},
		"sparse alone":             {bare, []geom.Vec3{{}, {}, {1, 2, 3}}},
		"sparse over a view":       {over, []geom.Vec3{{1, 1, 1}, {2, 2, 2}, {1, 2, 3}}},
		"no view, not even 0 (B4)": {empty, []geom.Vec3{{}, {}}},
	} {
		if got, err := vectors[geom.Vec3](f, c.at); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v %v, want %v", name, got, err, c.want)
		}
	}
}

// Spans that leave their view are refused before anything is allocated.
func TestSpansOutOfBounds(t *testing.T) {
	view := func(g *glb) int { return g.view(make([]byte, 40)) }
	sparse := func(count int, extra obj) func(g *glb) obj {
		return func(g *glb) obj {
			s := obj{"count": count, "indices": obj{"bufferView": g.view([]byte{0, 3}), "componentType": 5121}, "values": obj{"bufferView": view(g)}}
			for k, v := range extra {
				s[k] = v
			}
			return obj{"componentType": 5126, "type": "VEC3", "count": 3, "sparse": s}
		}
	}
	acc := func(kind string, comp int, count, offset any) func(g *glb) obj {
		return func(g *glb) obj {
			return obj{"bufferView": view(g), "componentType": comp, "type": kind, "count": count, "byteOffset": offset}
		}
	}
	for name, c := range map[string]struct {
		make func(g *glb) obj
		word string
	}{
		"one too many":            {acc("VEC3", 5126, 4, 0), "do not fit"},
		"offset takes the last":   {acc("VEC3", 5126, 3, 8), "do not fit"},
		"offset behind the view":  {acc("SCALAR", 5126, 1, 44), "byteOffset 44"},
		"negative offset":         {acc("SCALAR", 5126, 1, -4), "byteOffset -4"},
		"huge offset":             {acc("SCALAR", 5126, 1, int64(math.MaxInt64)), "byteOffset"},
		"huge count":              {acc("MAT4", 5126, int64(math.MaxInt64), 0), "count"},
		"count that wraps":        {acc("VEC4", 5126, int64(1)<<60, 0), "count"},
		"negative count":          {acc("VEC3", 5126, -1, 0), "count -1"},
		"unknown type":            {acc("VEC5", 5126, 1, 0), "VEC5"},
		"unknown component":       {acc("VEC3", 5124, 1, 0), "5124"},
		"no such view":            {func(*glb) obj { return obj{"bufferView": 99, "componentType": 5126, "type": "VEC3", "count": 1} }, "bufferView 99"},
		"sparse index at the end": {sparse(2, nil), "sparse index 3"},
		"sparse count beyond":     {sparse(4, nil), "sparse count"},
		"sparse short of indices": {sparse(3, nil), "do not fit"},
		"sparse without values":   {sparse(1, obj{"values": obj{}}), "no bufferView"},
		"sparse values short":     {sparse(1, obj{"values": obj{"bufferView": 1, "byteOffset": 32}}), "do not fit"},
		"sparse index type":       {sparse(1, obj{"indices": obj{"bufferView": 0, "componentType": 5126}}), "index type"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGLB()
			at := g.add("accessors", c.make(g))
			f := opened(t, g)
			if _, err := f.accessor(at); err == nil || !strings.Contains(err.Error(), c.word) {
				t.Errorf("error %v, want one with %q", err, c.word)
			}
		})
	}
	for name, v := range map[string]obj{
		"view behind its buffer":   {"buffer": 0, "byteOffset": 30, "byteLength": 11},
		"view that wraps":          {"buffer": 0, "byteOffset": int64(math.MaxInt64), "byteLength": int64(math.MaxInt64)},
		"view of no buffer":        {"buffer": 3, "byteLength": 1},
		"view with a small stride": {"buffer": 0, "byteLength": 40, "byteStride": 4},
		"view with a wild stride":  {"buffer": 0, "byteLength": 40, "byteStride": int64(1) << 62},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGLB()
			view(g)
			g.add("bufferViews", v)
			g.add("accessors", obj{"bufferView": 1, "componentType": 5126, "type": "VEC3", "count": 2})
			if _, err := opened(t, g).accessor(0); err == nil {
				t.Error("no error")
			}
		})
	}
}

// within says the same as arithmetic that cannot overflow.
func TestWithinProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "n")
		wide := rapid.OneOf(rapid.Int64Range(-3, 400), rapid.Int64())
		offset := wide.Draw(t, "offset")
		count := rapid.OneOf(rapid.Int64Range(0, 100), rapid.Int64Range(0, math.MaxInt64)).Draw(t, "count")
		size := rapid.Int64Range(1, 64).Draw(t, "size")
		stride := size + rapid.Int64Range(0, 1<<16).Draw(t, "more")
		end := new(big.Int).Mul(big.NewInt(stride), big.NewInt(count-1))
		end.Add(end, big.NewInt(offset)).Add(end, big.NewInt(size))
		fits := offset >= 0 && offset <= int64(n) && (count == 0 || end.Cmp(big.NewInt(int64(n))) <= 0)
		if _, err := within(make([]byte, n), offset, count, stride, size); (err == nil) != fits {
			t.Fatalf("within: %v, arithmetic says %v", err, fits)
		}
	})
}

// KHR_mesh_quantization and normalised integers.
func TestNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		comp int
		norm bool
		data any
		want []float32
	}{
		"int8":               {5120, false, []int8{-128, 0, 127, 1}, []float32{-128, 0, 127, 1}},
		"int8 normalised":    {5120, true, []int8{-128, -127, 127, 0}, []float32{-1, -1, 1, 0}},
		"uint8":              {5121, false, []uint8{0, 255, 1, 2}, []float32{0, 255, 1, 2}},
		"uint8 normalised":   {5121, true, []uint8{0, 255, 51, 0}, []float32{0, 1, 0.2, 0}},
		"int16":              {5122, false, []int16{-32768, 32767, 0, 1}, []float32{-32768, 32767, 0, 1}},
		"int16 normalised":   {5122, true, []int16{-32768, 32767, 0, 0}, []float32{-1, 1, 0, 0}},
		"uint16 normalised":  {5123, true, []uint16{65535, 0, 13107, 0}, []float32{1, 0, 0.2, 0}},
		"uint32":             {5125, false, []uint32{1, 70000, 0, 3}, []float32{1, 70000, 0, 3}},
		"float32":            {5126, false, []float32{1.5, -2, 0, 3}, []float32{1.5, -2, 0, 3}},
		"float32 not finite": {5126, false, []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 2e6}, []float32{0, 0, 0, 0}},
	} {
		g := newGLB()
		at := g.add("accessors", obj{"bufferView": g.view(le(c.data)), "componentType": c.comp, "normalized": c.norm, "type": "VEC4", "count": 1})
		got, err := vectors[[4]float32](opened(t, g), at)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for k, w := range c.want {
			if !near(got[0][k], w) {
				t.Errorf("%s: %v, want %v", name, got[0], c.want)
				break
			}
		}
	}
}

func TestInterleaved(t *testing.T) {
	g := newGLB()
	v := g.view(le([]float32{1, 2, 3, 10, 20, 4, 5, 6, 30, 40}))
	g.at("bufferViews", v)["byteStride"] = 20
	pos := g.add("accessors", obj{"bufferView": v, "componentType": 5126, "type": "VEC3", "count": 2})
	uv := g.add("accessors", obj{"bufferView": v, "byteOffset": 12, "componentType": 5126, "type": "VEC2", "count": 2})
	f := opened(t, g)
	p, err1 := vectors[geom.Vec3](f, pos)
	u, err2 := vectors[[2]float32](f, uv)
	if err1 != nil || err2 != nil || p[1] != (geom.Vec3{4, 5, 6}) || u[1] != [2]float32{30, 40} {
		t.Errorf("%v %v %v %v", p, err1, u, err2)
	}
}

// Wrong kinds are refused: floats as corners, two numbers for three.
func TestWrongKinds(t *testing.T) {
	g := newGLB()
	two := g.floats("VEC2", 1, 2)
	f := opened(t, g)
	if _, err := vectors[geom.Vec3](f, two); err == nil || !strings.Contains(err.Error(), "VEC2") {
		t.Errorf("VEC2 as VEC3: %v", err)
	}
	if _, err := f.wholes(two, 2); err == nil {
		t.Error("floats as whole numbers: no error")
	}
	if _, err := f.accessor(-1); err == nil {
		t.Error("accessor -1: no error")
	}
}
