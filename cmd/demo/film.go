package main

import (
	"image"
	"image/color"
	"image/gif"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/image/draw"

	"yui/platform/desktoptest"
)

// The film: small, slow and short enough for a page.
const (
	filmScale = 2
	filmPause = 120 * time.Millisecond
	filmMax   = 600
	gifTick   = 10 * time.Millisecond
)

// film takes pictures of the desktop until it is stopped.
type film struct {
	d      *desktoptest.Desktop
	dir    string
	frames []*image.RGBA
	times  []time.Time // when each was taken: a busy machine takes fewer, and the film keeps its pace
	quit   chan struct{}
	once   sync.Once
	wg     sync.WaitGroup
}

func newFilm(d *desktoptest.Desktop, dir string) *film {
	f := &film{d: d, dir: dir, quit: make(chan struct{})}
	f.wg.Go(f.shoot)
	return f
}

func (f *film) shoot() {
	tick := time.NewTicker(filmPause)
	defer tick.Stop()
	for len(f.frames) < filmMax {
		select {
		case <-f.quit:
			return
		case <-tick.C:
		}
		picture, err := f.d.Screenshot()
		if err != nil {
			return
		}
		small := image.NewRGBA(image.Rect(0, 0, crop.Dx()/filmScale, crop.Dy()/filmScale))
		draw.ApproxBiLinear.Scale(small, small.Bounds(), picture, crop, draw.Src, nil)
		f.frames, f.times = append(f.frames, small), append(f.times, time.Now())
	}
}

func (f *film) stop() {
	f.once.Do(func() { close(f.quit) })
	f.wg.Wait()
}

// save writes the GIF: one palette made from the pictures themselves, and of each frame only what changed.
func (f *film) save() (string, error) {
	f.stop()
	p := newPalette(f.frames)
	g := &gif.GIF{Config: image.Config{ColorModel: p.colors, Width: crop.Dx() / filmScale, Height: crop.Dy() / filmScale}}
	var last *image.RGBA
	for i, frame := range f.frames {
		r := changed(last, frame)
		delay := int(filmPause / gifTick)
		if i+1 < len(f.times) {
			delay = max(2, int(f.times[i+1].Sub(f.times[0])/gifTick)-int(f.times[i].Sub(f.times[0])/gifTick))
		}
		if r.Empty() {
			g.Delay[len(g.Delay)-1] += delay
			continue
		}
		g.Image = append(g.Image, p.paint(frame, r))
		g.Delay = append(g.Delay, delay)
		last = frame
	}
	name := filepath.Join(f.dir, "demo.gif")
	out, err := os.Create(name)
	if err != nil {
		return "", err
	}
	defer out.Close()
	return name, gif.EncodeAll(out, g)
}

// changed is the smallest rectangle that holds what differs.
func changed(a, b *image.RGBA) image.Rectangle {
	if a == nil {
		return b.Bounds()
	}
	var r image.Rectangle
	w := b.Bounds().Dx()
	for y := range b.Bounds().Dy() {
		for x := range w {
			i := y*b.Stride + 4*x
			if a.Pix[i] != b.Pix[i] || a.Pix[i+1] != b.Pix[i+1] || a.Pix[i+2] != b.Pix[i+2] {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// palette is 256 colours, the commonest of the pictures, with a table from 15-bit colours to the nearest.
type palette struct {
	colors  color.Palette
	nearest [1 << 15]int16
}

func key15(r, g, b uint8) int { return int(r>>3)<<10 | int(g>>3)<<5 | int(b>>3) }

func newPalette(frames []*image.RGBA) *palette {
	var count [1 << 15]int
	for i := 0; i < len(frames); i += 5 {
		for j := 0; j < len(frames[i].Pix); j += 4 {
			px := frames[i].Pix[j : j+3]
			count[key15(px[0], px[1], px[2])]++
		}
	}
	p := &palette{}
	for i := range p.nearest {
		p.nearest[i] = -1
	}
	for len(p.colors) < 256 {
		best := 0
		for k, n := range count {
			if n > count[best] {
				best = k
			}
		}
		if count[best] == 0 {
			break
		}
		count[best] = 0
		p.colors = append(p.colors, color.RGBA{uint8(best>>10)<<3 | 4, uint8(best>>5&31)<<3 | 4, uint8(best&31)<<3 | 4, 255})
	}
	return p
}

func (p *palette) paint(frame *image.RGBA, r image.Rectangle) *image.Paletted {
	img := image.NewPaletted(r, p.colors)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			px := frame.Pix[y*frame.Stride+4*x:]
			k := key15(px[0], px[1], px[2])
			if p.nearest[k] < 0 {
				p.nearest[k] = int16(p.colors.Index(color.RGBA{px[0], px[1], px[2], 255}))
			}
			img.SetColorIndex(x, y, uint8(p.nearest[k]))
		}
	}
	return img
}
