package vrm

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/image/webp"

	"yui/internal/barepng"
)

// texture returns the model's number for the texture that info points at, -1 for none. Only textures that a material
// uses are numbered and later decoded; thumbnails and leftovers cost nothing.
func (f *file) texture(info *textureInfo) TexRef {
	if info == nil || info.Index == nil {
		return noTexture()
	}
	if info.TexCoord != 0 {
		f.warn("texture %d uses its UV set %d, only the first is read", *info.Index, info.TexCoord)
	}
	ref := f.textureNumber(*info.Index)
	if info.Extensions != nil && info.Extensions.Transform != nil {
		t := info.Extensions.Transform
		copy(ref.Offset[:], t.Offset)
		copy(ref.Scale[:], t.Scale)
		ref.Rotation = t.Rotation
	}
	return ref
}

func noTexture() TexRef { return TexRef{Index: -1, Scale: [2]float32{1, 1}} }

// textureNumber numbers a glTF texture (not an image: the two lists differ). One that leads nowhere is left out.
func (f *file) textureNumber(i int) TexRef {
	ref := noTexture()
	switch {
	case i < 0 || i >= len(f.Textures):
		f.warn("texture %d does not exist", i)
		return ref
	case f.Textures[i].image() < 0:
		f.warn("texture %d has no image that YUI can read (PNG, JPEG or WebP)", i)
		return ref
	}
	at, ok := f.texAt[i]
	if !ok {
		at = len(f.tex)
		f.tex = append(f.tex, i)
		f.texAt[i] = at
	}
	ref.Index = at
	return ref
}

// image is the number of the texture's image, -1 for none: a PNG or JPEG if there is one, otherwise a WebP.
func (t *jsonTexture) image() int {
	switch {
	case t.Source != nil:
		return *t.Source
	case t.Extensions != nil && t.Extensions.WebP != nil && t.Extensions.WebP.Source != nil:
		return *t.Extensions.WebP.Source
	}
	return -1
}

// loadTextures decodes the images of the textures in use, each once, after looking at all their headers. One that is
// damaged or of an unknown kind costs the textures that show it, with a warning; one that is too large is refused.
func (f *file) loadTextures(m *Model) error {
	raw := map[int][]byte{}
	var order []int
	pixels, kept := int64(0), int64(0)
	side := keptSide
	sizes := map[int]image.Config{}
	for _, t := range f.tex {
		i := f.Textures[t].image()
		if _, ok := raw[i]; ok {
			continue
		}
		data, cfg, err := f.imageHeader(i)
		if errors.Is(err, errTooLarge) {
			return fmt.Errorf("read image %d: %w", i, err)
		} else if err != nil {
			f.warn("image %d %q is left out: %v", i, f.imageName(i), err)
			raw[i] = nil
			continue
		}
		if pixels += int64(cfg.Width) * int64(cfg.Height); pixels > maxAllPixels {
			return fmt.Errorf("read image %d: the textures have more than %d million pixels together", i, maxAllPixels>>20)
		}
		raw[i], sizes[i] = data, cfg
		order = append(order, i)
	}
	for ; side > 64; side /= 2 {
		kept = 0
		for _, c := range sizes {
			w, h := fitted(c.Width, c.Height, side)
			kept += int64(w) * int64(h)
		}
		if kept <= keptPixels {
			break
		}
	}
	most := decoders
	for _, c := range sizes {
		if int64(c.Width)*int64(c.Height) > maxImagePixels/4 {
			most = 1 // these are as large as all of the others together may be
		}
	}
	decoded, errs := decodeAll(order, most, func(i int) (*image.NRGBA, error) { return decodeImage(raw[i], side) })
	images := map[int]*image.NRGBA{}
	for k, i := range order {
		if errs[k] != nil {
			f.warn("image %d %q is left out: %v", i, f.imageName(i), errs[k])
			continue
		}
		images[i] = decoded[k]
	}
	number := make([]int, len(f.tex)) // where each texture is now, -1 for lost
	for k, t := range f.tex {
		number[k] = -1
		if img := images[f.Textures[t].image()]; img != nil {
			number[k] = len(m.Textures)
			m.Textures = append(m.Textures, f.sampled(t, img))
		}
	}
	m.renumber(number)
	return nil
}

// renumber changes what the materials call their textures.
func (m *Model) renumber(number []int) {
	for i := range m.Materials {
		t := &m.Materials[i]
		lost := func(ref TexRef) bool { return ref.Index >= 0 && number[ref.Index] < 0 }
		if lost(t.MatcapTex) { // without the picture that says where, these would be everywhere
			t.Matcap = [3]float32{}
		}
		if lost(t.EmissiveTex) {
			t.Emissive = [3]float32{}
		}
		for _, ref := range []*TexRef{&t.ColorTex, &t.ShadeTex, &t.ShiftTex, &t.EmissiveTex, &t.NormalTex, &t.MetalTex, &t.MatcapTex, &t.RimTex,
			&t.OutlineTex, &t.UVMaskTex} {
			if ref.Index >= 0 {
				ref.Index = number[ref.Index]
			}
		}
	}
}

// imageName is what people may know an image by.
func (f *file) imageName(i int) string {
	if i < 0 || i >= len(f.Images) {
		return ""
	}
	return clip(f.Images[i].Name, 60)
}

// decoders is how many images are decoded at once, each up to 64 MB; larger ones come one after the other.
const decoders = 4

// decodeAll decodes images on several cores.
func decodeAll(order []int, most int, decode func(i int) (*image.NRGBA, error)) ([]*image.NRGBA, []error) {
	images, errs := make([]*image.NRGBA, len(order)), make([]error, len(order))
	var next atomic.Int32
	var wg sync.WaitGroup
	for range min(most, runtime.GOMAXPROCS(0), len(order)) {
		wg.Go(func() {
			for k := int(next.Add(1)) - 1; k < len(order); k = int(next.Add(1)) - 1 {
				images[k], errs[k] = decode(order[k])
			}
		})
	}
	wg.Wait()
	return images, errs
}

// sampled joins an image with the sampler of a texture.
func (f *file) sampled(t int, img *image.NRGBA) Texture {
	j := &f.Textures[t]
	out := Texture{Name: clip(j.Name, maxName), Image: img, WrapS: 10497, WrapT: 10497}
	if out.Name == "" {
		out.Name = clip(f.Images[j.image()].Name, maxName)
	}
	if j.Sampler == nil || *j.Sampler < 0 || *j.Sampler >= len(f.Samplers) {
		return out
	}
	s := f.Samplers[*j.Sampler]
	out.WrapS, out.WrapT = wrap(s.WrapS), wrap(s.WrapT)
	out.Nearest = s.Mag == 9728
	out.NoMipmaps = s.Min == 9728 || s.Min == 9729
	return out
}

func wrap(v int) int {
	if v == 33071 || v == 33648 {
		return v
	}
	return 10497
}

// errTooLarge says that an image is more than this machine should be asked for.
var errTooLarge = errors.New("make it smaller")

// codec is one of the formats of images in models. What other packages of the program register with package image makes
// no difference.
type codec struct {
	name   string
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

func codecOf(data []byte) *codec {
	switch {
	case bytes.HasPrefix(data, []byte(pngMagic)):
		return &codec{"png", png.DecodeConfig, png.Decode}
	case bytes.HasPrefix(data, []byte("\xff\xd8")):
		return &codec{"jpeg", jpeg.DecodeConfig, jpeg.Decode}
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return &codec{"webp", webp.DecodeConfig, webp.Decode}
	}
	return nil
}

// imageHeader finds an image's bytes and reads its size before anything is decoded.
func (f *file) imageHeader(i int) ([]byte, image.Config, error) {
	if i < 0 || i >= len(f.Images) {
		return nil, image.Config{}, errors.New("it does not exist")
	}
	j := &f.Images[i]
	var data []byte
	var err error
	switch {
	case j.BufferView != nil:
		data, err = f.view(*j.BufferView)
	case j.URI != "":
		data, err = dataURI(j.URI)
	default:
		err = errors.New("it has no data")
	}
	if err != nil {
		return nil, image.Config{}, err
	}
	kind := codecOf(data)
	if kind == nil {
		return nil, image.Config{}, fmt.Errorf("it is neither PNG nor JPEG nor WebP (%s): save it as PNG and export again", clip(j.MimeType, 40))
	}
	if kind.name == "png" {
		data = barepng.Of(data)
	}
	cfg, err := kind.config(bytes.NewReader(data))
	if err != nil {
		return nil, cfg, fmt.Errorf("it is damaged: save it as PNG and export again: %w", err)
	}
	most := int64(maxImagePixels)
	if kind.name != "png" || cfg.ColorModel == color.NRGBA64Model || cfg.ColorModel == color.RGBA64Model {
		most /= 2 // progressive JPEG holds its coefficients, deep PNG eight bytes a pixel
	}
	if cfg.Width <= 0 || cfg.Height <= 0 || cfg.Width > maxImageSide || cfg.Height > maxImageSide || int64(cfg.Width)*int64(cfg.Height) > most {
		return nil, cfg, fmt.Errorf("%d x %d pixels are more than YUI reads (%d x %d): %w", cfg.Width, cfg.Height, maxImageSide, maxImageSide, errTooLarge)
	}
	return data, cfg, nil
}

// fitted halves a size until it is no longer than side.
func fitted(w, h, side int) (int, int) {
	for w > side || h > side {
		w, h = max(w/2, 1), max(h/2, 1)
	}
	return w, h
}

func decodeImage(data []byte, side int) (out *image.NRGBA, err error) {
	defer func() { // a decoder that stumbles over a stranger's file costs that picture, not the program
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("it is damaged: %v", p)
		}
	}()
	out, err = decodeWhole(data, side)
	if err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	for out.Rect.Dx() > side || out.Rect.Dy() > side {
		out = halved(out)
	}
	return out, nil
}

// decodeWhole decodes an image; one that is larger than side may come halved already.
func decodeWhole(data []byte, side int) (*image.NRGBA, error) {
	p, err := parsePNG(data)
	if err == nil {
		return p.decode(side)
	}
	if !errors.Is(err, errNotPlainPNG) {
		return nil, err
	}
	img, err := codecOf(data).decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return straight(img), nil
}

// halved is an image of half the size; a side of one pixel stays.
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

// halveRows makes a row of two; right is how far the second pixel of each pair is from the first, 4 or 0. Colours are
// weighed by alpha, so that the unseen colour of empty pixels does not bleed in.
func halveRows(to, upper, lower []byte, right int) {
	step := 2
	if right == 0 {
		step = 1
	}
	for x := 0; x < len(to); x += 4 {
		d := (*[4]uint8)(to[x:])
		a, b := upper[step*x:], lower[step*x:]
		p, q, r, s := (*[4]uint8)(a), (*[4]uint8)(a[right:]), (*[4]uint8)(b), (*[4]uint8)(b[right:])
		if p[3]&q[3]&r[3]&s[3] == 255 {
			d[0] = uint8((uint32(p[0]) + uint32(q[0]) + uint32(r[0]) + uint32(s[0]) + 2) / 4)
			d[1] = uint8((uint32(p[1]) + uint32(q[1]) + uint32(r[1]) + uint32(s[1]) + 2) / 4)
			d[2] = uint8((uint32(p[2]) + uint32(q[2]) + uint32(r[2]) + uint32(s[2]) + 2) / 4)
			d[3] = 255
			continue
		}
		pa, qa, ra, sa := uint32(p[3]), uint32(q[3]), uint32(r[3]), uint32(s[3])
		alpha := pa + qa + ra + sa
		d[3] = uint8((alpha + 2) / 4)
		if alpha == 0 {
			pa, qa, ra, sa, alpha = 1, 1, 1, 1, 4
		}
		for c := range 3 {
			d[c] = uint8((uint32(p[c])*pa + uint32(q[c])*qa + uint32(r[c])*ra + uint32(s[c])*sa + alpha/2) / alpha)
		}
	}
}

// straight turns a decoded image into NRGBA with its corner at 0,0. The common kinds are reused or have a fast path.
func straight(img image.Image) *image.NRGBA {
	b := img.Bounds()
	r := image.Rect(0, 0, b.Dx(), b.Dy())
	switch src := img.(type) {
	case *image.NRGBA:
		if b.Min == (image.Point{}) && src.Stride == 4*b.Dx() {
			return src
		}
	case *image.RGBA:
		if src.Opaque() && b.Min == (image.Point{}) && src.Stride == 4*b.Dx() {
			return &image.NRGBA{Pix: src.Pix, Stride: src.Stride, Rect: r} // opaque: both kinds are the same bytes
		}
	case *image.YCbCr, *image.Gray:
		dst := image.NewRGBA(r)
		draw.Draw(dst, r, img, b.Min, draw.Src)
		return &image.NRGBA{Pix: dst.Pix, Stride: dst.Stride, Rect: r}
	case *image.Paletted:
		return unpalette(src, r)
	}
	dst := image.NewNRGBA(r)
	draw.Draw(dst, r, img, b.Min, draw.Src)
	return dst
}

func unpalette(src *image.Paletted, r image.Rectangle) *image.NRGBA {
	var table [256][4]byte
	for i, c := range src.Palette {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		table[i] = [4]byte{n.R, n.G, n.B, n.A}
	}
	dst := image.NewNRGBA(r)
	for y := range r.Dy() {
		row := src.Pix[y*src.Stride : y*src.Stride+r.Dx()]
		for x, p := range row {
			copy(dst.Pix[y*dst.Stride+x*4:], table[p][:])
		}
	}
	return dst
}
