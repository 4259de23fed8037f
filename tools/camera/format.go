package camera

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"sync"
)

// fourCC is a pixel format of V4L2: four letters, the first in the lowest byte.
type fourCC uint32

func code(s string) fourCC {
	return fourCC(s[0]) | fourCC(s[1])<<8 | fourCC(s[2])<<16 | fourCC(s[3])<<24
}

// formats are those that we read, the ones that cost the least light and bus first.
func formats() []fourCC {
	return []fourCC{code("MJPG"), code("JPEG"), code("YUYV"), code("NV12"), code("YU12"), code("UYVY"), code("GREY")}
}

// picture reads one frame of a camera.
func picture(f fourCC, w, h int, frame []byte) (image.Image, error) {
	if f == code("MJPG") || f == code("JPEG") {
		return decode(bytes.NewReader(withTables(frame)))
	}
	if w <= 0 || h <= 0 || w%2 != 0 || h%2 != 0 || w > picturePixels/h {
		return nil, fmt.Errorf("read frame: %d by %d pixels make no picture", w, h)
	}
	if f == code("GREY") {
		if len(frame) < w*h {
			return nil, errShort
		}
		return &image.Gray{Pix: bytes.Clone(frame[:w*h]), Stride: w, Rect: image.Rect(0, 0, w, h)}, nil
	}
	return yuv(f, w, h, frame)
}

var errShort = errors.New("read frame: it is shorter than its size says")

// yuv sorts the samples of a frame into planes.
func yuv(f fourCC, w, h int, frame []byte) (image.Image, error) {
	packed := f == code("YUYV") || f == code("UYVY")
	ratio, need := image.YCbCrSubsampleRatio420, w*h*3/2
	if packed {
		ratio, need = image.YCbCrSubsampleRatio422, w*h*2
	}
	if len(frame) < need {
		return nil, errShort
	}
	img := image.NewYCbCr(image.Rect(0, 0, w, h), ratio)
	if packed {
		y, c := 0, 1
		if f == code("UYVY") {
			y, c = 1, 0
		}
		for i := range w * h / 2 {
			four := frame[4*i : 4*i+4]
			img.Y[2*i], img.Y[2*i+1] = four[y], four[y+2]
			img.Cb[i], img.Cr[i] = four[c], four[c+2]
		}
		return img, nil
	}
	copy(img.Y, frame[:w*h])
	chroma := frame[w*h : need]
	switch f {
	case code("NV12"):
		for i := range w * h / 4 {
			img.Cb[i], img.Cr[i] = chroma[2*i], chroma[2*i+1]
		}
	case code("YU12"):
		copy(img.Cb, chroma[:w*h/4])
		copy(img.Cr, chroma[w*h/4:])
	default:
		return nil, fmt.Errorf("read frame: format %08x is unknown", uint32(f))
	}
	return img, nil
}

// withTables gives a motion JPEG the Huffman tables that many cameras leave out, since they are always the standard
// ones. A frame that has its own, or is no JPEG, stays as it is.
func withTables(frame []byte) []byte {
	for i := 2; i+4 <= len(frame) && frame[i] == 0xFF; {
		marker, n := frame[i+1], int(frame[i+2])<<8|int(frame[i+3])
		switch marker {
		case 0xC4: // it brings tables
			return frame
		case 0xDA: // the scan begins, and there were none
			return bytes.Join([][]byte{frame[:i], standardTables(), frame[i:]}, nil)
		}
		i += 2 + n
	}
	return frame
}

// standardTables cuts the tables of the JPEG standard out of what our own encoder writes, which uses no others.
var standardTables = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	if jpeg.Encode(&b, image.NewYCbCr(image.Rect(0, 0, 8, 8), image.YCbCrSubsampleRatio420), nil) != nil {
		return nil
	}
	var tables []byte
	for d, i := b.Bytes(), 2; i+4 <= len(d) && d[i] == 0xFF && d[i+1] != 0xDA; {
		n := 2 + (int(d[i+2])<<8 | int(d[i+3]))
		if d[i+1] == 0xC4 {
			tables = append(tables, d[i:i+n]...)
		}
		i += n
	}
	return tables
})
