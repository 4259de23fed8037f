//go:build unix

package camera

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"testing"

	"yui/assets/lang"
	"yui/tools"
)

// desk is a camera of the desktop over a source.
type desk struct{ Source }

func (desk) CameraAllowed() bool { return true }
func (desk) Looking(bool)        {}

// BenchmarkSeeCamera measures see_camera from the call to the picture in hand, with a file as the camera.
func BenchmarkSeeCamera(b *testing.B) {
	for _, s := range []struct {
		name string
		w, h int
	}{{"720p", 1280, 720}, {"1080p", 1920, 1080}, {"12MP", 4000, 3000}} {
		b.Run(s.name, func(b *testing.B) {
			var buf bytes.Buffer
			img := image.NewYCbCr(image.Rect(0, 0, s.w, s.h), image.YCbCrSubsampleRatio420)
			for i := range img.Y {
				img.Y[i] = byte(i * 7)
			}
			if err := jpeg.Encode(&buf, img, nil); err != nil {
				b.Fatal(err)
			}
			vision, err := tools.NewVision(tools.VisionConfig{Provider: "chat"})
			if err != nil {
				b.Fatal(err)
			}
			tool := tools.NewSeeCamera(lang.In("en"), desk{File(write(b, "shot.jpg", buf.Bytes()))}, func() tools.Vision { return vision })
			for b.Loop() {
				if r := tool.Run(context.Background(), tools.Call{}); len(r.Images) != 1 {
					b.Fatal(r.Text)
				}
			}
		})
	}
}
