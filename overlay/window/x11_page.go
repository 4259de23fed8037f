//go:build linux || freebsd || netbsd || openbsd

package window

import (
	"fmt"
	"image"
	"strings"

	"gioui.org/gpu"
	"github.com/go-gl/gl/v3.1/gles2"
)

// page is where Gio draws before it goes to a panel's picture. Gio blends in linear light and would gamma-encode colours
// that are already multiplied by their alpha, which makes every soft edge and shadow too light; compositors want the
// colour encoded first and multiplied then. So Gio draws into an sRGB texture, and the page's own pass puts that right.
// It belongs to the painter's thread and context.
type page struct {
	frame, texture, program, array uint32
	into                           uint32 // framebuffer of the picture that is written
	format                         uint32 // of pictures
	size                           image.Point
}

const pageVertex = `#version 300 es
void main() {
	vec2 p = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
	gl_Position = vec4(p * 2.0 - 1.0, 0.0, 1.0);
}` + "\x00"

// The picture's first row is its top, as it is in a window's memory.
const pageFragment = `#version 300 es
precision highp float;
uniform sampler2D page;
uniform int high;
out vec4 color;
void main() {
	ivec2 at = ivec2(gl_FragCoord.xy);
	vec4 c = texelFetch(page, ivec2(at.x, high - 1 - at.y), 0);
	vec3 lin = clamp(c.a > 0.0 ? c.rgb / c.a : vec3(0.0), 0.0, 1.0);
	vec3 a = sqrt(lin), b = sqrt(a), d = sqrt(b);
	vec3 enc = max(0.662002687 * a + 0.684122060 * b - 0.323583601 * d - 0.0225411470 * lin, lin * 12.92 * step(lin, vec3(0.0031308)));
	color = vec4(enc * c.a, c.a);
}` + "\x00"

// newPage makes the page in the current context.
func newPage() (*page, error) {
	p := &page{}
	var err error
	if p.program, err = compile(pageVertex, pageFragment); err != nil {
		return nil, fmt.Errorf("make page: %w", err)
	}
	gles2.GenVertexArrays(1, &p.array)
	gles2.GenFramebuffers(1, &p.frame)
	gles2.GenFramebuffers(1, &p.into)
	gles2.GenTextures(1, &p.texture)
	p.format = pictureFormat()
	return p, nil
}

// bgra is GL_BGRA_EXT: the order of X11's pixels. A picture in it is copied to a window as memory; in any other order a
// software driver compiles a program for that, in each window's context.
const bgra = 0x80E1

// pictureFormat is the order that pictures can have in the current context: the window's, where a trial succeeds.
func pictureFormat() uint32 {
	var t, frame uint32
	gles2.GenTextures(1, &t)
	gles2.GenFramebuffers(1, &frame)
	defer gles2.DeleteTextures(1, &t)
	defer gles2.DeleteFramebuffers(1, &frame)
	gles2.BindTexture(gles2.TEXTURE_2D, t)
	allocate(image.Pt(8, 8), bgra)
	attach(gles2.FRAMEBUFFER, frame, t)
	if complete := gles2.CheckFramebufferStatus(gles2.FRAMEBUFFER) == gles2.FRAMEBUFFER_COMPLETE; gles2.GetError() != gles2.NO_ERROR || !complete {
		return gles2.RGBA
	}
	return bgra
}

// allocate gives the bound texture memory.
func allocate(size image.Point, format uint32) {
	inside := int32(gles2.RGBA8)
	if format == bgra {
		inside = bgra
	}
	gles2.TexImage2D(gles2.TEXTURE_2D, 0, inside, int32(size.X), int32(size.Y), 0, format, gles2.UNSIGNED_BYTE, nil)
	plain()
}

func compile(vertex, fragment string) (uint32, error) {
	program := gles2.CreateProgram()
	for _, s := range []struct {
		kind   uint32
		source string
	}{{gles2.VERTEX_SHADER, vertex}, {gles2.FRAGMENT_SHADER, fragment}} {
		shader := gles2.CreateShader(s.kind)
		text, free := gles2.Strs(s.source)
		gles2.ShaderSource(shader, 1, text, nil)
		free()
		gles2.CompileShader(shader)
		gles2.AttachShader(program, shader)
		gles2.DeleteShader(shader)
	}
	gles2.LinkProgram(program)
	var ok int32
	if gles2.GetProgramiv(program, gles2.LINK_STATUS, &ok); ok == gles2.TRUE {
		return program, nil
	}
	log := strings.Repeat("\x00", 1024)
	gles2.GetProgramInfoLog(program, 1024, nil, gles2.Str(log))
	gles2.DeleteProgram(program)
	return 0, fmt.Errorf("link program: %s", strings.TrimRight(log, "\x00"))
}

// fit gives the page room for a panel of the given size and returns it as Gio's target.
func (p *page) fit(size image.Point) gpu.OpenGLRenderTarget {
	if room := image.Pt(max(size.X, p.size.X), max(size.Y, p.size.Y)); room != p.size {
		p.size = room
		gles2.BindTexture(gles2.TEXTURE_2D, p.texture)
		gles2.TexImage2D(gles2.TEXTURE_2D, 0, gles2.SRGB8_ALPHA8, int32(room.X), int32(room.Y), 0, gles2.RGBA, gles2.UNSIGNED_BYTE, nil)
		plain()
		attach(gles2.FRAMEBUFFER, p.frame, p.texture)
	}
	return gpu.OpenGLRenderTarget{V: uint(p.frame)}
}

// write puts what Gio drew for a panel of the picture's size into the picture.
func (p *page) write(to *picture) {
	attach(gles2.FRAMEBUFFER, p.into, to.texture)
	gles2.Viewport(0, 0, int32(to.size.X), int32(to.size.Y))
	for _, c := range []uint32{gles2.BLEND, gles2.DEPTH_TEST, gles2.CULL_FACE, gles2.SCISSOR_TEST} {
		gles2.Disable(c)
	}
	gles2.UseProgram(p.program)
	gles2.Uniform1i(gles2.GetUniformLocation(p.program, gles2.Str("high\x00")), int32(to.size.Y))
	gles2.ActiveTexture(gles2.TEXTURE0)
	gles2.BindTexture(gles2.TEXTURE_2D, p.texture)
	gles2.BindVertexArray(p.array)
	gles2.DrawArrays(gles2.TRIANGLES, 0, 3)
	gles2.BindVertexArray(0)
}

func (p *page) release() {
	gles2.DeleteFramebuffers(1, &p.frame)
	gles2.DeleteFramebuffers(1, &p.into)
	gles2.DeleteTextures(1, &p.texture)
	gles2.DeleteVertexArrays(1, &p.array)
	gles2.DeleteProgram(p.program)
}

// picture is a panel as it was painted last: a texture that the painter's context and the window's share.
type picture struct {
	texture uint32
	frame   uint32 // in the window's context, with which it ends
	size    image.Point
}

// fit makes the texture of the given size, in the painter's context. format is a page's.
func (p *picture) fit(size image.Point, format uint32) {
	if p.texture != 0 && size == p.size {
		return
	}
	if p.texture == 0 {
		gles2.GenTextures(1, &p.texture)
	}
	p.size = size
	gles2.BindTexture(gles2.TEXTURE_2D, p.texture)
	allocate(size, format)
}

// upload makes the picture one of pixels, in the window's context. buf is memory that is kept between frames.
func (p *picture) upload(pixels *image.RGBA, format uint32, buf []byte) []byte {
	size := pixels.Rect.Size()
	p.fit(size, format)
	if len(buf) != 4*size.X*size.Y {
		buf = make([]byte, 4*size.X*size.Y)
	}
	for y := range size.Y {
		row := buf[4*size.X*y : 4*size.X*(y+1)]
		copy(row, pixels.Pix[pixels.Stride*y:])
		if format == bgra {
			for i := 0; i < len(row); i += 4 {
				row[i], row[i+2] = row[i+2], row[i]
			}
		}
	}
	gles2.BindTexture(gles2.TEXTURE_2D, p.texture)
	gles2.PixelStorei(gles2.UNPACK_ALIGNMENT, 4)
	gles2.TexSubImage2D(gles2.TEXTURE_2D, 0, 0, 0, int32(size.X), int32(size.Y), format, gles2.UNSIGNED_BYTE, gles2.Ptr(buf))
	return buf
}

// show copies the picture into the back buffer of the window whose context is current.
func (p *picture) show() {
	if p.frame == 0 {
		gles2.GenFramebuffers(1, &p.frame)
	}
	attach(gles2.READ_FRAMEBUFFER, p.frame, p.texture) // anew: that is how one context sees what another has drawn
	gles2.BindFramebuffer(gles2.DRAW_FRAMEBUFFER, 0)
	w, h := int32(p.size.X), int32(p.size.Y)
	gles2.BlitFramebuffer(0, 0, w, h, 0, h, w, 0, gles2.COLOR_BUFFER_BIT, gles2.NEAREST)
}

// release is for the painter's context.
func (p *picture) release() {
	gles2.DeleteTextures(1, &p.texture)
	*p = picture{}
}

func plain() {
	gles2.TexParameteri(gles2.TEXTURE_2D, gles2.TEXTURE_MIN_FILTER, gles2.NEAREST)
	gles2.TexParameteri(gles2.TEXTURE_2D, gles2.TEXTURE_MAG_FILTER, gles2.NEAREST)
}

// attach binds a framebuffer and draws it into, or reads it from, a texture.
func attach(target, frame, texture uint32) {
	gles2.BindFramebuffer(target, frame)
	gles2.FramebufferTexture2D(target, gles2.COLOR_ATTACHMENT0, gles2.TEXTURE_2D, texture, 0)
}
