package vrm

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yui/avatar/vrm/geom"
)

// testFiles returns the folder of models by others, or skips.
func testFiles(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("YUI_TEST_FILES")
	if dir == "" {
		t.Skip("YUI_TEST_FILES is not set: models made by others are not tried")
	}
	return filepath.Join(dir, "vrm")
}

// refusals are the files that must not load, with a word of the reason.
var refusals = map[string]string{
	"blender-minimal.vrm": "nothing to see", "blender-thumbnail_vrm1.vrm": "nothing to see",
	"draco.vrm": "Draco", "extensions_required.vrm": "VRMC_materials_hdr_emissiveMultiplier", "human_bone.vrm": "no hips", "empty.vrm": "nothing in it",
	"AnimatedMorphCube.glb": "humanoid",
}

func TestFilesByOthers(t *testing.T) {
	dir := testFiles(t)
	paths, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	if len(paths) < 40 {
		t.Fatalf("%d files in %s", len(paths), dir)
	}
	for _, p := range paths {
		t.Run(filepath.Base(p), func(t *testing.T) {
			if strings.HasSuffix(p, ".vrma") {
				a, err := LoadAnimationFile(p)
				if err != nil {
					t.Fatal(err)
				}
				checkAnimation(t, a)
				return
			}
			m, err := LoadFile(p)
			if word := refusals[filepath.Base(p)]; word != "" {
				if err == nil || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), filepath.Base(p)) {
					t.Fatalf("error %v, want one with %q and the file's name", err, word)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			checkModel(t, m)
			if len(m.Warnings) > 0 {
				t.Logf("warnings %q", m.Warnings)
			}
		})
	}
}

// Godette is the one whole character by others: what is known of her must come out.
func TestGodette(t *testing.T) {
	m, err := LoadFile(filepath.Join(testFiles(t), "vrm0", "Godette_vrm_v4.vrm"))
	if err != nil {
		t.Fatal(err)
	}
	bones, joints := 0, 0
	for _, n := range m.Humanoid {
		if n >= 0 {
			bones++
		}
	}
	for _, s := range m.Springs {
		joints += len(s.Joints)
	}
	if bones != 45 || joints != 16 || len(m.Expressions) != 17 || len(m.Materials) != 4 {
		t.Errorf("%d bones, %d spring joints, %d expressions, %d materials", bones, joints, len(m.Expressions), len(m.Materials))
	}
	at := func(b Bone) geom.Vec3 { return m.Rest[m.Humanoid[b]].Pos() }
	if at(LeftHand)[0] < 0.1 || at(RightHand)[0] > -0.1 {
		t.Errorf("left hand at %v, right at %v: left is +x when she faces +z", at(LeftHand), at(RightHand))
	}
	if toes, foot := at(LeftToes), at(LeftFoot); toes[2] <= foot[2] {
		t.Errorf("toes at %v behind the foot at %v", toes, foot)
	}
	if m.LookAt.Type != "expression" || m.LookAt.Offset[2] < 0.1 {
		t.Errorf("look at %+v", m.LookAt)
	}
	for _, a := range m.Materials {
		if a.Kind == MToon && (a.Outline != OutlineScreen || a.OutlineWidth <= 0 || a.OutlineWidth > 0.01) {
			t.Errorf("outline of %q: %v %g", a.Name, a.Outline, a.OutlineWidth)
		}
	}
	if h := m.Max[1] - m.Min[1]; h < 1.2 || h > 1.8 || m.Min[1] < -0.05 || m.Min[1] > 0.05 {
		t.Errorf("she stands from %g to %g m", m.Min[1], m.Max[1])
	}
}

// checkModel asserts what users of a Model rely on.
func checkModel(t testing.TB, m *Model) {
	t.Helper()
	nodes := len(m.Nodes)
	if len(m.Order) != nodes || len(m.Rest) != nodes {
		t.Fatalf("%d nodes, order %d, rest %d", nodes, len(m.Order), len(m.Rest))
	}
	in := func(what string, i, n int, none bool) {
		if i >= n || i < 0 && !(none && i == -1) {
			t.Fatalf("%s %d of %d", what, i, n)
		}
	}
	seen := make([]bool, nodes)
	for _, i := range m.Order {
		in("order", i, nodes, false)
		in("parent", m.Nodes[i].Parent, nodes, true)
		if p := m.Nodes[i].Parent; seen[i] || p >= 0 && !seen[p] {
			t.Fatalf("node %d out of order", i)
		}
		seen[i] = true
		in("mesh", m.Nodes[i].Mesh, len(m.Meshes), true)
		in("skin", m.Nodes[i].Skin, len(m.Skins), true)
	}
	for _, n := range m.Humanoid {
		in("bone", n, nodes, true)
	}
	for _, w := range m.Rest {
		for _, x := range w {
			if x-x != 0 {
				t.Fatal("a rest matrix is not finite")
			}
		}
	}
	if !m.Min.Finite() || !m.Max.Finite() {
		t.Fatalf("bounds %v %v", m.Min, m.Max)
	}
	checkShapes(t, m, in)
	checkParts(t, m, in)
}

func checkShapes(t testing.TB, m *Model, in func(string, int, int, bool)) {
	t.Helper()
	for _, mesh := range m.Meshes {
		for _, p := range mesh.Primitives {
			n := len(p.Positions)
			for name, l := range map[string]int{"normals": len(p.Normals), "uvs": len(p.UVs), "colors": len(p.Colors), "joints": len(p.Joints), "weights": len(p.Weights)} {
				if l != n && l != 0 {
					t.Fatalf("%d %s for %d vertices", l, name, n)
				}
			}
			if len(p.Normals) != n || len(p.Joints) != len(p.Weights) || len(p.Indices)%3 != 0 || len(p.Targets) != len(mesh.Weights) {
				t.Fatalf("normals %d, joints %d, weights %d, corners %d, targets %d of %d", len(p.Normals), len(p.Joints), len(p.Weights), len(p.Indices), len(p.Targets), len(mesh.Weights))
			}
			for _, i := range p.Indices {
				in("corner", int(i), n, false)
			}
			for _, tg := range p.Targets {
				if len(tg.Positions) != n && tg.Positions != nil || len(tg.Normals) != n && tg.Normals != nil {
					t.Fatal("a target has a wrong length")
				}
			}
			for _, v := range p.Positions {
				if !v.Finite() {
					t.Fatal("a vertex is not finite")
				}
			}
			in("material", p.Material, len(m.Materials), true)
		}
	}
	for _, n := range m.Nodes {
		if n.Mesh < 0 || n.Skin < 0 {
			continue
		}
		for _, p := range m.Meshes[n.Mesh].Primitives {
			for v := range p.Joints {
				for _, j := range p.Joints[v] {
					in("joint", int(j), len(m.Skins[n.Skin].Joints), false)
				}
			}
		}
	}
}

func checkParts(t testing.TB, m *Model, in func(string, int, int, bool)) {
	t.Helper()
	for _, s := range m.Skins {
		if len(s.InverseBind) != len(s.Joints) {
			t.Fatal("inverse binds and joints differ")
		}
		for _, j := range s.Joints {
			in("skin joint", j, len(m.Nodes), false)
		}
	}
	for _, a := range m.Materials {
		for _, r := range []TexRef{a.ColorTex, a.ShadeTex, a.ShiftTex, a.EmissiveTex, a.NormalTex, a.MatcapTex, a.RimTex, a.OutlineTex, a.UVMaskTex} {
			in("texture", r.Index, len(m.Textures), true)
		}
	}
	for _, x := range m.Textures {
		if x.Image == nil || x.Image.Rect.Min.X != 0 || x.Image.Rect.Min.Y != 0 || x.Image.Stride != 4*x.Image.Rect.Dx() || len(x.Image.Pix) != 4*x.Image.Rect.Dx()*x.Image.Rect.Dy() {
			t.Fatal("a texture is missing or not packed")
		}
	}
	names := map[string]bool{}
	for _, e := range m.Expressions {
		if e.Name == "" || names[e.Name] {
			t.Fatalf("expression %q twice or without name", e.Name)
		}
		names[e.Name] = true
		for _, b := range e.Morphs {
			in("morph node", b.Node, len(m.Nodes), false)
			in("morph mesh", m.Nodes[b.Node].Mesh, len(m.Meshes), false)
		}
		for _, b := range e.Colors {
			in("colour", b.Material, len(m.Materials), false)
		}
		for _, b := range e.UVs {
			in("uv", b.Material, len(m.Materials), false)
		}
	}
	for _, s := range m.Springs {
		in("center", s.Center, len(m.Nodes), true)
		if len(s.Joints) == 0 || len(s.Joints) == 1 && !s.Joints[0].VirtualTail {
			t.Fatal("a spring has nothing to swing")
		}
		for _, j := range s.Joints {
			in("spring joint", j.Node, len(m.Nodes), false)
			if l := j.GravityDir.Len(); math.Abs(float64(l-1)) > 1e-3 && l != 0 {
				t.Fatalf("gravity %v", j.GravityDir)
			}
		}
		for _, c := range s.Colliders {
			in("collider", c.Node, len(m.Nodes), false)
		}
	}
	for _, c := range m.Constraints {
		in("constraint", c.Node, len(m.Nodes), false)
		in("source", c.Source, len(m.Nodes), false)
	}
}

func checkAnimation(t testing.TB, a *Animation) {
	t.Helper()
	check := func(tr *Track, width int) {
		per := width
		if tr.Interp == Cubic {
			per *= 3
		}
		if tr.Width != width || len(tr.Times) == 0 || len(tr.Values) != per*len(tr.Times) {
			t.Fatalf("track of width %d: %d keys, %d values", tr.Width, len(tr.Times), len(tr.Values))
		}
		for i, at := range tr.Times {
			if !(at >= 0 && float64(at) <= a.Duration) || i > 0 && at <= tr.Times[i-1] {
				t.Fatalf("key %d at %g of %g s", i, at, a.Duration)
			}
		}
		for _, v := range tr.Values {
			if v-v != 0 {
				t.Fatal("a value is not finite")
			}
		}
	}
	for i := range a.Bones {
		check(&a.Bones[i].Rotation, 4)
		if i > 0 && a.Bones[i].Bone < a.Bones[i-1].Bone {
			t.Fatal("bones out of order")
		}
	}
	if a.HipsMove != nil {
		check(a.HipsMove, 3)
	}
	if a.LookAt != nil {
		check(a.LookAt, 4)
	}
	for i := range a.Expressions {
		check(&a.Expressions[i].Weight, 1)
	}
}

// The fixtures keep the promises, too.
func TestFixturesHold(t *testing.T) {
	for _, data := range [][]byte{fullCharacter(), oldCharacter(), vrm1(nil), vrm0(nil)} {
		checkModel(t, mustLoad(t, data))
	}
	checkAnimation(t, mustAnimation(t, animated(nil)))
}

// The project's own characters, motions and props load without a single warning.
func TestBundledFiles(t *testing.T) {
	assets := filepath.Join("..", "..", "assets")
	characters, _ := filepath.Glob(filepath.Join(assets, "characters", "*.vrm"))
	motions, _ := filepath.Glob(filepath.Join(assets, "motions", "*.vrma"))
	props, _ := filepath.Glob(filepath.Join(assets, "props", "*.glb"))
	if len(characters) == 0 || len(motions) == 0 {
		t.Fatal("no characters or no motions in assets")
	}
	for _, p := range characters {
		m, err := LoadFile(p)
		if err != nil {
			t.Error(err)
			continue
		}
		checkModel(t, m)
		if len(m.Warnings) > 0 || m.Version != "1.0" || m.LookAt.Type != "expression" || len(m.Springs) == 0 || m.Extras == nil {
			t.Errorf("%s: version %s, look at %q, %d springs, extras %s, warnings %q", p, m.Version, m.LookAt.Type, len(m.Springs), m.Extras, m.Warnings)
		}
	}
	for _, p := range motions {
		a, err := LoadAnimationFile(p)
		if err != nil {
			t.Error(err)
			continue
		}
		checkAnimation(t, a)
		if len(a.Warnings) > 0 || len(a.Bones) == 0 || a.Extras == nil {
			t.Errorf("%s: %d bones, extras %s, warnings %q", p, len(a.Bones), a.Extras, a.Warnings)
		}
	}
	for _, p := range props {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		m, err := LoadProp(data)
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		checkModel(t, m)
	}
}
