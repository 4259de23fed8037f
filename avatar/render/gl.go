package render

import (
	"fmt"
	"strings"
	"unsafe"

	gl "github.com/go-gl/gl/v3.1/gles2"
)

// glBackend draws with OpenGL ES 3.0. Main thread, with a context of its share group current.
type glBackend struct {
	facts    glFacts
	samples  int  // multisamples in place of supersampling; 0 for none
	lit      bool // light is found at the vertices, and textures hold square roots
	programs map[features]*program
	white    uint32 // texture
}

// glFacts is what the current context can do.
type glFacts struct {
	software bool // the driver draws with the processor
	bgra     bool // frames may be read with blue first
	align    int  // UNIFORM_BUFFER_OFFSET_ALIGNMENT
	largest  int  // pixels that a texture may be wide or high
}

// askGL loads OpenGL's functions and asks the current context what it can do.
func askGL() (f glFacts, err error) {
	if err := gl.Init(); err != nil {
		return f, fmt.Errorf("load OpenGL ES functions: %w", err)
	}
	var major, align, largest int32
	gl.GetIntegerv(gl.MAJOR_VERSION, &major)
	if major < 3 {
		return f, fmt.Errorf("open OpenGL ES: version 3.0 is needed, this is %s", glDriver())
	}
	gl.GetIntegerv(gl.UNIFORM_BUFFER_OFFSET_ALIGNMENT, &align)
	gl.GetIntegerv(gl.MAX_TEXTURE_SIZE, &largest)
	f = glFacts{bgra: hasExtension("GL_EXT_read_format_bgra"), align: max(int(align), 16), largest: int(largest)}
	for _, n := range []string{"llvmpipe", "softpipe", "SwiftShader", "swrast"} {
		f.software = f.software || strings.Contains(glDriver(), n)
	}
	if f.software {
		keepHeap()
	}
	return f, glError("ask OpenGL")
}

func newGL(facts glFacts, samples int, lit bool) (*glBackend, error) {
	b := &glBackend{facts: facts, samples: samples, lit: lit, programs: map[features]*program{}}
	gl.GenTextures(1, &b.white)
	gl.BindTexture(gl.TEXTURE_2D, b.white)
	pixel := [4]byte{255, 255, 255, 255}
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(&pixel[0]))
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.BindTexture(gl.TEXTURE_2D, 0)
	return b, glError("make renderer")
}

func (b *glBackend) release() {
	for _, p := range b.programs {
		gl.DeleteProgram(p.id)
	}
	clear(b.programs)
	if b.white != 0 {
		gl.DeleteTextures(1, &b.white)
		b.white = 0
	}
}

// refill replaces the front of the bound buffer. Hardware gets fresh memory, so that it need not be waited for; software
// has used the old contents by the time a draw call returns, and fresh memory would cost it page faults.
func (b *glBackend) refill(target uint32, size int, from unsafe.Pointer) {
	if b.facts.software {
		gl.BufferSubData(target, 0, size, from)
	} else {
		gl.BufferData(target, size, from, gl.STREAM_DRAW)
	}
}

// glDriver names the renderer and version of the current context.
func glDriver() string {
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
	for range 8 { // a lost context reports forever
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
