package main

import (
	"fmt"
	"math"
	"strings"
)

// skinner gives the bones that move a part and each vertex's weights for them.
type skinner func(s skeleton, m *mesh) (bones []string, weights [][]float64)

// rigid binds a whole part to one bone.
func rigid(bone string) skinner {
	return func(_ skeleton, m *mesh) ([]string, [][]float64) {
		w := make([][]float64, len(m.pos))
		for i := range w {
			w[i] = []float64{1}
		}
		return []string{bone}, w
	}
}

// segment is a bone as a line from its joint to the next.
type segment struct {
	from, to vec
	radius   float64
}

// along is the nearest place on the segment (0..1) and the distance to it.
func (s segment) along(p vec) (t, d float64) {
	l := s.to.sub(s.from)
	if ll := l.dot(l); ll > 0 {
		t = clamp(p.sub(s.from).dot(l)/ll, 0, 1)
	}
	return t, p.sub(s.from).sub(l.mul(t)).len()
}

// bodySkin weighs every trunk and limb bone by 1/(distance/radius)^4 and smooths over the surface.
func bodySkin(s skeleton, m *mesh) ([]string, [][]float64) {
	next := map[string]string{"hips": "spine", "spine": "chest", "chest": "neck", "neck": "head"}
	for _, side := range []string{"L", "R"} {
		next["upperArm"+side], next["lowerArm"+side] = "lowerArm"+side, "hand"+side
		next["upperLeg"+side], next["lowerLeg"+side] = "lowerLeg"+side, "foot"+side
	}
	var bones []string
	var segs []segment
	for _, j := range s {
		seg := segment{from: j.at, to: j.at, radius: 0.05}
		switch {
		case next[j.name] != "":
			seg.to = s.at(next[j.name])
			if j.name == "hips" || j.name == "spine" || j.name == "chest" {
				seg.radius = 0.11
			}
		case strings.HasPrefix(j.name, "hand"):
			seg.to[0] *= 1.2
		case strings.HasPrefix(j.name, "foot"):
			seg.to[2] += 0.06
		default:
			continue
		}
		bones, segs = append(bones, j.name), append(segs, seg)
	}
	w := make([][]float64, len(m.pos))
	for i, p := range m.pos {
		w[i] = make([]float64, len(segs))
		sum := 0.0
		for b, seg := range segs {
			_, d := seg.along(p)
			w[i][b] = 1 / math.Pow(d/seg.radius+1e-3, 4)
			sum += w[i][b]
		}
		for b := range w[i] {
			w[i][b] /= sum
		}
	}
	return bones, m.smooth(w, 3)
}

// chainSkin fades from bone to bone along a chain that ends at the joint named last, which takes no weight itself.
func chainSkin(names ...string) skinner {
	bones := names[:len(names)-1]
	return func(s skeleton, m *mesh) ([]string, [][]float64) {
		w := make([][]float64, len(m.pos))
		for i, p := range m.pos {
			best, at := math.Inf(1), 0.0
			for b := range bones {
				t, d := segment{from: s.at(names[b]), to: s.at(names[b+1])}.along(p)
				if d < best {
					best, at = d, float64(b)+t
				}
			}
			w[i] = make([]float64, len(bones))
			x := clamp(at-0.5, 0, float64(len(bones)-1))
			b := min(int(x), max(len(bones)-2, 0))
			t := smoothstep(x - float64(b))
			w[i][b] = 1 - t
			if b+1 < len(bones) {
				w[i][b+1] = t
			}
		}
		return bones, m.smooth(w, 6)
	}
}

// capeSkin hangs a bell of cloth from the chest by eight chains round it: the two nearest share the lower part, each by
// its upper and its lower joint.
func capeSkin(_ skeleton, m *mesh) ([]string, [][]float64) {
	bones := []string{"chest"}
	for i := range capeChains {
		name := fmt.Sprintf("cape%d", i)
		bones = append(bones, name, name+"Low")
	}
	w := make([][]float64, len(m.pos))
	for i, p := range m.pos {
		w[i] = make([]float64, len(bones))
		loose := 0.95 * math.Pow(clamp((0.43-p[1])/(0.43-capeHem+0.03), 0, 1), 1.1)
		low := smoothstep(clamp((capeFold+0.03-p[1])/0.06, 0, 1))
		turn := math.Atan2(p[2]/0.196, p[0]/0.228) / (math.Pi / 4)
		turn = math.Mod(turn+8, 8)
		b := int(turn)
		t := smoothstep(turn - float64(b))
		w[i][0] = 1 - loose
		share := func(chain int, weight float64) {
			w[i][1+2*(chain%8)] += weight * (1 - low)
			w[i][2+2*(chain%8)] += weight * low
		}
		share(b, loose*(1-t))
		share(b+1, loose*t)
	}
	return bones, m.smooth(w, 3)
}

// packWeights keeps the strongest four and rounds them to bytes that sum to exactly 255.
func packWeights(w []float64, joints []int) (j, b [4]uint8) {
	used := make([]bool, len(w))
	var top [4]int
	var sum float64
	n := 0
	for ; n < 4 && n < len(w); n++ {
		best := -1
		for i, v := range w {
			if !used[i] && v > 0 && (best < 0 || v > w[best]) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		used[best], top[n] = true, best
		sum += w[best]
	}
	left := 255
	for k := n - 1; k >= 0; k-- {
		v := int(math.Round(w[top[k]] / sum * 255))
		if k == 0 {
			v = left
		}
		left -= v
		if v > 0 {
			j[k], b[k] = uint8(joints[top[k]]), uint8(v)
		}
	}
	return j, b
}
