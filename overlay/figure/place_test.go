package figure

import (
	"image"
	"testing"
)

func TestOutgrown(t *testing.T) {
	told := image.Rect(100, 100, 220, 350)
	for name, c := range map[string]struct {
		now  image.Rectangle
		want bool
	}{
		"the same":                 {told, false},
		"she breathes":             {image.Rect(97, 98, 224, 350), false},
		"her head turns left":      {image.Rect(84, 100, 220, 350), true},
		"her ears rise":            {image.Rect(100, 88, 220, 350), true},
		"an arm comes back":        {image.Rect(120, 100, 220, 350), false},
		"she lies down":            {image.Rect(100, 250, 220, 350), true},
		"nothing is seen any more": {image.Rectangle{}, true},
	} {
		if got := outgrown(told, c.now, 8); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !outgrown(image.Rectangle{}, told, 8) || outgrown(image.Rectangle{}, image.Rectangle{}, 8) {
		t.Error("the first outline")
	}
}
