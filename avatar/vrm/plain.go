package vrm

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"yui/avatar/vrm/geom"
)

// A plain glTF says nothing of bones, so they are found by the names that the usual programs give them: Mixamo
// ("mixamorig:LeftForeArm"), Unreal ("lowerarm_l"), 3ds Max Biped ("Bip01 L Forearm"), VRoid ("J_Bip_L_LowerArm"),
// Blender ("forearm.L", "DEF-forearm.L") and numbered joints ("arm_joint_L_2").

// centerNames are the bones without a side, by their name without noise; a number counts from the first of that name.
var centerNames = map[string][]Bone{
	"hips": {Hips}, "hip": {Hips}, "pelvis": {Hips}, "torso": {Hips, Spine, Chest, UpperChest},
	"spine": {Spine, Chest, UpperChest}, "waist": {Spine}, "abdomen": {Spine}, "chest": {Chest, UpperChest},
	"upperchest": {UpperChest}, "neck": {Neck, Head}, "head": {Head}, "jaw": {Jaw},
}

// sideNames are the left bones; the right ones lie the same way off.
var sideNames = map[string][]Bone{
	"eye":      {LeftEye},
	"shoulder": {LeftShoulder}, "clavicle": {LeftShoulder}, "collar": {LeftShoulder},
	"upperarm": {LeftUpperArm}, "uparm": {LeftUpperArm}, "lowerarm": {LeftLowerArm}, "forearm": {LeftLowerArm}, "elbow": {LeftLowerArm},
	"hand": {LeftHand}, "wrist": {LeftHand}, "arm": {LeftUpperArm, LeftLowerArm, LeftHand},
	"upperleg": {LeftUpperLeg}, "upleg": {LeftUpperLeg}, "thigh": {LeftUpperLeg},
	"lowerleg": {LeftLowerLeg}, "lowleg": {LeftLowerLeg}, "calf": {LeftLowerLeg}, "shin": {LeftLowerLeg}, "knee": {LeftLowerLeg},
	"leg": {LeftUpperLeg, LeftLowerLeg, LeftFoot, LeftToes, LeftToes}, "foot": {LeftFoot}, "ankle": {LeftFoot},
	"toe": {LeftToes}, "toes": {LeftToes}, "toebase": {LeftToes}, "ball": {LeftToes},
}

var (
	nameNoise  = regexp.MustCompile(`^(mixamorig|bip|bip\d+|biped|j|c|def|org|mch|joint|jnt|bone|bn|b|armature|skeleton|sec|rig)$`)
	nameNumber = regexp.MustCompile(`^(.*?)0*(\d*)$`)
	fingerRow  = []string{"thumb", "index", "middle", "ring", "little"}
)

// plainName is a node's name taken apart.
type plainName struct {
	key    string
	side   byte // 'l', 'r' or 0
	number int  // 0 if there is none
}

func parsePlain(name string) (p plainName) {
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	for _, w := range words(name) {
		m := nameNumber.FindStringSubmatch(w)
		if n := 0; m[2] != "" && len(m[2]) < 4 && !nameNoise.MatchString(w) {
			for _, d := range m[2] {
				n = n*10 + int(d-'0')
			}
			p.number, w = n, m[1]
		}
		switch {
		case w == "l" || w == "left":
			p.side = 'l'
		case w == "r" || w == "right":
			p.side = 'r'
		case !nameNoise.MatchString(w):
			p.key += w
		}
	}
	return p
}

// words splits at anything but letters and digits, and where a small letter meets a capital.
func words(name string) []string {
	var out []string
	var word []rune
	var before rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
		}
		word = nil
	}
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)):
			flush()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		before = r
	}
	flush()
	return out
}

// plainFile is the reader of a glTF file that says nothing of VRM.
type plainFile struct {
	*file
	joints map[int]bool // nodes that skins hang on
}

func newPlainFile(f *file) plainFile {
	p := plainFile{f, map[int]bool{}}
	for _, s := range f.Skins {
		for _, j := range s.Joints {
			p.joints[j] = true
		}
	}
	return p
}

// bones finds the bones of a plain glTF by their names, each name's first node in tree order.
func (f plainFile) bones(m *Model) {
	named := map[plainName]int{}
	lowest := map[plainName]int{} // least number of a key and side, the key's number left 0
	for _, i := range m.Order {
		p := parsePlain(m.Nodes[i].Name)
		if p.key == "" {
			continue
		}
		if old, ok := named[p]; !ok || f.isPart(m, old) && !f.isPart(m, i) {
			named[p] = i
		}
		group := plainName{key: p.key, side: p.side}
		if n, ok := lowest[group]; !ok || p.number < n {
			lowest[group] = p.number
		}
	}
	for p, i := range named {
		steps := p.number - lowest[plainName{key: p.key, side: p.side}]
		b, ok := plainBone(p, steps, named)
		if ok && f.better(m, i, m.Humanoid[b]) {
			m.Humanoid[b] = i
		}
	}
}

// better reports whether node i is a bone rather than node j, which may be -1: joints come before parts, then what is
// nearer to the root, then what the file names first.
func (f plainFile) better(m *Model, i, j int) bool {
	if j < 0 {
		return true
	}
	if p, q := f.isPart(m, i), f.isPart(m, j); p != q {
		return q
	}
	if d, e := depthOf(m, i), depthOf(m, j); d != e {
		return d < e
	}
	return i < j
}

// isPart reports whether a node is a piece of the body rather than a joint: it shows something and carries nothing.
func (f plainFile) isPart(m *Model, i int) bool {
	return f.Nodes[i].Mesh != nil && len(m.Nodes[i].Children) == 0 && !f.joints[i]
}

func depthOf(m *Model, n int) (d int) {
	for ; n >= 0; n = m.Nodes[n].Parent {
		d++
	}
	return d
}

func plainBone(p plainName, steps int, named map[plainName]int) (Bone, bool) {
	has := func(keys ...string) bool {
		for n := range named {
			if n.side == p.side && slices.Contains(keys, n.key) {
				return true
			}
		}
		return false
	}
	if p.side == 0 {
		row := centerNames[p.key]
		if p.key == "torso" && has("hips", "hip", "pelvis") {
			row = row[2:] // the hips have a name of their own: this is the chest
		}
		if steps < 0 || steps >= len(row) {
			return 0, false
		}
		return row[steps], true
	}
	row := sideNames[p.key]
	if p.key == "leg" && has("upleg", "upperleg", "thigh") {
		row = row[1:2] // Mixamo's Leg is the lower one
	}
	if p.key == "shoulder" && !has("upperarm", "uparm", "arm") && has("elbow", "forearm", "lowerarm") {
		row = sideNames["upperarm"]
	}
	if len(row) == 0 {
		return finger(p)
	}
	if steps < 0 || steps >= len(row) {
		return 0, false
	}
	return otherSide(row[steps], p.side), true
}

// otherSide returns the right bone for a left one if side is 'r'.
func otherSide(b Bone, side byte) Bone {
	if side == 'r' {
		b, _ = ParseBone("right" + strings.TrimPrefix(b.String(), "left"))
	}
	return b
}

// finger knows thumb1 … little3, with or without "hand" before; pinky is the little one.
func finger(p plainName) (Bone, bool) {
	key := strings.TrimPrefix(p.key, "hand")
	if key = strings.TrimPrefix(strings.TrimSuffix(key, "finger"), "f"); key == "pinky" || key == "pinkie" {
		key = "little"
	}
	for row, name := range fingerRow {
		if key == name && p.number >= 1 && p.number <= 3 {
			return otherSide(firstFinger+Bone(row*3+p.number-1), p.side), true
		}
	}
	return 0, false
}

// faceFront turns a plain model about y, in quarters, until its left side is at +x and so its face to +z: programs differ
// in where a character looks, and left and right tell.
func (m *Model) faceFront() {
	left := m.leftward()
	quarters := 0
	switch x, z := left[0], left[2]; {
	case left == (geom.Vec3{}) || x >= max(z, -z):
		return
	case -x >= max(z, -z):
		quarters = 2
	case z > 0:
		quarters = 1
	default:
		quarters = 3
	}
	turn := geom.AxisAngle(geom.Vec3{0, 1, 0}, float32(quarters)*math.Pi/2)
	for _, i := range m.Roots {
		n := &m.Nodes[i]
		n.Translation, n.Rotation = turn.Rotate(n.Translation), turn.Mul(n.Rotation).Unit()
	}
	m.Rest = worldOf(m)
}

// leftward is the way from the right bones to the left ones, zero if there are none.
func (m *Model) leftward() (d geom.Vec3) {
	for b := Bone(0); b < BoneCount; b++ {
		name, isLeft := strings.CutPrefix(b.String(), "left")
		if other, ok := ParseBone("right" + name); isLeft && ok && m.Humanoid[b] >= 0 && m.Humanoid[other] >= 0 {
			d = d.Add(m.Rest[m.Humanoid[b]].Pos().Sub(m.Rest[m.Humanoid[other]].Pos()))
		}
	}
	return d
}

// straighten turns the arms of a plain model, which may hang in an A, into the T that VRM's motions start from. Only
// the rest rotations of the arms change; the skin follows.
func (m *Model) straighten() {
	for _, arm := range [][3]Bone{{LeftUpperArm, LeftLowerArm, LeftHand}, {RightUpperArm, RightLowerArm, RightHand}} {
		for k := range 2 {
			from, to := m.Humanoid[arm[k]], m.Humanoid[arm[k+1]]
			if from < 0 || to < 0 {
				break
			}
			side := geom.Vec3{1, 0, 0}
			if k == 0 && m.Rest[from].Pos()[0] < 0 || k == 1 && m.Rest[to].Pos()[0] < m.Rest[from].Pos()[0] {
				side[0] = -1
			}
			dir := m.Rest[to].Pos().Sub(m.Rest[from].Pos()).Unit()
			if dir == (geom.Vec3{}) || dir.Dot(side) > 0.999 {
				continue
			}
			world := restWorld(m)
			turned := geom.Between(dir, side).Mul(world[from])
			if p := m.Nodes[from].Parent; p >= 0 {
				turned = world[p].Inv().Mul(turned)
			}
			m.Nodes[from].Rotation = turned.Unit()
			m.Rest = worldOf(m)
		}
	}
}

// plainFaces names expressions for the morph targets of a plain model whose names say what they are.
var plainFaces = map[string]string{
	"joy": "happy", "smile": "happy", "mouthsmile": "happy", "sorrow": "sad", "fun": "relaxed", "anger": "angry", "surprise": "surprised",
	"a": "aa", "i": "ih", "u": "ou", "e": "ee", "o": "oh", "jawopen": "aa", "mouthopen": "aa", "visemeaa": "aa", "visemeih": "ih",
	"visemeou": "ou", "visemee": "ee", "visemeoh": "oh", "eyeblinkleft": "blinkLeft", "eyeblinkright": "blinkRight", "eyesclosed": "blink",
}

// expressions finds the expressions of a plain glTF by the names of its morph targets.
func (f plainFile) expressions(m *Model) {
	names := map[string]string{}
	for _, p := range presets {
		names[strings.ToLower(p)] = p
	}
	faces := map[int]map[int]string{} // mesh -> target -> expression
	for i := range f.Meshes {
		faces[i] = map[int]string{}
		for t, raw := range nameTargets(&f.Meshes[i]) {
			key := strings.ToLower(strings.Join(words(raw), ""))
			if name := cmp.Or(names[key], plainFaces[key]); name != "" {
				faces[i][t] = name
			}
		}
	}
	for i, n := range m.Nodes {
		if n.Mesh < 0 {
			continue
		}
		for _, t := range slices.Sorted(maps.Keys(faces[n.Mesh])) {
			if !f.morphThere(m, i, t) || !f.bind() {
				continue
			}
			name := faces[n.Mesh][t]
			at := m.Find(name)
			if at < 0 {
				at = len(m.Expressions)
				m.Expressions = append(m.Expressions, Expression{Name: name, Preset: true})
			}
			m.Expressions[at].Morphs = append(m.Expressions[at].Morphs, MorphBind{Node: i, Target: t, Weight: 1})
		}
	}
}
