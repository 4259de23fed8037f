package vrm

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"yui/avatar/vrm/geom"
	"yui/internal/fuzzmem"
)

// seeds adds the fixtures and, if they are there, the broken and small files by others.
func seeds(f *testing.F) {
	for _, b := range [][]byte{fullCharacter(), oldCharacter(), vrm1(nil), vrm0(nil), animated(nil)} {
		f.Add(b)
	}
	if dir := os.Getenv("YUI_TEST_FILES"); dir != "" {
		for _, sub := range []string{"broken", "features", "vrma"} {
			paths, _ := filepath.Glob(filepath.Join(dir, "vrm", sub, "*"))
			for _, p := range paths {
				if b, err := os.ReadFile(p); err == nil && len(b) < 32<<10 {
					f.Add(b)
				}
			}
		}
	}
}

// FuzzLoad changes whole files. Whatever loads must keep every promise of Model.
func FuzzLoad(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzmem.Watch(t)
		if m, err := read(data); err == nil {
			checkModel(t, m)
		}
		if m, err := LoadProp(data); err == nil {
			checkModel(t, m)
		}
	})
}

// FuzzJSON keeps the container whole and changes the JSON alone, over a fixed binary chunk.
func FuzzJSON(f *testing.F) {
	for _, b := range [][]byte{fullCharacter(), oldCharacter(), animated(nil)} {
		f.Add(string(b[20 : 20+binary.LittleEndian.Uint32(b[12:])]))
	}
	bin := make([]byte, 4096)
	for i := range bin {
		bin[i] = byte(i * 7)
	}
	f.Fuzz(func(t *testing.T, js string) {
		fuzzmem.Watch(t)
		data := container(js, bin)
		if m, err := read(data); err == nil {
			checkModel(t, m)
		}
		if a, err := LoadAnimation(data); err == nil {
			checkAnimation(t, a)
		}
	})
}

// FuzzAnimation changes whole animation files.
func FuzzAnimation(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzmem.Watch(t)
		if a, err := LoadAnimation(data); err == nil {
			checkAnimation(t, a)
		}
	})
}

// FuzzAccessor tries every number that an accessor and its view are made of.
func FuzzAccessor(f *testing.F) {
	f.Add(int64(0), int64(24), int64(0), int64(0), int64(2), 5126, "VEC3", int64(1), int64(1), 5121, int64(0))
	f.Add(int64(4), int64(20), int64(8), int64(4), int64(1)<<40, 5123, "MAT4", int64(3), int64(-1), 5125, int64(9))
	f.Fuzz(func(t *testing.T, viewAt, viewLen, stride, at, count int64, comp int, kind string, sparse, sparseAt int64, sparseComp int, valuesAt int64) {
		fuzzmem.Watch(t)
		g := newGLB()
		g.view([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 0, 0, 0, 0, 0, 0, 0, 0})
		g.add("bufferViews", obj{"buffer": 0, "byteOffset": viewAt, "byteLength": viewLen, "byteStride": stride})
		a := obj{"bufferView": 1, "byteOffset": at, "count": count, "componentType": comp, "type": kind}
		if sparse > 0 {
			a["sparse"] = obj{"count": sparse, "indices": obj{"bufferView": 0, "byteOffset": sparseAt, "componentType": sparseComp}, "values": obj{"bufferView": 0, "byteOffset": valuesAt}}
		}
		g.add("accessors", a)
		file, err := open(g.bytes())
		if err != nil {
			return
		}
		if v, err := vectors[geom.Vec3](file, 0); err == nil && int64(len(v)) != count {
			t.Fatalf("%d elements, want %d", len(v), count)
		}
		if v, err := file.wholes(0, widths[kind]); err == nil && int64(len(v)) != count*int64(widths[kind]) {
			t.Fatalf("%d numbers", len(v))
		}
	})
}

// FuzzSprings changes the JSON of the springs on a good model.
func FuzzSprings(f *testing.F) {
	f.Add(`{"springs":[{"joints":[{"node":1},{"node":2}],"colliderGroups":[0],"center":0}],"colliders":[{"node":2,"shape":{"sphere":{"radius":1}}}],"colliderGroups":[{"colliders":[0,1]}]}`,
		`{"boneGroups":[{"bones":[0,3],"colliderGroups":[0]}],"colliderGroups":[{"node":1,"colliders":[{"radius":1}]}]}`)
	f.Fuzz(func(t *testing.T, one, old string) {
		fuzzmem.Watch(t)
		for _, data := range [][]byte{vrm1(nil), vrm0(nil)} {
			file, err := open(data)
			if err != nil {
				t.Fatal(err)
			}
			m := &Model{Humanoid: noBones()}
			if err := file.loadNodes(m); err != nil {
				t.Fatal(err)
			}
			if _, err := countJSON([]byte(one)); err != nil {
				return
			}
			if _, err := countJSON([]byte(old)); err != nil {
				return
			}
			file.Extensions.Spring = []byte(one)
			file.loadSprings(m)
			var j jsonVRM0
			file.extension("VRM", []byte(`{"secondaryAnimation":`+old+`}`), &j)
			file0{file}.springs0(m, &j)
			checkParts(t, m, func(what string, i, n int, none bool) {
				if i >= n || i < 0 && !(none && i == -1) {
					t.Fatalf("%s %d of %d", what, i, n)
				}
			})
		}
	})
}

// FuzzImage changes whole texture files: what is taken has the size that its head promises, or half of it.
func FuzzImage(f *testing.F) {
	for _, img := range []image.Image{image.NewNRGBA(image.Rect(0, 0, 7, 5)), image.NewRGBA(image.Rect(0, 0, 40, 3)), image.NewGray(image.Rect(0, 0, 4, 4))} {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzmem.Watch(t)
		cfg, _, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil || int64(cfg.Width)*int64(cfg.Height) > 1<<20 {
			return
		}
		img, err := decodeImage(data, 16)
		if err != nil {
			return
		}
		if w, h := fitted(cfg.Width, cfg.Height, 16); img.Rect.Dx() != w || img.Rect.Dy() != h {
			t.Fatalf("%d x %d became %v", cfg.Width, cfg.Height, img.Rect)
		}
	})
}
