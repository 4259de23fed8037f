package ui

import (
	"image"
	"testing"
	"time"

	"gioui.org/io/key"

	"yui/overlay/window"
)

type menuRig struct {
	*Menu
	*desk
	done []string
	gone int
}

func newMenu(t *testing.T) *menuRig {
	t.Helper()
	r := &menuRig{desk: newDesk(t)}
	var err error
	if r.Menu, err = NewMenu(r.loop, fonts(), 1); err != nil {
		t.Fatal(err)
	}
	r.OnGone = func() { r.gone++ }
	return r
}

func (r *menuRig) opens(at image.Point) {
	do := func(what string) func() { return func() { r.done = append(r.done, what) } }
	r.MoveTo(at)
	r.Do(func() {
		r.Open(at, r.desk.work, []MenuItem{
			{Label: "Hide", Do: do("hide")}, {Line: true},
			{Label: "Gaze", Checkable: true, Checked: true, Do: do("gaze")},
			{Label: "Presets", Children: []MenuItem{{Label: "Momo", Do: do("momo")}, {Label: "Sora", Do: do("sora")}}},
			{Label: "Quit", Do: do("quit")},
		})
	})
	r.Advance(time.Second)
}

func TestMenuDoesWhatIsChosen(t *testing.T) {
	r := newMenu(t)
	r.opens(image.Pt(400, 300))
	if w := r.Windows(); len(w) != 1 || !w[0].Keyboard || !r.Visible() {
		t.Fatalf("%+v", w)
	}
	if at := r.Find("Hide"); !at.In(r.desk.work) || at.Min.X < 400 || at.Min.Y < 300 || at.Min.Y > 340 {
		t.Errorf("its first row is at %v", at)
	}
	if !r.ClickOn("Gaze") || len(r.done) != 1 || r.done[0] != "gaze" || r.Visible() || r.gone != 1 {
		t.Errorf("done %v, visible %v, gone %d", r.done, r.Visible(), r.gone)
	}
	r.opens(image.Pt(400, 300))
	if !r.Find("Sora").Empty() {
		t.Error("children are shown before they are asked for")
	}
	below := r.Find("Quit")
	if !r.ClickOn("Presets") || !r.Visible() || r.Find("Quit").Min.Y <= below.Min.Y {
		t.Error("a row with children does not open")
	}
	if !r.ClickOn("Sora") || len(r.done) != 2 || r.done[1] != "sora" {
		t.Errorf("done %v", r.done)
	}
}

func TestMenuStaysOnTheScreen(t *testing.T) {
	r := newMenu(t)
	for _, at := range []image.Point{{2, 2}, {1278, 2}, {2, 798}, {1278, 798}, {640, 790}, {1200, 700}} {
		r.opens(at)
		first, last := r.Find("Hide"), r.Find("Quit")
		if !first.In(r.desk.work) || !last.In(r.desk.work) || first.Empty() || at.In(first.Union(last)) {
			t.Errorf("at %v: %v to %v", at, first, last)
		}
		r.Key(key.NameEscape, 0)
	}
}

// It goes by Escape, by a click elsewhere, and where the pointer has left it alone.
func TestMenuGoes(t *testing.T) {
	r := newMenu(t)
	for name, leave := range map[string]func(){
		"Escape":            func() { r.Key(key.NameEscape, 0) },
		"a click elsewhere": func() { r.Click(image.Pt(1000, 700), window.Left) },
		"nobody's interest": func() {
			r.MoveTo(r.Find("Hide").Min)
			r.MoveTo(image.Pt(1000, 700))
			if r.Advance(4*time.Second - time.Millisecond); !r.Visible() {
				t.Error("gone at once")
			}
			r.Advance(time.Millisecond)
		},
	} {
		r.gone = 0
		r.opens(image.Pt(400, 300))
		if leave(); r.Visible() || len(r.Windows()) != 0 || r.gone != 1 || len(r.done) != 0 {
			t.Errorf("%s: visible %v, gone %d, done %v", name, r.Visible(), r.gone, r.done)
		}
	}
}
