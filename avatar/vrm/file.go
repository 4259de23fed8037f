package vrm

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"yui/avatar/vrm/geom"
)

// supported are the extensions that a file may require. Whatever else it requires would be drawn wrong, so it is
// refused by name; what it merely uses is passed over.
var supported = []string{
	"VRM", "VRMC_vrm", "VRMC_materials_mtoon", "VRMC_springBone", "VRMC_springBone_extended_collider",
	"VRMC_node_constraint", "VRMC_vrm_animation", "KHR_texture_transform", "KHR_materials_unlit",
	"KHR_materials_emissive_strength", "KHR_mesh_quantization", "EXT_texture_webp",
}

// file is one glTF file while it is read: the JSON, the bytes it points at, and what it may still cost.
type file struct {
	jsonFile
	bin      []byte
	bufs     [][]byte
	memory   *budget
	zeros    int64 // bytes that accessors without data may still unfold to
	binds    int   // binds that expressions may still have
	vertices int   // vertices, corners and shown vertices that the meshes may still have
	indices  int
	shown    int
	cleaned  int // numbers that were not finite
	warnings []string

	unseen map[int]bool        // nodes whose mesh only the first person sees
	turn   bool                // a 0.x model: turn about y while reading
	most   []int               // morph targets of each mesh
	points map[int][]geom.Vec3 // vector accessors that primitives of one mesh share
	tex    []int               // glTF texture behind each texture of the model
	texAt  map[int]int
}

// open reads the container and the JSON and checks what can be checked without reading any data.
func open(data []byte) (*file, error) { return openWithin(data, newBudget(maxMemory)) }

func openWithin(data []byte, memory *budget) (*file, error) {
	js, bin, err := split(data)
	if err != nil {
		return nil, err
	}
	values, err := countJSON(js)
	if err != nil {
		return nil, err
	}
	if err := memory.take(int64(len(data))); err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	if err := memory.take(int64(len(js) + values*valueSize)); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	f := &file{bin: bin, memory: memory, zeros: maxZeros, binds: maxBinds,
		vertices: maxVertices, indices: maxIndices, shown: maxInstanced, texAt: map[int]int{}}
	if err := json.Unmarshal(js, &f.jsonFile); err != nil {
		return nil, fmt.Errorf("read JSON: %w", plainJSON(err))
	}
	if v := f.Asset.Version; v != "" && !strings.HasPrefix(v, "2.") && v != "2" {
		return nil, fmt.Errorf("file is glTF %q, only 2.0 is supported", clip(v, 20))
	}
	if v := f.Asset.MinVersion; v != "" && v != "2.0" {
		return nil, fmt.Errorf("file needs glTF %q, only 2.0 is supported", clip(v, 20))
	}
	if err := f.checkRequired(); err != nil {
		return nil, err
	}
	for _, c := range []struct {
		what    string
		n, most int
	}{
		{"nodes", len(f.Nodes), maxNodes}, {"meshes", len(f.Meshes), maxMeshes}, {"materials", len(f.Materials), maxMaterials},
	} {
		if c.n > c.most {
			return nil, fmt.Errorf("file has %d %s, more than the %d that YUI reads", c.n, c.what, c.most)
		}
	}
	return f, f.openBuffers()
}

func (f *file) checkRequired() error {
	var unknown []string
	for _, e := range f.Required {
		if !slices.Contains(supported, e) {
			unknown = append(unknown, clip(e, 60))
		}
	}
	switch {
	case len(unknown) == 0:
		return nil
	case slices.Contains(unknown, "KHR_draco_mesh_compression"):
		return errors.New("file needs Draco mesh compression (KHR_draco_mesh_compression), which YUI does not read: export it without compression")
	}
	if len(unknown) > 5 {
		unknown = append(unknown[:5], "…")
	}
	return fmt.Errorf("file needs the glTF extension %s, which YUI does not know: export it without", strings.Join(unknown, ", "))
}

// openBuffers finds the bytes of every buffer: the binary chunk for the first without a URI, or a data: URI.
func (f *file) openBuffers() error {
	total := int64(0)
	for i, b := range f.Buffers {
		var data []byte
		switch {
		case b.URI != "":
			d, err := f.dataURI(b.URI)
			if err != nil {
				return fmt.Errorf("read buffer %d: %w", i, err)
			}
			data = d
		case i == 0:
			data = f.bin
		}
		if b.ByteLength < 0 || b.ByteLength > int64(len(data)) {
			return fmt.Errorf("read buffer %d: it promises %d bytes and %d are there: the file is damaged or cut off", i, b.ByteLength, len(data))
		}
		if total += b.ByteLength; total > maxFile {
			return fmt.Errorf("read buffer %d: more than %d MB of data", i, maxFile>>20)
		}
		f.bufs = append(f.bufs, data[:b.ByteLength])
		f.Buffers[i].URI = "" // decoded, let go of the text
	}
	return nil
}

// view returns the bytes of a buffer view.
func (f *file) view(i int) ([]byte, error) {
	if i < 0 || i >= len(f.BufferViews) {
		return nil, fmt.Errorf("bufferView %d does not exist", i)
	}
	v := f.BufferViews[i]
	if v.Buffer < 0 || v.Buffer >= len(f.bufs) {
		return nil, fmt.Errorf("bufferView %d: buffer %d does not exist", i, v.Buffer)
	}
	n := int64(len(f.bufs[v.Buffer]))
	if v.ByteOffset < 0 || v.ByteLength < 0 || v.ByteOffset > n || v.ByteLength > n-v.ByteOffset {
		return nil, fmt.Errorf("bufferView %d: bytes %d+%d lie outside its buffer of %d", i, v.ByteOffset, v.ByteLength, n)
	}
	return f.bufs[v.Buffer][v.ByteOffset : v.ByteOffset+v.ByteLength], nil
}

// unfold takes the bytes that a span will decode to off the file's budget.
func (f *file) unfold(s *span, n int64) error {
	if s.data == nil {
		if n > f.zeros {
			return fmt.Errorf("it asks for more than %d MB without data", maxZeros>>20)
		}
		f.zeros -= n
	}
	return f.memory.take(n)
}

// warn notes something odd that the model survives.
func (f *file) warn(format string, args ...any) {
	switch len(f.warnings) {
	case maxWarnings:
		f.warnings = append(f.warnings, "and more")
	default:
		if len(f.warnings) < maxWarnings {
			f.warnings = append(f.warnings, fmt.Sprintf(format, args...))
		}
	}
}

// extension decodes the JSON of an extension. A value of the wrong kind costs that value, not the file: exporters
// differ in the corners, and encoding/json fills in the rest. Broken text was refused with the whole JSON.
func (f *file) extension(name string, raw json.RawMessage, into any) {
	if len(raw) == 0 {
		return
	}
	if err := json.Unmarshal(raw, into); err != nil {
		f.warn("%s: %v", name, plainJSON(err))
	}
}

// yuiExtras returns the member "yui" of an extras object, nil if there is none.
func yuiExtras(raw json.RawMessage) json.RawMessage {
	var e struct {
		YUI json.RawMessage `json:"yui"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &e) != nil || string(e.YUI) == "null" {
		return nil
	}
	return e.YUI
}

// plainJSON puts encoding/json's errors into words without Go's types.
func plainJSON(err error) error {
	var syn *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syn):
		return fmt.Errorf("broken at byte %d: %w", syn.Offset, err)
	case errors.As(err, &typ):
		return fmt.Errorf("%s is a %s where another kind of value belongs", clip(typ.Field, 120), clip(typ.Value, 40))
	}
	return err
}

// clip makes untrusted text fit to show: valid UTF-8, without control characters, at most n bytes.
func clip(s string, n int) string {
	if len(s) > n {
		s = s[:n]
		for len(s) > 0 && !utf8.ValidString(s[max(0, len(s)-utf8.UTFMax):]) {
			s = s[:len(s)-1]
		}
	}
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if unicode.IsControl(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
}
