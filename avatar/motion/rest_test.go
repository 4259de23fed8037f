package motion

import (
	"math/rand/v2"
	"testing"

	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// twist gives every node of a model a rest rotation of its own; the joints stay where they are.
func twist(m *vrm.Model, rng *rand.Rand) {
	for _, n := range m.Order {
		at := m.Rest[n].Pos()
		q := geom.Quat{rng.Float32() - .5, rng.Float32() - .5, rng.Float32() - .5, rng.Float32() - .5}.Unit()
		m.Rest[n] = geom.TRS(at, q, geom.Vec3{1, 1, 1})
		local := m.Rest[n]
		if p := m.Nodes[n].Parent; p >= 0 {
			local = m.Rest[p].Inverse().Mul(local)
		}
		m.Nodes[n].Translation, m.Nodes[n].Rotation = local.Pos(), local.Rotation()
	}
}

// TestRestRotationsDoNotMatter: models and animations whose bones point anywhere in rest (as VRM 1.0 allows) move as
// those with normalised bones do.
func TestRestRotationsDoNotMatter(t *testing.T) {
	st := loadStudy(t)
	rng := rand.New(rand.NewPCG(5, 6))
	plain, odd, source := st.model(1), st.model(1), st.model(1)
	twist(odd, rng)
	twist(source, rng)
	lib := NewLibrary()
	for _, id := range []clips.ID{"walk", "sit_down", "lively_wave", "sleeping"} {
		a := st.motion(id).animation(t)
		if err := lib.Add(id, a); err != nil {
			t.Fatal(err)
		}
		// The same turns, written for the twisted skeleton: local = parent's rest⁻¹ · turn · own rest.
		for i := range a.Bones {
			b := &a.Bones[i]
			n := source.Humanoid[b.Bone]
			world, local := source.Rest[n].Rotation(), source.Nodes[n].Rotation
			pre := local.Mul(world.Inv())
			vals := append([]float32(nil), b.Rotation.Values...)
			for k := 0; k+4 <= len(vals); k += 4 {
				q := pre.Mul(geom.Quat(vals[k : k+4])).Mul(world)
				copy(vals[k:], q[:])
			}
			b.Rotation.Values, b.RestWorld, b.RestLocal = vals, world, local
		}
		if err := lib.Add(id+"_twisted", a); err != nil {
			t.Fatal(err)
		}
		want := NewPlayer(plain, lib, 1)
		got := NewPlayer(odd, lib, 1)
		for _, p := range []*Player{want, got} {
			p.Step(frame30, Input{})
		}
		want.Hold(id, HoldOpts{})
		got.Hold(id+"_twisted", HoldOpts{})
		got.lib.clips[id+"_twisted"].rule = ruleOf(id)
		for range 40 {
			a, b := want.Step(frame30, Input{ReducedMotion: true}), got.Step(frame30, Input{ReducedMotion: true})
			for bone, n := range plain.Humanoid {
				if n < 0 {
					continue
				}
				if d := a.World[n].Pos().Sub(b.World[odd.Humanoid[bone]].Pos()).Len(); d > 2e-3 {
					t.Fatalf("%s: %v is %.4f H elsewhere", id, vrm.Bone(bone), d)
				}
			}
		}
	}
}

func TestGazeIsInTheRoom(t *testing.T) {
	// Turned by 40 degrees to the viewer's right, she looks straight ahead at what is 40 degrees to the right.
	p := newTestPlayer(t)
	var pose *Pose
	for range 60 {
		pose = p.Step(frame30, Input{Yaw: 40 * rad, HasGaze: true, GazeX: 40, ReducedMotion: true})
	}
	if l, r := weight(p, pose, "lookLeft"), weight(p, pose, "lookRight"); l > .1 || r > .1 || p.gaze.headX != 0 {
		t.Errorf("left %v right %v head %v", l, r, p.gaze.headX)
	}
}
