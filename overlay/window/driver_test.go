//go:build !windows && !darwin

package window

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// hands are a person's before a screen: those of memory, or of a private X11 desktop.
type hands interface {
	Do(f func())
	MoveTo(at image.Point)
	Press(b Button)
	Release(b Button)
	Type(text string)
	// color is what is seen at a point.
	color(at image.Point) color.RGBA
}

type memoryHands struct{ *Screen }

func (h memoryHands) color(at image.Point) color.RGBA {
	return h.Image(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))}).RGBAAt(at.X, at.Y)
}

type xHands struct {
	t    *testing.T
	desk *desktoptest.Desktop
	loop *Loop
}

func (h xHands) Do(f func()) {
	ctx, end := context.WithTimeout(context.Background(), 10*time.Second)
	defer end()
	if err := h.loop.Call(ctx, f); err != nil {
		h.t.Error(err)
	}
}

func (h xHands) tool(args ...string) {
	if _, err := h.desk.Run(append([]string{"xdotool"}, args...)...); err != nil {
		h.t.Error(err)
	}
}

func (h xHands) MoveTo(at image.Point) { h.tool("mousemove", strconv.Itoa(at.X), strconv.Itoa(at.Y)) }
func (h xHands) Press(b Button)        { h.tool("mousedown", strconv.Itoa(int(b)*2+1)) }
func (h xHands) Release(b Button)      { h.tool("mouseup", strconv.Itoa(int(b)*2+1)) }
func (h xHands) Type(text string)      { h.tool("type", text) }

func (h xHands) color(at image.Point) color.RGBA {
	img, err := h.desk.Screenshot()
	if err != nil {
		h.t.Error(err)
		return color.RGBA{}
	}
	return color.RGBAModel.Convert(img.At(at.X, at.Y)).(color.RGBA)
}

// ear is what a surface has heard.
type ear struct {
	mu   sync.Mutex
	list []Event
}

func (e *ear) hear(v Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, v)
}

// has reports whether something was heard since the last clear.
func (e *ear) has(is func(Event) bool) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(e.list, is)
}

func (e *ear) clear() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = nil
}

// drivers is what every driver owes: the screen of memory behaves as a real one does.
func drivers(t *testing.T, l *Loop, h hands) {
	var s *Surface
	var e ear
	wait := func(what string, is func() bool) {
		t.Helper()
		desktoptest.WaitFor(t, 20*time.Second, what, is)
	}
	heard := func(what string, is func(Event) bool) {
		t.Helper()
		wait(what, func() bool { return e.has(is) })
	}
	pressed := func(v Event) bool { p, is := v.(Press); return is && p.Down }
	at := image.Rect(300, 200, 500, 300)
	orange := color.RGBA{0xff, 0x80, 0x20, 0xff}
	picture := image.NewRGBA(image.Rectangle{Max: at.Size()})
	draw.Draw(picture, image.Rect(0, 0, 100, 100), image.NewUniform(orange), image.Point{}, draw.Src)
	h.Do(func() {
		var err error
		if s, err = l.NewSurface(Talking, "contract", at.Size()); err != nil {
			t.Error(err)
			return
		}
		s.Listen(e.hear)
		s.SetOutline([]image.Rectangle{image.Rect(0, 0, 100, 100)})
		s.Show(at)
		s.Present(picture)
	})
	if s == nil {
		return
	}
	wait("the pixels to be seen", func() bool {
		h.Do(func() { s.Present(picture) }) // what was drawn before a window is there may be lost
		return h.color(at.Min.Add(image.Pt(50, 50))) == orange
	})
	if h.color(at.Min.Add(image.Pt(150, 50))) == orange || h.color(at.Min.Add(image.Pt(150, 50))) == (color.RGBA{A: 255}) {
		t.Error("empty pixels do not show what is behind")
	}

	inside, beside := at.Min.Add(image.Pt(40, 30)), at.Min.Add(image.Pt(150, 30))
	h.MoveTo(inside)
	heard("the pointer to come", func(v Event) bool { c, is := v.(Cross); return is && c.In })
	h.Do(func() {
		if at, held := l.PointerNow(); at != inside || held {
			t.Errorf("the pointer is at %v, held %v", at, held)
		}
	})
	h.Press(Right)
	heard("a press", func(v Event) bool { return v == Press{Right, true} })
	h.Release(Right)
	heard("its release", func(v Event) bool { return v == Press{Right, false} })

	h.MoveTo(beside) // in the window, but not in its outline
	heard("the pointer to go", func(v Event) bool { c, is := v.(Cross); return is && !c.In })
	e.clear()
	h.Press(Left)
	h.Release(Left)
	h.Do(func() { s.Place(at.Add(image.Pt(100, 0))) })
	heard("the pointer to be there once the window has come under it", func(v Event) bool { c, is := v.(Cross); return is && c.In })
	if e.has(pressed) {
		t.Error("a click beside the outline is heard")
	}
	h.MoveTo(inside.Add(image.Pt(120, 0)))
	heard("a move by the window's own corner", func(v Event) bool { return v == Move{60, 30} })

	h.Do(s.Focus)
	heard("the keyboard", func(v Event) bool { return v == Focus{true} })
	h.Type("a")
	heard("a letter", func(v Event) bool { return v == Typed{'a'} })

	wait("it to be seen where it went", func() bool { return h.color(at.Min.Add(image.Pt(150, 50))) == orange })
	h.Do(s.Hide)
	wait("it to be gone", func() bool { return h.color(at.Min.Add(image.Pt(150, 50))) != orange })
	e.clear()
	h.Press(Left)
	h.Release(Left)
	h.Do(func() {})
	if e.has(pressed) || s.Shown() {
		t.Error("a hidden window is clicked")
	}
	h.Do(s.Destroy)
}

func TestDriverOfMemory(t *testing.T) {
	l, screen := NewHeadless(Headless{})
	drivers(t, l, memoryHands{screen})
}

func TestDriverOfX11(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{WM: "openbox", Compositor: true, Wallpaper: "#40607a"})
	desk.Setenv(t)
	ctx, end := context.WithCancel(context.Background())
	ready, done := make(chan *Loop, 1), make(chan struct{})
	onMain <- func() {
		defer close(done)
		l, err := NewLoop(slog.New(slog.DiscardHandler))
		if err != nil {
			t.Error(err)
		}
		ready <- l
		if l != nil {
			defer l.Close()
			_ = l.Run(ctx)
		}
	}
	if l := <-ready; l != nil {
		drivers(t, l, xHands{t, desk, l})
	}
	end()
	<-done
}
