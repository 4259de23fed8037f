package overlay

import (
	"fmt"
	"image"
	"strings"

	"gioui.org/gpu"
	"github.com/go-gl/gl/v3.1/gles2"
)

// page is where Gio draws before it goes to the window. Gio blends in linear light and would gamma-encode colours that
// are already multiplied by their alpha, which makes every soft edge and shadow too light; compositors want the colour
// encoded first and multiplied then. So Gio draws into an sRGB texture, and the page's own pass puts that right.
type page struct {
	frame, texture, program, array uint32
	size                           image.Point
}

const pageVertex = `#version 300 es
out vec2 at;
void main() {
	vec2 p = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
	at = p;
	gl_Position = vec4(p * 2.0 - 1.0, 0.0, 1.0);
}` + "\x00"

const pageFragment = `#version 300 es
precision highp float;
uniform sampler2D page;
in vec2 at;
out vec4 color;
void main() {
	vec4 c = texture(page, at);
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
	gles2.GenTextures(1, &p.texture)
	return p, nil
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

// fit gives the page the size of the window and returns it as Gio's target.
func (p *page) fit(size image.Point) gpu.OpenGLRenderTarget {
	if size != p.size {
		p.size = size
		gles2.BindTexture(gles2.TEXTURE_2D, p.texture)
		gles2.TexImage2D(gles2.TEXTURE_2D, 0, gles2.SRGB8_ALPHA8, int32(size.X), int32(size.Y), 0, gles2.RGBA, gles2.UNSIGNED_BYTE, nil)
		gles2.TexParameteri(gles2.TEXTURE_2D, gles2.TEXTURE_MIN_FILTER, gles2.NEAREST)
		gles2.TexParameteri(gles2.TEXTURE_2D, gles2.TEXTURE_MAG_FILTER, gles2.NEAREST)
		gles2.BindFramebuffer(gles2.FRAMEBUFFER, p.frame)
		gles2.FramebufferTexture2D(gles2.FRAMEBUFFER, gles2.COLOR_ATTACHMENT0, gles2.TEXTURE_2D, p.texture, 0)
	}
	return gpu.OpenGLRenderTarget{V: uint(p.frame)}
}

// show copies the page into the window's back buffer.
func (p *page) show() {
	gles2.BindFramebuffer(gles2.FRAMEBUFFER, 0)
	gles2.Viewport(0, 0, int32(p.size.X), int32(p.size.Y))
	for _, c := range []uint32{gles2.BLEND, gles2.DEPTH_TEST, gles2.CULL_FACE, gles2.SCISSOR_TEST} {
		gles2.Disable(c)
	}
	gles2.UseProgram(p.program)
	gles2.ActiveTexture(gles2.TEXTURE0)
	gles2.BindTexture(gles2.TEXTURE_2D, p.texture)
	gles2.BindVertexArray(p.array)
	gles2.DrawArrays(gles2.TRIANGLES, 0, 3)
	gles2.BindVertexArray(0)
}

func (p *page) release() {
	gles2.DeleteFramebuffers(1, &p.frame)
	gles2.DeleteTextures(1, &p.texture)
	gles2.DeleteVertexArrays(1, &p.array)
	gles2.DeleteProgram(p.program)
}
