package figure

import (
	"encoding/json"
	"reflect"
	"testing"

	"yui/assets"
	"yui/avatar/body"
	"yui/avatar/clips"
	"yui/avatar/motion"
	"yui/avatar/vrm"
)

// bundled reads the bundled motions, each changed by edit where it is not nil.
func bundled(t *testing.T, edit func(id clips.ID, extras map[string]any)) *motion.Library {
	t.Helper()
	lib, err := readMotions(edit)
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

func readMotions(edit func(id clips.ID, extras map[string]any)) (*motion.Library, error) {
	lib := motion.NewLibrary()
	for _, name := range assets.Motions() {
		b, err := assets.Motion(name)
		if err != nil {
			return nil, err
		}
		a, err := vrm.LoadAnimation(b)
		if err != nil {
			return nil, err
		}
		if edit != nil {
			var x map[string]any
			if err := json.Unmarshal(a.Extras, &x); err != nil {
				return nil, err
			}
			edit(clips.ID(name), x)
			if a.Extras, err = json.Marshal(x); err != nil {
				return nil, err
			}
		}
		if err := lib.Add(clips.ID(name), a); err != nil {
			return nil, err
		}
	}
	return lib, nil
}

// zeros appends the names of the numbers in v that are zero or less, and of the switches that are off.
func zeros(v reflect.Value, name string, out []string) []string {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out = zeros(v.Field(i), name+"."+v.Type().Field(i).Name, out)
		}
	case reflect.Float64:
		if !(v.Float() > 0) {
			out = append(out, name)
		}
	case reflect.Bool:
		if !v.Bool() {
			out = append(out, name)
		}
	}
	return out
}

// All that the body goes by is said by the bundled motions, in an order that a body can follow.
func TestMotionsTellTheBodyAll(t *testing.T) {
	c := bodyClips(bundled(t, nil))
	for _, name := range zeros(reflect.ValueOf(c), "Clips", nil) {
		t.Errorf("%s is not told", name)
	}
	j := c.Jump
	if !(j.Crouch < j.Off && j.Off < j.Air && j.Air < j.Ready && j.Ready < j.Land && j.Land < j.Whole) {
		t.Errorf("jump: %+v", j)
	}
	if c.Sit.Settle >= c.Sit.Down || c.Land.Low >= c.Land.Whole || c.Bed.Seat >= c.Bed.Lie {
		t.Errorf("%+v", c)
	}
	if c := bodyClips(motion.NewLibrary()); c != (body.Clips{Backward: true}) {
		t.Errorf("without any clip: %+v", c)
	}
}

// What a motion says of itself is what the body goes by: no figure of it stands in the program.
func TestChangedMotionsChangeTheBody(t *testing.T) {
	was := bodyClips(bundled(t, nil))
	want := was
	want.Jump.Off, want.Land.Low, want.Sit.Settle = 0.45, 0.75, 0.9
	want.Climb.Reach, want.Climb.Floor, want.Climb.Sink, want.PeekEnter = 0.5, 0.25, 0.125, 1.25
	got := bodyClips(bundled(t, func(id clips.ID, x map[string]any) {
		switch id {
		case clips.Jump:
			x["moments"].(map[string]any)["off"] = 0.45
		case clips.SitDown:
			x["moments"].(map[string]any)["seat"] = 0.9
		case clips.Landing:
			x["phases"].(map[string]any)["recover"] = []float64{0.3, 0.75}
		case clips.Peek:
			x["phases"].(map[string]any)["enter"] = []float64{0, 1.25}
		case clips.ClimbUpDone:
			x["entry"].([]any)[1] = -0.5
		case clips.ClimbDownLanding:
			x["entry"].([]any)[1] = 0.25
		case clips.ClimbDown:
			x["rise"] = -0.125
		}
	}))
	if got != want {
		t.Errorf("%+v,\nwant %+v", got, want)
	}
}
