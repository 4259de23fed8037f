package main

import (
	"math"
	"testing"
)

// capsule is a flat and two round ends: a mesh that is even spends little on the one and much on the others.
func capsule(t *testing.T) (dist, *mesh) {
	t.Helper()
	d := dist(roundCone(ball{-0.2, 0, 0, 0.05}, ball{0.2, 0, 0, 0.05}).d)
	m, err := surfaceNets(d, grid{vec{-0.3, -0.1, -0.1}, vec{0.3, 0.1, 0.1}, cube(0.02)}, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.mat = make([]int, len(m.tris))
	m.closed = make([]float64, len(m.pos))
	m.weights = make([][]float64, len(m.pos))
	for i, p := range m.pos {
		m.closed[i] = p[0]
		m.weights[i] = []float64{0.5 - p[0], 0.5 + p[0]}
	}
	return d, m
}

func TestEvenMeshes(t *testing.T) {
	d, m := capsule(t)
	before, tip := len(m.tris), m.pos[m.nearest(vec{0.25, 0, 0})]
	m.subdivide(d)
	if len(m.tris) != 4*before || m.openEdges() != 0 {
		t.Fatalf("%d triangles of %d, %d open edges", len(m.tris), before, m.openEdges())
	}
	fine := m.copy()
	want := fineness{stray: 0.0005, longest: 0.06}
	m.even(d, want, []vec{tip})
	if n := m.openEdges(); n != 0 || len(m.tris) >= before || len(m.tris) < before/6 {
		t.Errorf("%d triangles of %d, %d open edges", len(m.tris), before, n)
	}
	if m.pos[m.nearest(tip)] != tip {
		t.Error("the tip moved")
	}
	if len(fine.tris) != 4*before || fine.volume() < m.volume()*0.98 {
		t.Error("the copy was thinned out, too")
	}
	ends := 0
	for i, p := range m.pos {
		if off := math.Abs(d(p)); off > want.stray {
			t.Errorf("vertex %v lies %v off the surface", p, off)
		}
		// What vertices know moved with them: both are linear along x.
		if math.Abs(m.closed[i]-p[0]) > 0.012 || math.Abs(m.weights[i][1]-0.5-p[0]) > 0.012 {
			t.Errorf("vertex at x %v has occlusion %v and weights %v", p[0], m.closed[i], m.weights[i])
		}
		if math.Abs(p[0]) > 0.2 {
			ends++
		}
	}
	// The ends are a fifth of the surface.
	if ends < len(m.pos)*2/5 {
		t.Errorf("%d of %d vertices are at the round ends", ends, len(m.pos))
	}
	for _, tri := range m.tris {
		for k := range tri {
			a, b, c := m.pos[tri[k]], m.pos[tri[(k+1)%3]], m.pos[tri[(k+2)%3]]
			if l := a.sub(b).len(); l > want.longest+0.004 {
				t.Errorf("an edge is %v long", l)
			}
			if off := math.Abs(d(a.mix(b, 0.5).mix(c, 1.0/3))); off > 8*want.stray {
				t.Errorf("the middle of a triangle is %v off the surface", off)
			}
		}
	}
}

// The middle of an arc, not of its chord.
func TestBowed(t *testing.T) {
	a, b := vec{1, 0, 0}, vec{math.Cos(0.4), math.Sin(0.4), 0}
	if l := bowed(a, b, a, b).len(); math.Abs(l-1) > 1e-3 {
		t.Errorf("the middle is %v from the centre", l)
	}
}

// Half a blink is drowsy, not cross: the lid is an arch over half an eye, and lids and lashes stay before the head all the
// way down.
func TestHalfBlinks(t *testing.T) {
	for _, c := range []*character{yui(), momo(), sora()} {
		head, memo := blended(c.part("head").prims), map[uv][2]vec{}
		open := drawFace(c.face, head, look{}, memo)
		shut := drawFace(c.face, head, look{closed: [2]string{"sleep", "sleep"}}, memo)
		for i, d := range open {
			if d.name != "lashL" && d.name != "lashR" && d.name != "eyeL" && d.name != "eyeR" {
				continue
			}
			for _, w := range []float64{0.25, 0.5, 0.75} {
				half := make([]vec, len(d.pos))
				for k := range half {
					half[k] = d.pos[k].mix(shut[i].pos[k], w)
					if off := head(half[k]); off < -0.001 {
						t.Fatalf("%s: %s is %.4f inside the head at %v of a blink", c.id, d.name, -off, w)
					}
				}
				if n := len(half) / 3; d.name[:4] == "lash" { // three vertices across, the middle one on the line
					ends := (half[1][1] + half[3*n-2][1]) / 2
					if arch := half[3*(n/2)+1][1] - ends; arch < 0.004 {
						t.Errorf("%s: %s has an arch of %.4f at %v of a blink", c.id, d.name, arch, w)
					}
				}
			}
		}
	}
}
