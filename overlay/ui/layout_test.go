package ui

import (
	"image"
	"testing"

	"pgregory.net/rapid"
)

// Bubbles of pets side by side do not lie on each other: sideways while the tail allows it, else over or under.
func TestApart(t *testing.T) {
	area := image.Rect(0, 0, 1280, 760)
	r := image.Rect(600, 380, 912, 460)
	for name, c := range map[string]struct {
		others []image.Rectangle
		want   image.Point
	}{
		"alone":                    {nil, image.Point{}},
		"one at the right":         {[]image.Rectangle{image.Rect(835, 380, 1137, 460)}, image.Pt(-87, 0)},
		"one at the left":          {[]image.Rectangle{image.Rect(400, 380, 650, 460)}, image.Pt(60, 0)},
		"one in the same place":    {[]image.Rectangle{r}, image.Pt(0, -90)},
		"one at either side":       {[]image.Rectangle{image.Rect(860, 400, 1137, 460), image.Rect(380, 380, 640, 440)}, image.Pt(0, -90)},
		"one that fills the place": {[]image.Rectangle{area}, image.Point{}},
	} {
		if got := apart(r, area, c.others, 10, 120).Min.Sub(r.Min); got != c.want {
			t.Errorf("%s: moved by %v, want %v", name, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		rect := rapid.Custom(func(t *rapid.T) image.Rectangle {
			x, y := rapid.IntRange(0, 1000).Draw(t, "x"), rapid.IntRange(0, 600).Draw(t, "y")
			return image.Rect(x, y, x+rapid.IntRange(1, 280).Draw(t, "w"), y+rapid.IntRange(1, 160).Draw(t, "h"))
		})
		r, others := rect.Draw(t, "r"), rapid.SliceOfN(rect, 0, 4).Draw(t, "others")
		got := apart(r, area, others, 10, 100)
		if got.Size() != r.Size() || !got.In(area) {
			t.Fatalf("%v became %v", r, got)
		}
		if got != r && !free(got, others) {
			t.Fatalf("%v was moved onto another: %v", r, got)
		}
	})
}

func TestChooseSide(t *testing.T) {
	work := image.Rect(0, 0, 1280, 769)
	size := image.Pt(320, 120)
	for _, c := range []struct {
		name string
		head image.Rectangle
		want Side
	}{
		{"room above", image.Rect(600, 400, 720, 540), Above},
		{"high up, room at the right", image.Rect(200, 60, 320, 200), Right},
		{"high up at the right end", image.Rect(1100, 60, 1220, 200), Left},
		{"a bubble as wide as the screen", image.Rect(500, 60, 620, 200), Right},
	} {
		if got := chooseSide(c.head, work, size, 18); got != c.want {
			t.Errorf("%s: side %d, want %d", c.name, got, c.want)
		}
	}
	if got := chooseSide(image.Rect(300, 20, 420, 160), image.Rect(0, 0, 720, 769), image.Pt(500, 100), 18); got != Below {
		t.Errorf("no room above and beside: side %d, want below", got)
	}
	if got := chooseSide(image.Rect(300, 20, 420, 160), image.Rect(0, 0, 640, 200), image.Pt(500, 100), 18); got != Left {
		t.Errorf("no room anywhere: side %d, want the roomier one", got)
	}
}

func rect(t *rapid.T, name string, low, high int) image.Rectangle {
	x, y := rapid.IntRange(-high, high).Draw(t, name+"x"), rapid.IntRange(-high, high).Draw(t, name+"y")
	return image.Rect(x, y, x+rapid.IntRange(low, high).Draw(t, name+"w"), y+rapid.IntRange(low, high).Draw(t, name+"h"))
}

func TestKeepInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, area := rect(t, "r", 1, 500), rect(t, "area", 1, 2000)
		got := keepInside(r, area)
		if got.Size() != r.Size() {
			t.Fatalf("the size changed: %v to %v", r, got)
		}
		if r.Dx() <= area.Dx() && r.Dy() <= area.Dy() && !got.In(area) {
			t.Fatalf("%v does not lie in %v", got, area)
		}
		if r.In(area) && got != r {
			t.Fatalf("%v lay in %v already and was moved to %v", r, area, got)
		}
	})
}

// TestRounded holds the bands to what the SHAPE extension wants of YXBanded rectangles, and to the shape itself.
func TestRounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, radius := rect(t, "r", 1, 400), rapid.IntRange(0, 60).Draw(t, "radius")
		last := r.Min.Y
		area := 0
		for _, b := range rounded(r, radius) {
			if b.Empty() || b.Min.Y != last || !b.In(r) {
				t.Fatalf("band %v after y %d in %v", b, last, r)
			}
			last = b.Max.Y
			area += b.Dx() * b.Dy()
		}
		if last != r.Max.Y {
			t.Fatalf("the bands end at %d, the rectangle at %d", last, r.Max.Y)
		}
		c := min(radius, r.Dx()/2, r.Dy()/2)
		want := float64(r.Dx()*r.Dy()) - (4-3.1416)*float64(c*c)
		if d := float64(area) - want; d > float64(4*c+1) || d < -float64(4*c+1) {
			t.Fatalf("area %d, want about %.0f", area, want)
		}
	})
}
