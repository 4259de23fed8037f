package app

import (
	"testing"

	"yui/cmd/yui/settings"
)

// Whatever a setting stirs is carried out, once, and nothing is carried out that none stirs.
func TestStirs(t *testing.T) {
	var wanted, done settings.Stir
	for _, s := range settings.All() {
		wanted |= s.Stirs
	}
	wanted |= settings.Servers // of their switches as well
	for _, e := range stirs {
		if e.of == 0 || e.of&(e.of-1) != 0 || done&e.of != 0 {
			t.Errorf("%b is no stir of its own", e.of)
		}
		done |= e.of
	}
	if done != wanted {
		t.Errorf("settings stir %b, carried out are %b", wanted, done)
	}
}
