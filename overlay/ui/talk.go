package ui

import (
	"image"
	"slices"
	"time"

	"gioui.org/io/key"
	"gioui.org/widget"

	"yui/overlay/prose"
	"yui/overlay/window"
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

// Talks is the bubbles of all pets: they keep off each other, and ask one question at a time. Main thread only.
type Talks struct {
	loop *window.Loop
	list []*Talk
	row  askRow
}

// NewTalks makes what the bubbles share.
func NewTalks(l *window.Loop) *Talks { return &Talks{loop: l, row: askRow{soon: l.Do}} }

// Talk is the bubble and the input of one pet. Main thread only.
type Talk struct {
	panel *window.Panel
	look  *Look
	name  string

	// OnSay gets what the person sent, OnStop the stop button.
	OnSay  func(text string)
	OnStop func()
	// OnLink gets the address of a link in the words that was clicked, http or https.
	OnLink func(address string)
	// OnInput tells that the input opened or closed, OnGone that nothing of the window is seen any more.
	OnInput func(open bool)
	OnGone  func()

	editor widget.Editor
	said   prose.Text // the words
	note   bool       // they are no Markdown
	saidAt time.Time  // when they were last given to said
	due    time.Time  // when newer ones are to be, zero for never
	send   widget.Clickable
	stop   widget.Clickable

	links      []Link
	linkClicks []widget.Clickable
	all        *Talks
	typed      time.Time // when a key was last pressed
	text       string
	status     string
	passing    time.Time // when the status goes by itself, zero for never
	tasks      []Task
	failed     bool
	running    bool
	open       bool
	born       time.Time     // of the bubble, for its fade
	opened     time.Time     // the input, likewise
	until      time.Time     // when the bubble goes, zero for never
	linger     time.Duration // how long it was given when until was set
	away       bool          // the pet is not on the screen, nor is this
	head       image.Rectangle
	figure     image.Rectangle
	work       image.Rectangle
	side       Side
	seen       image.Rectangle // where bubble and input are on the desktop, empty while there are none
	shift      image.Point     // off their own place, beside what others say
	hovered    bool
}

// New makes a hidden talk window. scale is the monitor's content scale.
func (a *Talks) New(name string, look *Look, scale float32) (*Talk, error) {
	p, err := a.loop.NewPanel(window.Talking, name, image.Pt(int(talkWidth*scale), int(talkHeight*scale)), scale)
	if err != nil {
		return nil, err
	}
	t := &Talk{panel: p, all: a, look: look, name: name}
	t.said.OnLink = func(a string) { t.OnLink(a) }
	t.editor.Submit = true
	t.editor.MaxLen = talkLimit
	p.Layout = t.layOut
	p.OnKey = t.key
	p.OnHover = t.hover
	a.loop.Add(t)
	a.list = append(a.list, t)
	return t, nil
}

// SetComposited tells whether a compositor blends windows now.
func (t *Talk) SetComposited(yes bool) { t.panel.SetComposited(yes) }

// Repaint draws it anew, where its Look has other colours.
func (t *Talk) Repaint() { t.panel.Invalidate() }

// SetName gives the pet another name.
func (t *Talk) SetName(name string) {
	if name != t.name {
		t.name = name
		t.panel.SetTitle(name)
		t.panel.Invalidate()
	}
}

// Close ends the window.
func (t *Talk) Close() {
	t.forget()
	t.all.loop.Remove(t)
	t.all.list = slices.DeleteFunc(t.all.list, func(o *Talk) bool { return o == t })
	t.panel.Close()
}

// sway is how far her head moves while she stays where she is, in logical pixels.
const sway = 40

// Anchor tells where the pet's head and her whole figure are and the work area to keep inside, in pixels of the root
// window. What the pointer is over stays where it is while she only sways: a button must not slip away under a hand.
func (t *Talk) Anchor(head, figure, work image.Rectangle) {
	if d := head.Min.Sub(t.head.Min); t.hovered && t.panel.Shown() && work == t.work && max(d.X, -d.X, d.Y, -d.Y) < int(sway*t.panel.Scale()) {
		return
	}
	if head != t.head || figure != t.figure || work != t.work {
		t.head, t.figure, t.work = head, figure, work
		t.panel.Invalidate()
	}
}

// SetAway takes bubble and input off the screen with the pet, or brings back what is to be read (docs/rules/desktop.md#windows-of-ours):
// the words with the time that they were given at first, and a question that waits.
func (t *Talk) SetAway(away bool) {
	if away == t.away {
		return
	}
	if away {
		t.CloseInput()
		t.away, t.hovered = true, false
		t.panel.Conceal()
		t.all.row.leave(t)
		return
	}
	t.away = false
	if !t.until.IsZero() {
		t.until = t.now().Add(t.linger)
	}
	t.Tick(t.now()) // a status that has passed meanwhile
	t.all.row.begin()
	if t.hasBubble() {
		t.began()
		t.appear()
	}
}

// OpenInput opens the input and gives it the keyboard.
func (t *Talk) OpenInput() {
	if t.away {
		return
	}
	if !t.open {
		t.open, t.opened = true, t.now()
		t.panel.BorrowKeyboard()
		if t.OnInput != nil {
			t.OnInput(true)
		}
	}
	t.appear()
	t.panel.Focus()
	t.panel.FocusContent()
}

// CloseInput closes the input; a bubble stays until its time.
func (t *Talk) CloseInput() {
	if t.open {
		t.open = false
		t.panel.ReturnKeyboard()
		t.stay(3 * time.Second)
		if t.OnInput != nil {
			t.OnInput(false)
		}
		t.settleVisibility()
	}
}

// Begin empties the bubble for a new reply and shows that it is awaited.
func (t *Talk) Begin() {
	fresh := !t.hasBubble() // one that is seen already does not blink
	t.text, t.status, t.failed, t.running, t.until = "", "", false, true, time.Time{}
	t.links = nil
	if fresh {
		t.began()
	}
	t.appear()
}

// textStep is the least time between two layouts of words that grow: a model may send thousands of pieces a second.
const textStep = 100 * time.Millisecond

// SetNote shows a sentence of the program's own as it is: names of files and of others may stand in it, which are no
// markup.
func (t *Talk) SetNote(s string) {
	t.SetText(s)
	t.note = true
}

// SetText shows what has been said so far, as the Markdown that it is.
func (t *Talk) SetText(s string) {
	t.note = false
	if s == t.text {
		return
	}
	t.text, t.failed = s, false
	if t.due = t.saidAt.Add(textStep); !t.now().Before(t.due) {
		t.due = time.Time{}
		t.panel.Invalidate()
	}
}

// SetStatus shows what the pet is doing in a pill above the words, "" for nothing.
func (t *Talk) SetStatus(s string) {
	t.passing = time.Time{}
	if s != t.status {
		t.status = s
		t.panel.Invalidate()
	}
}

// PassStatus shows it for a while.
func (t *Talk) PassStatus(s string, d time.Duration) {
	t.SetStatus(s)
	t.passing = t.now().Add(d)
}

// Task is something that others do on the pet's behalf: a row above the words while the input is open.
type Task struct {
	Text         string
	Done, Failed bool
}

// SetTasks replaces the rows.
func (t *Talk) SetTasks(list []Task) {
	t.tasks = list
	t.settleVisibility()
}

// Link is a line below the words that opens something.
type Link struct {
	Text string
	Host string // where it leads, always shown whole, "" for nowhere outside
	// Open is what a click does. Without it the line is no link, and is shown whole.
	Open func()
}

// linkLimit is how many links a bubble holds.
const linkLimit = 6

// SetLinks shows links below the words, until the next reply begins.
func (t *Talk) SetLinks(links []Link) {
	t.links = links[:min(len(links), linkLimit)]
	t.linkClicks = make([]widget.Clickable, len(t.links))
	t.panel.Invalidate()
}

// Fail shows why there is no reply, in plain words.
func (t *Talk) Fail(why string) {
	t.text, t.failed, t.running, t.status = why, true, false, ""
	t.lingers(20 * time.Second)
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
	t.lingers(linger)
	t.panel.Invalidate()
}

func (t *Talk) lingers(d time.Duration) { t.linger, t.until = d, t.now().Add(d) }

// Text is what the bubble says, as it came.
func (t *Talk) Text() string { return t.text }

// Status is what the pill says.
func (t *Talk) Status() string { return t.status }

// InputOpen reports whether the input is open.
func (t *Talk) InputOpen() bool { return t.open }

// InUse reports whether anything of it is seen, or is to be when the pet is back.
func (t *Talk) InUse() bool { return t.panel.Visible() || t.away && (t.hasBubble() || t.Asking()) }

// Rect is where the window is on the desktop, empty while hidden.
func (t *Talk) Rect() image.Rectangle {
	if !t.panel.Shown() {
		return image.Rectangle{}
	}
	return t.panel.At()
}

func (t *Talk) now() time.Time { return t.all.loop.Now() }

func (t *Talk) began() { t.born, t.shift = t.now(), image.Point{} }

func (t *Talk) hasBubble() bool {
	return t.asked() != nil || t.text != "" || t.running || t.status != "" || t.open && len(t.tasks) > 0
}

func (t *Talk) appear() {
	t.panel.Invalidate()
	if !t.away && !t.head.Empty() {
		t.panel.Reveal()
	}
}

func (t *Talk) settleVisibility() {
	t.panel.Invalidate()
	if !t.open && !t.hasBubble() && (t.panel.Visible() || t.away) {
		t.panel.Conceal()
		if t.OnGone != nil {
			t.OnGone()
		}
	}
}

// hover keeps what is being read, and a little longer.
func (t *Talk) hover(in bool) {
	t.hovered = in
	if in {
		return
	}
	t.stay(2 * time.Second)
}

// stay puts off the bubble's end to at least d from now.
func (t *Talk) stay(d time.Duration) {
	if at := t.now().Add(d); !t.until.IsZero() && t.until.Before(at) {
		t.until = at
	}
}

// held tells whether the bubble must not go yet: it is being read, or answered, or cannot be read.
func (t *Talk) held() bool { return t.until.IsZero() || t.hovered || t.open || t.away }

// Next implements Ticker.
func (t *Talk) Next(now time.Time) (time.Time, bool) {
	at, ok := t.panel.Next(now)
	if q := t.asked(); q != nil && (!ok || q.until.Before(at)) {
		at, ok = q.until, true
	}
	if t.panel.Shown() && !t.due.IsZero() && (!ok || t.due.Before(at)) {
		at, ok = t.due, true
	}
	if t.panel.Shown() && !t.passing.IsZero() && (!ok || t.passing.Before(at)) {
		at, ok = t.passing, true
	}
	if t.panel.Shown() && !t.held() && (!ok || t.until.Before(at)) {
		at, ok = t.until, true
	}
	return at, ok
}

// Tick implements Ticker.
func (t *Talk) Tick(now time.Time) {
	t.expire(now)
	if !t.due.IsZero() && !now.Before(t.due) {
		t.due = time.Time{}
		t.panel.Invalidate()
	}
	if !t.passing.IsZero() && !now.Before(t.passing) {
		t.SetStatus("")
		t.settleVisibility()
	}
	if !t.held() && !now.Before(t.until) {
		t.text, t.status, t.failed, t.until = "", "", false, time.Time{}
		t.settleVisibility()
	}
	if t.panel.Shown() {
		t.panel.Tick(now)
	}
}

func (t *Talk) key(e key.Event) bool {
	if t.askKey(e) {
		return true
	}
	t.typed = t.now()
	if e.Name == key.NameEscape && e.State == key.Press {
		t.CloseInput()
		return true
	}
	return false
}
