package ui

import (
	"image"
	"sync"
	"testing"
	"time"

	"yui/overlay/window"
)

// fonts are read once for all tests.
var fonts = sync.OnceValue(NewTheme)

// desk is a screen in memory with bubbles on it.
type desk struct {
	t *testing.T
	*window.Screen
	loop  *window.Loop
	talks *Talks
	work  image.Rectangle
}

func newDesk(t *testing.T) *desk {
	loop, screen := window.NewHeadless(window.Headless{})
	t.Cleanup(loop.Close)
	return &desk{t: t, Screen: screen, loop: loop, talks: NewTalks(loop), work: image.Rect(0, 0, 1280, 800)}
}

// talk is the bubble of a pet that stands at x.
func (d *desk) talk(name string, x int) *Talk {
	d.t.Helper()
	talk, err := d.talks.New(name, fonts(), 1)
	if err != nil {
		d.t.Fatal(err)
	}
	talk.OnSay, talk.OnStop = func(string) {}, func() {}
	talk.Anchor(image.Rect(x-60, 500, x+60, 600), image.Rect(x-80, 500, x+80, 780), d.work)
	return talk
}

// long is more than any question, bubble or fade lasts that a test waits for.
const long = 2 * time.Hour
