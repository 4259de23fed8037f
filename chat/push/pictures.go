package push

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/gif" // kinds of pictures that a person may hand over
	"image/jpeg"
	_ "image/png" // likewise
	"strings"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // likewise
)

// edges are the sizes that pictures are tried at, in pixels of the long edge, where they do not fit as they are.
var edges = []int{1600, 1280, 960, 640, 320}

// mostPixels of a picture are unfolded; a larger one is left out where it does not fit as it is.
const mostPixels = 64 << 20

// fitted gives the pictures (data URLs) scaled until together they take at most room bytes, nil where they do not.
func fitted(pictures []string, room int) []string {
	if total(pictures) <= room {
		return pictures
	}
	decoded := make([]image.Image, len(pictures))
	for i, url := range pictures {
		if decoded[i] = picture(url); decoded[i] == nil {
			return nil
		}
	}
	small := make([]string, len(pictures))
	for _, edge := range edges {
		for i, img := range decoded {
			if small[i] = within(img, edge); small[i] == "" {
				return nil
			}
		}
		if total(small) <= room {
			return small
		}
	}
	return nil
}

// total counts the bytes of a list of texts in a frame.
func total(list []string) int {
	n := 0
	for _, s := range list {
		n += len(s) + len(`"",`)
	}
	return n
}

// picture decodes a data URL, nil where it is none or too large.
func picture(url string) image.Image {
	_, data, found := strings.Cut(url, ";base64,")
	raw, err := base64.StdEncoding.DecodeString(data)
	if !found || err != nil {
		return nil
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil || c.Width <= 0 || c.Height <= 0 || c.Width > mostPixels/c.Height {
		return nil
	}
	img, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil
	}
	return img
}

// within makes a JPEG of a picture whose long edge is at most edge, "" where it cannot.
func within(img image.Image, edge int) string {
	b := img.Bounds()
	if long := max(b.Dx(), b.Dy()); long > edge {
		small := image.NewRGBA(image.Rect(0, 0, max(1, b.Dx()*edge/long), max(1, b.Dy()*edge/long)))
		draw.ApproxBiLinear.Scale(small, small.Bounds(), img, b, draw.Src, nil)
		img = small
	}
	var buf bytes.Buffer
	if jpeg.Encode(&buf, img, &jpeg.Options{Quality: 80}) != nil {
		return ""
	}
	return "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(buf.Bytes())
}
