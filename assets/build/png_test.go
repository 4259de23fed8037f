package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"pgregory.net/rapid"
)

// Any picture comes back the same through the standard decoder.
func TestPNGRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 70).Draw(t, "width"), rapid.IntRange(1, 40).Draw(t, "height")
		few := rapid.IntRange(1, 256).Draw(t, "colours")
		opaque := rapid.Bool().Draw(t, "opaque")
		seed := rapid.Uint32().Draw(t, "seed")
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		for i := range img.Pix {
			seed = seed*1664525 + 1013904223
			img.Pix[i] = uint8(int(seed>>24) % few)
			if opaque && i%4 == 3 {
				img.Pix[i] = 255
			}
		}
		got, err := png.Decode(bytes.NewReader(pngBytes(img)))
		if err != nil {
			t.Fatal(err)
		}
		for y := range h {
			for x := range w {
				if c := color.NRGBAModel.Convert(got.At(x, y)); c != img.NRGBAAt(x, y) && img.NRGBAAt(x, y).A != 0 {
					t.Fatalf("pixel %d %d: %v became %v", x, y, img.NRGBAAt(x, y), c)
				}
			}
		}
	})
}

// Long runs and far matches use every length and distance code.
func TestPNGLongRuns(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 300, 200))
	for y := range 200 {
		for x := range 300 {
			img.SetNRGBA(x, y, color.NRGBA{uint8(x * y >> uint(y%7)), uint8(y / 90), uint8(x % (y + 1)), 255})
		}
	}
	b := pngBytes(img)
	got, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	for y := range 200 {
		for x := range 300 {
			if color.NRGBAModel.Convert(got.At(x, y)) != img.NRGBAAt(x, y) {
				t.Fatalf("pixel %d %d differs", x, y)
			}
		}
	}
}

func TestColours(t *testing.T) {
	if c := rgb("#0aF5c3"); c != (color.NRGBA{0x0a, 0xf5, 0xc3, 255}) {
		t.Errorf("%v", c)
	}
	if c := linear("#FF8000"); c[0] != 1 || c[2] != 0 || c[1] < 0.2157 || c[1] > 0.2160 {
		t.Errorf("%v", c)
	}
}
