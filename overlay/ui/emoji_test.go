package ui

import (
	"os"
	"path/filepath"
	"testing"

	gio "gioui.org/font"
	"gioui.org/font/gofont"
	"gioui.org/font/opentype"
	"gioui.org/text"
	"github.com/go-text/typesetting/font"
	"golang.org/x/image/math/fixed"
)

// The sign draws something for each emoji, and nothing for what only changes one.
func TestSignForEmoji(t *testing.T) {
	parsed, err := opentype.Parse(signFont())
	if err != nil {
		t.Fatal(err)
	}
	face := parsed.Face()
	for _, r := range "🦊👍👩🚀❤⃣⭐😀" {
		g, ok := face.NominalGlyph(r)
		outline, _ := face.GlyphData(g).(font.GlyphOutline)
		if !ok || len(outline.Segments) == 0 || face.HorizontalAdvance(g) == 0 {
			t.Errorf("%q: known %v, %d segments", r, ok, len(outline.Segments))
		}
	}
	if g, ok := face.NominalGlyph(0x1F3FD); !ok || face.HorizontalAdvance(g) != 0 {
		t.Error("a tone of skin takes room")
	}
	if _, ok := face.NominalGlyph('1'); ok {
		t.Error("a digit is an emoji")
	}
}

// TestSignIsShaped lays emoji out as talk windows do: each takes the room of one sign.
func TestSignIsShaped(t *testing.T) {
	parsed, err := opentype.Parse(signFont())
	if err != nil {
		t.Fatal(err)
	}
	shaper := text.NewShaper(text.NoSystemFonts(), text.WithCollection(append(gofont.Regular(),
		gio.FontFace{Font: gio.Font{Typeface: plainEmoji}, Face: parsed})))
	for words, want := range map[string]int{"🦊": 1, "👍🏽": 1, "👩‍🚀": 2, "❤️": 1} {
		shaper.LayoutString(text.Parameters{Font: gio.Font{Typeface: "Go, " + plainEmoji}, PxPerEm: fixed.I(100), MaxWidth: 1 << 20}, words)
		var wide fixed.Int26_6
		for g, ok := shaper.NextGlyph(); ok; g, ok = shaper.NextGlyph() {
			wide += g.Advance
		}
		if wide != fixed.I(90*want) {
			t.Errorf("%q is %v wide, want %d signs of 90", words, wide, want)
		}
	}
}

// A font without bitmaps is none that emoji are drawn from, and neither is a file that is no font.
func TestEmojiFontWithoutBitmaps(t *testing.T) {
	for name, content := range map[string][]byte{"vectors": signFont(), "junk": []byte("junk"), "empty": nil} {
		path := filepath.Join(t.TempDir(), "font.ttf")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if bitmaps(path) {
			t.Errorf("%s: taken for a font of bitmaps", name)
		}
	}
	if drawable("No Such Family") {
		t.Error("a family that is not installed is drawable")
	}
}
