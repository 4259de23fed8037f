//go:build !windows && !darwin

package platform

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/bits"
	"os"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/screensaver"
	"github.com/jezek/xgb/xproto"

	"yui/platform/xconn"
)

// capture takes the picture over a connection of its own: tens of megabytes would hold up the events. One at a time, so
// that a server that hangs does not gather waiting pictures. (kbinani/screenshot does the same request, but calls
// xinerama.Init for each picture, which races with the readers of all other connections; see xconn.)
func (x *x11) capture(ctx context.Context, area Rect) (image.Image, error) {
	select {
	case x.capturing <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for X server: %w", ctx.Err())
	}
	taken := make(chan *image.RGBA, 1)
	err := within(ctx, func() error {
		defer func() { <-x.capturing }()
		conn, err := xconn.Dial(x.display)
		if err != nil {
			return err
		}
		defer conn.Close()
		picture, err := grab(conn, x.root, area)
		taken <- picture
		return err
	})
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	var picture *image.RGBA
	if err == nil {
		picture = <-taken
	}
	if x.virtual() || os.Getenv("WAYLAND_DISPLAY") != "" || os.Getenv("XDG_SESSION_TYPE") == "wayland" {
		if err != nil || black(picture) {
			return nil, ErrCaptureRefused
		}
	}
	if err != nil {
		return nil, err
	}
	return picture, nil
}

func grab(conn *xgb.Conn, root xproto.Window, area Rect) (*image.RGBA, error) {
	setup := xproto.Setup(conn)
	geometry, err := xproto.GetGeometry(conn, xproto.Drawable(root)).Reply()
	if err != nil {
		return nil, fmt.Errorf("measure root window: %w", err)
	}
	cut := area.Intersect(Rect{W: int(geometry.Width), H: int(geometry.Height)})
	if cut.Empty() {
		return nil, errors.New("the monitor is gone")
	}
	layout, err := pixelsOf(setup, geometry.Depth)
	if err != nil {
		return nil, err
	}
	reply, err := xproto.GetImage(conn, xproto.ImageFormatZPixmap, xproto.Drawable(root), int16(cut.X), int16(cut.Y),
		uint16(cut.W), uint16(cut.H), 0xffffffff).Reply()
	if err != nil {
		return nil, fmt.Errorf("get image: %w", err)
	}
	if len(reply.Data) < cut.W*cut.H*4 {
		return nil, fmt.Errorf("get image: %d bytes for %v", len(reply.Data), cut)
	}
	return layout.convert(reply.Data, cut.W, cut.H), nil
}

// pixels is how the server stores 32-bit pixels: the byte of each colour.
type pixels struct{ red, green, blue int }

func pixelsOf(setup *xproto.SetupInfo, depth byte) (pixels, error) {
	for _, format := range setup.PixmapFormats {
		if format.Depth == depth && format.BitsPerPixel != 32 {
			return pixels{}, fmt.Errorf("screens of %d bits a pixel are not supported", format.BitsPerPixel)
		}
	}
	for _, screen := range setup.Roots {
		for _, d := range screen.AllowedDepths {
			for _, visual := range d.Visuals {
				if visual.VisualId != screen.RootVisual {
					continue
				}
				at := func(mask uint32) int {
					n := bits.TrailingZeros32(mask) / 8
					if setup.ImageByteOrder == xproto.ImageOrderMSBFirst {
						n = 3 - n
					}
					return n
				}
				if bits.OnesCount32(visual.RedMask) != 8 || bits.OnesCount32(visual.BlueMask) != 8 {
					return pixels{}, fmt.Errorf("screens with a red mask of %#x are not supported", visual.RedMask)
				}
				return pixels{at(visual.RedMask), at(visual.GreenMask), at(visual.BlueMask)}, nil
			}
		}
	}
	return pixels{}, errors.New("the server tells no root visual")
}

func (p pixels) convert(data []byte, width, height int) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	out := picture.Pix
	for i := 0; i+4 <= len(out); i += 4 {
		out[i], out[i+1], out[i+2], out[i+3] = data[i+p.red], data[i+p.green], data[i+p.blue], 0xff
	}
	return picture
}

func black(picture *image.RGBA) bool {
	for i := 0; i < len(picture.Pix); i += 4 {
		if picture.Pix[i]|picture.Pix[i+1]|picture.Pix[i+2] != 0 {
			return false
		}
	}
	return true
}

// idle asks the screen saver extension; under Xwayland, whose server hears nothing of Wayland windows, the compositor
// over D-Bus.
func (x *x11) idle() (time.Duration, error) {
	if x.xwayland {
		if idle, err := mutterIdle(); err == nil {
			return idle, nil
		}
	}
	if xconn.Has(x.conn, xconn.ScreenSaver) {
		answer := make(chan uint32, 1)
		err := x.question(func() error {
			info, err := screensaver.QueryInfo(x.conn, xproto.Drawable(x.root)).Reply()
			if err == nil {
				answer <- info.MsSinceUserInput
			}
			return err
		})
		if err == nil {
			return time.Duration(<-answer) * time.Millisecond, nil
		}
	}
	px, py, err := x.pointer()
	if err != nil {
		return 0, fmt.Errorf("measure idle time: %w", err)
	}
	return x.idleSince.at(px, py, time.Now()), nil
}
