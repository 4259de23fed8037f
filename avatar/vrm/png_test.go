package vrm

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
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
		if err != nil || !slices.Equal(got.Pix, shrunk(want, 1<<20).Pix) {
			t.Fatalf("picture %d, %v: not the same (%v)", i, img.Rect, err)
		}
		if w, h := fitted(img.Rect.Dx(), img.Rect.Dy(), 20); w > 0 {
			small, err := decodeImage(data, 20)
			if err != nil || small.Rect.Dx() != w || small.Rect.Dy() != h {
				t.Fatalf("picture %d, %v: made smaller to %v (%v)", i, img.Rect, small.Rect, err)
			}
			whole := shrunk(want, 1<<20)
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

// decodeImage reads an image as a load does.
func decodeImage(data []byte, side int) (*image.NRGBA, error) {
	p, err := openPicture(data)
	if err != nil {
		return nil, err
	}
	return p.decode(side)
}

// halved is an image of half the size, made of the whole; a side of one pixel stays.
func halved(img *image.NRGBA) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, max(w/2, 1), max(h/2, 1)))
	right, below := 4*min(w-1, 1), img.Stride*min(h-1, 1)
	for y := range out.Rect.Dy() {
		from := img.Pix[2*y*below:]
		halveRows(out.Pix[y*out.Stride:(y+1)*out.Stride], from, from[below:], right)
	}
	return out
}

// TestShrunk holds the way row by row to that of the whole picture, for every kind of image and the oddest sizes.
func TestShrunk(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int{{1, 1}, {1, 40}, {40, 1}, {2, 37}, {37, 2}, {33, 33}, {64, 7}, {5, 100}} {
		r := image.Rect(0, 0, size[0], size[1])
		straight := image.NewNRGBA(r)
		for i := range straight.Pix {
			straight.Pix[i] = uint8(rng.Uint32())
		}
		pal := image.NewPaletted(r, color.Palette{color.NRGBA{200, 100, 50, 90}, color.NRGBA{}, color.NRGBA{9, 8, 7, 255}})
		for i := range pal.Pix {
			pal.Pix[i] = uint8(rng.IntN(3))
		}
		gray, deep, opaque := image.NewGray(r), image.NewNRGBA64(r), image.NewRGBA(r)
		for i := range gray.Pix {
			gray.Pix[i] = uint8(rng.Uint32())
		}
		for i := range deep.Pix {
			deep.Pix[i] = uint8(rng.Uint32())
		}
		for i := range opaque.Pix {
			opaque.Pix[i] = uint8(rng.Uint32()) | uint8(i%4/3*255)
		}
		ycc := image.NewYCbCr(r, image.YCbCrSubsampleRatio420)
		for i := range ycc.Y {
			ycc.Y[i] = uint8(rng.Uint32())
		}
		larger := image.NewNRGBA(image.Rect(0, 0, size[0]+4, size[1]+3)) // a part of another
		copy(larger.Pix, straight.Pix)
		part := larger.SubImage(image.Rect(3, 2, 3+size[0], 2+size[1]))
		for _, img := range []image.Image{straight, pal, gray, deep, opaque, ycc, part, image.NewRGBA(r)} {
			want := image.NewNRGBA(r)
			draw.Draw(want, r, img, img.Bounds().Min, draw.Src)
			for want.Rect.Dx() > 9 || want.Rect.Dy() > 9 {
				want = halved(want)
			}
			if got := shrunk(img, 9); got.Rect != want.Rect || !slices.Equal(got.Pix, want.Pix) {
				t.Errorf("%T of %v becomes %v, not %v, or others", img, size, got.Rect, want.Rect)
			}
		}
	}
}
