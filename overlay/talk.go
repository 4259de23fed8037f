package overlay

import (
	"image"
	"image/color"
	"math"
	"strings"
	"time"

	"gioui.org/f32"
	"gioui.org/io/key"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/unit"
	"gioui.org/widget"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// Sizes of the talk window in logical pixels.
const (
	talkWidth    = 372
	talkHeight   = 420
	bubbleWidth  = 320
	bubbleHeight = 236 // a longer reply scrolls
	inputWidth   = 320
	talkMargin   = 14 // room for the shadow
	talkGap      = 10
	appear       = 180 * time.Millisecond
	talkLimit    = 16000 // characters in the input
)

// TalkWords are the talk window's own words in the person's language.
type TalkWords struct{ Hint, Stop string }

// Talk is the bubble and the input of one pet. Main thread only.
type Talk struct {
	*panel
	look  *Look
	name  string
	words TalkWords

	// OnSay gets what the person sent, OnStop the stop button.
	OnSay  func(text string)
	OnStop func()
	// OnInput tells that the input opened or closed, OnGone that nothing of the window is seen any more.
	OnInput func(open bool)
	OnGone  func()

	editor widget.Editor
	list   widget.List
	sel    widget.Selectable
	send   widget.Clickable
	stop   widget.Clickable

	links      []Link
	linkClicks []widget.Clickable
	ask        *question
	allow      widget.Clickable
	deny       widget.Clickable
	text       string
	status     string
	failed     bool
	running    bool
	open       bool
	born       time.Time // of what is shown, for the fade
	until      time.Time // when the bubble goes, zero for never
	head       image.Rectangle
	figure     image.Rectangle
	work       image.Rectangle
	side       Side
	hovered    bool
}

// NewTalk makes a hidden talk window. scale is the monitor's content scale.
func (l *Loop) NewTalk(name string, look *Look, words TalkWords, scale float32) (*Talk, error) {
	p, err := l.newPanel(Talking, name, image.Pt(int(talkWidth*scale), int(talkHeight*scale)), scale)
	if err != nil {
		return nil, err
	}
	t := &Talk{panel: p, look: look, name: name, words: words}
	t.editor.Submit = true
	t.editor.MaxLen = talkLimit
	t.list.Axis = layout.Vertical
	t.list.ScrollToEnd = true
	p.layout = t.layOut
	p.onKey = t.key
	p.win.SetCursorEnterCallback(func(_ *glfw.Window, in bool) { t.hover(in) })
	l.Add(t)
	return t, nil
}

// Close ends the window.
func (t *Talk) Close() {
	t.loop.Remove(t)
	t.panel.close()
}

// Anchor tells where the pet's head and her whole figure are and the work area to keep inside, in pixels of the root
// window.
func (t *Talk) Anchor(head, figure, work image.Rectangle) {
	if head != t.head || figure != t.figure || work != t.work {
		t.head, t.figure, t.work = head, figure, work
		t.invalidate()
	}
}

// OpenInput opens the input and gives it the keyboard.
func (t *Talk) OpenInput() {
	if !t.open {
		t.open = true
		t.began()
		if t.OnInput != nil {
			t.OnInput(true)
		}
	}
	t.appear()
	t.focus()
	t.queue(key.FocusEvent{Focus: true})
}

// CloseInput closes the input; a bubble stays until its time.
func (t *Talk) CloseInput() {
	if t.open {
		t.open = false
		t.stay(3 * time.Second)
		if t.OnInput != nil {
			t.OnInput(false)
		}
		t.settleVisibility()
	}
}

// Begin empties the bubble for a new reply and shows that it is awaited.
func (t *Talk) Begin() {
	t.text, t.status, t.failed, t.running, t.until = "", "", false, true, time.Time{}
	t.links = nil
	t.began()
	t.appear()
}

// SetText shows what has been said so far.
func (t *Talk) SetText(s string) {
	if s != t.text {
		t.text, t.failed = s, false
		t.invalidate()
	}
}

// SetStatus shows what the pet is doing in a pill above the words, "" for nothing.
func (t *Talk) SetStatus(s string) {
	if s != t.status {
		t.status = s
		t.invalidate()
	}
}

// Link is a line below the words that opens something.
type Link struct {
	Text string
	Open func()
}

// linkLimit is how many links a bubble holds.
const linkLimit = 5

// SetLinks shows links below the words, until the next reply begins.
func (t *Talk) SetLinks(links []Link) {
	t.links = links[:min(len(links), linkLimit)]
	t.linkClicks = make([]widget.Clickable, len(t.links))
	t.invalidate()
}

// Fail shows why there is no reply, in plain words.
func (t *Talk) Fail(why string) {
	t.text, t.failed, t.running, t.status = why, true, false, ""
	t.until = time.Now().Add(20 * time.Second)
	t.appear()
}

// Quiet ends a reply that said nothing: the bubble goes at once.
func (t *Talk) Quiet() {
	t.text, t.status, t.running, t.until = "", "", false, time.Time{}
	t.settleVisibility()
}

// End tells that the reply is whole; the bubble goes after linger, unless the pointer is on it.
func (t *Talk) End(linger time.Duration) {
	t.running, t.status = false, ""
	t.until = time.Now().Add(linger)
	t.invalidate()
}

// question is something that the person must allow or deny.
type question struct {
	text, allow, deny string
	answer            func(allowed bool)
	until             time.Time
}

// Ask shows a question with two buttons. answer is called once, on the main thread: with false where nobody answers in
// time, or where another question takes its place. The content is shown as it is, as plain text.
func (t *Talk) Ask(text, allow, deny string, wait time.Duration, answer func(allowed bool)) {
	t.settleAsk(false)
	t.ask = &question{text, allow, deny, answer, time.Now().Add(wait)}
	t.began()
	t.appear()
}

// EndAsk takes a question back unanswered.
func (t *Talk) EndAsk() { t.settleAsk(false) }

// Asking tells whether a question waits.
func (t *Talk) Asking() bool { return t.ask != nil }

func (t *Talk) settleAsk(allowed bool) {
	q := t.ask
	if q == nil {
		return
	}
	t.ask = nil
	t.settleVisibility()
	q.answer(allowed)
}

// Text, Status and InputOpen are what `yui state` tells.
func (t *Talk) Text() string    { return t.text }
func (t *Talk) Status() string  { return t.status }
func (t *Talk) InputOpen() bool { return t.open }

// Shown tells whether anything of it is seen.
func (t *Talk) Shown() bool { return t.shown }

// Rect is where the window is on the desktop, empty while hidden.
func (t *Talk) Rect() image.Rectangle {
	if !t.shown {
		return image.Rectangle{}
	}
	return t.at
}

func (t *Talk) began() { t.born = time.Now() }

func (t *Talk) hasBubble() bool { return t.ask != nil || t.text != "" || t.running || t.status != "" }

func (t *Talk) appear() {
	t.invalidate()
	if !t.shown && !t.head.Empty() {
		t.settle() // finds the place before the window is seen
		t.show(t.at)
	}
}

func (t *Talk) settleVisibility() {
	t.invalidate()
	if !t.open && !t.hasBubble() && t.shown {
		t.hide()
		t.release() // a closed talk costs nothing
		if t.OnGone != nil {
			t.OnGone()
		}
	}
}

// hover keeps what is being read, and a little longer.
func (t *Talk) hover(in bool) {
	t.hovered = in
	if !in {
		t.leave()
		t.stay(2 * time.Second)
	}
}

// stay puts off the bubble's end to at least d from now.
func (t *Talk) stay(d time.Duration) {
	if at := time.Now().Add(d); !t.until.IsZero() && t.until.Before(at) {
		t.until = at
	}
}

// held tells whether the bubble must not go yet: it is being read, or answered.
func (t *Talk) held() bool { return t.until.IsZero() || t.hovered || t.open }

// Next implements Ticker.
func (t *Talk) Next(now time.Time) (time.Time, bool) {
	at, ok := t.panel.Next(now)
	if t.ask != nil && (!ok || t.ask.until.Before(at)) {
		at, ok = t.ask.until, true
	}
	if t.shown && !t.held() && (!ok || t.until.Before(at)) {
		at, ok = t.until, true
	}
	return at, ok
}

// Tick implements Ticker.
func (t *Talk) Tick(now time.Time) {
	if t.ask != nil && !now.Before(t.ask.until) {
		t.settleAsk(false)
	}
	if !t.held() && !now.Before(t.until) {
		t.text, t.status, t.failed, t.until = "", "", false, time.Time{}
		t.settleVisibility()
	}
	if t.shown {
		t.panel.Tick(now)
	}
}

func (t *Talk) key(e key.Event) bool {
	if e.Name == key.NameEscape && e.State == key.Press {
		t.CloseInput()
		return true
	}
	return false
}

func (t *Talk) events(gtx layout.Context) {
	for {
		ev, ok := t.editor.Update(gtx)
		if !ok {
			break
		}
		if s, ok := ev.(widget.SubmitEvent); ok {
			t.submit(s.Text)
		}
	}
	if t.send.Clicked(gtx) {
		if t.running && strings.TrimSpace(t.editor.Text()) == "" {
			t.OnStop()
		} else {
			t.submit(t.editor.Text())
		}
	}
	if t.stop.Clicked(gtx) {
		t.OnStop()
	}
	for i := range t.links {
		if t.linkClicks[i].Clicked(gtx) {
			t.links[i].Open()
		}
	}
	if t.ask != nil {
		if t.allow.Clicked(gtx) {
			t.settleAsk(true)
		} else if t.deny.Clicked(gtx) {
			t.settleAsk(false)
		}
	}
}

func (t *Talk) submit(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	t.editor.SetText("")
	t.OnSay(text)
}

// part is something laid out and measured, to be drawn where it turns out to belong.
type part struct {
	call op.CallOp
	size image.Point
}

func (t *Talk) record(gtx layout.Context, w layout.Widget) part {
	m := op.Record(gtx.Ops)
	gtx.Constraints.Min = image.Point{}
	d := w(gtx)
	return part{m.Stop(), d.Size}
}

func (t *Talk) layOut(gtx layout.Context) []image.Rectangle {
	t.events(gtx)
	var inside, field part
	pad := image.Pt(gtx.Dp(16), gtx.Dp(12))
	whole := image.Point{}
	if t.hasBubble() {
		b := gtx
		b.Constraints.Max = image.Pt(gtx.Dp(bubbleWidth)-2*pad.X, gtx.Dp(bubbleHeight))
		inside = t.record(b, t.contents)
		whole = inside.size.Add(pad.Mul(2))
		whole.X = max(whole.X, gtx.Dp(88))
		whole.Y = max(whole.Y, gtx.Dp(44))
	}
	bubble := whole
	if t.open {
		f := gtx
		f.Constraints = layout.Exact(image.Pt(gtx.Dp(inputWidth), 0))
		f.Constraints.Max.Y = gtx.Dp(110)
		field = t.record(f, t.input)
		if whole.Y > 0 {
			whole.Y += gtx.Dp(talkGap)
		}
		whole.Y += field.size.Y
		whole.X = max(whole.X, field.size.X)
	}
	if whole == (image.Point{}) {
		return []image.Rectangle{}
	}
	at := t.placeContent(gtx, whole)
	opacity := t.opacity(gtx)
	defer paint.PushOpacity(gtx.Ops, opacity).Pop()
	var rects []image.Rectangle
	if bubble.Y > 0 {
		r := image.Rectangle{Min: at, Max: at.Add(bubble)}
		if t.side == Left {
			r = r.Add(image.Pt(whole.X-bubble.X, 0))
		} else if t.side == Above || t.side == Below {
			r = r.Add(image.Pt((whole.X-bubble.X)/2, 0))
		}
		t.drawBubble(gtx, r, inside, pad)
		rects = append(rects, rounded(r, gtx.Dp(16))...)
	}
	if t.open {
		o := at.Add(image.Pt(0, whole.Y-field.size.Y))
		stack := op.Offset(o).Push(gtx.Ops)
		field.call.Add(gtx.Ops)
		stack.Pop()
		rects = append(rects, rounded(image.Rectangle{Min: o, Max: o.Add(field.size)}, t.fieldRadius(gtx, field.size.Y))...)
	}
	return rects
}

// placeContent chooses the side, moves the window, and returns where in the window the content begins.
func (t *Talk) placeContent(gtx layout.Context, size image.Point) image.Point {
	gap, margin := gtx.Dp(talkGap), gtx.Dp(talkMargin)
	beside := t.figure.Union(t.head)
	t.side = chooseSide(beside, t.work, size, gap+gtx.Dp(8))
	mid := image.Pt((t.head.Min.X+t.head.Max.X)/2, (t.head.Min.Y+t.head.Max.Y)/2)
	var p image.Point
	switch t.side {
	case Above:
		p = image.Pt(mid.X-size.X/2, t.head.Min.Y-gap-size.Y)
	case Below:
		p = image.Pt(mid.X-size.X/2, beside.Max.Y+gap)
	case Right:
		p = image.Pt(beside.Max.X+gap, t.head.Min.Y+t.head.Dy()/6)
	case Left:
		p = image.Pt(beside.Min.X-gap-size.X, t.head.Min.Y+t.head.Dy()/6)
	}
	p = keepInside(image.Rectangle{Min: p, Max: p.Add(size)}, t.work.Inset(margin/2)).Min
	win := t.at.Size()
	w := image.Rectangle{Min: p.Sub(image.Pt(margin, margin)), Max: p.Sub(image.Pt(margin, margin)).Add(win)}
	if t.side == Above { // grow upwards: the end nearest to the pet stays where it is
		w = w.Add(image.Pt(0, size.Y+2*margin-win.Y))
	}
	w = keepInside(w, t.work) // window managers push what sticks out
	t.place(w)
	return p.Sub(w.Min)
}

// chooseSide takes the first side with room: above, right, left, below; else the roomier of right and left.
func chooseSide(head, work image.Rectangle, size image.Point, gap int) Side {
	switch {
	case head.Min.Y-work.Min.Y >= size.Y+gap:
		return Above
	case work.Max.X-head.Max.X >= size.X+gap:
		return Right
	case head.Min.X-work.Min.X >= size.X+gap:
		return Left
	case work.Max.Y-head.Max.Y >= size.Y+gap:
		return Below
	case work.Max.X-head.Max.X >= head.Min.X-work.Min.X:
		return Right
	}
	return Left
}

// keepInside moves r the least way into area; where r is larger it starts with the area.
func keepInside(r, area image.Rectangle) image.Rectangle {
	r = r.Sub(image.Pt(max(0, r.Max.X-area.Max.X), max(0, r.Max.Y-area.Max.Y)))
	return r.Add(image.Pt(max(0, area.Min.X-r.Min.X), max(0, area.Min.Y-r.Min.Y)))
}

func (t *Talk) opacity(gtx layout.Context) float32 {
	if !t.look.Motion || !t.composited {
		return 1
	}
	x := float64(gtx.Now.Sub(t.born)) / float64(appear)
	if x >= 1 {
		return 1
	}
	gtx.Execute(op.InvalidateCmd{})
	return float32(0.15 + 0.85*(1-math.Pow(1-max(0, x), 3)))
}

func (t *Talk) drawBubble(gtx layout.Context, r image.Rectangle, inside part, pad image.Point) {
	mid := image.Pt((t.head.Min.X+t.head.Max.X)/2, (t.head.Min.Y+t.head.Max.Y)/2).Sub(t.at.Min)
	tip := f32.Pt(float32(mid.X), float32(mid.Y))
	reach := float32(gtx.Dp(9))
	switch t.side {
	case Above:
		tip.Y = float32(r.Max.Y) + reach
		if t.open {
			tip.Y = float32(r.Max.Y) + reach*0.8
		}
	case Below:
		tip.Y = float32(r.Min.Y) - reach
	case Right:
		tip.X = float32(r.Min.X) - reach
	case Left:
		tip.X = float32(r.Max.X) + reach
	}
	tip.X = min(max(tip.X, float32(r.Min.X)-reach), float32(r.Max.X)+reach)
	tip.Y = min(max(tip.Y, float32(r.Min.Y)-reach), float32(r.Max.Y)+reach)
	t.look.bubble(gtx, r, float32(gtx.Dp(16)), t.side, tip, t.look.paper(t.composited))
	stack := op.Offset(r.Min.Add(pad)).Push(gtx.Ops)
	inside.call.Add(gtx.Ops)
	stack.Pop()
}

// contents lays out the pill, the words, and the foot of the bubble.
func (t *Talk) contents(gtx layout.Context) layout.Dimensions {
	if t.ask != nil {
		return t.question(gtx)
	}
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
		layout.Rigid(t.pill),
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			gtx.Constraints.Min = image.Point{}
			if t.text == "" {
				if t.running {
					return t.dots(gtx)
				}
				return layout.Dimensions{}
			}
			return t.speech(gtx)
		}),
		layout.Rigid(t.linkRows),
		layout.Rigid(t.foot),
	)
}

// linkRows lays the links out, one a line.
func (t *Talk) linkRows(gtx layout.Context) layout.Dimensions {
	if len(t.links) == 0 || t.text == "" {
		return layout.Dimensions{}
	}
	rows := make([]layout.FlexChild, len(t.links))
	for i, l := range t.links {
		rows[i] = layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return t.linkClicks[i].Layout(gtx, func(gtx layout.Context) layout.Dimensions {
				w := t.look.label(11.5, "↗ "+l.Text, t.look.Second)
				w.MaxLines = 1
				return w.Layout(gtx)
			})
		})
	}
	return layout.Inset{Top: 5}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx, rows...)
	})
}

// question lays out what is asked and the two buttons.
func (t *Talk) question(gtx layout.Context) layout.Dimensions {
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			gtx.Constraints.Min = image.Point{}
			return t.scrolled(gtx, t.look.label(14, t.ask.text, t.look.Ink).Layout)
		}),
		layout.Rigid(layout.Spacer{Height: 10}.Layout),
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return layout.Flex{}.Layout(gtx,
				layout.Rigid(func(gtx layout.Context) layout.Dimensions {
					return t.pillButton(gtx, &t.allow, t.ask.allow, t.look.Second)
				}),
				layout.Rigid(layout.Spacer{Width: 8}.Layout),
				layout.Rigid(func(gtx layout.Context) layout.Dimensions {
					return t.pillButton(gtx, &t.deny, t.ask.deny, t.look.Faint)
				}),
			)
		}),
	)
}

func (t *Talk) pillButton(gtx layout.Context, click *widget.Clickable, word string, c color.NRGBA) layout.Dimensions {
	return click.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		in := t.record(gtx, func(gtx layout.Context) layout.Dimensions {
			return layout.Inset{Left: 16, Right: 16, Top: 5, Bottom: 5}.Layout(gtx, t.look.label(13, word, color.NRGBA{255, 255, 255, 255}).Layout)
		})
		paint.FillShape(gtx.Ops, c, clip.UniformRRect(image.Rectangle{Max: in.size}, in.size.Y/2).Op(gtx.Ops))
		in.call.Add(gtx.Ops)
		return layout.Dimensions{Size: in.size}
	})
}

// speech lays out the words; what is higher than the bubble may be scrolls, the end in sight.
func (t *Talk) speech(gtx layout.Context) layout.Dimensions {
	c := t.look.Ink
	if t.failed {
		c = t.look.Accent
	}
	l := t.look.label(14, t.text, c)
	l.State = &t.sel
	return t.scrolled(gtx, l.Layout)
}

// scrolled gives a text the height that it wants, up to what there is; a longer one scrolls.
func (t *Talk) scrolled(gtx layout.Context, text layout.Widget) layout.Dimensions {
	free := gtx
	free.Constraints.Max.Y = 1 << 20
	whole := t.record(free, text)
	gtx.Constraints.Max.Y = min(gtx.Constraints.Max.Y, whole.size.Y) // a list takes all the height it is given
	return t.list.List.Layout(gtx, 1, func(layout.Context, int) layout.Dimensions {
		whole.call.Add(gtx.Ops)
		return layout.Dimensions{Size: whole.size}
	})
}

func (t *Talk) pill(gtx layout.Context) layout.Dimensions {
	if t.status == "" {
		return layout.Dimensions{}
	}
	return layout.Inset{Bottom: 6}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		l := t.look.label(11.5, t.status, t.look.Faint)
		l.MaxLines = 1
		in := t.record(gtx, func(gtx layout.Context) layout.Dimensions {
			return layout.Inset{Left: 10, Right: 10, Top: 2, Bottom: 2}.Layout(gtx, l.Layout)
		})
		paint.FillShape(gtx.Ops, t.look.Pill, clip.UniformRRect(image.Rectangle{Max: in.size}, in.size.Y/2).Op(gtx.Ops))
		in.call.Add(gtx.Ops)
		return layout.Dimensions{Size: in.size}
	})
}

// foot is the name at the right and, while she replies and the input is closed, a small stop button.
func (t *Talk) foot(gtx layout.Context) layout.Dimensions {
	if t.text == "" {
		return layout.Dimensions{}
	}
	return layout.Inset{Top: 3}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				if !t.running || t.open {
					return layout.Dimensions{}
				}
				return layout.Inset{Right: 8}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
					return t.stop.Layout(gtx, func(gtx layout.Context) layout.Dimensions { return t.stopMark(gtx, 14) })
				})
			}),
			layout.Rigid(t.look.label(11, t.name, t.look.Faint).Layout),
		)
	})
}

func (t *Talk) stopMark(gtx layout.Context, size unit.Dp) layout.Dimensions {
	d := gtx.Dp(size)
	paint.FillShape(gtx.Ops, t.look.Accent, clip.Ellipse{Max: image.Pt(d, d)}.Op(gtx.Ops))
	i := d * 34 / 100
	paint.FillShape(gtx.Ops, color.NRGBA{255, 255, 255, 255}, clip.UniformRRect(image.Rect(i, i, d-i, d-i), max(1, d/14)).Op(gtx.Ops))
	return layout.Dimensions{Size: image.Pt(d, d)}
}

// dots shows that a reply is on its way.
func (t *Talk) dots(gtx layout.Context) layout.Dimensions {
	r, gap := gtx.Dp(3), gtx.Dp(12)
	size := image.Pt(gap*2+2*r+gtx.Dp(8), gtx.Dp(20))
	phase := gtx.Now.Sub(t.born).Seconds()
	for i := range 3 {
		lift := 0.0
		if t.look.Motion {
			lift = max(0, math.Sin(phase*4.2-float64(i)*0.8)) * float64(gtx.Dp(4))
		}
		c := image.Pt(gtx.Dp(4)+r+i*gap, size.Y/2+r-int(lift))
		paint.FillShape(gtx.Ops, t.look.Faint, clip.Ellipse{Min: c.Sub(image.Pt(r, r)), Max: c.Add(image.Pt(r, r))}.Op(gtx.Ops))
	}
	if t.look.Motion {
		gtx.Execute(op.InvalidateCmd{At: gtx.Now.Add(60 * time.Millisecond)})
	}
	return layout.Dimensions{Size: size}
}

// input lays out the pill-shaped field with its button.
func (t *Talk) input(gtx layout.Context) layout.Dimensions {
	width := gtx.Constraints.Max.X
	in := t.record(gtx, func(gtx layout.Context) layout.Dimensions {
		gtx.Constraints.Min.X, gtx.Constraints.Max.X = width, width
		return layout.Inset{Left: 18, Right: 7, Top: 7, Bottom: 7}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
			return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
				layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
					gtx.Constraints.Max.Y = gtx.Dp(84)
					gtx.Execute(key.FocusCmd{Tag: &t.editor})
					return t.look.editor(&t.editor, t.words.Hint).Layout(gtx)
				}),
				layout.Rigid(layout.Spacer{Width: 8}.Layout),
				layout.Rigid(func(gtx layout.Context) layout.Dimensions { return t.send.Layout(gtx, t.button) }),
			)
		})
	})
	r := image.Rectangle{Max: image.Pt(width, in.size.Y)}
	field := t.look.Field
	if !t.composited {
		field.A = 255
	}
	t.look.card(gtx, r, t.fieldRadius(gtx, in.size.Y), field, t.look.Accent, float32(gtx.Dp(1))*1.4)
	in.call.Add(gtx.Ops)
	return layout.Dimensions{Size: r.Max}
}

func (t *Talk) fieldRadius(gtx layout.Context, height int) int { return min(height/2, gtx.Dp(22)) }

// button is an arrow to send, a square to stop.
func (t *Talk) button(gtx layout.Context) layout.Dimensions {
	if t.running && strings.TrimSpace(t.editor.Text()) == "" {
		return t.stopMark(gtx, 26)
	}
	d := gtx.Dp(26)
	paint.FillShape(gtx.Ops, t.look.Accent, clip.Ellipse{Max: image.Pt(d, d)}.Op(gtx.Ops))
	u := float32(d)
	var p clip.Path
	p.Begin(gtx.Ops)
	p.MoveTo(f32.Pt(u*0.5, u*0.72))
	p.LineTo(f32.Pt(u*0.5, u*0.30))
	p.MoveTo(f32.Pt(u*0.32, u*0.47))
	p.LineTo(f32.Pt(u*0.5, u*0.29))
	p.LineTo(f32.Pt(u*0.68, u*0.47))
	paint.FillShape(gtx.Ops, color.NRGBA{255, 255, 255, 255}, clip.Stroke{Path: p.End(), Width: u * 0.085}.Op())
	return layout.Dimensions{Size: image.Pt(d, d)}
}
