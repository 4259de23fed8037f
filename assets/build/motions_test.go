package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func motionsOf(t *testing.T) map[string]*glb {
	t.Helper()
	out := map[string]*glb{}
	for _, f := range files(t) {
		if name, ok := strings.CutPrefix(f.name, "motions/"); ok {
			g, err := parseGLB(f.data)
			if err != nil {
				t.Fatal(err)
			}
			out[strings.TrimSuffix(name, ".vrma")] = g
		}
	}
	return out
}

// keys returns times, values and tangents of a channel; rows are values alone for linear and step.
func (g *glb) keys(t *testing.T, c channel) (times []float64, in, values, out [][]float64, interp string) {
	s := g.Animations[0].Samplers[c.Sampler]
	for _, x := range g.values(t, s.Input) {
		times = append(times, x[0])
	}
	rows := g.values(t, s.Output)
	if s.Interpolation != "CUBICSPLINE" {
		return times, nil, rows, nil, s.Interpolation
	}
	for i := 0; i < len(rows); i += 3 {
		in, values, out = append(in, rows[i]), append(values, rows[i+1]), append(out, rows[i+2])
	}
	return times, in, values, out, s.Interpolation
}

// Every clip has ordered times within its length, unit turns, and a loop ends as it began, in place and in speed.
func TestMotions(t *testing.T) {
	all := motionsOf(t)
	if len(all) != 44 {
		t.Errorf("%d motions", len(all))
	}
	for name, g := range all {
		var x struct{ Yui clipExtras }
		b, _ := json.Marshal(g.Animations[0].Extras)
		if err := json.Unmarshal(b, &x); err != nil {
			t.Fatal(err)
		}
		if x.Yui.Name != name || x.Yui.Group == "" || x.Yui.Loop != "loop" && x.Yui.Loop != "once" {
			t.Errorf("%s: extras %+v", name, x.Yui)
		}
		end := 0.0
		for _, c := range g.Animations[0].Channels {
			at := name + " " + g.Nodes[c.Target.Node].Name
			times, in, values, out, interp := g.keys(t, c)
			n := len(times)
			end = math.Max(end, times[n-1])
			if len(values) != n || interp == "STEP" && n != 1 {
				t.Fatalf("%s: %d values at %d times, %s", at, len(values), n, interp)
			}
			for i := range times {
				if i > 0 && times[i] <= times[i-1] || times[i] > x.Yui.Duration+1e-6 {
					t.Errorf("%s: key at %v", at, times[i])
				}
				if c.Target.Path == "rotation" {
					if l := dot(values[i], values[i]); math.Abs(l-1) > 1e-5 {
						t.Errorf("%s: turn of length %v", at, l)
					}
					if i > 0 && dot(values[i], values[i-1]) < 0 {
						t.Errorf("%s: key %d takes the long way round", at, i)
					}
				}
			}
			if x.Yui.Loop != "loop" {
				if interp == "CUBICSPLINE" && (!allZero(in[0]) || !allZero(out[n-1])) {
					t.Errorf("%s: a one-shot does not start and end at rest", at)
				}
				continue
			}
			sign := 1.0
			if c.Target.Path == "rotation" && dot(values[0], values[n-1]) < 0 {
				sign = -1
			}
			for k := range values[0] {
				if math.Abs(values[0][k]-sign*values[n-1][k]) > 1e-5 {
					t.Fatalf("%s: starts at %v and ends at %v", at, values[0], values[n-1])
				}
				if interp == "CUBICSPLINE" && math.Abs(out[0][k]-sign*in[n-1][k]) > 1e-4 {
					t.Fatalf("%s: leaves with %v, comes back with %v", at, out[0], in[n-1])
				}
			}
		}
		if math.Abs(end-x.Yui.Duration) > 1e-5 {
			t.Errorf("%s lasts %v of %v s", name, end, x.Yui.Duration)
		}
	}
}

func allZero(v []float64) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

// The turns at the keys are those of motions.json, checked by matrices instead of quaternions.
func TestMotionKeysAreTheStudys(t *testing.T) {
	f, err := readMotions()
	if err != nil {
		t.Fatal(err)
	}
	all := motionsOf(t)
	axis := func(deg float64, i int) mat3 {
		var a vec
		a[i] = deg
		return turn(a)
	}
	for _, c := range f.Motions {
		g := all[c.Name]
		seen := 0
		for _, ch := range g.Animations[0].Channels {
			bone := g.Nodes[ch.Target.Node].Name
			times, _, values, _, _ := g.keys(t, ch)
			if ch.Target.Path == "translation" && bone == "hips" {
				for i, k := range c.HipsOffset.Keys {
					if v := values[i]; math.Abs(v[0]-k[1])+math.Abs(v[1]-0.205-k[2])+math.Abs(v[2]-k[3]) > 1e-6 {
						t.Fatalf("%s: hips at %v s are %v", c.Name, k[0], v)
					}
				}
			}
			if ch.Target.Path != "rotation" {
				continue
			}
			seen++
			for i, k := range c.Tracks[bone].Keys {
				if math.Abs(times[i]-k[0]) > 1e-5 {
					t.Fatalf("%s %s: key %d at %v", c.Name, bone, i, times[i])
				}
				q := values[i]
				for _, p := range []vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
					want := axis(k[1], 0).apply(axis(k[2], 1).apply(axis(k[3], 2).apply(p)))
					if got := rotate(q, p); got.sub(want).len() > 1e-5 {
						t.Fatalf("%s %s at %v s turns %v to %v, want %v", c.Name, bone, k[0], p, got, want)
					}
				}
			}
		}
		if seen != len(c.Tracks) {
			t.Errorf("%s: %d of %d tracks", c.Name, seen, len(c.Tracks))
		}
	}
}

func rotate(q []float64, p vec) vec {
	u, w := vec{q[0], q[1], q[2]}, q[3]
	cross := func(a, b vec) vec {
		return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	return p.add(cross(u, cross(u, p).add(p.mul(w))).mul(2))
}

// A face that a clip shows must be one that every bundled character has.
func TestMotionExpressionsExist(t *testing.T) {
	_, x := readCharacter(t, "yui")
	for name, g := range motionsOf(t) {
		var ext struct {
			Humanoid    struct{ HumanBones map[string]struct{ Node int } }
			Expressions struct {
				Preset, Custom map[string]struct{ Node int }
			}
		}
		b, _ := json.Marshal(g.Extensions["VRMC_vrm_animation"])
		if err := json.Unmarshal(b, &ext); err != nil {
			t.Fatal(err)
		}
		if len(ext.Humanoid.HumanBones) != 17 {
			t.Errorf("%s: %d bones", name, len(ext.Humanoid.HumanBones))
		}
		for e := range ext.Expressions.Preset {
			if _, ok := x.Expressions.Preset[e]; !ok {
				t.Errorf("%s: preset %s", name, e)
			}
		}
		for e := range ext.Expressions.Custom {
			if _, ok := x.Expressions.Custom[e]; !ok {
				t.Errorf("%s: custom %s", name, e)
			}
		}
	}
}

func TestTangents(t *testing.T) {
	row := func(v ...float64) (out [][]float64) {
		for _, x := range v {
			out = append(out, []float64{x})
		}
		return out
	}
	tests := []struct {
		name   string
		c      curve
		i      int
		expect float64
	}{
		{"slope of the neighbours", curve{times: []float64{0, 1, 3}, values: row(0, 5, 6)}, 1, 2},
		{"hold after", curve{times: []float64{0, 1, 2}, values: row(0, 5, 5)}, 1, 0},
		{"hold before", curve{times: []float64{0, 1, 2}, values: row(5, 5, 7)}, 1, 0},
		{"start of a one-shot", curve{times: []float64{0, 1, 2}, values: row(0, 1, 0)}, 0, 0},
		{"end of a one-shot", curve{times: []float64{0, 1, 2}, values: row(0, 1, 4)}, 2, 0},
		{"start of a loop", curve{loop: true, times: []float64{0, 1, 2, 4}, values: row(0, 3, -1, 0)}, 0, 4.0 / 3},
		{"end of a loop", curve{loop: true, times: []float64{0, 1, 2, 4}, values: row(0, 3, -1, 0)}, 3, 4.0 / 3},
		{"single key", curve{loop: true, times: []float64{0}, values: row(2)}, 0, 0},
	}
	for _, x := range tests {
		if got := x.c.tangent(x.i)[0]; math.Abs(got-x.expect) > 1e-12 {
			t.Errorf("%s: %v, want %v", x.name, got, x.expect)
		}
	}
}
