package render

import (
	"image"
	"testing"

	"pgregory.net/rapid"
)

func TestOutlineCoversExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 24).Draw(t, "w"), rapid.IntRange(1, 24).Draw(t, "h")
		alpha := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 0, 25, 26, 255, 255, 255}), w*h, w*h).Draw(t, "alpha")
		rects, changed := Outline(alpha, w, h, 25, nil)
		if !changed {
			t.Fatal("the first outline is not called changed")
		}
		count := make([]int, w*h)
		for i, r := range rects {
			if r.Empty() || !r.In(image.Rect(0, 0, w, h)) {
				t.Fatalf("rectangle %v", r)
			}
			if i > 0 {
				p := rects[i-1]
				sameBand := p.Min.Y == r.Min.Y && p.Max.Y == r.Max.Y && p.Max.X < r.Min.X
				if !sameBand && p.Max.Y > r.Min.Y {
					t.Fatalf("%v after %v: not banded", r, p)
				}
			}
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					count[y*w+x]++
				}
			}
		}
		for i, a := range alpha {
			if want := map[bool]int{true: 1}[a > 25]; count[i] != want {
				t.Fatalf("pixel %d of alpha %d is covered %d times", i, a, count[i])
			}
		}
	})
}

func TestOutlineTellsChange(t *testing.T) {
	var reg Region
	a := make([]byte, 64)
	for i := 16; i < 40; i++ {
		a[i] = 255
	}
	steps := []struct {
		what string
		do   func()
		want bool
	}{
		{"first", func() {}, true},
		{"same", func() {}, false},
		{"other alpha above the threshold", func() { a[20] = 100 }, false},
		{"a hole", func() { a[20] = 0 }, true},
		{"same hole", func() {}, false},
		{"all gone", func() { clear(a) }, true},
		{"still gone", func() {}, false},
	}
	for _, s := range steps {
		s.do()
		if _, got := Outline(a, 8, 8, 25, &reg); got != s.want {
			t.Errorf("%s: changed %v", s.what, got)
		}
	}
	if r, _ := Outline(make([]byte, 0), 8, 8, 25, &reg); len(r) != 0 {
		t.Errorf("a short mask gave %v", r)
	}
}

func TestOutlineMergesRows(t *testing.T) {
	a := make([]byte, 10*10)
	for y := 2; y < 8; y++ {
		for x := 3; x < 6; x++ {
			a[y*10+x] = 255
		}
	}
	r, _ := Outline(a, 10, 10, 25, nil)
	if len(r) != 1 || r[0] != image.Rect(3, 2, 6, 8) {
		t.Errorf("a block became %v", r)
	}
}

func TestReduceAlphaTakesTheGreatest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 17).Draw(t, "w"), rapid.IntRange(1, 17).Draw(t, "h")
		step := rapid.SampledFrom([]int{1, 2}).Draw(t, "step")
		pix := rapid.SliceOfN(rapid.Byte(), 4*w*h, 4*w*h).Draw(t, "pix")
		mw, mh := MaskSize(w, h, step)
		dst := make([]byte, mw*mh)
		reduceAlpha(dst, pix, w, h, step)
		want := make([]byte, mw*mh)
		for y := range h {
			for x := range w {
				i := y/step*mw + x/step
				want[i] = max(want[i], pix[4*((h-1-y)*w+x)+3])
			}
		}
		if string(dst) != string(want) {
			t.Fatalf("%v, want %v", dst, want)
		}
	})
}

func BenchmarkOutline(b *testing.B) {
	const w, h = 200, 300
	a := make([]byte, w*h)
	for y := range h {
		for x := 40 + y%7; x < 160-y%11; x++ {
			a[y*w+x] = 255
		}
	}
	var reg Region
	b.ReportAllocs()
	for b.Loop() {
		Outline(a, w, h, 25, &reg)
	}
}
