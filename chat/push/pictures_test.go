package push

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"yui/chat"
)

// noisy is a picture that no compression makes small, as a PNG data URL.
func noisy(t *testing.T, edge int) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, edge, edge/2))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range img.Pix {
		img.Pix[i] = byte(random.Uint32()) | byte(255*(i%4/3))
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		t.Fatal(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(buf.Bytes())
}

// "Push carries the person's pictures": as they are where they fit into 4 MiB, scaled until all fit, else left out with a
// note; and those of an earlier turn are never sent again.
func TestPicturesOfATurn(t *testing.T) {
	big := noisy(t, 1800)
	for _, test := range []struct {
		name     string
		pictures []string
		want     int
		same     bool
	}{
		{"none", nil, 0, true}, {"small", []string{pixel, pixel}, 2, true}, {"large", []string{big}, 1, false}, {"several", []string{big, pixels(t), big}, 3, false},
		{"no picture and too large", []string{"data:image/png;base64," + strings.Repeat("A", MaxPictures)}, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, nil, nil)
			w := r.open(t)
			r.Say(context.Background(), "see", test.pictures)
			f := w.next("turn")
			if len(f.Images) != test.want || f.Text != "see" || total(f.Images) > MaxPictures {
				t.Fatalf("%d pictures of %d bytes", len(f.Images), total(f.Images))
			}
			for i, url := range f.Images {
				if same := url == test.pictures[i]; same != test.same || picture(url) == nil && url != pixel {
					t.Errorf("picture %d: %.40s", i, url)
				}
			}
			w.end(f.TurnID)
			noted := false
			for ended := false; !ended; {
				switch e := (<-r.seen).(type) {
				case chat.Notice:
					noted = strings.Contains(e.Text, "too large")
				case chat.TurnDone:
					ended = true
				}
			}
			if noted != (len(test.pictures) > 0 && test.want == 0) {
				t.Errorf("told of it: %v", noted)
			}
			r.Say(context.Background(), "again", nil)
			if f := w.next("turn"); len(f.Images) != 0 {
				t.Errorf("%d pictures are sent again", len(f.Images))
			}
		})
	}
}

func pixels(t *testing.T) string { return noisy(t, 20) }

// The words keep their own measure: pictures are no way round it.
func TestPicturesMakeNoRoomForWords(t *testing.T) {
	r := newRig(t, nil, nil)
	r.open(t)
	r.Say(context.Background(), strings.Repeat("x", MaxFrame), []string{pixel})
	if d := r.done(t); d.Outcome != chat.NetworkDrop || !strings.Contains(d.Error, "256 KiB") {
		t.Errorf("%+v", d)
	}
}
