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
	theme *Theme
	name  string

	// OnSay gets what the person sent, OnStop the stop button.
	OnSay  func(text string)
	OnStop func()
	// OnLink gets the address of a link in the words that was clicked, http or https.
	OnLink func(address string)
	// OnInput tells that the input opened or closed, OnGone that nothing of the window is seen any more.
	OnInput func(open bool)
	OnGone  func()

	all    *Talks
	bubble bubble
	field  field
	spot   spot
	away   bool // the pet is not on the screen, nor is this
}

// bubble is what a pet says and does.
type bubble struct {
	text    string     // the words, as they came
	said    prose.Text // the words, laid out
	note    bool       // they are no Markdown
	failed  bool       // they say why there is no reply
	running bool       // more of them come
	saidAt  time.Time  // when they were last given to said
	due     time.Time  // when newer ones are to be, zero for never
	stop    widget.Clickable

	status  string
	passing time.Time // when the status goes by itself, zero for never
	tasks   []Task
	links   []Link
	clicks  []widget.Clickable // on links

	born   time.Time     // for its fade
	until  time.Time     // when it goes, zero for never
	linger time.Duration // how long it was given when until was set
}

// field is where the person writes.
type field struct {
	editor widget.Editor
	send   widget.Clickable
	open   bool
	opened time.Time // for its fade
	typed  time.Time // when a key was last pressed
}

// spot is where bubble and field are, and what they keep to. In pixels of the desktop.
type spot struct {
	head, figure image.Rectangle // the pet's
	work         image.Rectangle // to keep inside
	side         Side
	seen         image.Rectangle // where bubble and input are, empty while there are none
	shift        image.Point     // off their own place, beside what others say
	hovered      bool
}

// New makes a hidden talk window. scale is the monitor's content scale.
func (a *Talks) New(name string, theme *Theme, scale float32) (*Talk, error) {
	p, err := a.loop.NewPanel(window.Talking, name, image.Pt(int(talkWidth*scale), int(talkHeight*scale)), scale)
	if err != nil {
		return nil, err
	}
	t := &Talk{panel: p, all: a, theme: theme, name: name}
	t.bubble.said.OnLink = func(a string) { t.OnLink(a) }
	t.field.editor.Submit = true
	t.field.editor.MaxLen = talkLimit
	p.Layout = t.layOut
	p.OnKey = t.key
	p.OnHover = t.hover
	a.loop.Add(t)
	a.list = append(a.list, t)
	return t, nil
}

// SetComposited tells whether a compositor blends windows now.
func (t *Talk) SetComposited(yes bool) { t.panel.SetComposited(yes) }

// Repaint draws it anew, where its Theme has other colours.
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
	if d := head.Min.Sub(t.spot.head.Min); t.spot.hovered && t.panel.Shown() && work == t.spot.work && max(d.X, -d.X, d.Y, -d.Y) < int(sway*t.panel.Scale()) {
		return
	}
	if head != t.spot.head || figure != t.spot.figure || work != t.spot.work {
		t.spot.head, t.spot.figure, t.spot.work = head, figure, work
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
		t.away, t.spot.hovered = true, false
		t.panel.Conceal()
		t.all.row.leave(t)
		return
	}
	t.away = false
	if !t.bubble.until.IsZero() {
		t.bubble.until = t.now().Add(t.bubble.linger)
	}
	t.Tick(t.now()) // a status that has passed meanwhile
	t.makeRoom()
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
	if !t.field.open {
		t.field.open, t.field.opened = true, t.now()
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
	if t.field.open {
		t.field.open = false
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
	t.bubble.text, t.bubble.status, t.bubble.failed, t.bubble.running, t.bubble.until = "", "", false, true, time.Time{}
	t.bubble.links = nil
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
	t.bubble.note = true
}

// SetText shows what has been said so far, as the Markdown that it is.
func (t *Talk) SetText(s string) {
	t.bubble.note = false
	if s == t.bubble.text {
		return
	}
	t.bubble.text, t.bubble.failed = s, false
	if t.bubble.due = t.bubble.saidAt.Add(textStep); !t.now().Before(t.bubble.due) {
		t.bubble.due = time.Time{}
		t.panel.Invalidate()
	}
}

// SetStatus shows what the pet is doing in a pill above the words, "" for nothing.
func (t *Talk) SetStatus(s string) {
	t.bubble.passing = time.Time{}
	if s != t.bubble.status {
		t.bubble.status = s
		t.panel.Invalidate()
	}
}

// PassStatus shows it for a while.
func (t *Talk) PassStatus(s string, d time.Duration) {
	t.SetStatus(s)
	t.bubble.passing = t.now().Add(d)
}

// Task is something that others do on the pet's behalf: a row above the words while the input is open.
type Task struct {
	Text         string
	Done, Failed bool
}

// SetTasks replaces the rows.
func (t *Talk) SetTasks(list []Task) {
	t.bubble.tasks = list
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
	t.bubble.links = links[:min(len(links), linkLimit)]
	t.bubble.clicks = make([]widget.Clickable, len(t.bubble.links))
	t.panel.Invalidate()
}

// Fail shows why there is no reply, in plain words.
func (t *Talk) Fail(why string) {
	t.bubble.text, t.bubble.failed, t.bubble.running, t.bubble.status = why, true, false, ""
	t.lingers(20 * time.Second)
	t.appear()
}

// Quiet ends a reply that said nothing: the bubble goes at once.
func (t *Talk) Quiet() {
	t.bubble.text, t.bubble.status, t.bubble.running, t.bubble.until = "", "", false, time.Time{}
	t.settleVisibility()
}

// End tells that the reply is whole; the bubble goes after linger, unless the pointer is on it.
func (t *Talk) End(linger time.Duration) {
	t.bubble.running, t.bubble.status = false, ""
	t.lingers(linger)
	t.panel.Invalidate()
}

func (t *Talk) lingers(d time.Duration) { t.bubble.linger, t.bubble.until = d, t.now().Add(d) }

// Text is what the bubble says, as it came.
func (t *Talk) Text() string { return t.bubble.text }

// Status is what the pill says.
func (t *Talk) Status() string { return t.bubble.status }

// InputOpen reports whether the input is open.
func (t *Talk) InputOpen() bool { return t.field.open }

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

func (t *Talk) began() { t.bubble.born, t.spot.shift = t.now(), image.Point{} }

func (t *Talk) hasBubble() bool {
	return t.asked() != nil || t.bubble.text != "" || t.bubble.running || t.bubble.status != "" || t.field.open && len(t.bubble.tasks) > 0
}

func (t *Talk) appear() {
	t.panel.Invalidate()
	if !t.away && !t.spot.head.Empty() {
		t.panel.Reveal()
	}
}

func (t *Talk) settleVisibility() {
	t.panel.Invalidate()
	if !t.field.open && !t.hasBubble() && (t.panel.Visible() || t.away) {
		t.panel.Conceal()
		if t.OnGone != nil {
			t.OnGone()
		}
	}
}

// hover keeps what is being read, and a little longer.
func (t *Talk) hover(in bool) {
	t.spot.hovered = in
	if in {
		return
	}
	t.stay(2 * time.Second)
}

// stay puts off the bubble's end to at least d from now.
func (t *Talk) stay(d time.Duration) {
	if at := t.now().Add(d); !t.bubble.until.IsZero() && t.bubble.until.Before(at) {
		t.bubble.until = at
	}
}

// held tells whether the bubble must not go yet: it is being read, or answered, or cannot be read.
func (t *Talk) held() bool {
	return t.bubble.until.IsZero() || t.spot.hovered || t.field.open || t.away
}

// Next implements Ticker.
func (t *Talk) Next(now time.Time) (time.Time, bool) {
	at, ok := t.panel.Next(now)
	if q := t.asked(); q != nil && (!ok || q.until.Before(at)) {
		at, ok = q.until, true
	}
	if t.panel.Shown() && !t.bubble.due.IsZero() && (!ok || t.bubble.due.Before(at)) {
		at, ok = t.bubble.due, true
	}
	if t.panel.Shown() && !t.bubble.passing.IsZero() && (!ok || t.bubble.passing.Before(at)) {
		at, ok = t.bubble.passing, true
	}
	if t.panel.Shown() && !t.held() && (!ok || t.bubble.until.Before(at)) {
		at, ok = t.bubble.until, true
	}
	return at, ok
}

// Tick implements Ticker.
func (t *Talk) Tick(now time.Time) {
	t.expire(now)
	if !t.bubble.due.IsZero() && !now.Before(t.bubble.due) {
		t.bubble.due = time.Time{}
		t.panel.Invalidate()
	}
	if !t.bubble.passing.IsZero() && !now.Before(t.bubble.passing) {
		t.SetStatus("")
		t.settleVisibility()
	}
	if !t.held() && !now.Before(t.bubble.until) {
		t.bubble.text, t.bubble.status, t.bubble.failed, t.bubble.until = "", "", false, time.Time{}
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
	t.field.typed = t.now()
	if e.Name == key.NameEscape && e.State == key.Press {
		t.CloseInput()
		return true
	}
	return false
}
