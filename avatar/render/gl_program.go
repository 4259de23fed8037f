package render

import (
	"fmt"

	gl "github.com/go-gl/gl/v3.1/gles2"
)

// uniform block bindings and vertex attributes.
const (
	bindFrame    = 0
	bindMaterial = 1

	attrPosition = 0
	attrNormal   = 1
	attrUV       = 2
	attrLit      = 3
	attrShade    = 4
)

type program struct {
	id       uint32
	features features
}

// program returns the program of a variant, compiling it when it is first asked for.
func (b *glBackend) program(f features) (*program, error) {
	if p, ok := b.programs[f]; ok {
		return p, nil
	}
	head := "#version 300 es\n"
	if !b.lit {
		head += "#define SRGB_TEX\n"
	}
	if f&fTextured != 0 {
		head += "#define UV\n"
	}
	for i, n := range featureNames {
		if f&(1<<i) != 0 {
			head += "#define " + n + "\n"
		}
	}
	id, err := link(head+unitMacros+uniformBlocks+sharedSource+vertexSource, head+unitMacros+uniformBlocks+sharedSource+fragmentSource)
	if err != nil {
		return nil, fmt.Errorf("compile shader %s: %w", f, err)
	}
	p := &program{id: id, features: f}
	gl.UniformBlockBinding(id, gl.GetUniformBlockIndex(id, gl.Str("Frame\x00")), bindFrame)
	gl.UniformBlockBinding(id, gl.GetUniformBlockIndex(id, gl.Str("Material\x00")), bindMaterial)
	gl.UseProgram(id)
	for unit, n := range samplerNames {
		if l := gl.GetUniformLocation(id, gl.Str(n+"\x00")); l >= 0 {
			gl.Uniform1i(l, int32(unit))
		}
	}
	gl.UseProgram(0)
	b.programs[f] = p
	return p, nil
}

func link(vertex, fragment string) (uint32, error) {
	vs, err := compile(gl.VERTEX_SHADER, vertex)
	if err != nil {
		return 0, err
	}
	defer gl.DeleteShader(vs)
	fs, err := compile(gl.FRAGMENT_SHADER, fragment)
	if err != nil {
		return 0, err
	}
	defer gl.DeleteShader(fs)
	id := gl.CreateProgram()
	gl.AttachShader(id, vs)
	gl.AttachShader(id, fs)
	gl.LinkProgram(id)
	var ok int32
	gl.GetProgramiv(id, gl.LINK_STATUS, &ok)
	if ok == gl.FALSE {
		log := make([]byte, 4096)
		var n int32
		gl.GetProgramInfoLog(id, int32(len(log)), &n, &log[0])
		gl.DeleteProgram(id)
		return 0, fmt.Errorf("link: %s", log[:n])
	}
	return id, nil
}

func compile(kind uint32, source string) (uint32, error) {
	id := gl.CreateShader(kind)
	text, free := gl.Strs(source + "\x00")
	defer free()
	gl.ShaderSource(id, 1, text, nil)
	gl.CompileShader(id)
	var ok int32
	gl.GetShaderiv(id, gl.COMPILE_STATUS, &ok)
	if ok == gl.FALSE {
		log := make([]byte, 4096)
		var n int32
		gl.GetShaderInfoLog(id, int32(len(log)), &n, &log[0])
		gl.DeleteShader(id)
		return 0, fmt.Errorf("%s", log[:n])
	}
	return id, nil
}
