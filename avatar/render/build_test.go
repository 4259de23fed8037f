package render

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

func TestBuildRefuses(t *testing.T) {
	cases := map[string]func(m *vrm.Model){
		"index":           func(m *vrm.Model) { m.Meshes[0].Primitives[0].Indices[0] = 1 << 20 },
		"whole triangles": func(m *vrm.Model) { p := &m.Meshes[0].Primitives[0]; p.Indices = p.Indices[:4] },
		"attribute":       func(m *vrm.Model) { p := &m.Meshes[0].Primitives[0]; p.Normals = p.Normals[:3] },
		"morph target 0":  func(m *vrm.Model) { m.Meshes[0].Primitives[0].Targets[0].Positions = make([]geom.Vec3, 2) },
		"material":        func(m *vrm.Model) { m.Meshes[0].Primitives[0].Material = 7 },
		"mesh":            func(m *vrm.Model) { m.Nodes[0].Mesh = 9 },
		"node":            func(m *vrm.Model) { m.Order = []int{5} },
	}
	for want, spoil := range cases {
		m := ball()
		spoil(m)
		if _, err := build(m, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

func TestBuildOfNothing(t *testing.T) {
	m := modelOf(nil, nil)
	if ms, err := build(m, true); err != nil || len(ms.batches) != 0 {
		t.Errorf("%v, %v", ms, err)
	}
	onGL(t, 50, 50, func(t T, win window) {
		g := newRig(t, m, 50, 50)
		defer g.release()
		if n := covered(g.picture(t, restPose(m), view(50, 50))); n != 0 {
			t.Errorf("%d pixels of nothing", n)
		}
	})
}

func TestDrawingOrder(t *testing.T) {
	names := map[string]func(m *vrm.Material){
		"5 late": func(m *vrm.Material) { m.Alpha, m.QueueOffset = vrm.Blend, 0 }, "4 early": func(m *vrm.Material) { m.Alpha, m.QueueOffset = vrm.Blend, -3 },
		"2 depth": func(m *vrm.Material) { m.Alpha, m.DepthWrite = vrm.Blend, true },
		"3 depth": func(m *vrm.Material) { m.Alpha, m.DepthWrite, m.QueueOffset = vrm.Blend, true, 2 },
		"1 mask":  func(m *vrm.Material) { m.Alpha = vrm.Mask }, "0 opaque": func(m *vrm.Material) {},
	}
	var mats []vrm.Material
	var prims []vrm.Primitive
	for n, set := range names {
		m := toon(srgb(1, 2, 3), srgb(1, 2, 3))
		m.Name = n
		set(&m)
		prims = append(prims, quad(0, 0, 1, 1, 0, len(mats)))
		mats = append(mats, m)
	}
	ms, err := build(modelOf(mats, nil, prims...), true)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range ms.batches {
		if n := ms.materials[b.material].Name; n[0] != byte('0'+i) {
			t.Errorf("place %d: %s", i, n)
		}
	}
}

func TestOrderKeepsTriangles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 40).Draw(t, "vertices")
		var idx []uint32
		for range rapid.IntRange(0, 60).Draw(t, "triangles") {
			a := rapid.IntRange(0, n-1).Draw(t, "a")
			idx = append(idx, uint32(a), uint32((a+1+rapid.IntRange(0, n-3).Draw(t, "b"))%n), uint32((a+n-1)%n))
		}
		count := func(ix []uint32) map[[3]uint32]int {
			c := map[[3]uint32]int{}
			for i := 0; i < len(ix); i += 3 {
				c[[3]uint32(ix[i:i+3])]++
			}
			return c
		}
		got, want := count(orderTriangles(idx, n)), count(idx)
		if len(got) != len(want) {
			t.Fatalf("%d kinds of triangle, want %d", len(got), len(want))
		}
		for k, v := range want {
			if got[k] != v {
				t.Fatalf("triangle %v %d times, want %d", k, got[k], v)
			}
		}
	})
}

func TestOrderSavesVertices(t *testing.T) {
	p := sphere(geom.Vec3{}, 1, 40, 0)
	misses := func(idx []uint32) (n int) {
		var fifo []uint32
		for _, v := range idx {
			hit := false
			for _, c := range fifo {
				hit = hit || c == v
			}
			if !hit {
				n++
				if fifo = append(fifo, v); len(fifo) > cacheSize {
					fifo = fifo[1:]
				}
			}
		}
		return n
	}
	if r := float64(misses(orderTriangles(p.Indices, len(p.Positions)))) / float64(len(p.Indices)/3); r > 0.85 {
		t.Errorf("%.2f vertices a triangle", r)
	}
}

// TestSkinIsTheSum compares the fast skinning with the formula of glTF.
func TestSkinIsTheSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := ball()
		m.Expressions, m.Meshes[0].Primitives[0].Targets = nil, nil
		joints := rapid.IntRange(1, 5).Draw(t, "joints")
		f := func(n string) float32 { return rapid.Float32Range(-1, 1).Draw(t, n) }
		turn := func() geom.Mat4 {
			return geom.TRS(geom.Vec3{f("x"), f("y"), f("z")}, geom.Euler(f("rx"), f("ry"), f("rz")), geom.Vec3{1, 1, 1})
		}
		skin := vrm.Skin{}
		world := []geom.Mat4{geom.IdentMat}
		for j := range joints {
			m.Nodes = append(m.Nodes, vrm.Node{Parent: -1, Mesh: -1, Skin: -1})
			skin.Joints = append(skin.Joints, j+1)
			skin.InverseBind = append(skin.InverseBind, turn())
			world = append(world, turn())
		}
		m.Skins, m.Nodes[0].Skin = []vrm.Skin{skin}, 0
		p := &m.Meshes[0].Primitives[0]
		for range p.Positions {
			var js [4]uint16
			var ws [4]float32
			for k := range rapid.IntRange(1, 4).Draw(t, "n") {
				js[k], ws[k] = uint16(rapid.IntRange(0, joints-1).Draw(t, "j")), rapid.Float32Range(0.01, 1).Draw(t, "w")
			}
			p.Joints, p.Weights = append(p.Joints, js), append(p.Weights, ws)
		}
		ms, err := build(m, true)
		if err != nil {
			t.Fatal(err)
		}
		sh := newShape(ms)
		sh.setPalette(world, nil)
		out := make([]float32, len(ms.position)*floatsPerVertex)
		sh.skin(out)
		at := map[geom.Vec3]int{}
		for v, q := range ms.position {
			at[q] = v
		}
		for v, q := range p.Positions {
			i, ok := at[q]
			if !ok || p.Normals[v] != ms.normal[i] {
				continue
			}
			var want geom.Vec3
			var sum float32
			for k := range 4 {
				w := p.Weights[v][k]
				j := p.Joints[v][k]
				want = want.Add(world[j+1].Mul(skin.InverseBind[j]).Point(q).Mul(w))
				sum += w
			}
			want = want.Mul(1 / sum)
			got := geom.Vec3(out[i*floatsPerVertex : i*floatsPerVertex+3])
			// The poles and the seam have several vertices at one place, with weights of their own.
			if d := got.Sub(want).Len(); d > 1e-4 && q[0] != 0 && math.Abs(float64(q[0])) > 1e-6 {
				t.Fatalf("vertex %d at %v, want %v", v, got, want)
			}
		}
	})
}

func TestEncodeMatchesTable(t *testing.T) {
	for i := range 256 {
		s := float32(i) / 255
		if d := abs(encodeSRGB(decodeSRGB(s)) - s); d > 1e-4 {
			t.Errorf("%d comes back %g off", i, d)
		}
	}
}

func TestHalveKeepsColours(t *testing.T) {
	p := picture{w: 2, h: 2, pix: []uint8{200, 100, 50, 255, 0, 0, 0, 0, 200, 100, 50, 255, 0, 0, 0, 0}}
	if q := p.halve(colors); q.w != 1 || q.pix[0] != 200 || q.pix[3] != 128 {
		t.Errorf("%v", q)
	}
	p.bleed()
	if p.pix[4] != 200 || p.pix[7] != 0 {
		t.Errorf("an empty pixel stays %v", p.pix[4:8])
	}
}
