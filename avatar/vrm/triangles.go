package vrm

import (
	"fmt"

	"yui/avatar/vrm/geom"
)

// triangles reads the corner list; strips and fans (modes 5 and 6) are unrolled. Corners beyond the vertices are refused.
func (f *file) triangles(at *int, mode, n int) ([]uint32, error) {
	var idx []uint32
	if at != nil {
		var err error
		if idx, err = f.wholes(*at, 1); err != nil {
			return nil, err
		}
		for _, v := range idx {
			if v >= uint32(n) {
				return nil, fmt.Errorf("corner %d is beyond the %d vertices", v, n)
			}
		}
	} else {
		if err := f.memory.take(int64(n) * 4); err != nil {
			return nil, err
		}
		idx = make([]uint32, n)
		for i := range idx {
			idx[i] = uint32(i)
		}
	}
	if mode == 4 || len(idx) < 3 {
		return idx[:len(idx)/3*3], nil
	}
	if err := f.memory.take(int64(len(idx)) * 12); err != nil {
		return nil, err
	}
	out := make([]uint32, 0, (len(idx)-2)*3)
	for i := 2; i < len(idx); i++ {
		switch {
		case mode == 6:
			out = append(out, idx[0], idx[i-1], idx[i])
		case i%2 == 0:
			out = append(out, idx[i-2], idx[i-1], idx[i])
		default:
			out = append(out, idx[i-1], idx[i-2], idx[i])
		}
	}
	return out, nil
}

// usedVertices renumbers the corners when the part uses only some of the vertex list, and returns the old numbers of
// those it keeps; nil means all.
func usedVertices(idx []uint32, n int) []uint32 {
	number := make([]uint32, n)
	used := 0
	for _, v := range idx {
		if number[v] == 0 {
			number[v] = 1
			used++
		}
	}
	if used == n {
		return nil
	}
	pick := make([]uint32, 0, used)
	for v, u := range number {
		if u != 0 {
			number[v] = uint32(len(pick))
			pick = append(pick, uint32(v))
		}
	}
	for i, v := range idx {
		idx[i] = number[v]
	}
	return pick
}

func (p *Primitive) pickVertices(pick []uint32) {
	if pick == nil {
		return
	}
	p.Positions, p.Normals = picked(p.Positions, pick), picked(p.Normals, pick)
	p.UVs, p.Colors = picked(p.UVs, pick), picked(p.Colors, pick)
	p.Joints, p.Weights = picked(p.Joints, pick), picked(p.Weights, pick)
}

func picked[T any](from []T, pick []uint32) []T {
	if from == nil || pick == nil {
		return from
	}
	out := make([]T, len(pick))
	for i, v := range pick {
		out[i] = from[v]
	}
	return out
}

// smoothNormals makes normals for a part that came without: the mean of the faces round each vertex, by their area.
func smoothNormals(pos []geom.Vec3, idx []uint32) []geom.Vec3 {
	out := make([]geom.Vec3, len(pos))
	for i := 0; i+2 < len(idx); i += 3 {
		a, b, c := idx[i], idx[i+1], idx[i+2]
		face := pos[b].Sub(pos[a]).Cross(pos[c].Sub(pos[a]))
		out[a], out[b], out[c] = out[a].Add(face), out[b].Add(face), out[c].Add(face)
	}
	for i := range out {
		if out[i] = out[i].Unit(); out[i] == (geom.Vec3{}) {
			out[i] = geom.Vec3{0, 1, 0}
		}
	}
	return out
}
