// Package barepng mends PNGs whose fault is beside their picture. Programs have written colour profiles that do not fit
// their checksum; other readers pass over them, Go's refuses the file.
package barepng

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

const magic = "\x89PNG\r\n\x1a\n"

// Of returns a PNG without the parts that its picture does not need, if one of them does not fit its checksum. All else
// comes back as it is: a PNG in order, one that is broken where it matters, and what is no PNG.
func Of(data []byte) []byte {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return data
	}
	broken, kept := false, len(magic)
	whole := each(data, func(part []byte, needed bool) {
		if needed {
			kept += len(part)
		} else if end := len(part) - 4; crc32.ChecksumIEEE(part[4:end]) != binary.BigEndian.Uint32(part[end:]) {
			broken = true
		}
	})
	if !whole || !broken {
		return data
	}
	out := append(make([]byte, 0, kept), magic...)
	each(data, func(part []byte, needed bool) {
		if needed {
			out = append(out, part...)
		}
	})
	return out
}

// each calls do for the parts of a PNG, and reports whether none is cut off. needed is what a picture cannot be without: the
// critical parts, whose names begin with a capital letter, and which colour is not seen.
func each(data []byte, do func(part []byte, needed bool)) (whole bool) {
	for rest := data[len(magic):]; len(rest) >= 12; {
		n := int64(binary.BigEndian.Uint32(rest)) + 12
		if n > int64(len(rest)) {
			return false
		}
		do(rest[:n], rest[4]&0x20 == 0 || string(rest[4:8]) == "tRNS")
		rest = rest[n:]
	}
	return true
}
