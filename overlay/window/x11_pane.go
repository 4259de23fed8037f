//go:build linux || freebsd || netbsd || openbsd

package window

import (
	"fmt"
	"image"
	"time"

	"github.com/go-gl/gl/v3.1/gles2"
	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xproto"
)

// xpane is one transparent GLFW window.
type xpane struct {
	d    *x11
	win  *glfw.Window
	id   xproto.Window
	kind Kind
	keys keyboard

	at           image.Rectangle
	shown        bool
	bare         bool // override-redirect: the window manager would not leave it where it was put
	everywhere   bool
	clicks, seen []image.Rectangle
	shaped       bool

	gio    bool
	drawn  picture // the painter's, where gio paints it; else of pixels
	pixels []byte  // of drawn, in the server's order
	counts bool    // among those that the painter's tools are kept for
}

func (d *x11) open(o opening) (_ pane, err error) {
	defer Recovered("open window", &err)
	if o.gio {
		if err := d.readyPainter(); err != nil {
			return nil, err
		}
	}
	hint()
	w, err := glfw.CreateWindow(o.size.X, o.size.Y, o.title, nil, d.root)
	if err != nil {
		return nil, fmt.Errorf("open window %s: %w", o.title, err)
	}
	p := &xpane{d: d, win: w, id: xproto.Window(uint32(w.GetX11Window())), kind: o.kind, at: image.Rectangle{Max: o.size}, gio: o.gio}
	p.keys = keyboard{x: d.side, own: p.id}
	listen(w, o.hear)
	if o.gio {
		d.side.background(p.id, true)
		d.painter.do(func(e *easel) {
			if err := p.enlist(e); err != nil {
				d.log.Warn("panel", "window", o.title, "error", err) // the first frame tries again
			}
		})
		return p, nil
	}
	w.MakeContextCurrent()
	glfw.SwapInterval(0) // waiting for the screen does not throttle software GL; the frame clock is ours
	return p, nil
}

func (p *xpane) place(r image.Rectangle) {
	if r.Size() != p.at.Size() {
		p.win.SetSize(r.Dx(), r.Dy())
	}
	if r.Min != p.at.Min {
		p.win.SetPos(r.Min.X, r.Min.Y)
	}
	p.at = r
}

func (p *xpane) show(everywhere bool) {
	p.everywhere = everywhere
	p.d.side.dress(p.id, p.kind, everywhere)
	p.d.side.mapped(p.id)
	p.shown = true
	if p.shaped {
		p.shape(p.clicks, p.seen)
	}
	if p.kind == Figure && !p.bare {
		p.checkLanding()
	}
}

func (p *xpane) spread(everywhere bool) {
	p.everywhere = everywhere
	p.d.side.spread(p.id, everywhere)
}

func (p *xpane) hide() {
	p.shown = false
	p.win.Hide()
	if p.gio {
		p.d.side.background(p.id, true)
	}
}

// checkLanding asks the server, a moment after mapping, whether the window lies where it was put. Tiling managers
// place docks as they like; then the window leaves their hands (docs/rules/desktop.md#windows-of-ours).
func (p *xpane) checkLanding() {
	x, id := p.d.side, p.id
	time.AfterFunc(300*time.Millisecond, func() {
		t, err := xproto.TranslateCoordinates(x.conn, id, x.root, 0, 0).Reply()
		if err != nil {
			return
		}
		p.d.post(func() {
			if !p.shown || p.bare || p.win == nil {
				return
			}
			now := image.Pt(int(t.DstX), int(t.DstY))
			if d := now.Sub(p.at.Min); d.X*d.X+d.Y*d.Y > 40*40 {
				p.d.log.Info("the window manager moved the pet's window; it goes on unmanaged", "asked", p.at.Min, "got", now)
				p.unmanage()
			}
		})
	})
}

func (p *xpane) unmanage() {
	p.hide()
	p.bare = true
	p.d.side.overrideRedirect(p.id)
	p.d.side.conn.Sync()
	r := p.at
	p.at = image.Rectangle{Max: r.Size()}
	p.place(r)
	p.show(p.everywhere)
	p.d.side.raise(p.id)
}

func (p *xpane) shape(clicks, seen []image.Rectangle) {
	p.clicks, p.seen, p.shaped = clicks, seen, true
	if !p.shown {
		return
	}
	p.d.side.setShape(p.id, shape.SkInput, clicks)
	p.d.side.setShape(p.id, shape.SkBounding, seen)
	if seen != nil {
		p.d.side.conn.Sync() // GLFW draws on its own connection: what opens after the picture stays black
	}
}

func (p *xpane) title(s string) { p.win.SetTitle(s) }

func (p *xpane) focus() { p.win.Focus() }

func (p *xpane) borrow() { p.keys.taken() }

func (p *xpane) giveBack() { p.keys.giveBack() }

func (p *xpane) current() {
	p.win.MakeContextCurrent()
	gles2.BindFramebuffer(gles2.FRAMEBUFFER, 0)
}

func (p *xpane) finish() { gles2.Finish() }

func (p *xpane) present(pixels *image.RGBA) {
	if pixels != nil {
		p.current()
		if p.d.format == 0 {
			p.d.format = pictureFormat()
		}
		p.pixels = p.drawn.upload(pixels, p.d.format, p.pixels)
		p.drawn.show()
	}
	p.win.SwapBuffers()
}

// close destroys the window. GL objects of its context that are not the pane's must have been released before.
func (p *xpane) close() {
	switch {
	case p.gio:
		p.release()
	case p.drawn.texture != 0:
		p.current()
		p.drawn.release()
	}
	p.shown = false
	p.win.Destroy()
	p.win = nil
}
