//go:build unix

package camera

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"testing"
	"time"

	"yui/tools"
)

// glass is a device whose frames are given.
type glass struct {
	offers  []fourCC
	list    []size
	frames  [][]byte // one after the other; the last again and again
	refuses error
	breaks  error // after the frames

	set    fourCC
	at     size
	seen   int
	closed int
}

func (g *glass) formats() []fourCC   { return g.offers }
func (g *glass) sizes(fourCC) []size { return g.list }
func (g *glass) start(f fourCC, s size) error {
	g.set, g.at = f, s
	return g.refuses
}
func (g *glass) frame() ([]byte, error) {
	g.seen++
	if g.seen > len(g.frames) {
		if g.breaks != nil {
			return nil, g.breaks
		}
		time.Sleep(time.Millisecond)
		if len(g.frames) == 0 {
			return nil, nil
		}
		return g.frames[len(g.frames)-1], nil
	}
	return g.frames[g.seen-1], nil
}
func (g *glass) close() { g.closed++ }

// bare is the scene as a motion JPEG without tables.
func bare(t *testing.T) []byte {
	t.Helper()
	d := encoded(t, "jpeg")
	out := bytes.Clone(d[:2])
	for i := 2; ; {
		n := 2 + (int(d[i+2])<<8 | int(d[i+3]))
		if d[i+1] != 0xC4 {
			out = append(out, d[i:i+n]...)
		}
		if d[i+1] == 0xDA {
			return append(out, d[i+n:]...)
		}
		i += n
	}
}

func TestMotionJPEGWithoutTables(t *testing.T) {
	if _, err := jpeg.Decode(bytes.NewReader(bare(t))); err == nil {
		t.Skip("the decoder knows the standard tables by itself")
	}
	img, err := picture(code("MJPG"), 64, 48, bare(t))
	if err != nil {
		t.Fatal(err)
	}
	checkScene(t, img)
}

// raw writes the scene in a format, by the formats' own definitions.
func raw(f string) []byte {
	w, h := 64, 48
	src := scene(w, h)
	ycc := func(x, y int) color.YCbCr { return color.YCbCrModel.Convert(src.At(x, y)).(color.YCbCr) }
	var luma, u, v, packed []byte
	for y := range h {
		for x := range w {
			c := ycc(x, y)
			luma = append(luma, c.Y)
			if x%2 == 0 && y%2 == 0 {
				u, v = append(u, c.Cb), append(v, c.Cr)
			}
			if x%2 == 0 {
				next := ycc(x+1, y)
				if f == "YUYV" {
					packed = append(packed, c.Y, c.Cb, next.Y, c.Cr)
				} else {
					packed = append(packed, c.Cb, c.Y, c.Cr, next.Y)
				}
			}
		}
	}
	switch f {
	case "GREY":
		return luma
	case "YU12":
		return append(append(luma, u...), v...)
	case "NV12":
		for i := range u {
			luma = append(luma, u[i], v[i])
		}
		return luma
	}
	return packed
}

func TestRawFormats(t *testing.T) {
	for _, f := range []string{"YUYV", "UYVY", "YU12", "NV12"} {
		img, err := picture(code(f), 64, 48, raw(f))
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		checkScene(t, img)
		if _, err := picture(code(f), 64, 48, raw(f)[:100]); err == nil {
			t.Errorf("%s: a short frame is a picture", f)
		}
		if _, err := picture(code(f), 63, 48, raw(f)); err == nil {
			t.Errorf("%s: an odd width is a picture", f)
		}
	}
	grey, err := picture(code("GREY"), 64, 48, raw("GREY"))
	if err != nil || grey.Bounds() != image.Rect(0, 0, 64, 48) {
		t.Errorf("%v %v", grey, err)
	}
}

func TestShoot(t *testing.T) {
	good := encoded(t, "jpeg")
	g := &glass{offers: []fourCC{code("H264"), code("YUYV"), code("MJPG")}, list: []size{{320, 240}, {1280, 720}, {3840, 2160}},
		frames: [][]byte{nil, []byte("dark"), {}, good, good, good, []byte("torn"), good}}
	img, err := shoot(within10s(t), g)
	if err != nil {
		t.Fatal(err)
	}
	checkScene(t, img)
	if g.set != code("MJPG") || g.at != (size{1280, 720}) || g.closed != 1 {
		t.Errorf("format %08x at %v, closed %d times", uint32(g.set), g.at, g.closed)
	}
}

func TestShootFails(t *testing.T) {
	unplugged := errors.New("unplugged")
	mjpg := []fourCC{code("MJPG")}
	for _, c := range []struct {
		name string
		lens *glass
		want error
	}{
		{"no format of ours", &glass{offers: []fourCC{code("H264")}}, errNoFormat},
		{"busy", &glass{offers: mjpg, refuses: tools.ErrCameraBusy}, tools.ErrCameraBusy},
		{"unplugged", &glass{offers: mjpg, frames: [][]byte{{1}}, breaks: unplugged}, unplugged},
		{"dead", &glass{offers: mjpg}, context.DeadlineExceeded},
		{"only torn frames", &glass{offers: mjpg, frames: [][]byte{{0xff, 0xd8}}}, nil},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		_, err := shoot(ctx, c.lens)
		cancel()
		if err == nil || (c.want != nil && !errors.Is(err, c.want)) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if c.lens.closed != 1 {
			t.Errorf("%s: closed %d times", c.name, c.lens.closed)
		}
	}
}

func TestDevice(t *testing.T) {
	d := &Device{Path: "/dev/no-such-camera"}
	if _, err := d.Frame(within10s(t)); !errors.Is(err, tools.ErrNoCamera) {
		t.Errorf("missing: %v", err)
	}
	if _, err := (&Device{Path: "/dev/null"}).Frame(within10s(t)); !errors.Is(err, tools.ErrNoCamera) {
		t.Errorf("no camera at all: %v", err)
	}
	d.mu.Lock()
	if _, err := d.Frame(within10s(t)); !errors.Is(err, tools.ErrCameraBusy) {
		t.Errorf("taken twice: %v", err)
	}
	d.mu.Unlock()
	if matches, _ := os.ReadDir("/sys/class/video4linux"); len(matches) == 0 {
		if _, err := (&Device{}).Frame(within10s(t)); !errors.Is(err, tools.ErrNoCamera) {
			t.Errorf("a machine without cameras: %v", err)
		}
	}
}
