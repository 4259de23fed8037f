package camera

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"

	"yui/tools"
)

// Device is a camera of the system.
type Device struct {
	// Path names it, as /dev/video0. Empty: the first one that gives pictures.
	Path string

	mu sync.Mutex // held while the camera is open
}

// Frame implements Source. A driver that does not come back keeps the camera busy, but never the caller.
func (d *Device) Frame(ctx context.Context) (image.Image, error) {
	if !d.mu.TryLock() {
		return nil, fmt.Errorf("open camera: %w", tools.ErrCameraBusy)
	}
	type shot struct {
		img image.Image
		err error
	}
	taken := make(chan shot, 1)
	go func() {
		defer d.mu.Unlock()
		img, err := d.take(ctx)
		taken <- shot{img, err}
	}()
	select {
	case s := <-taken:
		return s.img, s.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// errNoFormat is of nodes that give no pictures, as the metadata nodes of many cameras.
var errNoFormat = errors.New("it gives no pictures that can be read")

// lens is the part of an open V4L2 device that taking a picture needs.
type lens interface {
	// formats lists what the device gives; sizes are those of one format.
	formats() []fourCC
	sizes(f fourCC) []size
	// start sets format and size and begins to stream.
	start(f fourCC, s size) error
	// frame waits for the next frame, at most about a second; nil where there was none. The bytes are the caller's.
	frame() ([]byte, error)
	close()
}

type size struct{ w, h int }

// warmUp is how many frames pass while the camera finds its exposure: the first ones are often black.
const warmUp = 5

// shoot takes one picture from an open device and closes it.
func shoot(ctx context.Context, l lens) (image.Image, error) {
	defer l.close()
	format, ok := choose(l.formats())
	if !ok {
		return nil, fmt.Errorf("open camera: %w", errNoFormat)
	}
	s := fit(l.sizes(format))
	if err := l.start(format, s); err != nil {
		return nil, err
	}
	var last error
	for seen := 0; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		frame, err := l.frame()
		if err != nil {
			return nil, err
		}
		if len(frame) == 0 {
			continue
		}
		if seen++; seen < warmUp {
			continue
		}
		img, err := picture(format, s.w, s.h, frame)
		if err == nil {
			return img, nil
		}
		// A torn frame is no reason to give up, but a camera that only gives such ones is.
		if last = err; seen > 3*warmUp {
			return nil, last
		}
	}
}

func choose(offered []fourCC) (fourCC, bool) {
	for _, f := range formats() {
		for _, o := range offered {
			if f == o {
				return f, true
			}
		}
	}
	return 0, false
}

// fit picks the size nearest to 1280 by 720: more is scaled away before anyone sees it.
func fit(sizes []size) size {
	best := size{640, 480}
	for i, s := range sizes {
		if i == 0 || distance(s) < distance(best) {
			best = s
		}
	}
	return best
}

func distance(s size) int {
	d := s.w*s.h - 1280*720
	return max(d, -d)
}
