// Package geom is the small vector algebra that reading, moving and drawing a VRM needs.
// Vectors are float32 and in metres, y up; angles are radians; matrices are column-major as OpenGL and glTF have them.
package geom

import "math"

// Vec3 is a point or direction.
type Vec3 [3]float32

// Quat is a rotation as x, y, z, w (glTF order).
type Quat [4]float32

// Mat4 is a column-major 4x4 matrix: element (row r, column c) is m[c*4+r].
type Mat4 [16]float32

// Ident is the rotation that does nothing.
var Ident = Quat{0, 0, 0, 1}

// IdentMat is the matrix that does nothing.
var IdentMat = Mat4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// Add returns a+b.
func (a Vec3) Add(b Vec3) Vec3 { return Vec3{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// Sub returns a-b.
func (a Vec3) Sub(b Vec3) Vec3 { return Vec3{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Mul returns a scaled by s.
func (a Vec3) Mul(s float32) Vec3 { return Vec3{a[0] * s, a[1] * s, a[2] * s} }

// Dot returns the inner product.
func (a Vec3) Dot(b Vec3) float32 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// Cross returns the outer product.
func (a Vec3) Cross(b Vec3) Vec3 {
	return Vec3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Len returns the length.
func (a Vec3) Len() float32 { return sqrt(a.Dot(a)) }

// Unit returns a with length 1, or the zero vector if a is too short to have a direction.
func (a Vec3) Unit() Vec3 {
	l := a.Len()
	if l < 1e-12 {
		return Vec3{}
	}
	return a.Mul(1 / l)
}

// Lerp returns the point t of the way from a to b.
func (a Vec3) Lerp(b Vec3, t float32) Vec3 { return a.Add(b.Sub(a).Mul(t)) }

// Mul returns the rotation that does r first, then q.
func (q Quat) Mul(r Quat) Quat {
	return Quat{
		q[3]*r[0] + q[0]*r[3] + q[1]*r[2] - q[2]*r[1],
		q[3]*r[1] - q[0]*r[2] + q[1]*r[3] + q[2]*r[0],
		q[3]*r[2] + q[0]*r[1] - q[1]*r[0] + q[2]*r[3],
		q[3]*r[3] - q[0]*r[0] - q[1]*r[1] - q[2]*r[2],
	}
}

// Inv returns the opposite of a unit rotation.
func (q Quat) Inv() Quat { return Quat{-q[0], -q[1], -q[2], q[3]} }

// Dot returns the inner product of the four components.
func (q Quat) Dot(r Quat) float32 { return q[0]*r[0] + q[1]*r[1] + q[2]*r[2] + q[3]*r[3] }

// Unit returns q with length 1, or Ident if q has no length.
func (q Quat) Unit() Quat {
	l := sqrt(q.Dot(q))
	if l < 1e-12 || l != l {
		return Ident
	}
	return Quat{q[0] / l, q[1] / l, q[2] / l, q[3] / l}
}

// Rotate returns v turned by q.
func (q Quat) Rotate(v Vec3) Vec3 {
	u := Vec3{q[0], q[1], q[2]}
	t := u.Cross(v).Mul(2)
	return v.Add(t.Mul(q[3])).Add(u.Cross(t))
}

// Slerp returns the rotation t of the way from q to r along the shorter arc.
func (q Quat) Slerp(r Quat, t float32) Quat {
	d := q.Dot(r)
	if d < 0 {
		r, d = Quat{-r[0], -r[1], -r[2], -r[3]}, -d
	}
	a, b := 1-t, t
	if d < 0.9995 {
		th := math.Acos(float64(d))
		s := 1 / math.Sin(th)
		a, b = float32(math.Sin(float64(1-t)*th)*s), float32(math.Sin(float64(t)*th)*s)
	}
	return Quat{a*q[0] + b*r[0], a*q[1] + b*r[1], a*q[2] + b*r[2], a*q[3] + b*r[3]}.Unit()
}

// AxisAngle returns the turn by angle (radians) about a unit axis.
func AxisAngle(axis Vec3, angle float32) Quat {
	s, c := math.Sincos(float64(angle) / 2)
	f := float32(s)
	return Quat{axis[0] * f, axis[1] * f, axis[2] * f, float32(c)}
}

// Euler returns the rotation Rx*Ry*Rz (three.js order "XYZ"), angles in radians.
func Euler(x, y, z float32) Quat {
	return AxisAngle(Vec3{1, 0, 0}, x).Mul(AxisAngle(Vec3{0, 1, 0}, y)).Mul(AxisAngle(Vec3{0, 0, 1}, z))
}

// Between returns the shortest turn that takes direction a to direction b.
func Between(a, b Vec3) Quat {
	a, b = a.Unit(), b.Unit()
	d := a.Dot(b)
	if d < -0.999999 {
		ax := Vec3{1, 0, 0}.Cross(a)
		if ax.Len() < 1e-6 {
			ax = Vec3{0, 1, 0}.Cross(a)
		}
		return AxisAngle(ax.Unit(), math.Pi)
	}
	c := a.Cross(b)
	return Quat{c[0], c[1], c[2], 1 + d}.Unit()
}

// TRS returns the matrix that scales, then turns, then moves.
func TRS(t Vec3, r Quat, s Vec3) Mat4 {
	x, y, z, w := r[0], r[1], r[2], r[3]
	return Mat4{
		(1 - 2*(y*y+z*z)) * s[0], 2 * (x*y + z*w) * s[0], 2 * (x*z - y*w) * s[0], 0,
		2 * (x*y - z*w) * s[1], (1 - 2*(x*x+z*z)) * s[1], 2 * (y*z + x*w) * s[1], 0,
		2 * (x*z + y*w) * s[2], 2 * (y*z - x*w) * s[2], (1 - 2*(x*x+y*y)) * s[2], 0,
		t[0], t[1], t[2], 1,
	}
}

// Mul returns the matrix that does b first, then a.
func (a Mat4) Mul(b Mat4) Mat4 {
	var o Mat4
	for c := 0; c < 4; c++ {
		for r := 0; r < 4; r++ {
			o[c*4+r] = a[r]*b[c*4] + a[4+r]*b[c*4+1] + a[8+r]*b[c*4+2] + a[12+r]*b[c*4+3]
		}
	}
	return o
}

// Point returns the point p moved by an affine m.
func (a Mat4) Point(p Vec3) Vec3 {
	return Vec3{
		a[0]*p[0] + a[4]*p[1] + a[8]*p[2] + a[12],
		a[1]*p[0] + a[5]*p[1] + a[9]*p[2] + a[13],
		a[2]*p[0] + a[6]*p[1] + a[10]*p[2] + a[14],
	}
}

// Dir returns the direction d turned and scaled by m, without its translation.
func (a Mat4) Dir(d Vec3) Vec3 {
	return Vec3{
		a[0]*d[0] + a[4]*d[1] + a[8]*d[2],
		a[1]*d[0] + a[5]*d[1] + a[9]*d[2],
		a[2]*d[0] + a[6]*d[1] + a[10]*d[2],
	}
}

// Pos returns the translation of m.
func (a Mat4) Pos() Vec3 { return Vec3{a[12], a[13], a[14]} }

// Rotation returns the turn in m, its scale taken off.
func (a Mat4) Rotation() Quat {
	x, y, z := (Vec3{a[0], a[1], a[2]}).Unit(), (Vec3{a[4], a[5], a[6]}).Unit(), (Vec3{a[8], a[9], a[10]}).Unit()
	m00, m10, m20 := x[0], x[1], x[2]
	m01, m11, m21 := y[0], y[1], y[2]
	m02, m12, m22 := z[0], z[1], z[2]
	switch tr := m00 + m11 + m22; {
	case tr > 0:
		s := sqrt(tr+1) * 2
		return Quat{(m21 - m12) / s, (m02 - m20) / s, (m10 - m01) / s, s / 4}.Unit()
	case m00 > m11 && m00 > m22:
		s := sqrt(1+m00-m11-m22) * 2
		return Quat{s / 4, (m01 + m10) / s, (m02 + m20) / s, (m21 - m12) / s}.Unit()
	case m11 > m22:
		s := sqrt(1+m11-m00-m22) * 2
		return Quat{(m01 + m10) / s, s / 4, (m12 + m21) / s, (m02 - m20) / s}.Unit()
	default:
		s := sqrt(1+m22-m00-m11) * 2
		return Quat{(m02 + m20) / s, (m12 + m21) / s, s / 4, (m10 - m01) / s}.Unit()
	}
}

// Inverse returns the inverse of an affine m, or IdentMat if m cannot be inverted.
func (a Mat4) Inverse() Mat4 {
	c0, c1, c2 := Vec3{a[0], a[1], a[2]}, Vec3{a[4], a[5], a[6]}, Vec3{a[8], a[9], a[10]}
	r0, r1, r2 := c1.Cross(c2), c2.Cross(c0), c0.Cross(c1)
	d := c0.Dot(r0)
	if d == 0 || d != d {
		return IdentMat
	}
	r0, r1, r2 = r0.Mul(1/d), r1.Mul(1/d), r2.Mul(1/d)
	t := a.Pos()
	return Mat4{
		r0[0], r1[0], r2[0], 0,
		r0[1], r1[1], r2[1], 0,
		r0[2], r1[2], r2[2], 0,
		-r0.Dot(t), -r1.Dot(t), -r2.Dot(t), 1,
	}
}

// Finite reports whether no component is NaN or infinite.
func (a Vec3) Finite() bool {
	d := a[0] - a[0] + a[1] - a[1] + a[2] - a[2]
	return d == 0
}

// Decompose parts an affine m into translation, rotation and scale, the inverse of TRS. Shear is dropped; a mirroring m
// gets its x scale negative.
func (a Mat4) Decompose() (Vec3, Quat, Vec3) {
	x, y, z := Vec3{a[0], a[1], a[2]}, Vec3{a[4], a[5], a[6]}, Vec3{a[8], a[9], a[10]}
	s := Vec3{x.Len(), y.Len(), z.Len()}
	if x.Cross(y).Dot(z) < 0 {
		s[0] = -s[0]
		a[0], a[1], a[2] = -a[0], -a[1], -a[2]
	}
	return a.Pos(), a.Rotation(), s
}
