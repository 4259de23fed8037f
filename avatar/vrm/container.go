package vrm

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

const (
	glbMagic  = 0x46546C67 // "glTF"
	chunkJSON = 0x4E4F534A // "JSON"
	chunkBIN  = 0x004E4942 // "BIN\0"
)

// split parts a GLB into its JSON and its binary chunk (glTF 2.0 section 4.4). A bare .gltf, which is the JSON alone,
// is taken too. The chunks alias data.
func split(data []byte) (js, bin []byte, err error) {
	if len(data) > maxFile {
		return nil, nil, fmt.Errorf("file is %d MB, more than the %d MB that YUI reads", len(data)>>20, maxFile>>20)
	}
	if t := bytes.TrimLeft(data, "\xef\xbb\xbf \t\r\n"); len(t) > 0 && t[0] == '{' {
		return t, nil, nil
	}
	if len(data) < 12 || binary.LittleEndian.Uint32(data) != glbMagic {
		return nil, nil, notGLB(data)
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return nil, nil, fmt.Errorf("file is glTF version %d, only version 2 is supported: export it again as VRM 0.x or 1.0", v)
	}
	if n := uint64(binary.LittleEndian.Uint32(data[8:])); n > uint64(len(data)) {
		return nil, nil, fmt.Errorf("file is cut off: its header promises %d bytes and %d are there: download or export it again", n, len(data))
	} else if n >= 12 {
		data = data[:n]
	}
	for rest := data[12:]; len(rest) >= 8; {
		n, kind := uint64(binary.LittleEndian.Uint32(rest)), binary.LittleEndian.Uint32(rest[4:])
		rest = rest[8:]
		if n > uint64(len(rest)) {
			return nil, nil, fmt.Errorf("file is cut off: a chunk promises %d bytes and %d are there: download or export it again", n, len(rest))
		}
		switch body := rest[:n]; {
		case kind == chunkJSON && js == nil:
			js = body
		case kind == chunkBIN && bin == nil:
			bin = body
		}
		rest = rest[n:]
	}
	if js == nil {
		return nil, nil, errors.New("file has no JSON part: it is damaged, download or export it again")
	}
	js = bytes.TrimRight(bytes.TrimLeft(js, "\xef\xbb\xbf"), "\x00") // a mark before and zeros after, as some exporters write
	return js, bin, nil
}

// notGLB says what a file is that is no glTF, if its first bytes tell.
func notGLB(data []byte) error {
	kinds := []struct{ magic, what string }{
		{"PK\x03\x04", "a zip archive: unpack it and take the .vrm inside"},
		{"Kaydara FBX", "an FBX file: convert it to .vrm or .glb"},
		{"\x89PNG", "a PNG picture"}, {"\xff\xd8\xff", "a JPEG picture"},
		{"<!DOCTYPE", "a web page, so the download failed"}, {"<html", "a web page, so the download failed"},
		{"version https://git-lfs", "a Git LFS pointer: fetch the real file"},
		{"UnityFS", "a Unity asset bundle: export it as .vrm"},
		{"BLENDER", "a Blender file: export it as .vrm"},
		{"Pmx ", "an MMD model: convert it to .vrm"}, {"PMX ", "an MMD model: convert it to .vrm"},
	}
	if len(data) == 0 {
		return errors.New("file is empty")
	}
	for _, k := range kinds {
		if bytes.HasPrefix(data, []byte(k.magic)) {
			return fmt.Errorf("file is not a VRM or GLB: it is %s", k.what)
		}
	}
	return errors.New("file is not a VRM or GLB: it does not begin with glTF")
}

// countJSON bounds what decoding may cost before encoding/json sees the text: its size, its nesting and the number of
// its values (three bytes of text can become a struct of hundreds), which it returns.
func countJSON(js []byte) (values int, err error) {
	if len(js) > maxJSON {
		return 0, fmt.Errorf("JSON part is %d MB, more than the %d MB that YUI reads", len(js)>>20, maxJSON>>20)
	}
	depth, quoted := 0, false
	for i := 0; i < len(js); i++ {
		c := js[i]
		if quoted {
			if c == '\\' {
				i++
			} else if c == '"' {
				quoted = false
			}
			continue
		}
		switch c {
		case '"':
			quoted = true
		case '{', '[':
			values++
			if depth++; depth > maxDepth {
				return 0, fmt.Errorf("JSON part is nested deeper than %d levels", maxDepth)
			}
		case '}', ']':
			depth--
		case ',':
			values++
		}
	}
	if values > maxValues {
		return 0, fmt.Errorf("JSON part has more than %d values", maxValues)
	}
	return values, nil
}

// dataURI decodes an embedded data: URI, within the file's budget.
func (f *file) dataURI(uri string) ([]byte, error) {
	if err := f.memory.take(int64(len(uri) / 4 * 3)); err != nil {
		return nil, err
	}
	return dataURI(uri)
}

// dataURI decodes an embedded data: URI. Anything else lies outside the file and is refused: YUI opens no file and no
// address that a model names.
func dataURI(uri string) ([]byte, error) {
	head, body, ok := strings.Cut(uri, ",")
	if !ok || !strings.HasPrefix(strings.ToLower(head), "data:") {
		return nil, fmt.Errorf("it lies in another file (%q): export the model as one .vrm or .glb with everything inside", clip(uri, 80))
	}
	if !strings.HasSuffix(strings.ToLower(head), ";base64") {
		return nil, errors.New("its data: URI is not base64")
	}
	b, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		if b, err = base64.RawStdEncoding.DecodeString(body); err != nil {
			return nil, errors.New("its data: URI is damaged base64")
		}
	}
	return b, nil
}
