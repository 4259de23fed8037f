package vrm

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPlainPNG holds our own PNG reader to image/png on pictures of every kind of row, and to image/png's refusals.
func TestPlainPNG(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		img := image.NewNRGBA(image.Rect(0, 0, 1+rng.IntN(70), 1+rng.IntN(70)))
		for k := range img.Pix {
			img.Pix[k] = uint8(k / (1 + i%9) * (i%3 + 1))
			if i%4 == 0 {
				img.Pix[k] = uint8(rng.Uint32())
			}
			if i%2 == 0 && k%4 == 3 {
				img.Pix[k] = 255 // stored without alpha
			}
		}
		var b bytes.Buffer
		e := png.Encoder{CompressionLevel: []png.CompressionLevel{png.DefaultCompression, png.NoCompression, png.BestSpeed}[i%3]}
		if err := e.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		data := b.Bytes()
		want, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		p, err := parsePNG(data)
		if err != nil {
			t.Fatalf("picture %d: %v", i, err)
		}
		got, err := p.decode(1 << 20)
		if err != nil || !slices.Equal(got.Pix, straight(want).Pix) {
			t.Fatalf("picture %d, %v: not the same (%v)", i, img.Rect, err)
		}
		if w, h := fitted(img.Rect.Dx(), img.Rect.Dy(), 20); w > 0 {
			small, err := decodeImage(data, 20)
			if err != nil || small.Rect.Dx() != w || small.Rect.Dy() != h {
				t.Fatalf("picture %d, %v: made smaller to %v (%v)", i, img.Rect, small.Rect, err)
			}
			whole := straight(want)
			for whole.Rect.Dx() > 20 || whole.Rect.Dy() > 20 {
				whole = halved(whole)
			}
			if !slices.Equal(small.Pix, whole.Pix) {
				t.Fatalf("picture %d: halved on the way it is another", i)
			}
		}
		for range 12 { // a damaged file is refused wherever image/png refuses it
			bad := slices.Clone(data)
			bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
			if rng.IntN(3) == 0 {
				bad = bad[:rng.IntN(len(bad))]
			}
			_, theirs := png.Decode(bytes.NewReader(bad))
			if _, err := decodeImage(bad, 1<<20); (err == nil) != (theirs == nil) {
				t.Fatalf("picture %d damaged: %v, image/png says %v", i, err, theirs)
			}
		}
	}
	var small, large bytes.Buffer
	if err := errors.Join(png.Encode(&small, image.NewRGBA(image.Rect(0, 0, 2, 2))), png.Encode(&large, image.NewRGBA(image.Rect(0, 0, 900, 900)))); err != nil {
		t.Fatal(err)
	}
	if _, err := decodeImage(slices.Concat(small.Bytes()[:33], large.Bytes()[8:]), 64); err == nil {
		t.Error("a second head is believed")
	}
	pal := image.NewPaletted(image.Rect(0, 0, 3, 3), color.Palette{color.NRGBA{1, 2, 3, 255}, color.NRGBA{}})
	for _, other := range []image.Image{pal, image.NewGray(image.Rect(0, 0, 2, 2)), image.NewNRGBA64(image.Rect(0, 0, 2, 2))} {
		var b bytes.Buffer
		if err := png.Encode(&b, other); err != nil {
			t.Fatal(err)
		}
		if _, err := decodeImage(b.Bytes(), 64); err != nil {
			t.Errorf("%T: %v", other, err)
		}
	}
}
