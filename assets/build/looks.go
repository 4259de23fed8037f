package main

// expression is one VRM expression of a bundled character and the looks behind it.
type expression struct {
	name                 string
	custom               bool
	shapes               []string // morph targets by name
	blink, lookAt, mouth string   // overrides, "" for none
	eyeOffset            *[2]float64
	blushAlpha           float64 // 0 leaves the blush's strength alone
}

// shape is one morph target.
type shape struct {
	name string
	look look
}

func bothBrows(b brows) [2]*brows { return [2]*brows{&b, &b} }

// shapes are the morph targets of every bundled face, in the order of the file.
func shapes() []shape {
	closed := func(s string) [2]string { return [2]string{s, s} }
	return []shape{
		{"happy", look{closed: closed("happy"), mouth: "smile"}},
		{"angry", look{lids: &lids{0.08, 0.56, 0.10}, mouth: "frown", brow: bothBrows(brows{turn: -22, up: -0.012})}},
		{"sad", look{lids: &lids{0.78, 0.12, 0.12}, mouth: "frown", brow: bothBrows(brows{turn: 24, up: -0.010})}},
		{"relaxed", look{lids: &lids{0.56, 0.36, 0.30}}},
		{"surprised", look{eyeSize: 1.10, mouth: "o", brow: bothBrows(brows{turn: 6, up: 0.058, short: true})}},
		{"blinkLeft", look{closed: [2]string{"sleep", ""}}},
		{"blinkRight", look{closed: [2]string{"", "sleep"}}},
		{"aa", look{mouth: "aa"}},
		{"ih", look{mouth: "ih"}},
		{"ou", look{mouth: "ou"}},
		{"ee", look{mouth: "ee"}},
		{"oh", look{mouth: "oh"}},
		{"smile", look{mouth: "smile"}},
		{"sleepy", look{closed: closed("sleep"), mouth: "flat"}},
		{"thinking", look{mouth: "hmm", brow: [2]*brows{{turn: 4, up: 0.058, short: true}, {turn: -14, up: -0.016}}}},
		{"curious", look{eyeSize: 1.07, mouth: "tiny", brow: [2]*brows{{turn: 8, up: 0.060, short: true}, nil}}},
		{"blush", look{mouth: "wobble", flush: 1, brow: bothBrows(brows{turn: 20, up: -0.013})}},
	}
}

// How far the eye picture moves on its patch when she looks aside, up or down, in parts of the picture.
const gazeAside, gazeUp, gazeDown = 0.072, 0.065, 0.046

// expressions are the faces that the file names. Whatever moves the vertices of the eyes blocks the blink, or the two
// would add up. Happy and the smile leave the mouth to the player, which lowers them while she speaks; the closed
// mouths of sad and angry and the round one of surprised block it.
func expressions() []expression {
	gaze := func(name string, x, y float64) expression {
		return expression{name: name, eyeOffset: &[2]float64{x, y}}
	}
	plain := func(name string) expression { return expression{name: name, shapes: []string{name}} }
	return []expression{
		{name: "happy", shapes: []string{"happy"}, blink: "block"},
		{name: "angry", shapes: []string{"angry"}, blink: "block", mouth: "block"},
		{name: "sad", shapes: []string{"sad"}, blink: "block", mouth: "block"},
		{name: "relaxed", shapes: []string{"relaxed"}, blink: "block"},
		{name: "surprised", shapes: []string{"surprised"}, blink: "block", mouth: "block"},
		plain("aa"), plain("ih"), plain("ou"), plain("ee"), plain("oh"),
		{name: "blink", shapes: []string{"blinkLeft", "blinkRight"}},
		plain("blinkLeft"), plain("blinkRight"),
		gaze("lookUp", 0, gazeUp), gaze("lookDown", 0, -gazeDown),
		gaze("lookLeft", -gazeAside, 0), gaze("lookRight", gazeAside, 0),
		{name: "neutral"},
		{name: "ex_smile", custom: true, shapes: []string{"smile"}},
		{name: "ex_sleepy", custom: true, shapes: []string{"sleepy"}, blink: "block"},
		{name: "ex_thinking", custom: true, shapes: []string{"thinking"}, lookAt: "block", eyeOffset: &[2]float64{-0.06, 0.065}},
		{name: "ex_curious", custom: true, shapes: []string{"curious"}, blink: "block"},
		{name: "ex_blush", custom: true, shapes: []string{"blush"}, blushAlpha: 0.82},
	}
}
