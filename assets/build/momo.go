package main

import (
	"fmt"
	"math"
)

func momo() *character {
	c := &character{
		id: "momo", name: "Momo", fine: fineness{stray: 0.0006, longest: 0.04}, shapes: map[string]*shaped{},
		palette: append([]colour{
			{"fur", "#B9ABD0", "#9080B4"},
			{"cream", "#F5F0FA", "#D9CDE8"},
			{"stripe", "#9A8AB8", "#7F6FA3"},
			{"earIn", "#F3CBD6", "#DBA3B8"},
			{"cape", "#4C4468", "#363055"},
			{"capeIn", "#6A5E90", "#4C4468"},
			{"mint", "#6FD3B4", "#45A98B"},
		}, faceRows("#9A8AB8", colour{"whisker", "#6D5F8C", "#6D5F8C"})...),
		groups: []group{{name: "fur", outline: "#574A70"}, {name: "cape", outline: "#776BA6"}, {name: "mint", outline: "#24564C"}},
		joints: trunk(append([]joint{
			{"ear*1", "head", vec{0.140, 0.860, -0.01}},
			{"ear*2", "ear*1", vec{0.195, 0.97, -0.03}},
			{"ear*End", "ear*2", vec{0.235, 1.06, -0.05}},
			{"tail1", "hips", vec{0, 0.20, -0.05}},
			{"tail2", "tail1", vec{0.130, 0.145, -0.170}},
			{"tail3", "tail2", vec{0.310, 0.23, -0.195}},
			{"tail4", "tail3", vec{0.33, 0.40, -0.165}},
			{"tailEnd", "tail4", vec{0.315, 0.545, -0.14}},
		}, capeJoints()...)...),
		springs: []spring{
			{"earL", []string{"earL1", "earL2", "earLEnd"}, 5.2, 0.36, 0, 0.02, nil},
			{"earR", []string{"earR1", "earR2", "earREnd"}, 5.2, 0.36, 0, 0.02, nil},
			{"tail", []string{"tail1", "tail2", "tail3", "tail4", "tailEnd"}, 1.2, 0.24, 0.05, 0.035, []string{"hips", "head"}},
		},
		face: momoFace(),
	}
	for i := range capeChains {
		name := fmt.Sprintf("cape%d", i)
		c.springs = append(c.springs, spring{
			name, []string{name, name + "Low", name + "End"}, 1.6, 0.45, 0.12, 0.03,
			[]string{"hips", "legL", "legR", "upperArmL", "upperArmR", "armL", "armR"},
		})
	}
	c.parts = momoParts()
	c.furAboveHead()
	return c
}

// capeHem is the height of the cape's hem: above the hands of hanging arms, which would come through it.
const capeHem = 0.290

// capeChains is how many springs hold the cape, evenly round it. Each has two joints: elbows lift the upper half, hands
// the hem.
const capeChains = 8

func capeJoints() []joint {
	var out []joint
	for i := range capeChains {
		s, c := math.Sincos(2 * math.Pi * float64(i) / capeChains)
		name := fmt.Sprintf("cape%d", i)
		out = append(out,
			joint{name, "chest", vec{0.085 * c, 0.435, 0.075 * s}},
			joint{name + "Low", name, vec{0.175 * c, capeFold, 0.150 * s}},
			joint{name + "End", name + "Low", vec{0.228 * c, capeHem + 0.003, 0.196 * s}})
	}
	return out
}

// capeFold is the height of the lower joints.
const capeFold = 0.362

func momoParts() []part {
	return []part{
		headPart([]paint{{row: "cream", region: blended([]prim{
			ellipsoid(vec{0.075, 0.575, 0.20}, vec{0.098, 0.068, 0.12}).both(),
			ellipsoid(vec{0, 0.590, 0.22}, vec{0.080, 0.070, 0.10}).k(0.03),
		})}},
			ellipsoid(vec{0, 0.705, 0}, vec{0.278, 0.228, 0.238}),
			ellipsoid(vec{0.120, 0.635, 0.035}, vec{0.175, 0.132, 0.170}).k(0.10).both(),
			roundCone(ball{0.20, 0.640, 0.02, 0.070}, ball{0.282, 0.620, 0.015, 0.022}).k(0.07).both(),
			ellipsoid(vec{0, 0.611, 0.220}, vec{0.070, 0.045, 0.050}).k(0.09),
		),
		momoEar(),
		{name: "tail", group: "fur", base: "fur", cell: cube(0.023), relax: 3, lo: vec{-0.08, 0.05, -0.30}, hi: vec{0.46, 0.62, 0.05},
			hiddenIn: []string{"body"}, skin: chainSkin("tail1", "tail2", "tail3", "tail4", "tailEnd"), prims: []prim{
				chain(4, ball{0, 0.200, -0.050, 0.040}, ball{0.035, 0.170, -0.115, 0.038}, ball{0.110, 0.146, -0.160, 0.036}, ball{0.200, 0.150, -0.190, 0.036},
					ball{0.280, 0.195, -0.205, 0.036}, ball{0.330, 0.280, -0.205, 0.036}, ball{0.335, 0.385, -0.185, 0.036}, ball{0.305, 0.470, -0.150, 0.036}, ball{0.315, 0.530, -0.140, 0.034}),
			}, paints: []paint{{row: "stripe", region: func(p vec) float64 { return p.sub(vec{0.315, 0.56, -0.14}).len() - 0.095 }}}},
		{name: "body", group: "fur", base: "fur", cell: cube(0.0215), relax: 3, lo: vec{-0.38, -0.03, -0.16}, hi: vec{0.38, 0.60, 0.18},
			hiddenIn: []string{"head"}, skin: bodySkin, prims: body(0.110, 0.072), paints: []paint{
				{row: "cream", region: ellipsoid(vec{0, 0.270, 0.12}, vec{0.070, 0.105, 0.10}).d},
				{row: "cream", region: mittens},
			}},
		{name: "cape", group: "cape", base: "cape", cell: cube(0.021), relax: 2, lo: vec{-0.32, 0.20, -0.32}, hi: vec{0.32, 0.52, 0.32}, skin: capeSkin, prims: []prim{
			{d: bell},
			torus(frame{at: vec{0, 0.455, 0.004}, scale: vec{1.06, 1, 1}}, 0.092, 0.030).k(0.02),
		}, paints: []paint{{row: "capeIn", region: func(p vec) float64 { return p[1] - (capeHem + 0.020 - 0.008*folds(p)) }}}},
		{name: "clasp", group: "mint", base: "mint", cell: cube(0.0125), relax: 3, lo: vec{-0.06, 0.38, 0.06}, hi: vec{0.06, 0.50, 0.24}, skin: rigid("chest"), prims: []prim{
			roundBox(frame{at: vec{0, 0.428, 0.128}, rot: vec{-28, 0, 0}}, vec{0.030, 0.021, 0.014}, 0.010),
		}},
	}
}

func momoEar() part {
	f := frame{vec{0.150, 0.860, -0.01}, vec{-8, 12, -24}, vec{1, 1, 0.46}}
	leaf := f
	leaf.scale[2] = 8
	return part{
		name: "ear", group: "fur", base: "fur", cell: vec{0.0225, 0.0225, 0.0270}, relax: 2, lo: vec{-0.19, -0.22, -0.18}, hi: vec{0.19, 0.30, 0.18}, local: &f,
		mirrored: true, snap: true, hiddenIn: []string{"head"}, skin: chainSkin("earL1", "earL2", "earLEnd"),
		prims: []prim{
			chainIn(f, 4, ball{0, -0.05, 0, 0.112}, ball{0, 0.05, 0, 0.098}, ball{0.004, 0.135, 0, 0.060}, ball{0, 0.215, 0, 0.018}),
			chainIn(f, 4, ball{0, -0.05, 0.135, 0.095}, ball{0, 0.05, 0.135, 0.088}, ball{0.004, 0.135, 0.125, 0.056}, ball{0, 0.215, 0.15, 0.010}).k(0.03).as(subtract),
		},
		paints: []paint{{row: "earIn", region: blended([]prim{
			chainIn(leaf, 4, ball{0, -0.03, 0, 0.066}, ball{0, 0.04, 0, 0.060}, ball{0.004, 0.105, 0, 0.032}, ball{0.003, 0.155, 0, 0.008}),
			halfSpace(frame{at: f.at, rot: f.rot}, vec{0, 0, -1}).as(intersect),
		})}},
	}
}

// folds is the wave of the cape round its axis.
func folds(p vec) float64 { return math.Sin(8*math.Atan2(p[2], p[0]) + 0.785) }

// bell is the cape: solid with a shallow hollow below, since two close shells would show each other's outlines.
func bell(p vec) float64 {
	t, fold := clamp((0.468-p[1])/0.175, 0, 1.2), folds(p)
	radius := 0.088 + 0.115*math.Pow(t, 0.75) + 0.009*t*t*fold
	side := (math.Hypot(p[0]/1.14, (p[2]-0.004)/0.98) - radius) * 0.75
	d := smoothMax(smoothMax(side, capeHem-0.008*fold-p[1], 0.022), p[1]-0.472, 0.014)
	hollow := p.sub(vec{0, capeHem - 0.027, 0}).over(vec{0.180, 0.060, 0.156}).len()
	return smoothMax(d, -(hollow-1)*0.06, 0.012)
}

// mittens are cream hands and feet.
func mittens(p vec) float64 {
	foot := p[1] - (0.072 + 0.006*math.Sin(4*math.Atan2(p[2], math.Abs(p[0])-0.066)))
	return math.Min(foot, 0.262-math.Abs(p[0]))
}

func momoFace() face {
	f := face{height: 0.705, radius: 0.245, brow: uv{0.108, 0.104}, browHigh: 0.018, blushColour: "#F08A94",
		spots: []spot{
			{at: uv{0, 0.165}, outline: []uv{{-0.013, 0.205}, {0.013, 0.205}, {0.012, 0.165}, {0, 0.108}, {-0.012, 0.165}}},
			{at: uv{0.055, 0.172}, outline: []uv{{0.040, 0.200}, {0.078, 0.196}, {0.070, 0.170}, {0.046, 0.130}, {0.042, 0.165}}, mirrored: true},
			{at: uv{0.385, -0.052}, outline: []uv{{0.345, -0.050}, {0.385, -0.041}, {0.430, -0.036}, {0.430, -0.060}, {0.385, -0.060}}, mirrored: true},
			{at: uv{0.380, -0.098}, outline: []uv{{0.345, -0.092}, {0.385, -0.088}, {0.422, -0.092}, {0.416, -0.114}, {0.380, -0.106}}, mirrored: true},
		},
		iris: iris{rim: "#33262F", top: "#163A35", mid: "#24564C", low: "#55BE9E", glow: "#A4F0D6", pupil: "#33262F"},
	}
	f.eye.u, f.eye.v, f.eye.rx, f.eye.ry = 0.120, -0.016, 0.064, 0.088
	f.eye.base, f.eye.bulge, f.eye.lash, f.eye.flick = 0.003, 0.007, 0.0085, 0.021
	f.blush.u, f.blush.v, f.blush.rx, f.blush.ry = 0.200, -0.105, 0.042, 0.021
	f.nose.v, f.nose.rx, f.nose.ry = -0.098, 0.016, 0.011
	f.mouth.v, f.mouth.w, f.mouth.d, f.mouth.line = -0.134, 0.042, 0.0165, 0.0048
	f.whiskers.u, f.whiskers.v, f.whiskers.length = 0.228, -0.085, 0.080
	return f
}
