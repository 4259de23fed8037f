package vrm

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestRefusedContainers(t *testing.T) {
	good := vrm1(nil)
	changed := func(at int, v uint32) []byte {
		b := append([]byte(nil), good...)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	cases := []struct {
		name  string
		data  []byte
		words []string
	}{
		{"nothing", nil, []string{"empty"}},
		{"text", []byte("hello there, model"), []string{"not a VRM or GLB"}},
		{"zip", []byte("PK\x03\x04rest"), []string{"zip archive", "unpack"}},
		{"web page", []byte("<!DOCTYPE html>"), []string{"web page"}},
		{"lfs pointer", []byte("version https://git-lfs.github.com/spec/v1\n"), []string{"LFS"}},
		{"version 1", changed(4, 1), []string{"version 1"}},
		{"length beyond the file", changed(8, 1<<31), []string{"cut off"}},
		{"chunk beyond the file", changed(12, 1<<31), []string{"cut off"}},
		{"no JSON chunk", changed(16, chunkBIN), []string{"no JSON"}},
		{"broken JSON", container(`{"asset":{"version":"2.0"}`, nil), []string{"JSON", "byte"}},
		{"wrong kind", container(`{"asset":{"version":"2.0"},"nodes":[{"mesh":"x"}]}`, nil), []string{"nodes", "string"}},
		{"glTF 1 asset", container(`{"asset":{"version":"1.0"}}`, nil), []string{"1.0"}},
		{"newer glTF", container(`{"asset":{"version":"2.1","minVersion":"2.1"}}`, nil), []string{"2.1"}},
		{"deep", container(strings.Repeat("[", 100000), nil), []string{"nested"}},
		{"many values", container(`{"nodes":[`+strings.Repeat("{},", maxValues)+`{}]}`, nil), []string{"values"}},
		{"many nodes", container(`{"nodes":[`+strings.Repeat("{},", maxNodes)+`{}]}`, nil), []string{"nodes"}},
		{"unknown required", container(`{"asset":{"version":"2.0"},"extensionsRequired":["ACME_cloth"]}`, nil), []string{"ACME_cloth", "export"}},
		{"draco", container(`{"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]}`, nil), []string{"Draco", "without compression"}},
		{"buffer in another file", container(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"body.bin"}]}`, nil), []string{"buffer 0", "body.bin", "another file"}},
		{"buffer at an address", container(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"http://localhost/x"}]}`, nil), []string{"another file"}},
		{"buffer longer than its data", container(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":400}]}`, []byte{1, 2, 3, 4}), []string{"buffer 0", "400"}},
		{"negative buffer", container(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":-4}]}`, []byte{1, 2, 3, 4}), []string{"buffer 0"}},
		{"bad base64", container(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"data:application/octet-stream;base64,!!!"}]}`, nil), []string{"base64"}},
		{"an animation", animated(nil), []string{"animation, not a character"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { refused(t, c.data, c.words...) })
	}
}

// Cut off anywhere, a file ends in an error and never in a panic.
func TestTruncatedAnywhere(t *testing.T) {
	data := fullCharacter()
	for n := range len(data) {
		if _, err := Load(data[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes load without an error", n, len(data))
		}
	}
}

func TestToleratedContainers(t *testing.T) {
	good := vrm1(nil)
	t.Run("bytes behind the end", func(t *testing.T) { mustLoad(t, append(append([]byte(nil), good...), "trailer"...)) })
	t.Run("unknown chunk", func(t *testing.T) {
		b := append(append([]byte(nil), good...), le([]uint32{4, 0x12345678, 7})...)
		binary.LittleEndian.PutUint32(b[8:], uint32(len(b)))
		mustLoad(t, b)
	})
	js := string(good[20 : 20+binary.LittleEndian.Uint32(good[12:])])
	t.Run("bare gltf", func(t *testing.T) { mustLoad(t, []byte("\xef\xbb\xbf"+js)) })
	t.Run("zeros behind the JSON", func(t *testing.T) { mustLoad(t, container(js+"\x00\x00\x00\x00", nil)) })
	t.Run("data URI", func(t *testing.T) {
		var j obj
		if err := json.Unmarshal([]byte(js), &j); err != nil {
			t.Fatal(err)
		}
		j["buffers"] = []any{obj{"byteLength": 3, "uri": "data:application/octet-stream;base64,AAEC"}}
		b, _ := json.Marshal(j)
		mustLoad(t, container(string(b), nil))
	})
}

// Every refusal names the file and the reason; a file that can never be read does not block.
func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	pipe := filepath.Join(dir, "pipe.vrm")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		path  string
		words []string
	}{
		"missing":   {filepath.Join(dir, "gone.vrm"), []string{`"gone.vrm"`, "no such file"}},
		"directory": {dir, []string{"not an ordinary file"}},
		"pipe":      {pipe, []string{`"pipe.vrm"`, "not an ordinary file"}},
		"broken":    {write("bad\n.vrm", []byte("glTF")), []string{"not a VRM"}},
		"plain glb": {write("cube.glb", container(`{"asset":{"version":"2.0"},"nodes":[{"name":"Cube"}]}`, nil)), []string{`"cube.glb"`, "no hips", "humanoid"}},
	} {
		_, err := LoadFile(c.path)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", name, err, w)
			}
		}
		if strings.Contains(err.Error(), dir) && name != "directory" || strings.ContainsAny(err.Error(), "\n") {
			t.Errorf("%s: %q shows the folder or breaks the line", name, err)
		}
	}
	m, err := LoadFile(write("good.vrm", vrm1(func(g *glb, _ obj, _ map[string]int) { g.triangle() })))
	if err != nil || m.Meta.Name != "Test" {
		t.Fatalf("LoadFile: %v %v", m, err)
	}
	if _, err := LoadAnimationFile(write("a.vrma", animated(nil))); err != nil {
		t.Fatal(err)
	}
}
