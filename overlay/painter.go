package overlay

import (
	"runtime"
	"sync"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// painter is a thread of its own on which panels are painted. A software driver compiles each of Gio's programs when it is
// first used, which takes longer than a frame of the pets may: they go on moving on the main thread meanwhile.
type painter struct {
	mu    sync.Mutex
	queue []func()
	wake  chan struct{}
	ended chan struct{}
	end   bool
}

func newPainter() *painter {
	p := &painter{wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go p.run()
	return p
}

// do runs f on the painter's thread after what was asked before. Safe from any goroutine.
func (p *painter) do(f func()) {
	p.mu.Lock()
	p.queue = append(p.queue, f)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// wait runs f on the painter's thread and waits for it.
func (p *painter) wait(f func()) {
	done := make(chan struct{})
	p.do(func() { defer close(done); f() })
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

func (p *painter) run() {
	runtime.LockOSThread() // a context belongs to a thread; it ends with the goroutine
	defer close(p.ended)
	for {
		p.mu.Lock()
		queue, end := p.queue, p.end
		p.queue = nil
		p.mu.Unlock()
		for _, f := range queue {
			f()
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
