package motion

import "yui/avatar/vrm/geom"

// basis is a right-handed frame: y down the bone, z toward the pole as far as it is at right angles to y.
type basis struct{ x, y, z geom.Vec3 }

func makeBasis(dir, pole geom.Vec3) basis {
	z := pole.Sub(dir.Mul(pole.Dot(dir)))
	if z.Len() < 1e-5 { // the bone points at the pole: any side will do, the same each time
		z = geom.Vec3{dir[1], dir[2], dir[0]}
		z = z.Sub(dir.Mul(z.Dot(dir)))
	}
	z = z.Unit()
	return basis{dir.Cross(z), dir, z}
}

// to returns the rotation that takes frame a to frame b.
func (a basis) to(b basis) geom.Quat { return b.quat().Mul(a.quat().Inv()) }

func (a basis) quat() geom.Quat {
	return geom.Mat4{
		a.x[0], a.x[1], a.x[2], 0, a.y[0], a.y[1], a.y[2], 0, a.z[0], a.z[1], a.z[2], 0, 0, 0, 0, 1,
	}.Rotation()
}

// solve bends the chain from root so that its end reaches target, the middle joint toward pole. The two results are
// turns away from rest in world axes. A target out of reach is approached along its direction.
func (k *chain) solve(root, target, pole geom.Vec3, extend float32) (a, b geom.Quat) {
	to := target.Sub(root)
	d := to.Len()
	dir := to.Unit()
	if d < 1e-6 {
		dir = k.dirA
	}
	d = min(max(d, abs(k.lenA-k.lenB)+1e-4*k.lenA), (k.lenA+k.lenB)*extend)
	f := makeBasis(dir, pole)
	along := (k.lenA*k.lenA - k.lenB*k.lenB + d*d) / (2 * d)
	aside := sqrt(max(k.lenA*k.lenA-along*along, 0))
	u := f.y.Mul(along).Add(f.z.Mul(aside))
	v := f.y.Mul(d).Sub(u)
	// Both bones keep the plane of root, middle and end, so the middle joint bends as a hinge.
	a = k.restA.to(frameIn(u.Unit(), f.x))
	b = k.restB.to(frameIn(v.Unit(), f.x))
	return a, b
}

// frameIn is the frame down dir whose x is the plane's normal.
func frameIn(dir, x geom.Vec3) basis { return basis{x, dir, x.Cross(dir)} }
