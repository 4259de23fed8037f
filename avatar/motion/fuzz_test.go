package motion

import (
	"math"
	"testing"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
	"yui/internal/fuzzmem"
)

// FuzzExtras feeds foreign bytes as extras.yui: they give an error or a clip that plays.
func FuzzExtras(f *testing.F) {
	f.Add([]byte(`{"loop":"loop","duration":2,"feet":{"interp":"spline","left":[[0,0,0,0,0,6],[1,0,0.1,0,0,6]],"right":[[0,0,0,0,0,-6]],"weight":[[0,1],[1,0]]},"contacts":[{"limb":"hips","target":"seat","weight":[[0,1]]}],"ears":[[0,1,2]],"tail":[[0,1,2,3],[1,0,0,0]]}`))
	f.Add([]byte(`{"phases":{"hold":[1e300,-1]},"exit":[0,1],"duration":1e-9}`))
	f.Add([]byte(`{"feet":{"left":[[0,1e38,1e38,1e38,1e38,1e38],[0,-1e38,0,0,0,0]],"right":[[0,0,0,0,0,0]]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzmem.Watch(t)
		lib := NewLibrary()
		a := &vrm.Animation{Duration: 1, Extras: data, Bones: []vrm.BoneTrack{{
			Bone: vrm.Head, Rotation: vrm.Track{Width: 4, Times: []float32{0}, Values: []float32{0, 0, 0, 1}},
		}}}
		if lib.Add("walk", a) != nil {
			if len(lib.IDs()) != 0 {
				t.Fatal("a refused clip is loaded")
			}
			return
		}
		c := lib.clips["walk"]
		r := &rig{}
		r.unit, r.hipsHeight, r.height = 1, .2, 1
		for _, at := range []float32{0, c.dur / 3, c.dur, 1e6} {
			var fr frame
			c.sample(at, true, r, &fr, nil)
			for _, v := range []geom.Vec3{fr.hips, fr.tail, fr.feet[0].move, fr.feet[1].move} {
				for _, x := range v {
					if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
						t.Fatalf("%v at %v", fr, at)
					}
				}
			}
		}
	})
}

func TestAddRefuses(t *testing.T) {
	track := func(times, values []float32) *vrm.Animation {
		return &vrm.Animation{Duration: 1, Bones: []vrm.BoneTrack{{Bone: vrm.Head, Rotation: vrm.Track{Width: 4, Times: times, Values: values}}}}
	}
	nan := float32(math.NaN())
	for name, a := range map[string]*vrm.Animation{
		"nothing":        nil,
		"short values":   track([]float32{0, 1}, []float32{0, 0, 0, 1}),
		"falling times":  track([]float32{1, 0}, []float32{0, 0, 0, 1, 0, 0, 0, 1}),
		"no number":      track([]float32{0}, []float32{nan, 0, 0, 1}),
		"bad json":       {Duration: 1, Extras: []byte(`{`)},
		"bad feet":       {Duration: 1, Extras: []byte(`{"feet":{"left":[[0,1]],"right":[[0,0,0,0,0,0]]}}`)},
		"one foot":       {Duration: 1, Extras: []byte(`{"feet":{"left":[[0,0,0,0,0,0]]}}`)},
		"no hips height": {Duration: 1, HipsMove: &vrm.Track{Width: 3, Times: []float32{0}, Values: []float32{0, 0, 0}}},
		"a year":         {Duration: 4e7},
	} {
		lib := NewLibrary()
		if err := lib.Add("x", a); err == nil || len(lib.IDs()) != 0 {
			t.Errorf("%s: %v, %v", name, err, lib.IDs())
		}
	}
	if err := NewLibrary().Add("", &vrm.Animation{Duration: 1}); err == nil {
		t.Error("a clip without a name is added")
	}
}
