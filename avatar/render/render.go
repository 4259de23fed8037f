// Package render draws a vrm.Model in a motion.Pose: MToon by its specification, inverted-hull outlines, premultiplied
// alpha for a transparent window.
//
// Two back ends stand behind one face. OpenGL ES 3.0 draws if there is hardware for it; the processor draws if
// there is none: package raster, whose frames GL brings to the window (New) or which stay in memory (NewSoft). With New,
// everything belongs to the main thread, with the GL context of the window in question current, and contexts of several
// windows must share objects (GLFW's share argument). With NewSoft there is no GL: any goroutine will do, one at a time for
// all that belongs to a Renderer.
package render

import (
	"errors"
	"math"
	"sync/atomic"
)

// Quality is how edges are smoothed.
type Quality int

// The levels of quality.
const (
	// Off draws straight into the window: the cheapest, with stepped edges.
	Off Quality = iota
	// On averages four samples a pixel.
	On
)

// Options are the choices of a Renderer. The zero value is a good default.
type Options struct {
	// Quality of edges; it may be changed per Target later.
	Quality Quality
	// TexturePixels is how many screen pixels tall a model is at most shown; larger textures are halved on upload
	// until they fit. 0 means 800.
	TexturePixels float32
	// Samples above 0 makes Quality On use that many multisamples instead of two by two supersampling.
	Samples int
	// KeepTextures leaves textures at the size that the file has.
	KeepTextures bool
	// Exact lights every pixel and samples every texture even if the driver draws with the processor, for which
	// light is otherwise found at the vertices. On hardware it is always so.
	Exact bool
	// Driver leaves the drawing to OpenGL even if that is drawn by the processor. Exact and Samples imply it.
	Driver bool
}

// Renderer draws all pets of one share group. Not safe for use by several goroutines.
type Renderer struct {
	opt     Options
	back    backend
	lit     bool // light is found at the vertices
	largest int  // pixels that a texture may be wide or high

	texturePixels atomic.Uint32 // bits of Options.TexturePixels

	released bool
}

// New makes a renderer on the current context, which must be OpenGL ES 3.0 or later. If that is drawn by the processor,
// the processor draws without it, unless the options ask for OpenGL. OpenGL's programs are compiled when a model first needs
// them, in Upload.
func New(opt Options) (*Renderer, error) {
	facts, err := askGL()
	if err != nil {
		return nil, err
	}
	r := newRenderer(opt, facts.software && !opt.Exact, facts.largest)
	if r.lit && !opt.Driver && opt.Samples == 0 {
		r.back = newSoftOnGL()
		return r, nil
	}
	if r.back, err = newGL(facts, opt.Samples, r.lit); err != nil {
		return nil, err
	}
	return r, nil
}

// softLargest is how many pixels a texture of NewSoft's may be wide or high: what drivers that draw with the processor take.
const softLargest = 16384

// NewSoft makes a renderer that draws with the processor into memory: it needs neither a window nor OpenGL, and no display.
// What belongs to it may be used on any goroutine, by one at a time. Frames are read by Target.Picture. Exact, Driver and
// Samples ask for OpenGL and are refused.
func NewSoft(opt Options) (*Renderer, error) {
	if opt.Exact || opt.Driver || opt.Samples != 0 {
		return nil, errors.New("make renderer in memory: Exact, Driver and Samples need OpenGL")
	}
	r := newRenderer(opt, true, softLargest)
	r.back = &softBackend{}
	return r, nil
}

func newRenderer(opt Options, lit bool, largest int) *Renderer {
	r := &Renderer{opt: opt, lit: lit, largest: largest}
	r.SetTexturePixels(opt.TexturePixels)
	return r
}

// SetTexturePixels is Options.TexturePixels for models that are uploaded from now on. Safe from any goroutine.
func (r *Renderer) SetTexturePixels(pixels float32) {
	if pixels <= 0 {
		pixels = 800
	}
	r.texturePixels.Store(math.Float32bits(pixels))
}

// Release frees what all scenes and targets share; these must have been released before. Twice is fine.
func (r *Renderer) Release() {
	r.released = true
	r.back.release()
}

// owns returns an error if a scene cannot be drawn by this renderer.
func (r *Renderer) owns(s *Scene) error {
	switch {
	case r.released:
		return errors.New("draw scene: the renderer is released")
	case s == nil || s.released:
		return errors.New("draw scene: it is released or missing")
	case s.r != r:
		return errors.New("draw scene: it was uploaded to another renderer")
	}
	return nil
}
