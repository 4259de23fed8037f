package vrm

import (
	"errors"
	"fmt"
	"image"
	"runtime"
	"sync"
	"sync/atomic"
)

// decoders is how many images are decoded at once.
const decoders = 4

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
	pictures, err := f.openPictures()
	if err != nil {
		return err
	}
	side := fittingSide(pictures)
	for _, p := range pictures {
		w, h := fitted(p.Width, p.Height, side)
		if err := f.memory.take(4 * int64(w) * int64(h)); err != nil {
			return f.tooMuch(p, err)
		}
	}
	images := map[int]*image.NRGBA{}
	decoded, errs := f.decodeAll(pictures, side)
	for k, p := range pictures {
		switch err := errs[k]; {
		case errors.Is(err, errMemory):
			return f.tooMuch(p, err)
		case err != nil:
			f.warn("image %d %q is left out: %v", p.number, f.imageName(p.number), err)
		default:
			images[p.number] = decoded[k]
		}
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

// openPictures looks at the headers of the images in use, each once.
func (f *file) openPictures() ([]*packed, error) {
	var pictures []*packed
	seen := map[int]bool{}
	pixels := int64(0)
	for _, t := range f.tex {
		i := f.Textures[t].image()
		if seen[i] {
			continue
		}
		seen[i] = true
		p, err := f.openImage(i)
		switch {
		case errors.Is(err, errTooLarge), errors.Is(err, errMemory):
			return nil, fmt.Errorf("read image %d: %w", i, err)
		case err != nil:
			f.warn("image %d %q is left out: %v", i, f.imageName(i), err)
			continue
		}
		if pixels += int64(p.Width) * int64(p.Height); pixels > maxAllPixels {
			return nil, fmt.Errorf("read image %d: the textures have more than %d million pixels together", i, maxAllPixels>>20)
		}
		pictures = append(pictures, p)
	}
	return pictures, nil
}

// openImage finds an image's bytes and looks at its header.
func (f *file) openImage(i int) (*packed, error) {
	if i < 0 || i >= len(f.Images) {
		return nil, errors.New("it does not exist")
	}
	j := &f.Images[i]
	var data []byte
	var err error
	switch {
	case j.BufferView != nil:
		data, err = f.view(*j.BufferView)
	case j.URI != "":
		data, err = f.dataURI(j.URI)
	default:
		err = errors.New("it has no data")
	}
	if err != nil {
		return nil, err
	}
	p, err := openPicture(data)
	if errors.Is(err, errUnknownPicture) {
		err = fmt.Errorf("%w (%s): save it as PNG and export again", err, clip(j.MimeType, 40))
	}
	if err == nil && len(p.data) != len(data) { // mended in a copy
		err = f.memory.take(int64(len(p.data)))
	}
	if err != nil {
		return nil, err
	}
	p.number = i
	return p, nil
}

// tooMuch is why a file is refused whose pictures, with all before them, do not fit the memory of one load.
func (f *file) tooMuch(p *packed, err error) error {
	return fmt.Errorf("read image %d %q of %d x %d pixels: %w: make the textures smaller", p.number, f.imageName(p.number), p.Width, p.Height, err)
}

// fittingSide is how long a side may be for all pictures together to keep to keptPixels.
func fittingSide(pictures []*packed) int {
	side := keptSide
	for ; side > 64; side /= 2 {
		kept := int64(0)
		for _, p := range pictures {
			w, h := fitted(p.Width, p.Height, side)
			kept += int64(w) * int64(h)
		}
		if kept <= keptPixels {
			break
		}
	}
	return side
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

// decodeAll decodes pictures on several cores, as many at once as the memory of the load has room for.
func (f *file) decodeAll(pictures []*packed, side int) ([]*image.NRGBA, []error) {
	images, errs := make([]*image.NRGBA, len(pictures)), make([]error, len(pictures))
	var next atomic.Int32
	var wg sync.WaitGroup
	for range min(decoders, runtime.GOMAXPROCS(0), len(pictures)) {
		wg.Go(func() {
			for k := int(next.Add(1)) - 1; k < len(pictures); k = int(next.Add(1)) - 1 {
				p := pictures[k]
				if errs[k] = f.memory.borrow(p.work(side)); errs[k] != nil {
					continue
				}
				images[k], errs[k] = p.decode(side)
				f.memory.repay(p.work(side))
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
