package figure

import (
	"image"
	"time"

	"yui/avatar/body"
	"yui/avatar/clips"
	"yui/overlay/window"
)

// pressed is a mouse button held on the pet: a click, until it moves far enough to be a drag.
type pressed struct {
	down, dragging bool
	at             image.Point // of the root window
	last           image.Point // where the button was last seen held, and when
	lastAt         time.Time
}

// hand is the pointer on a pet.
type hand struct {
	pet   *Pet
	press pressed
	touch *body.Touch
	over  bool        // the pointer is over her
	at    image.Point // the pointer by its last event, from the window's corner
	from  image.Point // that corner
}

// step follows what is held, and feels what is touched.
func (h *hand) step(now time.Time) {
	if h.press.dragging {
		h.dragOn(now)
		h.dragLost(now)
	}
	h.touch.Step(h.pet.player.Current(), now)
	h.touched()
}

// dragSlack is how far the pointer may move in a click, in logical pixels.
const dragSlack = 5

// hear takes an event of her window.
func (h *hand) hear(e window.Event) {
	p := h.pet
	switch e := e.(type) {
	case window.Press:
		h.button(e)
	case window.Move:
		h.at, h.from = image.Pt(int(e.X), int(e.Y)), p.surf.At().Min
		h.moved()
	case window.Cross:
		h.over = e.In
		if e.In {
			p.loop.After(hoverRest, h.hovered)
		}
	case window.Exposed:
		p.art.stale = true
	case window.Drop:
		if p.OnDrop != nil {
			p.OnDrop(e.Paths)
		}
	}
}

func (h *hand) button(e window.Press) {
	p := h.pet
	at := h.told() // asked for, the pointer would be where a quick hand is by now: it would seem not to have moved
	switch {
	case e.Button == window.Left && e.Down:
		h.press = pressed{down: true, at: at}
		region := h.regionAt(at)
		if p.body.State(p.loop.Now()).Posture == body.Lying {
			region = body.Elsewhere // asleep she is woken, not felt
		}
		h.touch.Press(region, p.loop.Now())
	case e.Button == window.Left:
		h.letGo(p.loop.Now())
	case e.Button == window.Right && e.Down && p.OnMenu != nil:
		p.OnMenu(at)
	}
}

// moved makes a drag of a press that moves far enough, and goes on with one.
func (h *hand) moved() {
	p := h.pet
	if h.press.dragging {
		h.dragOn(p.loop.Now())
	}
	if !h.press.down || h.press.dragging {
		return
	}
	at, held := p.loop.PointerNow()
	lastAt := p.loop.Now()
	if !held {
		at, lastAt = h.told(), time.Time{}
	}
	d := at.Sub(h.press.at)
	slack := int(dragSlack * p.opt.Scale)
	if d.X*d.X+d.Y*d.Y > slack*slack {
		if h.touch.Patting() && h.regionAt(at) == body.Head {
			return // strokes over her head are no drag
		}
		h.press.dragging = true
		h.touch.Drag()
		h.press.last, h.press.lastAt = at, lastAt
		p.body.DragStart(pt(h.press.at), p.loop.Now())
		h.dragTo(at, p.loop.Now())
	}
}

// hoverRest is how long the pointer is over her before it counts as coming to her: less than a hand takes to click.
const hoverRest = 120 * time.Millisecond

func (h *hand) hovered() {
	p := h.pet
	if h.over && p.Visible() && p.OnHover != nil {
		p.OnHover()
	}
}

func pt(p image.Point) body.Point { return body.Point{X: float64(p.X), Y: float64(p.Y)} }

// cursor asks where the pointer is. Events tell it relative to a window that moves under it, so a drag would feed its
// own motion back.
func (h *hand) cursor() image.Point {
	p := h.pet
	at, _ := p.loop.PointerNow()
	return at
}

// told is where the pointer was by the last event, of the root window: what holds for a press, and where a press and its
// release were both over before we came to hear of them.
func (h *hand) told() image.Point { return h.from.Add(h.at) }

// dragOn follows the pointer while the button is held. What it does afterwards is no part of the drag.
func (h *hand) dragOn(now time.Time) {
	p := h.pet
	if at, held := p.loop.PointerNow(); held {
		h.press.last, h.press.lastAt = at, now
		h.dragTo(at, now)
	}
}

// Held reports whether a button is down on her. Main thread.
func (p *Pet) Held() bool { return p.hand.press.down }

// dragLost lets go where a release was never told.
func (h *hand) dragLost(now time.Time) {
	p := h.pet
	if _, held := p.loop.PointerNow(); !held {
		h.letGo(now)
	}
}

// releaseReach is how far from the last place with the button held the release may have been, in logical pixels: a hand
// that is faster than that is already on its way to something else. Where nobody looked for longer than releaseStale,
// the pointer is the better guess.
const (
	releaseReach = 90
	releaseStale = 100 * time.Millisecond
)

func (h *hand) dragTo(at image.Point, now time.Time) { h.pet.body.DragMove(pt(at), now) }

func (h *hand) letGo(now time.Time) {
	p := h.pet
	was := h.press
	h.press = pressed{}
	switch {
	case was.dragging:
		at := h.cursor() // the last motion may have been a frame ago
		d, reach := at.Sub(was.last), int(releaseReach*p.opt.Scale)
		if now.Sub(was.lastAt) < releaseStale && d.X*d.X+d.Y*d.Y > reach*reach {
			at = was.last
		}
		h.dragTo(at, now)
		p.body.DragEnd(now)
	case was.down:
		deed := h.touch.Release(p.player.Current(), now)
		h.touched()
		if p.body.Click(now) || p.OnClick == nil {
			return // it woke her
		}
		// A tap on the body is felt, and opens the talk like any other; only a pat and boredom do not.
		if deed == body.Clicked || deed == body.Touched {
			p.OnClick()
		}
	}
}

// touched lets her react by herself to what was felt, and tells it on.
func (h *hand) touched() {
	p := h.pet
	for _, e := range h.touch.Events() {
		switch e.Name {
		case body.EventPatStart:
			p.player.State(clips.HeadPat)
			p.player.Emotion(e.Data["emotion"], 1)
		case body.EventPatEnd:
			p.player.State(p.mood.state)
			p.Neutral()
		case body.EventTouch:
			p.Express(e.Data["emotion"], clips.ID(e.Data["motion"]))
		}
		if p.OnBody != nil {
			p.OnBody(e)
		}
	}
}
