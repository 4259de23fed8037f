package motion

import (
	"math"
	"sort"
	"testing"
	"time"

	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// solid is a ball of different radii that moves with a node: a part of the bundled bodies (assets/build) in rest axes.
type solid struct {
	name, node string
	at, r      geom.Vec3
}

func solids() []solid {
	out := []solid{
		{"trunk", "hips", geom.Vec3{0, .235, .004}, geom.Vec3{.11, .105, .1045}},
		{"trunk", "spine", geom.Vec3{0, .285, .004}, geom.Vec3{.1045, .095, .099}},
		{"trunk", "chest", geom.Vec3{0, .36, 0}, geom.Vec3{.084, .085, .072}},
		{"head", "head", geom.Vec3{0, .705, 0}, geom.Vec3{.275, .232, .238}},
	}
	for _, s := range []struct {
		side string
		x    float32
	}{{"L", 1}, {"R", -1}} {
		out = append(out,
			solid{"cheek", "head", geom.Vec3{s.x * .125, .62, .035}, geom.Vec3{.165, .125, .165}},
			solid{"thigh", "upperLeg" + s.side, geom.Vec3{s.x * .063, .155, 0}, geom.Vec3{.054, .085, .054}})
	}
	return out
}

// depth is how far a ball of radius r at p lies inside, by the usual estimate for ellipsoids.
func (s *solid) depth(p geom.Vec3, r float32) float32 {
	p = p.Sub(s.at)
	a := geom.Vec3{p[0] / s.r[0], p[1] / s.r[1], p[2] / s.r[2]}
	b := geom.Vec3{a[0] / s.r[0], a[1] / s.r[1], a[2] / s.r[2]}
	if b.Len() < 1e-6 {
		return r + s.r[0]
	}
	return r - a.Len()*(a.Len()-1)/b.Len()
}

// eachFrame plays a clip from its own start and hands over every thirtieth of a second.
func eachFrame(m *vrm.Model, lib *Library, clip clips.ID, f func(t float64, pose *Pose)) {
	p := NewPlayer(m, lib, 7)
	in := Input{ReducedMotion: true}
	p.Step(frame30, in)
	p.Hold(clip, HoldOpts{Fade: time.Millisecond})
	p.Step(time.Millisecond, in)
	p.Reset()
	length, _ := lib.Duration(clip)
	for t := time.Duration(0); t <= length; t += frame30 {
		f(t.Seconds(), p.Step(frame30, in))
	}
}

// Paws are round and soft: they may press in by a good part of their radius, but must never vanish in a body, and while
// she sits, for minutes at a time, they lie on her.
func TestHandsStayOutOfTheBody(t *testing.T) {
	const radius, press, sitting = .05, .034, .025
	m, lib := bundled(t, "yui"), bundledMotions(t)
	at := nodesByName(m)
	for _, clip := range lib.IDs() {
		most := float32(press)
		if ruleOf(clip).group == "window_sit" {
			most = sitting
		}
		worst, where, when := float32(0), "", 0.0
		eachFrame(m, lib, clip, func(now float64, pose *Pose) {
			for i, h := range []string{"handL", "handR"} {
				palm := pose.World[at[h]].Point(geom.Vec3{.033 * float32(1-2*i), 0, 0})
				for _, s := range solids() {
					n := at[s.node]
					if d := s.depth(pose.World[n].Inverse().Point(palm).Add(m.Rest[n].Pos()), radius); d > worst {
						worst, where, when = d, h+" in the "+s.name, now
					}
				}
			}
		})
		if worst > most {
			t.Errorf("%s at %.2f s: %s by %.3f", clip, when, where, worst)
		}
	}
}

// In the poses that bend her arms below her cape Momo's elbows stay below the cloth: it is farther out than they are thick.
func TestMomosElbowsStayUnderHerCape(t *testing.T) {
	m, lib := bundled(t, "momo"), bundledMotions(t)
	at := nodesByName(m)
	cape := capeOf(t, m)
	for _, clip := range []clips.ID{"sulk", "idle_breathe", "walk", "sit_hum", "sit_legs", "calm"} {
		worst, when := float32(1), 0.0
		eachFrame(m, lib, clip, func(now float64, pose *Pose) {
			if now < .2 { // the springs are still finding their place
				return
			}
			chest := pose.World[at["chest"]].Inverse()
			cloth := cape.placed(m, pose, chest)
			for _, e := range []string{"lowerArmL", "lowerArmR"} {
				elbow := chest.Point(pose.World[at[e]].Pos())
				if room := roomUnder(cloth, elbow); room < worst {
					worst, when = room, now
				}
			}
		})
		if least := float32(.045); worst < least {
			t.Errorf("%s at %.2f s: the cape is %.3f outside of an elbow, want at least %.3f", clip, when, worst, least)
		}
	}
}

// roomUnder is how much farther from the body's axis the cloth is than a point beside it, by the middle of what hangs
// there.
func roomUnder(cloth []geom.Vec3, p geom.Vec3) float32 {
	angle := math.Atan2(float64(p[2]), float64(p[0]))
	var out []float64
	for _, q := range cloth {
		turn := math.Remainder(math.Atan2(float64(q[2]), float64(q[0]))-angle, 2*math.Pi)
		if abs(q[1]-p[1]) < .03 && math.Abs(turn) < .25 {
			out = append(out, math.Hypot(float64(q[0]), float64(q[2])))
		}
	}
	if len(out) == 0 {
		return 1
	}
	sort.Float64s(out)
	return float32(out[len(out)/2] - math.Hypot(float64(p[0]), float64(p[2])))
}

type cloth struct {
	skin int
	prim *vrm.Primitive
}

func capeOf(t *testing.T, m *vrm.Model) cloth {
	t.Helper()
	for n := range m.Nodes {
		if m.Nodes[n].Mesh < 0 {
			continue
		}
		for i := range m.Meshes[m.Nodes[n].Mesh].Primitives {
			p := &m.Meshes[m.Nodes[n].Mesh].Primitives[i]
			if p.Material >= 0 && m.Materials[p.Material].Name == "cape" {
				return cloth{m.Nodes[n].Skin, p}
			}
		}
	}
	t.Fatal("no cape")
	return cloth{}
}

func (c cloth) placed(m *vrm.Model, pose *Pose, in geom.Mat4) []geom.Vec3 {
	mats := skinMatrices(m, c.skin, pose.World, nil)
	out := make([]geom.Vec3, len(c.prim.Positions))
	for i := range out {
		at, _ := skinVertex(c.prim, i, mats, geom.IdentMat)
		out[i] = in.Point(at)
	}
	return out
}

func nodesByName(m *vrm.Model) map[string]int {
	out := map[string]int{}
	for i := range m.Nodes {
		out[m.Nodes[i].Name] = i
	}
	return out
}
