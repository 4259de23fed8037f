package main

import "math"

func sora() *character {
	c := &character{
		id: "sora", name: "Sora", fine: fineness{stray: 0.00068, longest: 0.04}, shapes: map[string]*shaped{},
		palette: append([]colour{
			{"fur", "#7DBBEA", "#5592CF"},
			{"cream", "#FDF6E3", "#E6D6B8"},
			{"fin", "#BFE0F8", "#8FBDE6"},
			{"horn", "#FFE7B0", "#E3BE79"},
		}, faceRows("#5A9BD2", colour{"nostril", "#35618A", "#35618A"})...),
		groups: []group{{name: "fur", outline: "#2F5A85"}},
		joints: trunk(
			joint{"ear*1", "head", vec{0.255, 0.735, -0.02}},
			joint{"ear*2", "ear*1", vec{0.325, 0.765, -0.05}},
			joint{"ear*End", "ear*2", vec{0.385, 0.79, -0.07}},
			joint{"wing*1", "chest", vec{0.050, 0.375, -0.085}},
			joint{"wing*2", "wing*1", vec{0.135, 0.50, -0.125}},
			joint{"wing*End", "wing*2", vec{0.235, 0.53, -0.17}},
			joint{"tail1", "hips", vec{0, 0.205, -0.04}},
			joint{"tail2", "tail1", vec{0.130, 0.125, -0.195}},
			joint{"tail3", "tail2", vec{0.300, 0.17, -0.215}},
			joint{"tail4", "tail3", vec{0.37, 0.33, -0.185}},
			joint{"tailEnd", "tail4", vec{0.39, 0.50, -0.17}},
		),
		springs: []spring{
			{"earL", []string{"earL1", "earL2", "earLEnd"}, 3.6, 0.36, 0, 0.02, nil},
			{"earR", []string{"earR1", "earR2", "earREnd"}, 3.6, 0.36, 0, 0.02, nil},
			{"wingL", []string{"wingL1", "wingL2", "wingLEnd"}, 2.6, 0.36, 0.02, 0.02, []string{"head"}},
			{"wingR", []string{"wingR1", "wingR2", "wingREnd"}, 2.6, 0.36, 0.02, 0.02, []string{"head"}},
			{"tail", []string{"tail1", "tail2", "tail3", "tail4", "tailEnd"}, 1.7, 0.3, 0.08, 0.05, []string{"hips", "head"}},
		},
		face: soraFace(),
	}
	c.parts = append(soraHead(), soraRest()...)
	return c
}

func soraHead() []part {
	crest := func(y, z, r, y2, z2, r2 float64) prim {
		return prim{d: frame{scale: vec{0.55, 1, 1}}.in(roundCone(ball{0, y, z, r}, ball{0, y2, z2, r2}).d)}
	}
	horn := frame{at: vec{0.105, 0.865, 0.02}, rot: vec{-10, 0, -27}}
	fin := frame{at: vec{0.262, 0.745, -0.02}, rot: vec{0, 34, 8}}
	web := [][2]float64{{-0.03, -0.050}, {0.050, -0.070}, {0.105, -0.062}, {0.088, -0.022}, {0.142, -0.006}, {0.112, 0.034}, {0.168, 0.072}, {0.120, 0.106}, {0.060, 0.098}, {0, 0.060}, {-0.03, 0.035}}
	inner := make([][2]float64, len(web))
	for i, q := range web {
		inner[i] = [2]float64{q[0]*0.74 + 0.022, q[1]*0.68 + 0.008}
	}
	return []part{
		headPart([]paint{{row: "cream", region: blended([]prim{
			ellipsoid(vec{0.085, 0.568, 0.20}, vec{0.110, 0.068, 0.13}).both(),
			ellipsoid(vec{0, 0.575, 0.20}, vec{0.125, 0.072, 0.12}).k(0.03),
		})}},
			ellipsoid(vec{0, 0.705, 0}, vec{0.282, 0.230, 0.240}),
			ellipsoid(vec{0.115, 0.63, 0.040}, vec{0.172, 0.130, 0.168}).k(0.10).both(),
			ellipsoid(vec{0, 0.608, 0.212}, vec{0.100, 0.056, 0.064}).k(0.09),
		),
		{name: "horn", group: "fur", base: "horn", cell: cube(0.0175), relax: 2, lo: vec{-0.12, -0.10, -0.10}, hi: vec{0.12, 0.30, 0.10}, local: &horn,
			mirrored: true, snap: true, hiddenIn: []string{"head"}, skin: rigid("head"), prims: []prim{
				chain(4, ball{0.105, 0.865, 0.02, 0.052}, ball{0.122, 0.950, 0.012, 0.046}, ball{0.150, 1.020, -0.005, 0.031}, ball{0.186, 1.074, -0.02, 0.013}),
			}},
		{name: "crest", group: "fur", base: "fin", cell: cube(0.017), relax: 3, lo: vec{-0.06, 0.60, -0.36}, hi: vec{0.06, 1.04, 0.12}, hiddenIn: []string{"head"}, skin: rigid("head"), prims: []prim{
			crest(0.92, 0.02, 0.050, 0.965, -0.015, 0.022),
			crest(0.895, -0.10, 0.050, 0.935, -0.145, 0.022).k(0.006),
			crest(0.825, -0.18, 0.046, 0.850, -0.232, 0.020).k(0.006),
			crest(0.730, -0.225, 0.040, 0.738, -0.270, 0.018).k(0.006),
		}},
		{name: "fin", group: "fur", base: "fur", cell: vec{0.0190, 0.0190, 0.0150}, relax: 1, lo: vec{-0.085, -0.125, -0.0453}, hi: vec{0.215, 0.155, 0.0453}, local: &fin,
			mirrored: true, hiddenIn: []string{"head"}, skin: chainSkin("earL1", "earL2", "earLEnd"), prims: []prim{plate(fin, web, 0.004, 0.013)},
			paints: []paint{{row: "fin", region: blended([]prim{plate(fin, inner, 0.06, 0), halfSpace(fin, vec{0, 0, -1}).as(intersect)})}}},
	}
}

func soraRest() []part {
	wing := frame{at: vec{0.055, 0.385, -0.095}, rot: vec{0, 26, -2}}
	sail := [][2]float64{{-0.03, -0.02}, {0.03, 0.065}, {0.085, 0.150}, {0.150, 0.185}, {0.225, 0.190}, {0.188, 0.108}, {0.205, 0.055}, {0.138, 0.040}, {0.128, -0.025}, {0.062, -0.004}, {0.005, -0.05}}
	spade := frame{at: vec{0.388, 0.425, -0.168}, rot: vec{6, 0, -8}}
	leaf := [][2]float64{{-0.012, -0.03}, {-0.066, -0.012}, {-0.050, 0.030}, {0, 0.100}, {0.050, 0.030}, {0.066, -0.012}, {0.012, -0.03}}
	return []part{
		{name: "wing", group: "fur", base: "fin", cell: vec{0.0200, 0.0200, 0.0150}, relax: 1, lo: vec{-0.10, -0.11, -0.0653}, hi: vec{0.29, 0.25, 0.0653}, local: &wing,
			mirrored: true, snap: true, hiddenIn: []string{"body"}, skin: chainSkin("wingL1", "wingL2", "wingLEnd"), prims: []prim{
				plate(wing, sail, 0.003, 0.012),
				chainIn(wing, 3, ball{-0.03, -0.01, 0, 0.024}, ball{0.03, 0.055, 0, 0.022}, ball{0.085, 0.152, 0, 0.020}, ball{0.150, 0.188, 0, 0.018}, ball{0.222, 0.192, 0, 0.015}).k(0.008),
			}, paints: []paint{{row: "fur", region: chainIn(wing, 3, ball{-0.03, -0.01, 0, 0.026}, ball{0.03, 0.058, 0, 0.025}, ball{0.085, 0.155, 0, 0.023}, ball{0.150, 0.192, 0, 0.021}, ball{0.232, 0.196, 0, 0.019}).d}}},
		{name: "tail", group: "fur", base: "fur", cell: cube(0.022), relax: 3, lo: vec{-0.10, 0.02, -0.34}, hi: vec{0.50, 0.48, 0.06},
			hiddenIn: []string{"body"}, skin: chainSkin("tail1", "tail2", "tail3", "tail4", "tailEnd"), prims: []prim{
				chain(4, ball{0, 0.205, -0.040, 0.062}, ball{0.050, 0.150, -0.140, 0.060}, ball{0.150, 0.118, -0.195, 0.052}, ball{0.265, 0.145, -0.225, 0.042},
					ball{0.340, 0.225, -0.220, 0.032}, ball{0.370, 0.330, -0.185, 0.024}, ball{0.385, 0.410, -0.170, 0.018}),
			}},
		{name: "spade", group: "fur", base: "fin", cell: vec{0.0180, 0.0180, 0.0150}, relax: 1, lo: vec{-0.117, -0.09, -0.0453}, hi: vec{0.117, 0.16, 0.0453}, local: &spade,
			skin: rigid("tail4"), prims: []prim{plate(spade, leaf, 0.004, 0.014)}},
		{name: "body", group: "fur", base: "fur", cell: cube(0.0215), relax: 3, lo: vec{-0.38, -0.03, -0.16}, hi: vec{0.38, 0.60, 0.18},
			hiddenIn: []string{"head"}, skin: bodySkin, prims: body(0.114, 0.076), paints: []paint{
				{row: "cream", region: ellipsoid(vec{0, 0.290, 0.12}, vec{0.080, 0.140, 0.10}).d},
				{row: "cream", region: func(p vec) float64 { return math.Min(p[1]-0.060, 0.256-math.Abs(p[0])) }},
			}},
	}
}

func soraFace() face {
	f := face{height: 0.705, radius: 0.245, brow: uv{0.108, 0.108}, browHigh: 0.014, blushColour: "#FF8F86", nostril: uv{0.017, -0.094},
		spots: []spot{
			{at: uv{0.130, 0.142}, rx: 0.025, ry: 0.018, mirrored: true},
			{at: uv{0.105, 0.176}, rx: 0.022, ry: 0.012, mirrored: true},
			{at: uv{0, 0.166}, rx: 0.022, ry: 0.014},
		},
		iris: iris{rim: "#3B2A2A", top: "#5A1F10", mid: "#8A3B22", low: "#F5854F", glow: "#FFC79A", pupil: "#3B2A2A"},
	}
	f.eye.u, f.eye.v, f.eye.rx, f.eye.ry = 0.122, -0.010, 0.064, 0.088
	f.eye.base, f.eye.bulge, f.eye.lash, f.eye.flick = 0.003, 0.007, 0.0085, 0.021
	f.blush.u, f.blush.v, f.blush.rx, f.blush.ry = 0.205, -0.100, 0.042, 0.021
	f.mouth.v, f.mouth.w, f.mouth.d, f.mouth.line = -0.130, 0.042, 0.0165, 0.0048
	return f
}
