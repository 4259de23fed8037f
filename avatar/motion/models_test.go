package motion

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"yui/assets"
	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

func testFile(t testing.TB, path string) []byte {
	t.Helper()
	dir := os.Getenv("YUI_TEST_FILES")
	if dir == "" {
		t.Skip("YUI_TEST_FILES is not set: no foreign models at hand")
	}
	data, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil {
		t.Skip(err)
	}
	return data
}

func bundled(t testing.TB, id string) *vrm.Model {
	t.Helper()
	data, err := assets.Character(id)
	if err != nil {
		t.Fatal(err)
	}
	m, err := vrm.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestBundledMotions(t *testing.T) {
	lib := bundledMotions(t)
	// "enum = the loaded motion registry's ids minus reactive, ambient and broker_publish: false motions" (docs/rules/tools.md#vocabulary)
	want := []clips.ID{"happy", "laugh", "embarrassed", "sheepish", "calm", "sleeping", "idle_lively", "dance", "sulk", "surprised"}
	if got := lib.Selectable(); !slices.Equal(got, want) {
		t.Errorf("selectable %v", got)
	}
	for _, id := range []clips.ID{"walk", "sit_down", "window_sit", "stand_up", "peek", "drag", "falling", "landing", "bed_lie", "bed_sleep", "bed_wake", "thinking", "talk", "listening", "head_pat", "idle"} {
		if d, ok := lib.Duration(id); !ok || d < 500*time.Millisecond {
			t.Errorf("%s lasts %v, %v", id, d, ok)
		}
	}
	i, _ := lib.Info("peek")
	if i.Loop || i.Phases["hold"] != [2]time.Duration{1300 * time.Millisecond, 3900 * time.Millisecond} {
		t.Errorf("peek: %+v", i)
	}
	if i, _ := lib.Info("walk"); !i.Loop || i.Stride != .26 || i.Speed != .325 {
		t.Errorf("walk: %+v", i)
	}
	if i, _ := lib.Info("climb_up_done"); i.Exit != (geom.Vec3{0, 0, .17}) {
		t.Errorf("climb_up_done: %+v", i)
	}
	if i, _ := lib.Info("climb_up_done"); i.Entry != (geom.Vec3{0, -.45, -wallAway}) {
		t.Errorf("climb_up_done comes from %v; the wall is %v in front", i.Entry, wallAway)
	}
	if got := NewLibrary().Selectable(); len(got) != 0 {
		t.Errorf("an empty library offers %v", got)
	}
}

// Every bundled motion has a row that says how it behaves, of the group that its file names.
func TestEveryMotionHasARow(t *testing.T) {
	lib := bundledMotions(t)
	rows := map[clips.ID]clips.Group{}
	for _, r := range vocabulary() {
		rows[r.id] = r.group
	}
	for _, id := range lib.IDs() {
		row := id
		if pool := clips.PoolOf(id); pool != "" {
			row = pool
		}
		if group, ok := rows[row]; !ok || group != lib.clips[id].group {
			t.Errorf("%s is of the group %s, its row %v of %q", id, lib.clips[id].group, ok, group)
		}
		delete(rows, id)
	}
	for id := range rows {
		if clips.Pool(id) == nil {
			t.Errorf("%s has a row, but no motion", id)
		}
	}
}

// TestBundledAgreeWithStudy plays the bundled files beside the study's own numbers.
func TestBundledAgreeWithStudy(t *testing.T) {
	st := loadStudy(t)
	own, bundled := st.library(t), bundledMotions(t)
	r := newRig(st.model(1))
	for _, id := range own.IDs() {
		a, b := own.clips[id], bundled.clips[id]
		if b == nil {
			t.Errorf("%s is not bundled", id)
			continue
		}
		for k := range 60 {
			at := a.dur * float32(k) / 60
			var s, u skeleton
			s.init(r)
			u.init(r)
			posed(r, &s, a, at)
			posed(r, &u, b, at)
			for _, j := range r.order {
				if d := s.at[j].Sub(u.at[j]).Len(); d > .002 {
					t.Fatalf("%s at %.2f s: %v is %.4f H off", id, at, j, d)
				}
			}
		}
	}
}

func TestMeasure(t *testing.T) {
	a := newRig(bundled(t, "yui")).public()
	for _, c := range []struct {
		name        string
		got, lo, hi float32
	}{
		{"unit", a.Unit, .99, 1.01}, {"height", a.Height, 1.1, 1.25}, {"head top", a.HeadTop, .92, 1.03},
		{"seat drop", a.SeatDrop, .086, .088}, {"half width", a.HalfWidth, .25, .36},
	} {
		if c.got < c.lo || c.got > c.hi {
			t.Errorf("%s %v, want %v to %v", c.name, c.got, c.lo, c.hi)
		}
	}
	m, err := vrm.Load(testFile(t, "vrm/vrm0/Godette_vrm_v4.vrm"))
	if err != nil {
		t.Fatal(err)
	}
	g := newRig(m).public()
	if g.Height < 1.4 || g.Height > 1.6 || g.HeadTop > g.Height || g.SeatDrop < .05 || g.SeatDrop > .2 || g.HalfWidth > .4 {
		t.Errorf("Godette: %+v", g)
	}
}

// TestEveryPoseIsInBounds plays all clips on the bundled three and on a human: the mesh stays inside the bounds that
// size the window, and soles and cheeks stay out of the floor.
func TestEveryPoseIsInBounds(t *testing.T) {
	lib := bundledMotions(t)
	models := map[string]*vrm.Model{"yui": bundled(t, "yui"), "momo": bundled(t, "momo"), "sora": bundled(t, "sora")}
	if dir := os.Getenv("YUI_TEST_FILES"); dir != "" {
		if m, err := vrm.LoadFile(filepath.Join(dir, "vrm/vrm0/Godette_vrm_v4.vrm")); err == nil {
			models["Godette"] = m
		}
	}
	for name, m := range models {
		for _, id := range lib.IDs() {
			p := NewPlayer(m, lib, 1)
			p.Step(frame30, Input{})
			p.Hold(id, HoldOpts{})
			run(p, 400*time.Millisecond)
			p.Reset()
			d, _ := lib.Duration(id)
			var lo, hi geom.Vec3
			for range int(d/(8*frame30)) + 2 {
				pose := run(p, 8*frame30)
				a, b := extent(m, pose)
				for i := range lo {
					lo[i], hi[i] = min(lo[i], a[i]), max(hi[i], b[i])
				}
			}
			a := p.Anatomy()
			left, bottom := -lo[0], a.Bottom
			if id == "peek" {
				left = 0 // hidden behind the edge
			}
			if lib.clips[id].group == "climb" {
				bottom = -.55 * a.Unit
			}
			if left > a.Reach || hi[0] > a.Reach || hi[1] > a.Top || lo[1] < bottom {
				t.Errorf("%s %s: x %.2f to %.2f, y %.2f to %.2f; bounds %+v", name, id, lo[0], hi[0], lo[1], hi[1], a)
			}
		}
	}
}

// extent bounds every seventh vertex of the skinned mesh.
func extent(m *vrm.Model, pose *Pose) (lo, hi geom.Vec3) {
	lo, hi = geom.Vec3{9, 9, 9}, geom.Vec3{-9, -9, -9}
	for n := range m.Nodes {
		if m.Nodes[n].Mesh < 0 {
			continue
		}
		var mats []geom.Mat4
		if s := m.Nodes[n].Skin; s >= 0 {
			mats = skinMatrices(m, s, pose.World, nil)
		}
		for pi := range m.Meshes[m.Nodes[n].Mesh].Primitives {
			p := &m.Meshes[m.Nodes[n].Mesh].Primitives[pi]
			for i := 0; i < len(p.Positions); i += 7 {
				v, _ := skinVertex(p, i, mats, pose.World[n])
				for j := range v {
					lo[j], hi[j] = min(lo[j], v[j]), max(hi[j], v[j])
				}
			}
		}
	}
	return lo, hi
}

// TestForeignFilesMove plays other makers' animations and ours on every model at hand.
func TestForeignFilesMove(t *testing.T) {
	dir := os.Getenv("YUI_TEST_FILES")
	if dir == "" {
		t.Skip("YUI_TEST_FILES is not set: no foreign models at hand")
	}
	lib := bundledMotions(t)
	files, _ := filepath.Glob(filepath.Join(dir, "vrm/vrma/*.vrma"))
	var foreign []clips.ID
	for _, f := range files {
		a, err := vrm.LoadAnimationFile(f)
		if err != nil {
			t.Logf("%s: %v", filepath.Base(f), err)
			continue
		}
		if err := lib.Add(clips.ID(filepath.Base(f)), a); err != nil {
			t.Logf("%v", err)
			continue
		}
		foreign = append(foreign, clips.ID(filepath.Base(f)))
	}
	if len(files) > 0 && len(foreign) < 3 {
		t.Errorf("only %v of %d foreign animations can be played", foreign, len(files))
	}
	models, _ := filepath.Glob(filepath.Join(dir, "vrm/*/*.[vg][rl][mb]"))
	played := 0
	for _, f := range models {
		m, err := vrm.LoadFile(f)
		if err != nil {
			continue
		}
		played++
		p := NewPlayer(m, lib, 1)
		for _, id := range append(slices.Clone(foreign), "walk", "sit_down", "window_sit", "sleeping", "drag", "thinking") {
			p.Hold(id, HoldOpts{Mirror: played%2 == 0})
			for range 25 {
				pose := p.Step(70*time.Millisecond, Input{HasGaze: true, GazeX: 20, GazeY: -5})
				far := 6 * max(p.anat.Height, p.anat.Unit, m.Max.Sub(m.Min).Len())
				for n := range pose.World {
					for _, v := range pose.World[n].Pos() {
						if math.IsNaN(float64(v)) || abs(v) > far+m.Rest[n].Pos().Len() {
							t.Fatalf("%s: %s puts %s at %v", filepath.Base(f), id, m.Nodes[n].Name, pose.World[n].Pos())
						}
					}
				}
			}
		}
	}
	t.Logf("%d of %d models, %v", played, len(models), foreign)
}

// TestRetargetTurnsTheSameWay: whatever the rest rotations of a model's bones, a clip turns its limbs to the same
// directions. Godette (0.x, turned on loading) is compared with the study's skeleton.
func TestRetargetTurnsTheSameWay(t *testing.T) {
	st := loadStudy(t)
	lib := st.library(t)
	m, err := vrm.Load(testFile(t, "vrm/vrm0/Godette_vrm_v4.vrm"))
	if err != nil {
		t.Fatal(err)
	}
	r, study := newRig(m), newRig(st.model(1))
	for _, id := range []clips.ID{"walk", "lively_wave", "falling", "sit_down", "dance_sway"} {
		c := lib.clips[id]
		for k := range 10 {
			at := c.dur * float32(k) / 10
			var f, g frame
			var s, u skeleton
			s.init(r)
			u.init(study)
			c.sample(at, false, r, &f, nil)
			c.sample(at, false, study, &g, nil)
			for _, fold := range r.fold {
				f.rot[fold.to] = f.rot[fold.to].Mul(f.rot[fold.from])
			}
			s.forward(r, &f)
			u.forward(study, &g)
			for _, b := range []vrm.Bone{vrm.Hips, vrm.Head, vrm.LeftUpperArm, vrm.RightLowerArm, vrm.LeftLowerLeg, vrm.RightFoot} {
				if d := abs(s.world[b].Dot(u.world[b])); d < .9999 {
					t.Errorf("%s at %.2f s: %v is turned otherwise (%.4f)", id, at, b, d)
				}
			}
			// The same through the node matrices, which go by the model's own rest rotations.
			s.locals(r, &f, &gaze{}, 1)
			hips := r.node[vrm.Hips]
			world := make([]geom.Mat4, len(m.Nodes))
			for _, n := range m.Order {
				world[n] = geom.TRS(s.move[n], s.turn[n], m.Nodes[n].Scale)
				if q := m.Nodes[n].Parent; q >= 0 {
					world[n] = world[q].Mul(world[n])
				}
			}
			if d := world[hips].Pos().Sub(s.at[vrm.Hips]).Len(); d > 1e-3 {
				t.Errorf("%s: the hips node is %.4f m off", id, d)
			}
			for _, b := range []vrm.Bone{vrm.Head, vrm.LeftHand, vrm.RightFoot} {
				if d := world[r.node[b]].Pos().Sub(s.at[b]).Len(); d > 2e-3 {
					t.Errorf("%s: the node of %v is %.4f m off", id, b, d)
				}
			}
		}
	}
}

func TestStillOnlyWhenNothingMoves(t *testing.T) {
	p := NewPlayer(bundled(t, "yui"), bundledMotions(t), 1)
	moved := 0
	for range 120 {
		if !p.Step(frame30, Input{}).Still {
			moved++
		}
	}
	if moved < 30 {
		t.Errorf("an idle pet moves in %d of 120 frames", moved)
	}
	bare := NewPlayer(bundled(t, "yui"), NewLibrary(), 1)
	for range 300 {
		bare.Step(frame30, Input{ReducedMotion: true})
	}
	still := 0
	for range 100 {
		if bare.Step(0, Input{ReducedMotion: true}).Still {
			still++
		}
	}
	if still != 100 {
		t.Errorf("without any time passing, %d of 100 frames are still", still)
	}
}

func BenchmarkStepYui(b *testing.B)  { benchModel(b, bundled(b, "yui")) }
func BenchmarkStepMomo(b *testing.B) { benchModel(b, bundled(b, "momo")) }
func BenchmarkStepGodette(b *testing.B) {
	m, err := vrm.Load(testFile(b, "vrm/vrm0/Godette_vrm_v4.vrm"))
	if err != nil {
		b.Fatal(err)
	}
	benchModel(b, m)
}

func benchModel(b *testing.B, m *vrm.Model) {
	p := NewPlayer(m, bundledMotions(b), 1)
	run(p, time.Second)
	b.ReportAllocs()
	for b.Loop() {
		p.Step(frame30, Input{HasGaze: true, GazeX: 12, GazeY: 5})
	}
}

func BenchmarkNewPlayerYui(b *testing.B) {
	m, lib := bundled(b, "yui"), bundledMotions(b)
	for b.Loop() {
		NewPlayer(m, lib, 1)
	}
}
