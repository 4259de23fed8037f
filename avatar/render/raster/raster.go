// Package raster draws triangles with the processor, eight pixels at a time: what avatar/render does if OpenGL itself
// would be drawn by the processor. A general driver shades whole blocks of pixels for every small triangle of a
// character; here a triangle costs what it covers. Not safe for use by several goroutines on one Page or Mesh.
package raster

/*
#cgo CFLAGS: -O3 -Wno-psabi
#cgo LDFLAGS: -lm
#include <stdlib.h>
#include "raster.h"
*/
import "C"

import (
	"fmt"
	"image"
	"math"
	"unsafe"
)

// Cull says which faces are left out.
type Cull int

// The faces that are left out.
const (
	None Cull = iota
	Back
	Front
)

// Texture is a picture with its smaller levels, in memory of its own.
type Texture struct {
	c     *C.rtexture
	bytes unsafe.Pointer
}

// Level is one size of a texture: 4 bytes a pixel, first row first.
type Level struct {
	Width, Height int
	Pix           []byte
}

// NewTexture copies levels, each half of the one before. wrapS and wrapT are GL's modes. At most 15 levels count.
func NewTexture(levels []Level, wrapS, wrapT int, nearest bool) *Texture {
	levels = levels[:min(len(levels), 15)]
	size, spare := 0, 16
	for _, l := range levels {
		size += len(l.Pix)
		spare = max(spare, 4*l.Width+16) // pixels that are masked out are read as the first one
	}
	t := &Texture{c: (*C.rtexture)(C.calloc(1, C.sizeof_rtexture)), bytes: C.malloc(C.size_t(size + spare))}
	all, at := unsafe.Slice((*byte)(t.bytes), size+spare), 0
	t.c.levels, t.c.wrap_s, t.c.wrap_t = C.int(len(levels)), C.int(wrapS), C.int(wrapT)
	if nearest {
		t.c.nearest = 1
	}
	for i, l := range levels {
		copy(all[at:], l.Pix)
		t.c.level[i] = C.rlevel{w: C.int(l.Width), h: C.int(l.Height), pix: (*C.uint8_t)(unsafe.Add(t.bytes, at))}
		at += len(l.Pix)
	}
	return t
}

// Release frees the texture. Nil is fine.
func (t *Texture) Release() {
	if t != nil && t.c != nil {
		C.free(t.bytes)
		C.free(unsafe.Pointer(t.c))
		t.c = nil
	}
}

// Mesh is placed vertices: what Vertices found, until the next call.
type Mesh struct {
	c *C.rvertex
	n int
}

// NewMesh makes room for n vertices.
func NewMesh(n int) *Mesh {
	return &Mesh{c: (*C.rvertex)(C.calloc(C.size_t(max(n, 1)), C.sizeof_rvertex)), n: n}
}

// Release frees it. Nil is fine.
func (m *Mesh) Release() {
	if m != nil && m.c != nil {
		C.free(unsafe.Pointer(m.c))
		m.c = nil
	}
}

func (m *Mesh) at(i int) *C.rvertex {
	return (*C.rvertex)(unsafe.Add(unsafe.Pointer(m.c), i*C.sizeof_rvertex))
}

// Colors fills in what of n vertices from the first one changes with their material only. fixed points to them
// (render's fixedVertex), material to the block Material.
func (m *Mesh) Colors(first, n int, fixed, material unsafe.Pointer, features uint32) {
	if n > 0 {
		C.raster_colors(m.at(first), (*C.rfixed)(fixed), C.int(n), (*C.rmaterial)(material), C.uint32_t(features))
	}
}

// Box is where placed vertices are, in pixels with fractions, y down.
type Box struct{ X0, Y0, X1, Y1 float32 }

// Empty is a box round nothing.
func Empty() Box {
	inf := float32(math.Inf(1))
	return Box{inf, inf, -inf, -inf}
}

// Vertices places n skinned vertices (position and normal, 6 floats each) from the first one on a page of w by h pixels
// and finds their light; box grows round them. view points to the block Frame.
func (m *Mesh) Vertices(first, n int, skinned *float32, fixed, material, view unsafe.Pointer, features uint32, w, h int, box *Box) {
	if n > 0 {
		C.raster_vertices(m.at(first), (*C.float)(skinned), (*C.rfixed)(fixed), C.int(n), (*C.rmaterial)(material), (*C.rview)(view),
			C.uint32_t(features), C.float(w), C.float(h), (*C.float)(&box.X0))
	}
}

// Page is what is drawn on, premultiplied, rows from the top down, in memory of its own.
type Page struct {
	w, h, stride int
	color, depth unsafe.Pointer
	page         *C.rpage
	job          *C.rjob
	used         image.Rectangle // where colours may not be clear
}

// maxSide and maxPixels bound a page: a screen of 8K, four samples for each of its pixels, is within them.
const (
	maxSide   = 1 << 15
	maxPixels = 1 << 27
)

// NewPage makes a clear page of w by h pixels; bgra puts blue first, as X11 windows do. It refuses sizes that no screen has.
func NewPage(w, h int, bgra bool) (*Page, error) {
	if w <= 0 || h <= 0 || w > maxSide || h > maxSide || w*h > maxPixels {
		return nil, fmt.Errorf("make page of %d by %d pixels: at most %d a side and %d in all", w, h, maxSide, maxPixels)
	}
	p := &Page{w: w, h: h, stride: (w+15)/8*8 + 8}
	n := C.size_t(p.stride*h + 16)
	p.color, p.depth = C.calloc(n, 4), C.calloc(n, 4)
	if p.color == nil || p.depth == nil {
		C.free(p.color)
		C.free(p.depth)
		return nil, fmt.Errorf("make page of %d by %d pixels: no memory", w, h)
	}
	p.page, p.job = (*C.rpage)(C.calloc(1, C.sizeof_rpage)), (*C.rjob)(C.calloc(1, C.sizeof_rjob))
	p.page.color, p.page.depth, p.page.stride = (*C.uint32_t)(p.color), (*C.float)(p.depth), C.int(p.stride)
	if bgra {
		p.page.red = 16
	} else {
		p.page.blue = 16
	}
	p.job.page = p.page
	return p, nil
}

// Release frees it. Nil is fine.
func (p *Page) Release() {
	if p == nil || p.page == nil {
		return
	}
	for _, m := range []unsafe.Pointer{p.color, p.depth, unsafe.Pointer(p.page), unsafe.Pointer(p.job)} {
		C.free(m)
	}
	p.page = nil
}

// Size of the page in pixels, and Stride of a row in pixels.
func (p *Page) Size() (w, h int) { return p.w, p.h }

// Stride is the length of a row in pixels.
func (p *Page) Stride() int { return p.stride }

// Used is where the page may not be clear; y runs down.
func (p *Page) Used() image.Rectangle { return p.used }

// Pixels points to the pixel of a place.
func (p *Page) Pixels(x, y int) unsafe.Pointer { return unsafe.Add(p.color, 4*(y*p.stride+x)) }

// Row is the pixels of a row, 4 bytes each.
func (p *Page) Row(y int) []byte { return unsafe.Slice((*byte)(p.Pixels(0, y)), 4*p.w) }

// Begin clears what was drawn, and readies the page for things within box, of which only what is within clip is drawn.
func (p *Page) Begin(box Box, clip image.Rectangle) {
	p.clear(true, false)
	p.used = p.cut(box).Intersect(clip)
	p.clear(false, true)
	p.page.x0, p.page.y0, p.page.x1, p.page.y1 = C.int(p.used.Min.X), C.int(p.used.Min.Y), C.int(p.used.Max.X), C.int(p.used.Max.Y)
}

func (p *Page) clear(color, depth bool) {
	r := p.used
	if r.Empty() {
		return
	}
	var c *C.uint32_t
	var d *C.float
	if color {
		c = p.page.color
	}
	if depth {
		d = p.page.depth
	}
	C.raster_clear(c, d, C.int(p.stride), C.int(r.Min.X), C.int(r.Min.Y), C.int(r.Max.X), C.int(r.Max.Y))
}

// cut is the whole pixels that a box touches on the page.
func (p *Page) cut(b Box) image.Rectangle {
	if !(b.X1 > b.X0 && b.Y1 > b.Y0) {
		return image.Rectangle{}
	}
	in := func(x float32, n int) int { return int(min(max(x, 0), float32(n))) }
	return image.Rect(in(b.X0-1, p.w), in(b.Y0-1, p.h), in(b.X1+2, p.w), in(b.Y1+2, p.h))
}

// Job is triangles of one material.
type Job struct {
	Mesh           *Mesh
	Index          []uint32
	Material, View unsafe.Pointer // the blocks; they must not move during Draw
	Textures       *[C.UNIT_COUNT]*Texture
	Features       uint32 // bits of material.h
	Cull           Cull
	Mirrored       bool // front faces run clockwise
	Depth, Blend   bool // writes depth, lets through what is behind
}

// Draw draws a job's triangles. Every index must be of a vertex of the mesh that Vertices has placed.
func (p *Page) Draw(j *Job) {
	if len(j.Index) < 3 || p.used.Empty() {
		return
	}
	c := p.job
	c.vertex, c.count = j.Mesh.c, C.int(len(j.Index))
	c.features, c.cull, c.front, c.depth_write, c.blend = C.uint32_t(j.Features), C.int(j.Cull), 1, 0, 0
	if j.Mirrored {
		c.front = 0
	}
	if j.Depth {
		c.depth_write = 1
	}
	if j.Blend {
		c.blend = 1
	}
	for i := range c.texture {
		c.texture[i] = nil
		if t := j.Textures[i]; t != nil {
			c.texture[i] = t.c
		}
	}
	C.raster_run(c, (*C.uint32_t)(unsafe.SliceData(j.Index)), (*C.rmaterial)(j.Material), (*C.rview)(j.View))
}

// Halve clears p and averages from, which is twice as large in both directions, into it.
func (p *Page) Halve(from *Page) {
	p.clear(true, false)
	u := from.used
	p.used = image.Rect(u.Min.X/2, u.Min.Y/2, (u.Max.X+1)/2, (u.Max.Y+1)/2).Intersect(image.Rect(0, 0, p.w, p.h))
	r := p.used
	C.raster_halve(p.page.color, C.int(p.stride), from.page.color, C.int(from.stride), C.int(r.Min.X), C.int(r.Min.Y), C.int(r.Max.X), C.int(r.Max.Y))
}
