package ui

import (
	"bytes"
	"encoding/binary"
	"io"
	"log"
	"os"
	"slices"

	"gioui.org/font"
	gio "gioui.org/font/opentype"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/fontscan"
)

// plainEmoji is the family of the sign that stands for an emoji which no font here can draw.
const plainEmoji = "Yui Plain Emoji"

// emoji is which families draw emoji, and the face of the sign where it is needed. Gio draws outlines and bitmaps, and
// leaves a glyph out that is painted by vectors (COLR): there emoji come plain from other fonts, or as the sign.
func emoji() (families string, faces []font.FontFace) {
	const coloured = "Noto Color Emoji"
	if drawable(coloured) {
		return coloured, nil
	}
	const plain = "Noto Emoji, Symbola, DejaVu Sans"
	parsed, err := gio.Parse(signFont())
	if err != nil {
		return plain, nil // our own font; a test reads it
	}
	return plain + ", " + plainEmoji, []font.FontFace{{Font: font.Font{Typeface: plainEmoji}, Face: parsed}}
}

// drawable tells whether the system has a font of a family, and each of it holds bitmaps.
func drawable(family string) bool {
	cache, err := os.UserCacheDir()
	if err != nil {
		return false
	}
	fonts := fontscan.NewFontMap(log.New(io.Discard, "", 0))
	if fonts.UseSystemFonts(cache) != nil {
		return false
	}
	found := fonts.FindSystemFonts(family)
	return len(found) > 0 && !slices.ContainsFunc(found, func(l fontscan.Location) bool { return !bitmaps(l.File) })
}

func bitmaps(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	loaders, err := opentype.NewLoaders(file)
	return err == nil && !slices.ContainsFunc(loaders, func(l *opentype.Loader) bool {
		return !l.HasTable(opentype.MustNewTag("CBDT")) && !l.HasTable(opentype.MustNewTag("sbix"))
	})
}

// signFont builds a TrueType font of three glyphs: an empty one for what has no glyph, the sign for every emoji, and
// nothing at all for the tones of skin that follow one.
func signFont() []byte {
	const em = 1000
	square := func(lo, hi int16, hole bool) []int16 { // x and y of the corners
		if hole {
			return []int16{lo, lo, hi, lo, hi, hi, lo, hi}
		}
		return []int16{lo, lo, lo, hi, hi, hi, hi, lo}
	}
	sign := glyph(square(100, 800, false), square(160, 740, true), square(330, 570, false))
	end := uint32(len(sign))
	tones := [][3]uint32{{0x1F3FB, 0x1F3FF, 2}}
	var signs [][3]uint32
	for _, r := range [][2]uint32{{0x20E3, 0x20E3}, {0x231A, 0x231B}, {0x23E9, 0x23F3}, {0x2600, 0x27BF}, {0x2B1B, 0x2B1C},
		{0x2B50, 0x2B50}, {0x2B55, 0x2B55}, {0x1F000, 0x1F3FA}, {0x1F400, 0x1FAFF}} {
		signs = append(signs, [3]uint32{r[0], r[1], 1})
	}
	groups := slices.SortedFunc(slices.Values(append(signs, tones...)), func(a, b [3]uint32) int { return int(a[0]) - int(b[0]) })
	return sfnt(map[string][]byte{
		"cmap": pack(uint16(0), uint16(1), uint16(3), uint16(10), uint32(12), // one table, of Windows' full Unicode
			uint16(13), uint16(0), uint32(16+12*len(groups)), uint32(0), uint32(len(groups)), groups), // many to one
		"head": pack(uint32(0x10000), uint32(0x10000), uint32(0), uint32(0x5F0F3CF5), uint16(3), uint16(em), uint64(0), uint64(0),
			int16(0), int16(0), int16(em), int16(em), uint16(0), uint16(8), int16(2), int16(1), int16(0)),
		"hhea": pack(uint32(0x10000), int16(900), int16(-200), int16(0), uint16(em), int16(0), int16(0), int16(em), int16(1),
			[7]int16{}, uint16(3)),
		"hmtx": pack(uint16(em), int16(0), uint16(900), int16(100), uint16(0), int16(0)),
		"maxp": pack(uint32(0x10000), uint16(3), uint16(12), uint16(3), uint16(0), uint16(0), uint16(1), [8]uint16{}),
		"loca": pack(uint32(0), uint32(0), end, end),
		"glyf": sign,
	})
}

// glyph is a simple glyph of straight contours.
func glyph(contours ...[]int16) []byte {
	var ends []uint16
	var flags []byte
	var xs, ys []int16
	x, y, points := int16(0), int16(0), 0
	for _, c := range contours {
		for i := 0; i < len(c); i += 2 {
			flags = append(flags, 1) // on the curve, two bytes for each way
			xs, ys = append(xs, c[i]-x), append(ys, c[i+1]-y)
			x, y = c[i], c[i+1]
		}
		points += len(c) / 2
		ends = append(ends, uint16(points-1))
	}
	b := pack(int16(len(contours)), int16(100), int16(100), int16(800), int16(800), ends, uint16(0), flags, xs, ys)
	return append(b, make([]byte, (4-len(b)%4)%4)...)
}

func pack(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		_ = binary.Write(&b, binary.BigEndian, v) // numbers into memory
	}
	return b.Bytes()
}

// sfnt puts tables into a font file.
func sfnt(tables map[string][]byte) []byte {
	var names []string
	for name := range tables {
		names = append(names, name)
	}
	slices.Sort(names)
	head := pack(uint32(0x10000), uint16(len(names)), [3]uint16{})
	var body []byte
	for _, name := range names {
		t := tables[name]
		head = append(head, pack([]byte(name), uint32(0), uint32(12+16*len(names)+len(body)), uint32(len(t)))...)
		body = append(append(body, t...), make([]byte, (4-len(t)%4)%4)...)
	}
	return append(head, body...)
}
