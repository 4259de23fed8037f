package main

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Painting must leave a surface closed, even if it may only paint over some rows. (The builder checks all parts
// before they are painted.)
func TestPaintedPartsAreClosed(t *testing.T) {
	for _, p := range []part{yuiEar(), momoEar()} {
		m, _, err := p.surface(blended(p.prims))
		if err != nil {
			t.Fatal(err)
		}
		n := len(m.tris)
		m.mat = make([]int, n)
		m.closed = make([]float64, len(m.pos))
		m.weights = make([][]float64, len(m.pos))
		for row, paint := range p.paints {
			m.cut(paint.region, row+1, 0)
		}
		m.cut(func(p vec) float64 { return p[0] - 0.2 }, 9, 0)
		if m.openEdges() > 0 || len(m.tris) == n {
			t.Errorf("%d open edges in %d triangles of %d", m.openEdges(), len(m.tris), n)
		}
		painted := map[int]int{}
		for _, r := range m.mat {
			painted[r]++
		}
		if painted[0] == 0 || painted[1] == 0 || painted[9] == 0 {
			t.Errorf("triangles by row: %v", painted)
		}
	}
}

func TestSurfaceNetsOfABall(t *testing.T) {
	d := ellipsoid(vec{}, cube(0.3)).d
	m, err := surfaceNets(d, grid{cube(-0.4), cube(0.4), cube(0.05)}, 3, []apex{{vec{0, 0.3, 0}, vec{0, 1, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	tip := false
	for i, p := range m.pos {
		if math.Abs(p.len()-0.3) > 2e-3 {
			t.Fatalf("vertex %v is %v off the ball", p, p.len()-0.3)
		}
		if m.nor[i].dot(p.unit()) < 0.99 {
			t.Fatalf("normal %v at %v", m.nor[i], p)
		}
		tip = tip || p == (vec{0, 0.3, 0})
	}
	if want := 4.0 / 3 * math.Pi * 0.027; math.Abs(m.volume()-want) > 0.03*want {
		t.Errorf("volume %v, want %v", m.volume(), want)
	}
	if !tip {
		t.Error("no vertex lies on the apex")
	}
	if _, err := surfaceNets(d, grid{cube(-0.2), cube(0.4), cube(0.05)}, 0, nil); err == nil {
		t.Error("a surface that leaves its box gave no error")
	}
}

// The distance to a round cone is the least distance to any ball between its ends.
func TestRoundConeIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string) float64 { return rapid.Float64Range(-1, 1).Draw(t, name) }
		a, b := ball{num("ax"), num("ay"), num("az"), 0.2 + 0.1*num("ar")}, ball{num("bx"), num("by"), num("bz"), 0.2 + 0.1*num("br")}
		p := vec{2 * num("x"), 2 * num("y"), 2 * num("z")}
		least := math.Inf(1)
		for i := range 2001 {
			s := float64(i) / 2000
			least = math.Min(least, p.sub(a.at().mix(b.at(), s)).len()-(a[3]+(b[3]-a[3])*s))
		}
		if d := roundConeAt(p, a, b); math.Abs(d-least) > 2e-3 && d > 0 {
			t.Fatalf("distance %v, by search %v", d, least)
		}
	})
}

// Leaving far links out must not change a chain.
func TestChainEqualsItsLinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string) float64 { return rapid.Float64Range(-1, 1).Draw(t, name) }
		var pts []ball
		for range rapid.IntRange(2, 6).Draw(t, "points") {
			pts = append(pts, ball{num("x"), num("y"), num("z"), 0.05 + 0.04*num("r")})
		}
		p := vec{num("px"), num("py"), num("pz")}
		path, want := catmull(pts, 4), math.Inf(1)
		for i := 0; i+1 < len(path); i++ {
			want = math.Min(want, roundConeAt(p, path[i], path[i+1]))
		}
		if d := chain(4, pts...).d(p); d != want {
			t.Fatalf("distance %v, link by link %v", d, want)
		}
	})
}

func TestSmoothMin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, k := rapid.Float64Range(-1, 1).Draw(t, "a"), rapid.Float64Range(-1, 1).Draw(t, "b"), rapid.Float64Range(0, 0.5).Draw(t, "k")
		m := smoothMin(a, b, k)
		if m > math.Min(a, b) || m < math.Min(a, b)-k/4-1e-12 || m != smoothMin(b, a, k) {
			t.Fatalf("smoothMin(%v, %v, %v) = %v", a, b, k, m)
		}
	})
}

func TestPackWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 20).Draw(t, "weights")
		w[rapid.IntRange(0, len(w)-1).Draw(t, "at")] += 0.01
		total := 0.0
		joints := make([]int, len(w))
		for i, x := range w {
			joints[i] = i + 3
			total += x
		}
		j, b := packWeights(w, joints)
		sum := 0
		for k := range b {
			sum += int(b[k])
			if (b[k] == 0) != (j[k] == 0) {
				t.Fatalf("joints %v with weights %v", j, b)
			}
		}
		if sum != 255 {
			t.Fatalf("weights %v sum to %d", b, sum)
		}
		if len(w) <= 4 {
			for k := range b {
				if b[k] > 0 && math.Abs(float64(b[k])/255-w[j[k]-3]/total) > 3.0/255 {
					t.Fatalf("weight %v became %d", w[j[k]-3]/total, b[k])
				}
			}
		}
	})
}

// Turning a frame and back must be the identity, and the order of the angles that of the recipe.
func TestFrames(t *testing.T) {
	if v := turn(vec{90, 0, 90}).apply(vec{0, 0, 1}); v.sub(vec{1, 0, 0}).len() > 1e-12 {
		t.Errorf("z turned about x, then z, is %v", v)
	}
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string) float64 { return rapid.Float64Range(-180, 180).Draw(t, name) }
		f := frame{vec{num("a"), num("b"), num("c")}, vec{num("x"), num("y"), num("z")}, vec{1, 2, 0.5}}
		p := vec{num("p"), num("q"), num("r")}
		if q := f.toLocal(f.toWorld(p)); q.sub(p).len() > 1e-9 {
			t.Fatalf("%v came back as %v", p, q)
		}
	})
}
