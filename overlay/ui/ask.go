package ui

import (
	"image"
	"image/color"
	"slices"
	"time"

	"gioui.org/font"
	"gioui.org/io/input"
	"gioui.org/io/key"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/widget"
	"gioui.org/widget/material"

	"yui/overlay/prose"
)

// askStands is how long a question has been seen before it can be allowed: a click that was on its way to something else
// is no answer.
const askStands = 700 * time.Millisecond

// Question is something that the person must allow or deny. All of it is plain text.
type Question struct {
	Title       string // what is asked
	Body        string // exactly what would be done or sent, "" for nothing more
	Allow, Deny string // the words on the buttons; with no Allow it is a text that is only read
}

// question is a Question that waits for its answer. Its buttons are its own: a press that began on another question's
// button cannot end here.
type question struct {
	Question
	talk    *Talk
	answer  func(allowed bool)
	wait    time.Duration // how long it is shown
	until   time.Time     // when it goes, zero before its turn
	seen    time.Time     // since when it is on the screen, zero before
	read    bool          // its end has been in sight
	focused bool          // Deny was given the keyboard
	wants   *widget.Clickable

	body              prose.Text
	bar               widget.Scrollbar
	allow, deny, more widget.Clickable
	early             widget.Clickable // Allow before it is open
}

// open tells whether the question can be allowed at now.
func (q *question) open(now time.Time) bool {
	return q.Allow != "" && q.read && !q.seen.IsZero() && now.Sub(q.seen) >= askStands
}

// askRow is the questions of all pets in the order in which they were asked: the person reads one at a time, so only the
// first is shown. Those of a pet that is not on the screen wait until she is. Main thread only.
type askRow struct {
	list []*question
	soon func(func()) // runs something on the main thread when what happens now is over, and wakes the loop for it
}

// first is the question whose turn it is: the one that is shown already, else the first that can be. nil for none.
func (r *askRow) first() (next *question) {
	for _, q := range r.list {
		if !q.until.IsZero() {
			return q
		}
		if next == nil && !q.talk.away {
			next = q
		}
	}
	return next
}

// leave takes the questions in a bubble that goes with its pet back into the row: they are shown anew.
func (r *askRow) leave(t *Talk) {
	for _, q := range r.list {
		if q.talk == t {
			q.until, q.seen, q.focused = time.Time{}, time.Time{}, false
		}
	}
	r.begin()
}

// begin shows the first question, where that has not been done. Its time counts from here.
func (r *askRow) begin() {
	if q := r.first(); q != nil && q.until.IsZero() {
		q.until = q.talk.now().Add(q.wait)
		q.talk.began()
		q.talk.appear()
	}
}

// Ask shows a question with two buttons once all that were asked before, by any pet, are answered; a text that is only
// read makes room at once. answer is called once, on the main thread: with false where nobody answers within wait of its
// being shown, or where end is called before.
func (t *Talk) Ask(ask Question, wait time.Duration, answer func(allowed bool)) (end func()) {
	q := &question{Question: ask, talk: t, answer: answer, wait: wait}
	q.body.SetPlain(ask.Body)
	q.body.ScrollTo(false)
	t.all.row.list = append(t.all.row.list, q)
	t.makeRoom()
	t.all.row.begin()
	return func() { t.settle(q, false) }
}

// makeRoom ends a text that is only read and in whose place something of hers could be shown.
func (t *Talk) makeRoom() {
	f := t.all.row.first()
	if f != nil && f.Allow == "" && !t.away && slices.ContainsFunc(t.all.row.list, func(q *question) bool { return q.talk == t && q != f }) {
		f.talk.settle(f, false)
	}
}

// Asking tells whether a question of hers is shown or waits.
func (t *Talk) Asking() bool {
	return slices.ContainsFunc(t.all.row.list, func(q *question) bool { return q.talk == t })
}

// Asking tells whether a question of any pet is shown.
func (a *Talks) Asking() bool { return a.row.first() != nil }

// asked is the question that is shown in this bubble, nil for none.
func (t *Talk) asked() *question {
	if q := t.all.row.first(); q != nil && q.talk == t {
		return q
	}
	return nil
}

func (t *Talk) settle(q *question, allowed bool) {
	i := slices.Index(t.all.row.list, q)
	if i < 0 {
		return // answered already
	}
	t.all.row.list = slices.Delete(t.all.row.list, i, i+1)
	t.settleVisibility()
	q.answer(allowed)
	t.all.row.soon(t.all.row.begin)
}

// forget ends all questions of a bubble that goes.
func (t *Talk) forget() {
	for _, q := range slices.Clone(t.all.row.list) {
		if q.talk == t {
			t.settle(q, false)
		}
	}
}

// expire ends the question that nobody answered in time.
func (t *Talk) expire(now time.Time) {
	if q := t.asked(); q != nil && !q.until.IsZero() && !now.Before(q.until) {
		t.settle(q, false)
	}
}

// askKey takes the keys that read and choose while a question has the keyboard.
func (t *Talk) askKey(e key.Event) bool {
	q := t.asked()
	if q == nil || e.State != key.Press || !q.has(t.panel.Keyboard()) {
		return false
	}
	switch e.Name {
	case key.NameTab, key.NameLeftArrow, key.NameRightArrow:
		q.wants = &q.deny
		if q.open(t.now()) && t.panel.Keyboard().Focused(&q.deny) {
			q.wants = &q.allow
		}
	case key.NameDownArrow, key.NamePageDown:
		q.page(1)
	case key.NameUpArrow, key.NamePageUp:
		q.page(-1)
	default:
		return false
	}
	t.panel.Invalidate()
	return true
}

// has tells whether one of its buttons has the keyboard.
func (q *question) has(keyboard input.Source) bool {
	return keyboard.Focused(&q.deny) || keyboard.Focused(&q.allow)
}

// page scrolls by most of what is in sight.
func (q *question) page(direction float32) {
	from, to := q.body.View()
	q.body.ScrollBy(direction * 0.8 * (to - from))
}

func (t *Talk) askEvents(gtx layout.Context) {
	q := t.asked()
	if q == nil {
		return
	}
	if q.early.Clicked(gtx) && !q.seen.IsZero() {
		q.seen = gtx.Now // whoever clicks on and on has not read it: it stands anew
	}
	switch {
	case q.deny.Clicked(gtx):
		t.settle(q, false)
	case q.open(gtx.Now) && q.allow.Clicked(gtx):
		t.settle(q, true)
	case q.more.Clicked(gtx):
		q.page(1)
	}
}

// layOut lays out what is asked, what it is about, and the two buttons.
func (q *question) layOut(gtx layout.Context) layout.Dimensions {
	t := q.talk
	title := t.theme.label(14, q.Title, t.theme.Ink)
	title.Font.Weight = font.Bold
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
		layout.Rigid(title.Layout),
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			gtx.Constraints.Min = image.Point{}
			return q.content(gtx)
		}),
		layout.Rigid(layout.Spacer{Height: 10}.Layout),
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			q.stand(gtx)
			return q.buttons(gtx)
		}),
	)
}

// stand counts from when the question is seen, and gives Deny the keyboard once nobody can be typing into the field by
// mistake.
func (q *question) stand(gtx layout.Context) {
	t := q.talk
	q.read = q.read || q.Body == "" || !q.body.Below()
	if q.seen.IsZero() && t.panel.Shown() {
		q.seen = gtx.Now
	}
	if q.wants != nil {
		gtx.Execute(key.FocusCmd{Tag: q.wants})
		q.wants = nil
	}
	if q.focused {
		return
	}
	at := q.seen
	if t.field.typed.After(at) {
		at = t.field.typed
	}
	if at = at.Add(askStands); q.seen.IsZero() || gtx.Now.Before(at) {
		gtx.Execute(op.InvalidateCmd{At: at})
		return
	}
	q.focused = true
	gtx.Execute(key.FocusCmd{Tag: &q.deny})
}

// content is what the question is about, on a ground of its own, with a bar where it is longer than the bubble.
func (q *question) content(gtx layout.Context) layout.Dimensions {
	t := q.talk
	if q.Body == "" {
		return layout.Dimensions{}
	}
	ground := t.theme.Field
	ground.A = 255
	return layout.Inset{Top: 6}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		in, bar := image.Pt(gtx.Dp(10), gtx.Dp(7)), gtx.Dp(10)
		free := gtx
		free.Constraints.Max = image.Pt(gtx.Constraints.Max.X-2*in.X, gtx.Constraints.Max.Y-2*in.Y)
		words := record(free, func(gtx layout.Context) layout.Dimensions { return q.body.Layout(gtx, t.theme.prose()) })
		size := image.Pt(gtx.Constraints.Max.X, words.size.Y+2*in.Y)
		fillRounded(gtx, image.Rectangle{Max: size}, gtx.Dp(8), ground, 0)
		stack := op.Offset(in).Push(gtx.Ops)
		words.call.Add(gtx.Ops)
		stack.Pop()
		if q.body.Above() || q.body.Below() {
			stack := op.Offset(image.Pt(size.X-bar, 0)).Push(gtx.Ops)
			gtx.Constraints = layout.Exact(image.Pt(bar, size.Y))
			q.scrollbar(gtx)
			stack.Pop()
		}
		return layout.Dimensions{Size: size}
	})
}

func (q *question) scrollbar(gtx layout.Context) {
	t := q.talk
	s := material.Scrollbar(t.theme.widgets, &q.bar)
	s.Indicator.MajorMinLen, s.Indicator.MinorWidth, s.Indicator.CornerRadius = 16, 5, 2.5
	s.Indicator.Color, s.Indicator.HoverColor = t.theme.Faint, t.theme.Ink
	from, to := q.body.View()
	s.Layout(gtx, layout.Vertical, from, to)
	if d := q.bar.ScrollDistance(); d != 0 {
		q.body.ScrollBy(d)
		gtx.Execute(op.InvalidateCmd{})
	}
}

// buttons are Allow, which is a mere shape until the question is open, Deny, and what leads on to the end.
func (q *question) buttons(gtx layout.Context) layout.Dimensions {
	t := q.talk
	open := q.open(gtx.Now)
	button := func(click *widget.Clickable, word string, fill color.NRGBA) layout.FlexChild {
		return layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return t.theme.ring(gtx, gtx.Focused(click), func(gtx layout.Context) layout.Dimensions {
				return t.theme.pillButton(gtx, click, word, fill, t.theme.onColor())
			})
		})
	}
	allow := button(&q.allow, q.Allow, t.theme.Second)
	if !open {
		allow = layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return q.early.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
				return t.theme.pillShape(gtx, q.Allow, t.theme.Pill, t.theme.Faint)
			})
		})
	}
	gap := layout.Rigid(layout.Spacer{Width: 8}.Layout)
	if q.Allow == "" {
		allow, gap = layout.Rigid(layout.Spacer{}.Layout), layout.Rigid(layout.Spacer{}.Layout)
	}
	return layout.Flex{Alignment: layout.Middle}.Layout(gtx, allow, gap,
		button(&q.deny, q.Deny, t.theme.Faint),
		layout.Rigid(layout.Spacer{Width: 10}.Layout),
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			if q.Body == "" || !q.body.Below() {
				return layout.Dimensions{}
			}
			l := t.theme.label(12, t.theme.Words.Text("talk.more")+" ↓", t.theme.Link)
			l.MaxLines = 1
			return q.more.Layout(gtx, l.Layout)
		}),
	)
}

// ring draws a line round the button that has the keyboard.
func (k *Theme) ring(gtx layout.Context, on bool, w layout.Widget) layout.Dimensions {
	p := record(gtx, w)
	if on {
		gap := gtx.Dp(2)
		r := image.Rectangle{Max: p.size}.Inset(-gap)
		paint.FillShape(gtx.Ops, k.Accent, clip.Stroke{Path: clip.UniformRRect(r, r.Dy()/2).Path(gtx.Ops), Width: 1.4 * gtx.Metric.PxPerDp}.Op())
	}
	p.call.Add(gtx.Ops)
	return layout.Dimensions{Size: p.size}
}
