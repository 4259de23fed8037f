package camera

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"github.com/blackjack/webcam"
	"golang.org/x/sys/unix"

	"yui/tools"
)

// take opens the camera by its path, or looks for the first that gives pictures.
func (d *Device) take(ctx context.Context) (image.Image, error) {
	if d.Path != "" {
		return takeFrom(ctx, d.Path)
	}
	paths, _ := filepath.Glob("/dev/video*") // the pattern is sound
	slices.SortFunc(paths, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b) // video2 before video10
		}
		return strings.Compare(a, b)
	})
	err := fmt.Errorf("open camera: %w", tools.ErrNoCamera)
	for _, p := range paths {
		img, e := takeFrom(ctx, p)
		if e == nil || ctx.Err() != nil {
			return img, e
		}
		if !errors.Is(e, errNoFormat) && !errors.Is(e, tools.ErrNoCamera) && (errors.Is(err, tools.ErrNoCamera)) {
			err = e // the first that is a camera says why there is no picture
		}
	}
	return nil, err
}

func takeFrom(ctx context.Context, path string) (image.Image, error) {
	cam, err := webcam.Open(path)
	if err != nil {
		return nil, v4l2Reason("open camera", err)
	}
	return shoot(ctx, v4l2{cam})
}

// v4l2 is a lens over blackjack/webcam.
type v4l2 struct{ cam *webcam.Webcam }

func (v v4l2) formats() []fourCC {
	var list []fourCC
	for f := range v.cam.GetSupportedFormats() {
		list = append(list, fourCC(f))
	}
	return list
}

// sizes lists only sizes that the driver will take as they are: the library does not tell which one it took instead.
func (v v4l2) sizes(f fourCC) []size {
	var list []size
	for _, s := range v.cam.GetSupportedFrameSizes(webcam.PixelFormat(f)) {
		list = append(list, size{within(1280, s.MinWidth, s.MaxWidth, s.StepWidth), within(720, s.MinHeight, s.MaxHeight, s.StepHeight)})
	}
	return slices.DeleteFunc(list, func(s size) bool { return s.w <= 0 || s.h <= 0 })
}

// within is the step of a range that is nearest below n.
func within(n, least, most, step uint32) int {
	n = min(max(n, least), most)
	if step > 0 {
		n = least + (n-least)/step*step
	}
	return int(n)
}

func (v v4l2) start(f fourCC, s size) error {
	if _, _, _, err := v.cam.SetImageFormat(webcam.PixelFormat(f), uint32(s.w), uint32(s.h)); err != nil {
		return v4l2Reason("set camera format", err)
	}
	if err := v.cam.SetBufferCount(4); err != nil {
		return v4l2Reason("set camera buffers", err)
	}
	if err := v.cam.StartStreaming(); err != nil {
		return v4l2Reason("start camera", err)
	}
	return nil
}

func (v v4l2) frame() ([]byte, error) {
	err := v.cam.WaitForFrame(1)
	var late *webcam.Timeout
	if errors.As(err, &late) {
		return nil, nil
	}
	if err != nil {
		return nil, v4l2Reason("wait for camera", err)
	}
	b, i, err := v.cam.GetFrame()
	if errors.Is(err, unix.EAGAIN) {
		return nil, nil
	}
	if err != nil {
		return nil, v4l2Reason("read camera", err)
	}
	b = bytes.Clone(b) // the buffer is the driver's again after the next line
	if err := v.cam.ReleaseFrame(i); err != nil {
		return nil, v4l2Reason("read camera", err)
	}
	return b, nil
}

// close ends the stream too. A camera that went away meanwhile cannot be closed, and need not be.
func (v v4l2) close() { _ = v.cam.Close() }

// v4l2Reason finds out why the driver refused. The library turns some numbers into text, so that the text counts too.
func v4l2Reason(verb string, err error) error {
	is := func(causes ...unix.Errno) bool {
		return slices.ContainsFunc(causes, func(c unix.Errno) bool { return errors.Is(err, c) || strings.HasSuffix(err.Error(), c.Error()) })
	}
	switch {
	case is(unix.EBUSY):
		return fmt.Errorf("%s: %w: %w", verb, tools.ErrCameraBusy, err)
	case is(unix.ENOENT, unix.ENODEV, unix.ENXIO, unix.ENOTTY):
		return fmt.Errorf("%s: %w: %w", verb, tools.ErrNoCamera, err)
	case is(unix.EACCES, unix.EPERM):
		return fmt.Errorf("%s: %w: %w", verb, tools.ErrCameraDenied, err)
	case strings.HasPrefix(err.Error(), "Not a video capture"), strings.HasPrefix(err.Error(), "Device does not support"):
		return fmt.Errorf("%s: %w: %w", verb, errNoFormat, err)
	}
	return fmt.Errorf("%s: %w", verb, err)
}
