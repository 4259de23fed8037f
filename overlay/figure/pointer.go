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

// dragSlack is how far the pointer may move in a click, in logical pixels.
const dragSlack = 5

// hear takes an event of her window.
func (p *Pet) hear(e window.Event) {
	switch e := e.(type) {
	case window.Press:
		p.button(e)
	case window.Move:
		p.hover, p.hoverFrom = image.Pt(int(e.X), int(e.Y)), p.surf.At().Min
		p.moved()
	case window.Cross:
		p.over = e.In
		if e.In {
			p.loop.After(hoverRest, p.hovered)
		}
	case window.Exposed:
		p.stale = true
	case window.Drop:
		if p.OnDrop != nil {
			p.OnDrop(e.Paths)
		}
	}
}

func (p *Pet) button(e window.Press) {
	at := p.told() // asked for, the pointer would be where a quick hand is by now: it would seem not to have moved
	switch {
	case e.Button == window.Left && e.Down:
		p.press = pressed{down: true, at: at}
		region := p.regionAt(at)
		if p.body.State(p.loop.Now()).Posture == body.Lying {
			region = body.Elsewhere // asleep she is woken, not felt
		}
		p.touch.Press(region, p.loop.Now())
	case e.Button == window.Left:
		p.letGo(p.loop.Now())
	case e.Button == window.Right && e.Down && p.OnMenu != nil:
		p.OnMenu(at)
	}
}

// moved makes a drag of a press that moves far enough, and goes on with one.
func (p *Pet) moved() {
	if p.press.dragging {
		p.dragOn(p.loop.Now())
	}
	if !p.press.down || p.press.dragging {
		return
	}
	at, held := p.loop.PointerNow()
	lastAt := p.loop.Now()
	if !held {
		at, lastAt = p.told(), time.Time{}
	}
	d := at.Sub(p.press.at)
	slack := int(dragSlack * p.opt.Scale)
	if d.X*d.X+d.Y*d.Y > slack*slack {
		if p.touch.Patting() && p.regionAt(at) == body.Head {
			return // strokes over her head are no drag
		}
		p.press.dragging = true
		p.touch.Drag()
		p.press.last, p.press.lastAt = at, lastAt
		p.body.DragStart(pt(p.press.at), p.loop.Now())
		p.dragTo(at, p.loop.Now())
	}
}

// hoverRest is how long the pointer is over her before it counts as coming to her: less than a hand takes to click.
const hoverRest = 120 * time.Millisecond

func (p *Pet) hovered() {
	if p.over && p.Visible() && p.OnHover != nil {
		p.OnHover()
	}
}

func pt(p image.Point) body.Point { return body.Point{X: float64(p.X), Y: float64(p.Y)} }

// cursor asks where the pointer is. Events tell it relative to a window that moves under it, so a drag would feed its
// own motion back.
func (p *Pet) cursor() image.Point {
	at, _ := p.loop.PointerNow()
	return at
}

// told is where the pointer was by the last event, of the root window: what holds for a press, and where a press and its
// release were both over before we came to hear of them.
func (p *Pet) told() image.Point { return p.hoverFrom.Add(p.hover) }

// dragOn follows the pointer while the button is held. What it does afterwards is no part of the drag.
func (p *Pet) dragOn(now time.Time) {
	if at, held := p.loop.PointerNow(); held {
		p.press.last, p.press.lastAt = at, now
		p.dragTo(at, now)
	}
}

// Held reports whether a button is down on her. Main thread.
func (p *Pet) Held() bool { return p.press.down }

// dragLost lets go where a release was never told.
func (p *Pet) dragLost(now time.Time) {
	if _, held := p.loop.PointerNow(); !held {
		p.letGo(now)
	}
}

// releaseReach is how far from the last place with the button held the release may have been, in logical pixels: a hand
// that is faster than that is already on its way to something else. Where nobody looked for longer than releaseStale,
// the pointer is the better guess.
const (
	releaseReach = 90
	releaseStale = 100 * time.Millisecond
)

func (p *Pet) dragTo(at image.Point, now time.Time) { p.body.DragMove(pt(at), now) }

func (p *Pet) letGo(now time.Time) {
	was := p.press
	p.press = pressed{}
	switch {
	case was.dragging:
		at := p.cursor() // the last motion may have been a frame ago
		d, reach := at.Sub(was.last), int(releaseReach*p.opt.Scale)
		if now.Sub(was.lastAt) < releaseStale && d.X*d.X+d.Y*d.Y > reach*reach {
			at = was.last
		}
		p.dragTo(at, now)
		p.body.DragEnd(now)
	case was.down:
		deed := p.touch.Release(p.player.Current(), now)
		p.touched()
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
func (p *Pet) touched() {
	for _, e := range p.touch.Events() {
		switch e.Name {
		case body.EventPatStart:
			p.player.State(clips.HeadPat)
			p.player.Emotion(e.Data["emotion"], 1)
		case body.EventPatEnd:
			p.player.State(p.state)
			p.Neutral()
		case body.EventTouch:
			p.Express(e.Data["emotion"], clips.ID(e.Data["motion"]))
		}
		if p.OnBody != nil {
			p.OnBody(e)
		}
	}
}
