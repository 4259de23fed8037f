//go:build linux || freebsd || netbsd || openbsd

package window

import (
	"fmt"
	"image"
	"log/slog"
	"os"
	"time"

	"github.com/go-gl/gl/v3.1/gles2"
	"github.com/go-gl/glfw/v3.3/glfw"

	"yui/overlay/slack"
	"yui/overlay/xerror"
)

// x11 is the driver of X11: GLFW makes the windows, their GL contexts and their events; xside says to the server what GLFW
// cannot (docs/rules/desktop.md#windows-of-ours).
type x11 struct {
	log  *slog.Logger
	post func(func())
	side *xside
	root *glfw.Window // hidden; keeps the share group alive while windows come and go

	format uint32 // of pixels that are presented, 0 before the first

	painter *painter     // made with the first panel
	easel   *glfw.Window // hidden; its context is the painter's
}

// openDriver opens the display. Without one it returns an error that says so; GLFW itself would not.
func openDriver(log *slog.Logger, post func(func())) (driver, error) {
	slack.Fine()
	side, err := openX(log)
	if err != nil {
		return nil, err
	}
	// llvmpipe shares each frame between as many threads as there are cores; for a pet of a few hundred pixels the
	// hand-over costs more than it brings. A GPU's driver does not read this.
	if os.Getenv("LP_NUM_THREADS") == "" {
		os.Setenv("LP_NUM_THREADS", "0")
	}
	if err := glfw.Init(); err != nil {
		side.close()
		return nil, fmt.Errorf("open display: %w", err)
	}
	xerror.Install()
	d := &x11{log: log, post: post, side: side}
	if err := d.openRoot(); err != nil {
		glfw.Terminate()
		side.close()
		return nil, err
	}
	return d, nil
}

func (d *x11) openRoot() (err error) {
	defer Recovered("open GL context", &err)
	hint()
	w, err := glfw.CreateWindow(16, 16, "yui", nil, nil)
	if err != nil {
		return fmt.Errorf("open an OpenGL ES 3.0 context: %w", err)
	}
	d.root = w
	w.MakeContextCurrent()
	if err := gles2.Init(); err != nil {
		return fmt.Errorf("load OpenGL ES: %w", err)
	}
	return nil
}

// hint asks GLFW for what every window of ours is (docs/rules/desktop.md#windows-of-ours).
func hint() {
	glfw.DefaultWindowHints()
	for _, h := range [][2]int{
		{int(glfw.Visible), glfw.False}, {int(glfw.Decorated), glfw.False}, {int(glfw.Resizable), glfw.False},
		{int(glfw.Floating), glfw.True}, {int(glfw.Focused), glfw.False}, {int(glfw.FocusOnShow), glfw.False},
		{int(glfw.TransparentFramebuffer), glfw.True}, {int(glfw.AlphaBits), 8}, {int(glfw.DepthBits), 24},
		{int(glfw.StencilBits), 0}, {int(glfw.Samples), 0}, {int(glfw.DoubleBuffer), glfw.True},
		{int(glfw.ClientAPI), int(glfw.OpenGLESAPI)}, {int(glfw.ContextCreationAPI), int(glfw.NativeContextAPI)},
		{int(glfw.ContextVersionMajor), 3}, {int(glfw.ContextVersionMinor), 0},
	} {
		glfw.WindowHint(glfw.Hint(h[0]), h[1])
	}
	glfw.WindowHintString(glfw.X11ClassName, "yui")
	glfw.WindowHintString(glfw.X11InstanceName, "yui")
}

func (d *x11) wait(most time.Duration) {
	switch {
	case most < 0:
		glfw.WaitEvents()
	case most == 0:
		glfw.PollEvents()
	default:
		glfw.WaitEventsTimeout(most.Seconds())
	}
}

func (d *x11) wake() { glfw.PostEmptyEvent() }

func (d *x11) gone() <-chan struct{} { return d.side.done }

func (d *x11) pointer() (image.Point, time.Duration) { return d.side.lastPointer() }

func (d *x11) pointerNow() (image.Point, bool) { return d.side.pointerNow() }

func (d *x11) clipboard() string { return glfw.GetClipboardString() }

func (d *x11) setClipboard(text string) { glfw.SetClipboardString(text) }

func (d *x11) renderer() string {
	d.share()
	return gles2.GoStr(gles2.GetString(gles2.RENDERER))
}

func (d *x11) share() { d.root.MakeContextCurrent() }

func (d *x11) now() time.Time { return time.Now() }

func (d *x11) after(t time.Duration, f func()) { time.AfterFunc(t, func() { d.post(f) }) }

func (d *x11) close() {
	if d.painter != nil {
		d.painter.close()
		d.easel.Destroy()
	}
	d.root.Destroy()
	glfw.Terminate()
	d.side.close()
}
