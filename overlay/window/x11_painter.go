//go:build linux || freebsd || netbsd || openbsd

package window

import (
	"fmt"
	"image"
	"image/color"
	"runtime"
	"sync"

	"gioui.org/gpu"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/unit"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// painter is a thread of its own on which panels are painted. A software driver compiles each of Gio's programs when it is
// first used, which takes longer than a frame of the pets may: they go on moving on the main thread meanwhile.
type painter struct {
	mu    sync.Mutex
	queue []func(*easel)
	wake  chan struct{}
	ended chan struct{}
	end   bool
}

func newPainter(win *glfw.Window) *painter {
	p := &painter{wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go p.run(&easel{win: win})
	return p
}

// do runs f on the painter's thread after what was asked before. Safe from any goroutine.
func (p *painter) do(f func(*easel)) {
	p.mu.Lock()
	p.queue = append(p.queue, f)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// wait runs f on the painter's thread and waits for it.
func (p *painter) wait(f func(*easel)) {
	done := make(chan struct{})
	p.do(func(e *easel) { defer close(done); f(e) })
	<-done
}

// close ends the thread when all that was asked is done.
func (p *painter) close() {
	p.mu.Lock()
	p.end = true
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
	<-p.ended
}

func (p *painter) run(e *easel) {
	runtime.LockOSThread() // a context belongs to a thread; it ends with the goroutine
	defer close(p.ended)
	defer detach()
	for {
		p.mu.Lock()
		queue, end := p.queue, p.end
		p.queue = nil
		p.mu.Unlock()
		for _, f := range queue {
			f(e)
		}
		switch {
		case len(queue) > 0:
		case end:
			return
		default:
			<-p.wake
		}
	}
}

// detach gives up whatever context the painter's thread holds: a window whose context is current elsewhere cannot be
// destroyed, nor can another thread take it.
func detach() { glfw.DetachCurrentContext() }

// easel is what all panels are painted with: one hidden window's context, and Gio's programs in it, which are readied once
// for all of them. It belongs to the painter's thread.
type easel struct {
	win   *glfw.Window
	gpu   gpu.GPU
	page  *page
	users int
	tried bool // Gio's programs have run
}

// join readies the tools for one more panel; leave undoes it.
func (e *easel) join() error {
	if e.gpu == nil {
		e.win.MakeContextCurrent()
		page, err := newPage()
		if err != nil {
			return err
		}
		g, err := gpu.New(gpu.OpenGL{Shared: true})
		if err != nil {
			page.release()
			return fmt.Errorf("start Gio: %w", err)
		}
		e.gpu, e.page = g, page
	}
	e.users++
	return nil
}

// leave gives a panel's picture back, and the tools with the last one.
func (e *easel) leave(p *picture) {
	e.win.MakeContextCurrent()
	p.release()
	if e.users--; e.users == 0 {
		e.gpu.Release()
		e.page.release()
		e.gpu, e.page, e.tried = nil, nil, false
	}
}

// draw paints what ops say into the picture.
func (e *easel) draw(ops *op.Ops, size image.Point, to *picture) error {
	e.win.MakeContextCurrent()
	target := e.page.fit(size)
	e.gpu.Clear(color.NRGBA{})
	if err := e.gpu.Frame(ops, target, size); err != nil {
		return err
	}
	to.fit(size, e.page.format)
	e.page.write(to)
	e.tried = true
	return nil
}

func (d *x11) rehearse(sample func(gtx layout.Context)) {
	if d.painter == nil {
		return
	}
	ops, size := new(op.Ops), image.Pt(200, 120)
	sample(layout.Context{Ops: ops, Metric: unit.Metric{PxPerDp: 1, PxPerSp: 1}, Constraints: layout.Exact(size)})
	d.painter.do(func(e *easel) {
		if e.gpu == nil || e.tried {
			return
		}
		var scratch picture
		if err := e.try(ops, size, &scratch); err != nil {
			d.log.Debug("rehearse panels", "error", err) // the first frame will tell
		}
		scratch.release()
	})
}

func (e *easel) try(ops *op.Ops, size image.Point, to *picture) (err error) {
	defer Recovered("draw", &err)
	return e.draw(ops, size, to)
}

// readyPainter makes the thread of the panels, once.
func (d *x11) readyPainter() (err error) {
	defer Recovered("open GL context", &err)
	if d.painter != nil {
		return nil
	}
	hint()
	w, err := glfw.CreateWindow(16, 16, "yui", nil, d.root)
	if err != nil {
		return fmt.Errorf("open an OpenGL ES 3.0 context for panels: %w", err)
	}
	d.easel, d.painter = w, newPainter(w)
	return nil
}

func (p *xpane) paint(ops *op.Ops, size image.Point, done func(error)) {
	p.d.painter.do(func(e *easel) {
		err := p.painted(e, ops, size)
		p.d.post(func() {
			if ops == nil && p.shown {
				p.d.side.background(p.id, false)
			}
			done(err)
		})
	})
}

// painted runs on the painter's thread, where the window's context stays.
func (p *xpane) painted(e *easel, ops *op.Ops, size image.Point) (err error) {
	defer Recovered("draw", &err)
	if ops != nil {
		if err := p.enlist(e); err != nil {
			return err
		}
		if err := e.draw(ops, size, &p.drawn); err != nil {
			return err
		}
	}
	if p.counts {
		p.win.MakeContextCurrent()
		p.drawn.show()
		p.win.SwapBuffers()
	}
	return nil
}

// enlist readies the painter's tools for this pane, once. On the painter's thread.
func (p *xpane) enlist(e *easel) (err error) {
	defer Recovered("ready painter", &err)
	if p.counts {
		return nil
	}
	if err := e.join(); err != nil {
		return err
	}
	p.counts = true
	p.win.MakeContextCurrent()
	glfw.SwapInterval(0)
	return nil
}

// release gives the picture's memory back, and the painter's tools with the last of the panels.
func (p *xpane) release() {
	p.d.painter.wait(func(e *easel) {
		if p.counts {
			p.counts = false
			e.leave(&p.drawn)
		}
		detach()
	})
}
