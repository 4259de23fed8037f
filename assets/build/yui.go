package main

import "math"

// trunk is the skeleton that all bundled characters share, in metres at a height of one.
func trunk(more ...joint) skeleton {
	return symmetric(append([]joint{
		{"hips", "", vec{0, 0.205, 0}},
		{"spine", "hips", vec{0, 0.265, 0}},
		{"chest", "spine", vec{0, 0.325, 0}},
		{"neck", "chest", vec{0, 0.43, 0}},
		{"head", "neck", vec{0, 0.49, 0}},
		{"upperArm*", "chest", vec{0.088, 0.385, 0}},
		{"lowerArm*", "upperArm*", vec{0.172, 0.385, 0}},
		{"hand*", "lowerArm*", vec{0.243, 0.385, 0}},
		{"upperLeg*", "hips", vec{0.062, 0.190, 0}},
		{"lowerLeg*", "upperLeg*", vec{0.066, 0.115, 0}},
		{"foot*", "lowerLeg*", vec{0.068, 0.055, 0}},
	}, more...)...)
}

// body is the trunk's surface: pear-shaped, short limbs, big feet.
func body(hip, chest float64) []prim {
	const shoulder, arm, hand, leg, legX = 0.385, 0.043, 0.054, 0.051, 0.066
	return []prim{
		ellipsoid(vec{0, 0.235, 0.004}, vec{hip, 0.105, hip * 0.95}),
		ellipsoid(vec{0, 0.285, 0.004}, vec{hip * 0.95, 0.095, hip * 0.9}).k(0.04),
		ellipsoid(vec{0, 0.360, 0}, vec{chest * 1.08, 0.085, chest}).k(0.06),
		roundCone(ball{0, 0.40, 0, 0.066}, ball{0, 0.50, 0, 0.060}).k(0.03),
		roundCone(ball{0.084, shoulder, 0, arm + 0.003}, ball{0.172, shoulder, 0, arm}).k(0.045).both(),
		roundCone(ball{0.172, shoulder, 0, arm}, ball{0.248, shoulder, 0, arm + 0.002}).k(0.012).both(),
		ellipsoid(vec{0.276, shoulder, 0.002}, vec{hand * 1.08, hand * 0.92, hand}).k(0.02).both(),
		roundCone(ball{0.256, shoulder, 0.026, 0.018}, ball{0.266, shoulder + 0.004, 0.050, 0.015}).k(0.035).both(),
		roundCone(ball{legX - 0.006, 0.195, 0, leg + 0.006}, ball{legX, 0.115, 0, leg - 0.004}).k(0.03).both(),
		roundCone(ball{legX, 0.115, 0, leg - 0.004}, ball{legX + 0.002, 0.060, 0, leg - 0.008}).k(0.012).both(),
		ellipsoid(vec{legX + 0.004, 0.044, 0.026}, vec{0.057, 0.047, 0.082}).k(0.022).both(),
		halfSpace(frame{at: vec{0, 0.004, 0}}, vec{0, -1, 0}).k(0.02).as(intersect),
	}
}

// faceRows are the palette rows of the face's flat decals.
func faceRows(spot string, more ...colour) []colour {
	rows := []colour{
		{"line", "#3B2A2A", "#3B2A2A"},
		{"mouthIn", "#8C3B3B", "#8C3B3B"},
		{"tongue", "#F28B82", "#F28B82"},
		{"hatch", "#E4605C", "#E4605C"},
		{"spot", spot, spot},
	}
	return append(rows, more...)
}

func headPart(paints []paint, prims ...prim) part {
	return part{
		name: "head", group: "fur", base: "fur", cell: cube(0.033), relax: 3, lo: vec{-0.40, 0.40, -0.34}, hi: vec{0.40, 1.02, 0.36},
		roundNormals: true, skin: rigid("head"), prims: prims, paints: paints,
	}
}

func yui() *character {
	c := &character{
		id: "yui", name: "Yui", fine: fineness{stray: 0.0006, longest: 0.04}, shapes: map[string]*shaped{},
		palette: append([]colour{
			{"fur", "#F6A45C", "#DD7F45"},
			{"cream", "#FFF4E2", "#F0D3B4"},
			{"dark", "#5E3626", "#46261A"},
			{"earIn", "#FFE1CC", "#F0B99C"},
			{"scarf", "#D9505A", "#B23647"},
			{"scarf2", "#C94650", "#A32F40"},
			{"gold", "#F7C948", "#D79A2B"},
			{"goldDark", "#8A6516", "#6B4D10"},
		}, faceRows("#FFE3C4")...),
		groups: []group{{name: "fur", outline: "#6E3C20"}, {name: "scarf", outline: "#7F2430"}, {name: "gold", outline: "#8A6516"}, {name: "dark", outline: "#9A6138", row: "dark"}},
		joints: trunk(
			joint{"ear*1", "head", vec{0.150, 0.865, -0.01}},
			joint{"ear*2", "ear*1", vec{0.210, 1.02, -0.035}},
			joint{"ear*End", "ear*2", vec{0.27, 1.17, -0.06}},
			joint{"tail1", "hips", vec{0.015, 0.185, -0.075}},
			joint{"tail2", "tail1", vec{0.170, 0.155, -0.185}},
			joint{"tail3", "tail2", vec{0.320, 0.265, -0.20}},
			joint{"tail4", "tail3", vec{0.345, 0.44, -0.165}},
			joint{"tailEnd", "tail4", vec{0.285, 0.61, -0.13}},
			joint{"scarf1", "chest", vec{0.048, 0.395, 0.105}},
			joint{"scarf2", "scarf1", vec{0.058, 0.325, 0.128}},
			joint{"scarfEnd", "scarf2", vec{0.07, 0.24, 0.124}},
		),
		springs: []spring{
			{"earL", []string{"earL1", "earL2", "earLEnd"}, 4.6, 0.36, 0, 0.02, nil},
			{"earR", []string{"earR1", "earR2", "earREnd"}, 4.6, 0.36, 0, 0.02, nil},
			{"tail", []string{"tail1", "tail2", "tail3", "tail4", "tailEnd"}, 2.2, 0.3, 0.05, 0.07, []string{"hips", "head"}},
			{"scarf", []string{"scarf1", "scarf2", "scarfEnd"}, 0.9, 0.3, 0.25, 0.02, []string{"hips", "chest", "legL", "legR", "handL", "handR"}},
		},
		face: yuiFace(),
	}
	c.parts = yuiParts()
	c.furAboveHead()
	return c
}

func yuiParts() []part {
	return []part{
		headPart([]paint{{row: "cream", region: cheekFur(blended([]prim{
			ellipsoid(vec{0.135, 0.560, 0.150}, vec{0.225, 0.098, 0.165}).both(),
			ellipsoid(vec{0, 0.575, 0.22}, vec{0.085, 0.105, 0.10}).k(0.03),
		}))}},
			ellipsoid(vec{0, 0.705, 0}, vec{0.275, 0.232, 0.238}),
			ellipsoid(vec{0.125, 0.62, 0.035}, vec{0.165, 0.125, 0.165}).k(0.10).both(),
			roundCone(ball{0.19, 0.625, 0.02, 0.070}, ball{0.300, 0.590, 0.015, 0.010}).k(0.07).both(),
			ellipsoid(vec{0, 0.612, 0.232}, vec{0.068, 0.045, 0.056}).k(0.09),
		),
		yuiEar(),
		{name: "tuft", group: "fur", base: "fur", cell: cube(0.016), relax: 3, lo: vec{-0.14, 0.80, -0.08}, hi: vec{0.17, 1.06, 0.18},
			snap: true, hiddenIn: []string{"head"}, skin: rigid("head"), prims: []prim{
				chain(4, ball{-0.025, 0.890, 0.06, 0.048}, ball{-0.022, 0.945, 0.066, 0.040}, ball{0.008, 0.988, 0.070, 0.027}, ball{0.058, 0.998, 0.070, 0.009}),
				chain(4, ball{0.035, 0.890, 0.06, 0.042}, ball{0.055, 0.930, 0.066, 0.031}, ball{0.100, 0.946, 0.068, 0.010}).k(0.02),
			}},
		{name: "tail", group: "fur", base: "fur", cell: cube(0.026), relax: 3, lo: vec{-0.08, 0.03, -0.36}, hi: vec{0.50, 0.66, 0},
			snap: true, hiddenIn: []string{"body"}, skin: chainSkin("tail1", "tail2", "tail3", "tail4", "tailEnd"), prims: []prim{
				chain(4, ball{0.005, 0.205, -0.040, 0.046}, ball{0.050, 0.165, -0.140, 0.056}, ball{0.145, 0.150, -0.195, 0.078}, ball{0.255, 0.195, -0.210, 0.101},
					ball{0.335, 0.310, -0.195, 0.112}, ball{0.345, 0.440, -0.165, 0.092}, ball{0.315, 0.545, -0.140, 0.050}, ball{0.285, 0.605, -0.130, 0.018}),
			}, paints: []paint{{row: "cream", region: softTeeth}}},
		{name: "body", group: "fur", base: "fur", cell: cube(0.0215), relax: 3, lo: vec{-0.36, -0.03, -0.16}, hi: vec{0.36, 0.60, 0.18},
			hiddenIn: []string{"head", "scarf"}, skin: bodySkin, prims: body(0.110, 0.072), paints: []paint{
				{row: "cream", region: ellipsoid(vec{0, 0.285, 0.12}, vec{0.074, 0.110, 0.10}).d},
				{row: "dark", region: socks},
			}},
		{name: "scarf", group: "scarf", base: "scarf", cell: cube(0.0235), relax: 3, lo: vec{-0.2, 0.22, -0.2}, hi: vec{0.2, 0.52, 0.24}, skin: rigid("chest"), prims: []prim{
			torus(frame{vec{0, 0.437, 0.006}, vec{6, 0, 3}, vec{1.06, 1, 1}}, 0.100, 0.043),
			torus(frame{vec{0, 0.408, 0.012}, vec{10, 0, -5}, vec{1.10, 0.9, 1.05}}, 0.100, 0.036).k(0.03),
		}},
		{name: "scarfTail", group: "scarf", base: "scarf2", cell: cube(0.017), relax: 3, lo: vec{-0.04, 0.18, 0.04}, hi: vec{0.20, 0.50, 0.26}, skin: chainSkin("scarf1", "scarf2", "scarfEnd"), prims: []prim{
			chainIn(frame{vec{0, 0, 0.120}, vec{}, vec{1, 1, 0.55}}, 4, ball{0.048, 0.380, -0.016, 0.032}, ball{0.058, 0.340, 0.010, 0.039}, ball{0.070, 0.268, 0.004, 0.040}),
		}},
		{name: "bell", group: "gold", base: "gold", cell: cube(0.0095), relax: 3, lo: vec{-0.06, 0.33, 0.08}, hi: vec{0.06, 0.46, 0.22}, skin: rigid("chest"),
			prims:  []prim{ellipsoid(vec{0, 0.396, 0.166}, vec{0.030, 0.030, 0.028})},
			paints: []paint{{row: "goldDark", region: roundBox(frame{at: vec{0, 0.389, 0.19}}, vec{0.019, 0.004, 0.02}, 0.003).d}}},
	}
}

func yuiEar() part {
	f := frame{vec{0.165, 0.865, -0.015}, vec{-8, 14, -19}, vec{1, 1, 0.46}}
	leaf := f
	leaf.scale[2] = 8 // the inner colour is a flat leaf shape pushed through the ear, or its border would tear
	return part{
		name: "ear", group: "fur", base: "fur", cell: vec{0.0225, 0.0225, 0.0270}, relax: 2, lo: vec{-0.17, -0.20, -0.18}, hi: vec{0.17, 0.40, 0.18}, local: &f,
		mirrored: true, snap: true, hiddenIn: []string{"head"}, skin: chainSkin("earL1", "earL2", "earLEnd"),
		prims: []prim{
			chainIn(f, 4, ball{0, -0.05, 0, 0.102}, ball{0, 0.09, 0, 0.100}, ball{0.006, 0.20, 0, 0.066}, ball{0, 0.315, 0, 0.018}),
			chainIn(f, 4, ball{0, -0.05, 0.135, 0.088}, ball{0, 0.09, 0.135, 0.090}, ball{0.006, 0.20, 0.135 * 0.82, 0.066}, ball{0, 0.315, 0.135 * 1.1, 0.010}).k(0.03).as(subtract),
		},
		paints: []paint{
			{row: "earIn", region: blended([]prim{
				chainIn(leaf, 4, ball{0, -0.03, 0, 0.060}, ball{0, 0.08, 0, 0.060}, ball{0.006, 0.17, 0, 0.034}, ball{0.004, 0.235, 0, 0.006}),
				halfSpace(frame{at: f.at, rot: f.rot}, vec{0, 0, -1}).as(intersect),
			})},
			{row: "dark", over: []string{"fur"}, region: frame{at: vec{0.272, 1.175, -0.06}, rot: f.rot}.in(ellipsoidField(vec{0.12, 0.105, 0.12}))},
		},
	}
}

// cheekFur gives the mask's border teeth where it ends on the sides of the head, which are plain otherwise.
func cheekFur(mask dist) dist {
	return func(p vec) float64 {
		side := smoothstep(clamp((math.Abs(p[0])-0.20)/0.05, 0, 1)) * smoothstep(clamp((0.12-p[2])/0.08, 0, 1))
		phi := math.Atan2(p[1]-0.575, 0.10-p[2])
		return mask(p) - side*0.030*math.Asin(math.Sin(6*phi+0.9))/1.57
	}
}

// softTeeth is the cream tip of the tail, with six soft teeth at its border.
func softTeeth(p vec) float64 {
	q := p.sub(vec{0.330, 0.60, -0.14})
	phi := math.Atan2(q[2], q[0]-0.005)
	return q.len() - 0.165 - 0.020*math.Asin(math.Sin(6*phi))/1.57
}

// socks are dark hands and feet with wavy borders.
func socks(p vec) float64 {
	hand := 0.236 + 0.010*math.Sin(4*math.Atan2(p[1]-0.385, p[2])) - math.Abs(p[0])
	foot := p[1] - (0.098 + 0.008*math.Sin(4*math.Atan2(p[2], math.Abs(p[0])-0.07)))
	return math.Min(hand, foot)
}

func yuiFace() face {
	f := face{height: 0.705, radius: 0.245, brow: uv{0.108, 0.104}, blushColour: "#FF8F86",
		spots: []spot{{at: uv{0.096, 0.128}, rx: 0.025, ry: 0.0145, turn: -10, mirrored: true}},
		iris:  iris{rim: "#3B2A2A", top: "#54290F", mid: "#7A3E1D", low: "#E59A35", glow: "#FFD27A", pupil: "#3B2A2A"},
	}
	f.eye.u, f.eye.v, f.eye.rx, f.eye.ry = 0.121, -0.018, 0.066, 0.088
	f.eye.base, f.eye.bulge, f.eye.lash, f.eye.flick = 0.003, 0.007, 0.0085, 0.021
	f.blush.u, f.blush.v, f.blush.rx, f.blush.ry = 0.195, -0.108, 0.042, 0.022
	f.nose.v, f.nose.rx, f.nose.ry = -0.098, 0.016, 0.011
	f.mouth.v, f.mouth.w, f.mouth.d, f.mouth.line = -0.136, 0.043, 0.0165, 0.0048
	return f
}
