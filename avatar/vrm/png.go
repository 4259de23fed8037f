package vrm

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"io"
)

// Textures are nearly always PNG with eight bits a channel, and decoding them is most of what loading a character costs.
// This reads that kind row by row: a texture that will be halved never exists whole, and the checksum over the pixels is
// left out if those over the file's parts have been compared already. All other kinds are image/png's.

const pngMagic = "\x89PNG\r\n\x1a\n"

var errNotPlainPNG = errors.New("another kind of PNG")

// plainPNG is the head of such a file, with its compressed rows.
type plainPNG struct {
	w, h, bytes int // bytes a pixel: 3 or 4
	parts       [][]byte
}

// parsePNG collects the parts of a file; errNotPlainPNG says that image/png has to read it.
func parsePNG(data []byte) (*plainPNG, error) {
	if len(data) < 33 || string(data[:8]) != pngMagic {
		return nil, errNotPlainPNG
	}
	p := &plainPNG{}
	for data = data[8:]; ; {
		if len(data) < 12 {
			return nil, io.ErrUnexpectedEOF
		}
		n := int64(binary.BigEndian.Uint32(data))
		if n > int64(len(data)-12) {
			return nil, io.ErrUnexpectedEOF
		}
		kind, body := string(data[4:8]), data[8:8+n]
		if crc32.ChecksumIEEE(data[4:8+n]) != binary.BigEndian.Uint32(data[8+n:]) {
			return nil, errors.New("a part of the PNG does not fit its checksum")
		}
		data = data[12+n:]
		switch kind {
		case "IHDR": // a second one would go round the limits on sizes
			if p.w != 0 || len(body) != 13 || body[8] != 8 || body[9] != 2 && body[9] != 6 || body[10] != 0 || body[11] != 0 || body[12] != 0 {
				return nil, errNotPlainPNG
			}
			p.w, p.h = int(binary.BigEndian.Uint32(body)), int(binary.BigEndian.Uint32(body[4:]))
			p.bytes = map[byte]int{2: 3, 6: 4}[body[9]]
		case "tRNS": // one colour that is not seen
			return nil, errNotPlainPNG
		case "IDAT":
			p.parts = append(p.parts, body)
		case "IEND":
			if p.w <= 0 || p.h <= 0 || len(p.parts) == 0 {
				return nil, errNotPlainPNG
			}
			return p, nil
		}
	}
}

// decode reads the rows, halved on the way until no side is longer than side.
func (p *plainPNG) decode(side int) (*image.NRGBA, error) {
	readers := make([]io.Reader, len(p.parts))
	for i, b := range p.parts {
		readers[i] = bytes.NewReader(b)
	}
	all := io.MultiReader(readers...)
	if len(readers) == 1 {
		all = readers[0]
	}
	var head [2]byte
	if _, err := io.ReadFull(all, head[:]); err != nil {
		return nil, err
	}
	if head[0]&15 != 8 || (int(head[0])<<8|int(head[1]))%31 != 0 || head[1]&32 != 0 {
		return nil, errors.New("its rows are not compressed as a PNG's")
	}
	rows := flate.NewReader(all)
	defer rows.Close()
	s := newShrinker(p.w, p.h, side)
	n := p.w * p.bytes
	buffer := make([]byte, 2*(n+1))
	now, before := buffer[:n+1], buffer[n+1:]
	for range p.h {
		if _, err := io.ReadFull(rows, now); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		if err := unfilter(now[0], now[1:], before[1:], p.bytes); err != nil {
			return nil, err
		}
		spread(s.row, now[1:], p.bytes)
		s.add()
		now, before = before, now
	}
	return s.img, nil
}

// spread writes a row as four bytes a pixel.
func spread(to, row []byte, size int) {
	if size == 4 {
		copy(to, row)
		return
	}
	for i, k := 0, 0; k+2 < len(row); i, k = i+4, k+3 {
		d, s := to[i:i+4], row[k:k+3]
		d[0], d[1], d[2], d[3] = s[0], s[1], s[2], 255
	}
}

// unfilter makes a row of what was stored of it, from the row before.
func unfilter(filter byte, row, before []byte, size int) error {
	before = before[:len(row)]
	switch filter {
	case 0:
	case 1:
		for i := size; i < len(row); i++ {
			row[i] += row[i-size]
		}
	case 2:
		for i, b := range before {
			row[i] += b
		}
	case 3:
		for i := range size {
			row[i] += before[i] / 2
		}
		for i := size; i < len(row); i++ {
			row[i] += uint8((int(row[i-size]) + int(before[i])) / 2)
		}
	case 4:
		for c := range size {
			var left, corner int
			for i := c; i < len(row); i += size {
				above := int(before[i])
				pa, pb := above-corner, left-corner
				pc := pa + pb
				pa, pb, pc = max(pa, -pa), max(pb, -pb), max(pc, -pc)
				guess := corner
				if pa <= pb && pa <= pc {
					guess = left
				} else if pb <= pc {
					guess = above
				}
				left = int(row[i]) + guess&255
				left &= 255
				row[i] = byte(left)
				corner = above
			}
		}
	default:
		return errors.New("a row is stored in an unknown way")
	}
	return nil
}
