package geom

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/num/quat"
	"pgregory.net/rapid"
)

var number = rapid.Float32Range(-3, 3)

func drawVec(t *rapid.T) Vec3 {
	return Vec3{number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z")}
}

func drawQuat(t *rapid.T) Quat {
	q := Quat{number.Draw(t, "qx"), number.Draw(t, "qy"), number.Draw(t, "qz"), number.Draw(t, "qw")}
	if q.Dot(q) < 0.01 {
		return Ident
	}
	return q.Unit()
}

func drawTRS(t *rapid.T) (Vec3, Quat, Vec3) {
	s := rapid.Float32Range(0.2, 3)
	return drawVec(t), drawQuat(t), Vec3{s.Draw(t, "sx"), s.Draw(t, "sy"), s.Draw(t, "sz")}
}

func near(a, b float32, within float64) bool {
	return math.Abs(float64(a)-float64(b)) <= within*(1+math.Abs(float64(b)))
}

func nearVec(a, b Vec3) bool {
	return near(a[0], b[0], 1e-4) && near(a[1], b[1], 1e-4) && near(a[2], b[2], 1e-4)
}

func oracle(q Quat) quat.Number {
	return quat.Number{Real: float64(q[3]), Imag: float64(q[0]), Jmag: float64(q[1]), Kmag: float64(q[2])}
}

func dense(m Mat4) *mat.Dense {
	d := mat.NewDense(4, 4, nil)
	for c := range 4 {
		for r := range 4 {
			d.Set(r, c, float64(m[c*4+r]))
		}
	}
	return d
}

// Products, turning and inverses agree with gonum.
func TestAgainstGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q, v := drawQuat(t), drawQuat(t), drawVec(t)
		want := quat.Mul(oracle(p), oracle(q))
		got := p.Mul(q)
		if !near(got[3], float32(want.Real), 1e-4) || !near(got[0], float32(want.Imag), 1e-4) || !near(got[1], float32(want.Jmag), 1e-4) || !near(got[2], float32(want.Kmag), 1e-4) {
			t.Fatalf("%v * %v = %v, want %v", p, q, got, want)
		}
		turned := quat.Mul(quat.Mul(oracle(q), quat.Number{Imag: float64(v[0]), Jmag: float64(v[1]), Kmag: float64(v[2])}), quat.Conj(oracle(q)))
		if r := q.Rotate(v); !nearVec(r, Vec3{float32(turned.Imag), float32(turned.Jmag), float32(turned.Kmag)}) {
			t.Fatalf("%v turned by %v is %v, want %v", v, q, r, turned)
		}
		a, b := TRS(drawTRS(t)), TRS(drawTRS(t))
		var product, inverse mat.Dense
		product.Mul(dense(a), dense(b))
		if err := inverse.Inverse(dense(a)); err != nil {
			t.Skip("gonum finds the matrix too close to singular")
		}
		ab, inv := a.Mul(b), a.Inverse()
		for c := range 4 {
			for r := range 4 {
				if !near(ab[c*4+r], float32(product.At(r, c)), 1e-3) || !near(inv[c*4+r], float32(inverse.At(r, c)), 1e-3) {
					t.Fatalf("product or inverse of %v and %v differ at row %d column %d", a, b, r, c)
				}
			}
		}
	})
}

// TRS, then Decompose, gives the parts back; Rotate and the matrix turn alike.
func TestDecompose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, turn, scale := drawTRS(t)
		if rapid.Bool().Draw(t, "mirrored") {
			scale[0] = -scale[0]
		}
		m := TRS(at, turn, scale)
		p, q, s := m.Decompose()
		if !nearVec(p, at) || !nearVec(s, scale) || math.Abs(float64(q.Dot(turn))) < 0.9999 {
			t.Fatalf("%v %v %v became %v %v %v", at, turn, scale, p, q, s)
		}
		v := drawVec(t)
		want := turn.Rotate(Vec3{v[0] * scale[0], v[1] * scale[1], v[2] * scale[2]})
		if !nearVec(m.Dir(v), want) || !nearVec(m.Point(v), want.Add(at)) {
			t.Fatalf("direction %v, want %v", m.Dir(v), want)
		}
	})
}

func TestBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawVec(t), drawVec(t)
		if a.Len() < 0.1 || b.Len() < 0.1 {
			t.Skip("no direction")
		}
		if got := Between(a, b).Rotate(a.Unit()); got.Sub(b.Unit()).Len() > 2e-3 {
			t.Fatalf("%v turned to %v, want %v", a, got, b.Unit())
		}
	})
	for _, a := range []Vec3{{1, 0, 0}, {0, -2, 0}, {0, 0, 3}, {1, 1, 1}} {
		if got := Between(a, a.Mul(-1)).Rotate(a); got.Add(a).Len() > 1e-4 {
			t.Errorf("%v turned half about is %v", a, got)
		}
	}
}

func TestSlerp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := drawQuat(t), drawQuat(t)
		x := rapid.Float32Range(0, 1).Draw(t, "t")
		angle := func(a, b Quat) float64 {
			return 2 * math.Acos(min(1, math.Abs(float64(a.Dot(b)))))
		}
		got := p.Slerp(q, x)
		if d := got.Dot(got); d < 0.999 || d > 1.001 {
			t.Fatalf("length %g", d)
		}
		if whole := angle(p, q); math.Abs(angle(p, got)-float64(x)*whole) > 0.01 {
			t.Fatalf("%g of the way from %v to %v is %g of %g rad", x, p, q, angle(p, got), whole)
		}
	})
}

// What has no answer gives the one that does no harm.
func TestDegenerate(t *testing.T) {
	nan := float32(math.NaN())
	if v := (Vec3{}).Unit(); v != (Vec3{}) {
		t.Errorf("unit of zero: %v", v)
	}
	if q := (Quat{}).Unit(); q != Ident {
		t.Errorf("unit of no rotation: %v", q)
	}
	if q := (Quat{nan, 0, 0, 1}).Unit(); q != Ident {
		t.Errorf("unit of NaN: %v", q)
	}
	if m := (Mat4{}).Inverse(); m != IdentMat {
		t.Errorf("inverse of zero: %v", m)
	}
	for _, v := range []Vec3{{nan, 0, 0}, {0, float32(math.Inf(1)), 0}, {0, 0, float32(math.Inf(-1))}} {
		if v.Finite() {
			t.Errorf("%v is finite", v)
		}
	}
	if !(Vec3{1, -2, 3}).Finite() {
		t.Error("1 -2 3 is not finite")
	}
}

func TestEulerAndAxes(t *testing.T) {
	x := Euler(math.Pi/2, 0, 0).Rotate(Vec3{0, 1, 0})
	y := Euler(0, math.Pi/2, 0).Rotate(Vec3{0, 0, 1})
	z := Euler(0, 0, math.Pi/2).Rotate(Vec3{1, 0, 0})
	if !nearVec(x, Vec3{0, 0, 1}) || !nearVec(y, Vec3{1, 0, 0}) || !nearVec(z, Vec3{0, 1, 0}) {
		t.Errorf("quarter turns: %v %v %v", x, y, z)
	}
	got, want := Euler(0.3, 0.5, 0.7), AxisAngle(Vec3{1, 0, 0}, 0.3).Mul(AxisAngle(Vec3{0, 1, 0}, 0.5)).Mul(AxisAngle(Vec3{0, 0, 1}, 0.7))
	if got.Dot(want) < 0.9999 {
		t.Errorf("order XYZ: %v, want %v", got, want)
	}
}
