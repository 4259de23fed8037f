package camera

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"

	"yui/tools"
)

func TestV4L2Reasons(t *testing.T) {
	for _, c := range []struct {
		err, want error
	}{
		{unix.EBUSY, tools.ErrCameraBusy},
		{errors.New("Failed to map request buffers: " + unix.EBUSY.Error()), tools.ErrCameraBusy},
		{unix.EACCES, tools.ErrCameraDenied},
		{unix.EPERM, tools.ErrCameraDenied},
		{unix.ENODEV, tools.ErrNoCamera},
		{unix.ENOENT, tools.ErrNoCamera},
		{errors.New("Not a video capture device"), errNoFormat},
	} {
		if got := v4l2Reason("open camera", c.err); !errors.Is(got, c.want) || !errors.Is(got, c.err) {
			t.Errorf("%v: %v, want %v", c.err, got, c.want)
		}
	}
	if got := v4l2Reason("open camera", unix.EIO); errors.Is(got, tools.ErrCameraBusy) || errors.Is(got, tools.ErrNoCamera) {
		t.Errorf("%v names a reason that is not so", got)
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		n, least, most, step uint32
		want                 int
	}{{1280, 640, 640, 0, 640}, {1280, 160, 1920, 16, 1280}, {720, 100, 1080, 16, 708}, {1280, 0, 0, 0, 0}, {1280, 1600, 4000, 2, 1600}} {
		if got := within(c.n, c.least, c.most, c.step); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
