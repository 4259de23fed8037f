//go:build linux

package main

import (
	"context"
	"slices"
	"strings"
	"testing"

	"yui/avatar/threetest"
)

// TestCharactersAreValidElsewhere loads each character in three-vrm, the program that most viewers are made with: it must
// find a whole VRM 1.0 without a word of complaint, every expression must show, and the springs must swing.
func TestCharactersAreValidElsewhere(t *testing.T) {
	stage := threetest.Start(t)
	for _, f := range files(t) {
		id, ok := strings.CutPrefix(f.name, "characters/")
		if !ok {
			continue
		}
		t.Run(id, func(t *testing.T) {
			whole := !strings.HasSuffix(id, "-small.vrm") // the small ones differ in their meshes alone
			a, err := stage.Run(context.Background(), threetest.Job{Model: f.data, Width: 120, Height: 180, FOV: 30, Light: [3]float64{0, 0, 1}, Examine: whole})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range a.Warnings {
				if !strings.Contains(w, "GPU stall") { // the browser's own, about reading pictures back
					t.Errorf("three-vrm says: %s", w)
				}
			}
			if a.Version != "1" || a.Name == "" || a.License == "" || a.LookAt != "expression" {
				t.Errorf("version %q, name %q, licence %q, look-at %q", a.Version, a.Name, a.License, a.LookAt)
			}
			for _, b := range strings.Fields("hips spine chest neck head leftUpperArm leftLowerArm leftHand rightUpperArm rightLowerArm rightHand " +
				"leftUpperLeg leftLowerLeg leftFoot rightUpperLeg rightLowerLeg rightFoot") {
				if !slices.Contains(a.Bones, b) {
					t.Errorf("no bone %s", b)
				}
			}
			if !whole {
				return
			}
			presets := strings.Fields("happy angry sad relaxed surprised aa ih ou ee oh blink blinkLeft blinkRight lookUp lookDown lookLeft lookRight")
			customs := strings.Fields("ex_sleepy ex_thinking ex_curious ex_blush ex_smile")
			for _, e := range append(presets, customs...) {
				if n, ok := a.Expressions[e]; !ok || n < 2 {
					t.Errorf("expression %s: there %v, changes %d pixels", e, ok, n)
				}
			}
			if s := a.Springs; s.Joints < 6 || s.Colliders == 0 || !s.Finite || s.Moved < 0.1 || s.Moved > 3 {
				t.Errorf("springs %+v", s)
			}
		})
	}
}
