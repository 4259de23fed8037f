package main

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"image"
	"image/color"
	"math/bits"
)

// The pictures are packed here and not by image/png, because the files must come out the same with every version of Go,
// and its compressor may change between versions.

// pngBytes encodes a picture as RGB, or as RGBA if any pixel is translucent.
func pngBytes(img image.Image) []byte {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	wide, kind := 3, byte(2)
	pixels := make([]color.NRGBA, 0, w*h)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			if c.A != 255 {
				wide, kind = 4, 6
			}
			pixels = append(pixels, c)
		}
	}
	raw := make([]byte, 0, (w*wide+1)*h)
	above := make([]byte, w*wide)
	for y := range h {
		row := make([]byte, 0, w*wide)
		for _, c := range pixels[y*w : y*w+w] {
			row = append(row, []byte{c.R, c.G, c.B, c.A}[:wide]...)
		}
		raw = append(raw, filterRow(row, above, wide)...)
		above = row
	}
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(nil, uint32(w))
	head = binary.BigEndian.AppendUint32(head, uint32(h))
	pngChunk(&out, "IHDR", append(head, 8, kind, 0, 0, 0))
	pngChunk(&out, "IDAT", zlibBytes(raw))
	pngChunk(&out, "IEND", nil)
	return out.Bytes()
}

func pngChunk(out *bytes.Buffer, kind string, data []byte) {
	out.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	body := append([]byte(kind), data...)
	out.Write(body)
	out.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}

// filterRow takes the filter (none, left, up) with the smallest sum, the usual guess at what packs best.
func filterRow(row, above []byte, wide int) []byte {
	best, least := []byte(nil), 1<<62
	for kind := range 3 {
		out, sum := []byte{byte(kind)}, 0
		for i, v := range row {
			switch {
			case kind == 1 && i >= wide:
				v -= row[i-wide]
			case kind == 2:
				v -= above[i]
			}
			out = append(out, v)
			sum += min(int(v), 256-int(v))
		}
		if sum < least {
			best, least = out, sum
		}
	}
	return best
}

// zlibBytes packs data as one block of deflate (RFC 1951) with its fixed codes, in a zlib frame (RFC 1950).
func zlibBytes(data []byte) []byte {
	z := &bitWriter{out: []byte{0x78, 0x01}}
	z.bits(1|1<<1, 3)
	heads := map[[3]byte][]int{}
	for i := 0; i < len(data); {
		length, back := longest(data, i, heads)
		if length < 3 {
			length = 1
			z.literal(int(data[i]))
		} else {
			z.match(length, back)
		}
		for range length {
			if i+3 <= len(data) {
				key := [3]byte(data[i : i+3])
				heads[key] = append(heads[key], i)
			}
			i++
		}
	}
	z.literal(256)
	z.flush()
	return binary.BigEndian.AppendUint32(z.out, adler32.Checksum(data))
}

// longest finds the longest earlier run of what follows i, among the last 64 places that begin alike.
func longest(data []byte, i int, heads map[[3]byte][]int) (length, back int) {
	if i+3 > len(data) {
		return 0, 0
	}
	places := heads[[3]byte(data[i:i+3])]
	for k := len(places) - 1; k >= max(0, len(places)-64); k-- {
		p := places[k]
		if i-p > 32768 {
			break
		}
		n := 3
		for n < 258 && i+n < len(data) && data[p+n] == data[i+n] {
			n++
		}
		if n > length {
			length, back = n, i-p
		}
	}
	return length, back
}

type bitWriter struct {
	out  []byte
	hold uint64
	n    int
}

// bits writes n bits, lowest first.
func (z *bitWriter) bits(v, n int) {
	z.hold |= uint64(v) << z.n
	for z.n += n; z.n >= 8; z.n -= 8 {
		z.out = append(z.out, byte(z.hold))
		z.hold >>= 8
	}
}

func (z *bitWriter) flush() {
	if z.n > 0 {
		z.bits(0, 8-z.n)
	}
}

// code writes a Huffman code, highest bit first.
func (z *bitWriter) code(v, n int) { z.bits(int(bits.Reverse16(uint16(v))>>(16-n)), n) }

// literal writes a symbol of the fixed literal and length alphabet.
func (z *bitWriter) literal(s int) {
	switch {
	case s < 144:
		z.code(0x30+s, 8)
	case s < 256:
		z.code(0x190+s-144, 9)
	case s < 280:
		z.code(s-256, 7)
	default:
		z.code(0xC0+s-280, 8)
	}
}

func (z *bitWriter) match(length, back int) {
	if length == 258 {
		z.literal(285)
	} else {
		s, extra, n := lengthSymbol(length - 3)
		z.literal(257 + s)
		z.bits(extra, n)
	}
	s, extra, n := distanceSymbol(back - 1)
	z.code(s, 5)
	z.bits(extra, n)
}

// lengthSymbol splits a length into its symbol and extra bits: four symbols for each power of two from 8 on.
func lengthSymbol(v int) (symbol, extra, n int) {
	if v < 8 {
		return v, 0, 0
	}
	n = bits.Len(uint(v)) - 3
	return 4*n + v>>n, v & (1<<n - 1), n
}

// distanceSymbol does the same for distances: two symbols for each power of two from 4 on.
func distanceSymbol(v int) (symbol, extra, n int) {
	if v < 4 {
		return v, 0, 0
	}
	n = bits.Len(uint(v)) - 2
	return 2*n + v>>n, v & (1<<n - 1), n
}
