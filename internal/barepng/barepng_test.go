package barepng

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"testing"

	"yui/internal/fuzzmem"
)

// part is a chunk; fits tells whether its checksum is right.
func part(kind, body string, fits bool) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(append(b, kind...), body...)
	sum := crc32.ChecksumIEEE(b[4:])
	if !fits {
		sum++
	}
	return binary.BigEndian.AppendUint32(b, sum)
}

// with puts parts behind the head of a PNG.
func with(data []byte, parts ...[]byte) []byte {
	const head = 33
	out := bytes.Clone(data[:head])
	for _, p := range parts {
		out = append(out, p...)
	}
	return append(out, data[head:]...)
}

func TestOf(t *testing.T) {
	img := image.NewPaletted(image.Rect(0, 0, 3, 2), color.Palette{color.NRGBA{1, 2, 3, 255}, color.NRGBA{}}) // with a tRNS
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	sound := b.Bytes()
	if !bytes.Contains(sound, []byte("tRNS")) {
		t.Fatal("the picture has no colour that is not seen")
	}
	for _, c := range []struct {
		name       string
		data, want []byte
	}{
		{"sound", sound, sound},
		{"a sound text", with(sound, part("tEXt", "a\x00b", true)), with(sound, part("tEXt", "a\x00b", true))},
		{"a broken profile", with(sound, part("iCCP", "x", false)), sound},
		{"all that is aside goes", with(sound, part("tEXt", "a\x00b", true), part("iCCP", "x", false)), sound},
		{"cut off", with(sound, part("iCCP", "x", false))[:60], with(sound, part("iCCP", "x", false))[:60]},
		{"no PNG", []byte("\xff\xd8 and so on"), []byte("\xff\xd8 and so on")},
		{"nothing", nil, nil},
	} {
		got := Of(c.data)
		if !bytes.Equal(got, c.want) {
			t.Errorf("%s: %d bytes, want %d", c.name, len(got), len(c.want))
		}
	}
	if _, err := png.Decode(bytes.NewReader(Of(with(sound, part("gAMA", "1234", false))))); err != nil {
		t.Error(err)
	}
}

func FuzzOf(f *testing.F) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 4, 4))); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(with(b.Bytes(), part("iCCP", "x", false)))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzmem.Watch(t)
		was := bytes.Clone(data)
		out := Of(data)
		if !bytes.Equal(data, was) || len(out) > len(data) {
			t.Fatalf("%d bytes of %d", len(out), len(data))
		}
		if c, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || int64(c.Width)*int64(c.Height) > 1<<20 {
			return
		}
		if _, err := png.Decode(bytes.NewReader(data)); err == nil && !bytes.Equal(out, data) {
			if _, err := png.Decode(bytes.NewReader(out)); err != nil {
				t.Fatal("a picture that was read is no more:", err)
			}
		}
	})
}
