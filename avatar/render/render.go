// Package render draws a vrm.Model in a motion.Pose with OpenGL ES 3.0: MToon by its specification, inverted-hull
// outlines, premultiplied alpha for a transparent window. Everything here belongs to the main thread, with the GL
// context of the window in question current; contexts of several windows must share objects (GLFW's share argument).
package render

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	gl "github.com/go-gl/gl/v3.1/gles2"
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
	// Exact lights every pixel and samples every texture even where the driver draws with the processor, for which
	// light is else found at the vertices. On hardware it is always so.
	Exact bool
	// Driver leaves the drawing to OpenGL even where that is drawn by the processor. Exact implies it.
	Driver bool
}

// Renderer holds the programs that all pets of one share group draw with. Not safe for use by several goroutines.
type Renderer struct {
	opt      Options
	programs map[features]*program
	white    uint32
	align    int // UNIFORM_BUFFER_OFFSET_ALIGNMENT
	bgra     bool
	software bool // the driver draws with the processor
	lit      bool // light is found at the vertices
	soft     bool // package raster draws

	memory      bool // no GL: frames stay in memory
	bgraTexture bool // pages for GL have blue first
	largest     int  // pixels that a texture may be wide or high
}

// New makes a renderer on the current context, which must be OpenGL ES 3.0 or later. Programs are compiled when a
// model first needs them, in Upload.
func New(opt Options) (*Renderer, error) {
	if err := gl.Init(); err != nil {
		return nil, fmt.Errorf("load OpenGL ES functions: %w", err)
	}
	var major int32
	gl.GetIntegerv(gl.MAJOR_VERSION, &major)
	if major < 3 {
		return nil, fmt.Errorf("open OpenGL ES: version 3.0 is needed, this is %s", Driver())
	}
	if opt.TexturePixels <= 0 {
		opt.TexturePixels = 800
	}
	r := &Renderer{opt: opt, programs: map[features]*program{}, bgra: hasExtension("GL_EXT_read_format_bgra")}
	for _, n := range []string{"llvmpipe", "softpipe", "SwiftShader", "swrast"} {
		r.software = r.software || strings.Contains(Driver(), n)
	}
	r.lit = r.software && !opt.Exact
	if r.soft = r.lit && !opt.Driver && opt.Samples == 0; r.soft {
		r.bgraTexture = tryBGRA()
	}
	if r.software {
		keepHeap()
	}
	var align int32
	gl.GetIntegerv(gl.UNIFORM_BUFFER_OFFSET_ALIGNMENT, &align)
	r.align = max(int(align), 16)
	var largest int32
	gl.GetIntegerv(gl.MAX_TEXTURE_SIZE, &largest)
	r.largest = int(largest)
	gl.GenTextures(1, &r.white)
	gl.BindTexture(gl.TEXTURE_2D, r.white)
	pixel := [4]byte{255, 255, 255, 255}
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(&pixel[0]))
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.BindTexture(gl.TEXTURE_2D, 0)
	return r, glError("make renderer")
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
	if opt.TexturePixels <= 0 {
		opt.TexturePixels = 800
	}
	return &Renderer{opt: opt, programs: map[features]*program{}, lit: true, soft: true, memory: true, largest: softLargest}, nil
}

// Release frees the programs. Scenes and targets must have been released before.
func (r *Renderer) Release() {
	for _, p := range r.programs {
		gl.DeleteProgram(p.id)
	}
	r.programs = map[features]*program{}
	if r.white != 0 {
		gl.DeleteTextures(1, &r.white)
		r.white = 0
	}
}

// refill replaces the front of the bound buffer. Hardware gets fresh memory, so that it need not be waited for; software
// has used the old contents by the time a draw call returns, and fresh memory would cost it page faults.
func (r *Renderer) refill(target uint32, size int, from unsafe.Pointer) {
	if r.software {
		gl.BufferSubData(target, 0, size, from)
	} else {
		gl.BufferData(target, size, from, gl.STREAM_DRAW)
	}
}

// Driver names the renderer and version of the current context, for logs and doctor.
func Driver() string {
	return gl.GoStr(gl.GetString(gl.RENDERER)) + ", " + gl.GoStr(gl.GetString(gl.VERSION))
}

func hasExtension(name string) bool {
	var n int32
	gl.GetIntegerv(gl.NUM_EXTENSIONS, &n)
	for i := range uint32(n) {
		if gl.GoStr(gl.GetStringi(gl.EXTENSIONS, i)) == name {
			return true
		}
	}
	return false
}

// glError reports the oldest pending GL error as an error of the named work, and clears the others.
func glError(work string) error {
	code := gl.GetError()
	if code == gl.NO_ERROR {
		return nil
	}
	for range 8 { // a lost context reports for ever
		if gl.GetError() == gl.NO_ERROR {
			break
		}
	}
	names := map[uint32]string{gl.INVALID_ENUM: "invalid enum", gl.INVALID_VALUE: "invalid value",
		gl.INVALID_OPERATION: "invalid operation", gl.OUT_OF_MEMORY: "out of memory",
		gl.INVALID_FRAMEBUFFER_OPERATION: "invalid framebuffer operation"}
	if n, ok := names[code]; ok {
		return fmt.Errorf("%s: OpenGL: %s", work, n)
	}
	return fmt.Errorf("%s: OpenGL: error %#x", work, code)
}
