package ui

import (
	"fmt"
	"image"
	"reflect"
	"slices"
	"testing"
	"time"

	"gioui.org/io/key"

	"yui/overlay/window"
)

// told notes what a panel reports.
type told struct {
	t    *testing.T
	list []string
}

func (n *told) note(format string, args ...any) {
	n.list = append(n.list, fmt.Sprintf(format, args...))
}

func (n *told) expect(want ...string) {
	n.t.Helper()
	if !slices.Equal(n.list, want) {
		n.t.Errorf("told %q, want %q", n.list, want)
	}
	n.list = nil
}

func click(d *desk, text string) {
	d.t.Helper()
	if !d.ClickOn(text) {
		d.t.Fatalf("%q is not shown", text)
	}
}

// A panel is moved by its head, and goes by its cross and by Escape.
func TestPanelIsMovedAndClosed(t *testing.T) {
	d, n := newDesk(t), &told{t: t}
	p, err := NewRelationsPanel(d.loop, fonts(), 1)
	if err != nil {
		t.Fatal(err)
	}
	gone := p.OnGone
	p.OnGone = func() { gone(); n.note("gone") }
	show := func() { d.Do(func() { p.Show(RelationsView{On: true}, d.work) }); d.Advance(time.Second) }
	show()
	if w := d.Windows(); len(w) != 1 || !w[0].Keyboard || !p.Drawn() || !p.Rect().In(d.work.Inset(-2*sheetMargin)) {
		t.Fatalf("%+v", w)
	}
	at, head := p.Rect(), d.Find("Relations")
	d.MoveTo(head.Min.Add(image.Pt(5, 7)))
	d.Press(window.Left)
	for range 10 {
		d.MoveTo(d.Pointer().Add(image.Pt(-12, 5)))
	}
	d.Release(window.Left)
	if p.Rect() != at.Add(image.Pt(-120, 50)) {
		t.Errorf("at %v, was %v", p.Rect(), at)
	}
	d.MoveTo(image.Pt(5, 5))
	if p.Rect() != at.Add(image.Pt(-120, 50)) {
		t.Error("it follows a hand that has let go")
	}
	cross := image.Pt(p.Rect().Max.X-sheetMargin-39, p.Rect().Min.Y+sheetMargin+39)
	d.Click(cross, window.Left)
	n.expect("gone")
	show()
	d.Key(key.NameEscape, 0)
	n.expect("gone")
	if p.Visible() || len(d.Windows()) != 0 || !p.Rect().Empty() {
		t.Error("it stays")
	}
}

func TestRelationsAreSet(t *testing.T) {
	d, n := newDesk(t), &told{t: t}
	p, err := NewRelationsPanel(d.loop, fonts(), 1)
	if err != nil {
		t.Fatal(err)
	}
	p.OnSet = func(from, to string, value int) { n.note("set %s %s %d", from, to, value) }
	p.OnSwitch = func(on bool) { n.note("switch %v", on) }
	p.OnSelect = func(id string) { n.note("select %s", id) }
	view := RelationsView{On: true, Selected: "yui",
		Pets:     []RelationsPet{{ID: "yui", Name: "Yui"}, {ID: "momo", Name: "Momo"}},
		Feelings: []Feeling{{From: "yui", To: "momo", ToName: "Momo", Value: 0}, {From: "yui", Value: 10}, {From: "momo", Value: -20}},
		Name:     "Yui",
	}
	d.Do(func() { p.Show(view, d.work) })
	d.Advance(time.Second)
	name := d.Find("toward Momo")
	if name.Empty() || d.Find("toward you").Empty() {
		t.Fatal("her feelings are not listed")
	}
	left := name.Min.X + 130 // where the slider begins
	d.MoveTo(image.Pt(left+100, name.Min.Y+8))
	d.Press(window.Left)
	d.MoveTo(image.Pt(left+2000, name.Min.Y+8))
	n.expect()
	d.Release(window.Left)
	d.Advance(time.Second)
	n.expect("set yui momo 20")

	at := p.Rect()
	d.Click(image.Pt(at.Max.X-sheetMargin-118+20, at.Min.Y+sheetMargin+26+13), window.Left)
	n.expect("switch false")
	for _, x := range []int{at.Min.X + at.Dx()/4, at.Max.X - at.Dx()/4} { // faces stand in a circle round the person
		for y := at.Min.Y + 90; y < at.Min.Y+420 && len(n.list) == 0; y += 12 {
			d.Click(image.Pt(x, y), window.Left)
		}
	}
	if len(n.list) == 0 {
		t.Error("a face cannot be chosen")
	}
}

type castRig struct {
	*desk
	*told
	panel *PresetsPanel
	view  PresetsView
}

func newCast(t *testing.T) *castRig {
	t.Helper()
	r := &castRig{desk: newDesk(t), told: &told{t: t}}
	p, err := NewPresetsPanel(r.loop, fonts(), 1)
	if err != nil {
		t.Fatal(err)
	}
	r.panel = p
	p.OnNew = func() { r.note("new") }
	p.OnOpen = func(id string, open bool) { r.note("open %s %v", id, open) }
	p.OnRename = func(id, name string) { r.note("rename %s %s", id, name) }
	p.OnDuplicate = func(id string) { r.note("duplicate %s", id) }
	p.OnEdit = func(id string) { r.note("edit %s", id) }
	p.OnFile = func(id string) { r.note("file %s", id) }
	p.OnDelete = func(id string) { r.note("delete %s", id) }
	p.OnHeight = func(id string, height int) { r.note("height %s %d", id, height) }
	r.view = PresetsView{
		Rows: []PresetRow{{ID: "yui", Name: "Yui", Shown: "Yui", About: "a fox", Open: true, Height: 300},
			{ID: "aki", Name: "Aki", Shown: "Aki", About: "a cat", Height: 300, Delete: "Delete"}},
	}
	r.Do(func() { p.Show(r.view, r.work) })
	r.Advance(time.Second)
	return r
}

func TestCharactersAreManaged(t *testing.T) {
	r := newCast(t)
	click(r.desk, "+  New character")
	r.expect("new")
	if !r.Find("Duplicate").Empty() {
		t.Error("what can be done is shown before a row is chosen")
	}
	click(r.desk, "Aki")
	click(r.desk, "Duplicate")
	click(r.desk, "Edit…")
	r.expect("duplicate aki", "edit aki")
	click(r.desk, "Rename")
	r.Type("Haru") // over what is selected
	r.Key(key.NameReturn, 0)
	r.expect("rename aki Haru")
	click(r.desk, "Rename")
	r.Type("Nobody")
	r.Key(key.NameEscape, 0)
	r.expect()
	if !r.panel.Visible() {
		t.Fatal("Escape in a field closes the panel")
	}
	click(r.desk, "Delete")
	r.expect()
	click(r.desk, "Keep")
	click(r.desk, "Delete")
	click(r.desk, "Delete")
	r.expect("delete aki")
	row := r.Find("Aki")
	r.Click(image.Pt(r.panel.Rect().Max.X-sheetMargin-sheetInset-25, row.Min.Y+16), window.Left)
	r.expect("open aki true")
}

// The page of a character: Tab goes from field to field, and Save hands out what stands in them.
func TestCharacterIsEdited(t *testing.T) {
	r := newCast(t)
	var got PresetEdit
	r.panel.OnSave = func(e PresetEdit) { got = e; r.note("save") }
	edit := PresetEdit{ID: "aki", Name: "Aki", Persona: "Kind.", Looks: []PresetLook{{"yui", "Yui's"}, {"momo", "Momo's"}}, File: "own.vrm"}
	page := func() { r.Do(func() { r.panel.EditPage(edit) }); r.Advance(time.Second) }
	page()
	r.Key(key.NameTab, 0)
	r.Type("Very ")
	r.Key(key.NameTab, 0)
	r.Type("soft")
	r.Key(key.NameTab, 0)
	r.Type("http://127.0.0.1:1/v1 ")
	r.Key(key.NameTab, 0)
	r.Type("small")
	r.Key(key.NameTab, key.ModShift)
	r.Key(key.NameTab, 0)
	r.Type("est")
	click(r.desk, "Momo's")
	click(r.desk, "Save")
	r.expect("save")
	want := edit
	want.Persona, want.Voice, want.BaseURL, want.Model, want.Wears = "Very Kind.", "soft", "http://127.0.0.1:1/v1", "smallest", "momo"
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v,\nwant %+v", got, want)
	}
	page()
	r.Key(key.NameTab, 0)
	r.Type("lost")
	click(r.desk, "Cancel")
	r.expect()
	page()
	click(r.desk, "Open file…")
	r.expect("file aki")
	if r.Find("+  New character").Empty() {
		t.Error("the list does not come back")
	}
}
