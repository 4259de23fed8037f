package vrm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"

	"yui/internal/barepng"
)

var (
	// errTooLarge says that an image is more than this machine should be asked for.
	errTooLarge = errors.New("make it smaller")
	// errUnknownPicture says that an image is of a format that is not read.
	errUnknownPicture = errors.New("it is neither PNG nor JPEG nor WebP")
)

// packed is an image of a file, of which no more than the header is decoded.
type packed struct {
	image.Config
	number int // of the image
	data   []byte
	codec  *codec
	plain  *plainPNG // nil if the codec has to decode it
}

// codec is one of the formats of images in models. What other packages of the program register with package image makes
// no difference.
type codec struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	// size is the most bytes a pixel that decoding takes.
	size func(p *packed) int64
}

var (
	pngCodec  = &codec{png.DecodeConfig, png.Decode, pngSize}
	jpegCodec = &codec{jpeg.DecodeConfig, jpeg.Decode, jpegSize}
	webpCodec = &codec{webp.DecodeConfig, webp.Decode, func(*packed) int64 { return 8 }}
)

func codecOf(data []byte) *codec {
	switch {
	case bytes.HasPrefix(data, []byte(pngMagic)):
		return pngCodec
	case bytes.HasPrefix(data, []byte("\xff\xd8")):
		return jpegCodec
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return webpCodec
	}
	return nil
}

// openPicture looks at an image's header: at its size before anything is decoded.
func openPicture(data []byte) (*packed, error) {
	p := &packed{data: data, codec: codecOf(data)}
	if p.codec == nil {
		return nil, errUnknownPicture
	}
	if p.codec == pngCodec {
		p.data = barepng.Of(data)
	}
	var err error
	if p.Config, err = p.codec.config(bytes.NewReader(p.data)); err != nil {
		return nil, fmt.Errorf("it is damaged: save it as PNG and export again: %w", err)
	}
	most := int64(maxImagePixels)
	if p.codec != pngCodec || p.ColorModel == color.NRGBA64Model || p.ColorModel == color.RGBA64Model {
		most /= 2 // decoded by others, these take more for each pixel
	}
	w, h := p.Width, p.Height
	if w <= 0 || h <= 0 || w > maxImageSide || h > maxImageSide || int64(w)*int64(h) > most {
		return nil, fmt.Errorf("%d x %d pixels are more than YUI reads (%d x %d): %w", w, h, maxImageSide, maxImageSide, errTooLarge)
	}
	if p.codec == pngCodec {
		if p.plain, err = parsePNG(p.data); err != nil && !errors.Is(err, errNotPlainPNG) {
			return nil, fmt.Errorf("it is damaged: save it as PNG and export again: %w", err)
		}
	}
	return p, nil
}

// work is the most memory that decode takes beside the picture that it returns.
func (p *packed) work(side int) int64 {
	const rows = 64 << 10 // the window of the decompressor
	n := rows + 16*int64(p.Width)
	if p.plain == nil {
		n += p.codec.size(p) * int64(p.Width) * int64(p.Height)
	}
	return n
}

// decode makes the picture, halved until no side is longer than side.
func (p *packed) decode(side int) (out *image.NRGBA, err error) {
	defer func() { // a decoder that stumbles over a stranger's file costs that picture, not the program
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("it is damaged: %v", p)
		}
	}()
	if p.plain != nil {
		out, err = p.plain.decode(side)
	} else {
		var whole image.Image
		if whole, err = p.codec.decode(bytes.NewReader(p.data)); err == nil {
			out = shrunk(whole, side)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	return out, nil
}

// pngSize goes by the header: sixteen bits a channel, and rows in an order that wants a second picture.
func pngSize(p *packed) int64 {
	const depth, interlace = 24, 28 // where they stand
	size := int64(4)
	if p.data[depth] == 16 {
		size = 8
	}
	if p.data[interlace] != 0 {
		size += size / 2
	}
	return size
}

// jpegSize goes by the colours, which may be kept twice, and by how the coefficients come.
func jpegSize(p *packed) int64 {
	channels, size := int64(3), int64(3)
	switch p.ColorModel {
	case color.GrayModel:
		channels, size = 1, 1
	case color.RGBAModel:
		size = 7
	case color.CMYKModel:
		channels, size = 4, 8
	}
	if progressive(p.data) {
		size += 4 * channels
	}
	return size
}

// progressive reports whether a JPEG comes in passes, for which all its coefficients are kept; what is not understood might.
func progressive(data []byte) bool {
	for i := 2; i+4 <= len(data) && data[i] == 0xff; {
		switch kind := data[i+1]; {
		case kind == 0xff: // filling
			i++
			continue
		case kind == 0xc0, kind == 0xc1:
			return false
		case kind == 0xc2:
			return true
		}
		i += 2 + int(binary.BigEndian.Uint16(data[i+2:]))
	}
	return true
}

// shrunk is a decoded image as straight colours with its corner at 0,0, halved until no side is longer than side. It goes
// row by row, so that a large one is not there a second time.
func shrunk(img image.Image, side int) *image.NRGBA {
	b := img.Bounds()
	if src, ok := img.(*image.NRGBA); ok && b.Min == (image.Point{}) && src.Stride == 4*b.Dx() && max(b.Dx(), b.Dy()) <= side {
		return src
	}
	read := rowsOf(img)
	s := newShrinker(b.Dx(), b.Dy(), side)
	for y := range b.Dy() {
		read(y, s.row)
		s.add()
	}
	return s.img
}

// rowsOf returns what writes a row of an image, counted from its upper edge, as straight colours.
func rowsOf(img image.Image) func(y int, to []byte) {
	b := img.Bounds()
	line := image.Rect(0, 0, b.Dx(), 1)
	switch src := img.(type) {
	case *image.NRGBA:
		return func(y int, to []byte) { copy(to, src.Pix[src.PixOffset(b.Min.X, b.Min.Y+y):]) }
	case *image.RGBA:
		if src.Opaque() { // then both kinds are the same bytes
			return func(y int, to []byte) { copy(to, src.Pix[src.PixOffset(b.Min.X, b.Min.Y+y):]) }
		}
	case *image.YCbCr, *image.Gray:
		return func(y int, to []byte) {
			draw.Draw(&image.RGBA{Pix: to, Stride: len(to), Rect: line}, line, img, b.Min.Add(image.Pt(0, y)), draw.Src)
		}
	case *image.Paletted:
		return palettedRows(src)
	}
	return func(y int, to []byte) {
		draw.Draw(&image.NRGBA{Pix: to, Stride: len(to), Rect: line}, line, img, b.Min.Add(image.Pt(0, y)), draw.Src)
	}
}

func palettedRows(src *image.Paletted) func(y int, to []byte) {
	var table [256][4]byte
	for i, c := range src.Palette {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		table[i] = [4]byte{n.R, n.G, n.B, n.A}
	}
	return func(y int, to []byte) {
		row := src.Pix[src.PixOffset(src.Rect.Min.X, src.Rect.Min.Y+y):][:src.Rect.Dx()]
		for x, p := range row {
			copy(to[4*x:], table[p][:])
		}
	}
}
