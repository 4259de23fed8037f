// Package camera takes one picture: from a V4L2 device, from a file, or from what a command prints. It is what
// tools.Camera's Frame may stand on. All of it may be called from any goroutine.
package camera

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // cameras and their stand-ins give JPEG or PNG
	_ "image/png"
	"io"
	"io/fs"
	"os"

	_ "golang.org/x/image/webp" // and now and then WebP

	"yui/tools"
)

// Source gives pictures, one at a time.
type Source interface {
	// Frame opens the source, takes one picture and closes it, before ctx ends. Its errors wrap tools.ErrNoCamera,
	// ErrCameraBusy or ErrCameraDenied where that is the reason.
	Frame(ctx context.Context) (image.Image, error)
}

// Config is [camera] of the config; at most one of the three is set. None: the first camera of the system.
type Config struct {
	Device  string   // a V4L2 device, as /dev/video0
	File    string   // a picture file, read anew each time
	Command []string // a program and its arguments, which prints a picture
}

// New returns the source that the settings name.
func New(c Config) (Source, error) {
	set := 0
	for _, given := range []bool{c.Device != "", c.File != "", len(c.Command) > 0} {
		if given {
			set++
		}
	}
	switch {
	case set > 1:
		return nil, errors.New("set up camera: only one of device, file and command may be set")
	case c.File != "":
		return File(c.File), nil
	case len(c.Command) > 0:
		if c.Command[0] == "" {
			return nil, errors.New("set up camera: command names no program")
		}
		return Command(c.Command), nil
	}
	return &Device{Path: c.Device}, nil
}

const (
	pictureBytes  = 32 << 20
	picturePixels = 16 << 20 // twice a 4K picture
)

// decode reads one picture, and refuses one whose header promises more than anyone needs before it takes the memory.
func decode(r io.Reader) (image.Image, error) {
	r = io.LimitReader(r, pictureBytes)
	var head bytes.Buffer
	cfg, _, err := image.DecodeConfig(io.TeeReader(r, &head))
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	if cfg.Width <= 0 || cfg.Height <= 0 || cfg.Width > picturePixels/cfg.Height {
		return nil, fmt.Errorf("read picture: %d by %d pixels are too many", cfg.Width, cfg.Height)
	}
	whole := io.MultiReader(&head, r)
	img, _, err := image.Decode(whole)
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	return img, nil
}

// File is a picture file in the place of a camera.
type File string

// Frame implements Source.
func (f File) Frame(ctx context.Context) (image.Image, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// A pipe or a device would keep us waiting where no deadline reaches.
	info, err := os.Stat(string(f))
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open camera file: %w: not a regular file", tools.ErrNoCamera)
	}
	if err != nil {
		return nil, reason("open camera file", err)
	}
	file, err := os.Open(string(f))
	if err != nil {
		return nil, reason("open camera file", err)
	}
	defer file.Close()
	return decode(file)
}

// reason adds to an error of the system which of the known reasons it is.
func reason(verb string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w: %w", verb, tools.ErrNoCamera, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: %w: %w", verb, tools.ErrCameraDenied, err)
	}
	return fmt.Errorf("%s: %w", verb, err)
}
