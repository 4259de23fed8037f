package ui

import (
	"image"
	"math"
	"strings"

	"gioui.org/font"
	"gioui.org/io/key"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/text"
	"gioui.org/unit"
	"gioui.org/widget"

	"yui/assets/lang"
	"yui/overlay/window"
)

// PresetRow is a saved character as the panel shows it.
type PresetRow struct {
	ID, Name string
	Shown    string // the name, told apart from others of the same name
	About    string // what she wears and who answers for her
	Open     bool
	Height   int         // logical pixels
	Face     image.Image // nil draws the name's first letter
	Delete   string      // what deleting her is called: a bundled one only loses her changes; "" where there is nothing to lose
}

// PresetsView is everything that the panel shows.
type PresetsView struct {
	Rows     []PresetRow
	Selected string // whose row is unfolded
	Renaming bool   // its name is being written
}

// PresetsPanel makes, names, copies, deletes, opens and closes characters. Main thread only.
type PresetsPanel struct {
	*sheet
	view PresetsView
	acts map[string]*presetActs

	sure   bool // deleting the selected one was asked for
	editor widget.Editor
	focus  bool // the editor wants the keyboard
	list   widget.List
	create widget.Clickable
	page   presetPage

	// What the person wants.
	OnNew       func()
	OnOpen      func(id string, open bool)
	OnRename    func(id, name string)
	OnDuplicate func(id string)
	OnEdit      func(id string) // to be answered by EditPage
	OnSave      func(e PresetEdit)
	OnFile      func(id string) // the file that says all this
	OnDelete    func(id string)
	OnHeight    func(id string, height int)
}

// presetActs is what can be clicked in a row.
type presetActs struct {
	row, rename, save, duplicate, edit, del, yes, no widget.Clickable
	open                                             widget.Bool
	size                                             widget.Float
	sized                                            bool
	face                                             *paint.ImageOp
}

const (
	presetsWidth, presetsHeight = 470, 560
	// sizes that the slider offers, in logical pixels; preset.toml takes more.
	leastSize, mostSize = 120, 480
)

// NewPresetsPanel makes the hidden panel.
func NewPresetsPanel(l *window.Loop, theme *Theme, scale float32) (*PresetsPanel, error) {
	s, err := newSheet(l, theme, scale, "characters.title", presetsWidth, presetsHeight)
	if err != nil {
		return nil, err
	}
	p := &PresetsPanel{sheet: s, acts: map[string]*presetActs{}}
	p.list.Axis = layout.Vertical
	p.editor.SingleLine, p.editor.Submit, p.editor.MaxLen = true, true, 60
	s.content, s.events = p.content, p.events
	s.escape = func() bool {
		if p.closePage() {
			return true
		}
		was := p.view.Renaming || p.sure
		p.view.Renaming, p.sure = false, false
		p.panel.Invalidate()
		return was
	}
	s.tab = p.nextField
	s.OnGone = func() {
		clear(p.acts)
		p.page = presetPage{}
	}
	l.Add(p)
	return p, nil
}

// Show brings the panel up, or to the front.
func (p *PresetsPanel) Show(v PresetsView, work image.Rectangle) {
	p.Update(v)
	p.open(work)
}

// Update shows newer facts; what the person is writing stays. A new selection unfolds its row.
func (p *PresetsPanel) Update(v PresetsView) {
	if v.Selected == "" || v.Selected == p.view.Selected {
		v.Selected, v.Renaming = p.view.Selected, p.view.Renaming
	} else {
		p.sure = false
	}
	p.view = v
	for i, r := range v.Rows {
		a := p.actsOf(r.ID)
		if r.Face != nil {
			op := paint.NewImageOp(r.Face)
			op.Filter = paint.FilterLinear
			a.face = &op
		}
		if r.ID == v.Selected && v.Renaming && p.editor.Text() == "" {
			p.write(r.Name)
			p.list.Position.First = max(0, i-2)
		}
	}
	p.panel.Invalidate()
}

// Close ends the panel's window.
func (p *PresetsPanel) Close() {
	p.panel.Loop().Remove(p)
	p.panel.Close()
}

func (p *PresetsPanel) actsOf(id string) *presetActs {
	if p.acts[id] == nil {
		p.acts[id] = &presetActs{}
	}
	return p.acts[id]
}

// write begins to write a name.
func (p *PresetsPanel) write(name string) {
	p.view.Renaming, p.focus = true, true
	p.editor.SetText(name)
	p.editor.SetCaret(p.editor.Len(), 0)
}

func (p *PresetsPanel) events(gtx layout.Context) {
	if p.page.open {
		p.pageEvents(gtx)
		return
	}
	if p.create.Clicked(gtx) {
		p.OnNew()
	}
	for _, r := range p.view.Rows {
		a := p.actsOf(r.ID)
		if a.open.Update(gtx) {
			p.OnOpen(r.ID, a.open.Value)
		}
		a.open.Value = r.Open
		if a.row.Clicked(gtx) {
			p.unfold(r.ID)
		}
		if r.ID == p.view.Selected {
			p.actions(gtx, r, a)
		}
	}
}

func (p *PresetsPanel) unfold(id string) {
	if p.view.Selected == id {
		id = ""
	}
	p.view.Selected, p.view.Renaming, p.sure = id, false, false
	p.editor.SetText("")
}

func (p *PresetsPanel) actions(gtx layout.Context, r PresetRow, a *presetActs) {
	saved := a.save.Clicked(gtx)
	for {
		ev, ok := p.editor.Update(gtx)
		if !ok {
			break
		}
		if _, ok := ev.(widget.SubmitEvent); ok {
			saved = true
		}
	}
	switch {
	case saved && p.view.Renaming:
		p.view.Renaming = false
		if name := strings.TrimSpace(p.editor.Text()); name != "" && name != r.Name {
			p.OnRename(r.ID, name)
		}
		p.editor.SetText("")
	case a.rename.Clicked(gtx):
		p.write(r.Name)
	case a.duplicate.Clicked(gtx):
		p.OnDuplicate(r.ID)
	case a.edit.Clicked(gtx):
		p.OnEdit(r.ID)
	case a.del.Clicked(gtx):
		p.sure = true
	case a.no.Clicked(gtx):
		p.sure = false
	case a.yes.Clicked(gtx):
		p.sure = false
		p.OnDelete(r.ID)
	}
}

func (p *PresetsPanel) content(gtx layout.Context) layout.Dimensions {
	if p.page.open {
		return p.pageContent(gtx)
	}
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			rows := p.view.Rows
			return p.list.List.Layout(gtx, len(rows), func(gtx layout.Context, i int) layout.Dimensions { return p.row(gtx, rows[i]) })
		}),
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return layout.Inset{Top: 12, Bottom: 8}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
				gtx.Constraints.Min = image.Point{}
				return p.theme.pillButton(gtx, &p.create, "+  "+p.theme.Words.Text("characters.new"), p.theme.Accent, p.theme.onColor())
			})
		}),
		layout.Rigid(p.theme.label(11.5, p.theme.Words.Text("characters.hint"), p.theme.Faint).Layout),
	)
}

// row is one character, with what can be done to her below where it is unfolded.
func (p *PresetsPanel) row(gtx layout.Context, r PresetRow) layout.Dimensions {
	a := p.actsOf(r.ID)
	children := []layout.FlexChild{layout.Rigid(func(gtx layout.Context) layout.Dimensions { return p.rowHead(gtx, r, a) })}
	if r.ID == p.view.Selected {
		children = append(children, layout.Rigid(func(gtx layout.Context) layout.Dimensions { return p.rowBody(gtx, r, a) }))
	}
	m := op.Record(gtx.Ops)
	d := layout.Inset{Top: 8, Bottom: 8, Left: 10, Right: 10}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx, children...)
	})
	call := m.Stop()
	if r.ID == p.view.Selected {
		paint.FillShape(gtx.Ops, mix(p.theme.Field, p.theme.Pill, 0.4), clip.UniformRRect(image.Rectangle{Max: d.Size}, gtx.Dp(12)).Op(gtx.Ops))
	}
	call.Add(gtx.Ops)
	return d
}

func (p *PresetsPanel) rowHead(gtx layout.Context, r PresetRow, a *presetActs) layout.Dimensions {
	return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			if r.ID == p.view.Selected && p.view.Renaming {
				return p.naming(gtx, r, a)
			}
			return a.row.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
				return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
					layout.Rigid(func(gtx layout.Context) layout.Dimensions { return p.face(gtx, r, a) }),
					layout.Rigid(layout.Spacer{Width: 12}.Layout),
					layout.Flexed(1, func(gtx layout.Context) layout.Dimensions { return p.names(gtx, r) }))
			})
		}),
		layout.Rigid(layout.Spacer{Width: 10}.Layout),
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return p.theme.toggle(gtx, &a.open, r.Open, gtx.Dp(22))
		}),
	)
}

func (p *PresetsPanel) face(gtx layout.Context, r PresetRow, a *presetActs) layout.Dimensions {
	gtx.Constraints = layout.Exact(image.Pt(gtx.Dp(44), gtx.Dp(44)))
	return p.theme.facePicture(gtx, a.face, firstLetter(r.Name))
}

func (p *PresetsPanel) names(gtx layout.Context, r PresetRow) layout.Dimensions {
	gtx.Constraints.Min.X = gtx.Constraints.Max.X
	name := p.theme.label(15, r.Shown, p.theme.Ink)
	name.Font.Weight, name.MaxLines = font.Bold, 1
	about := p.theme.label(11.5, r.About, p.theme.Faint)
	about.MaxLines = 1
	if r.ID == p.view.Selected {
		about.MaxLines = 3
	}
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx, layout.Rigid(name.Layout), layout.Rigid(about.Layout))
}

// naming is the field in which a name is written.
func (p *PresetsPanel) naming(gtx layout.Context, r PresetRow, a *presetActs) layout.Dimensions {
	if p.focus {
		gtx.Execute(key.FocusCmd{Tag: &p.editor})
		p.focus = false
	}
	return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			m := op.Record(gtx.Ops)
			gtx.Constraints.Min.X = gtx.Constraints.Max.X
			d := layout.Inset{Left: 12, Right: 12, Top: 7, Bottom: 7}.Layout(gtx, p.theme.editor(&p.editor, r.Name).Layout)
			call := m.Stop()
			p.theme.field(gtx, image.Rectangle{Max: d.Size})
			call.Add(gtx.Ops)
			return d
		}),
		layout.Rigid(layout.Spacer{Width: 8}.Layout),
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return p.theme.pillButton(gtx, &a.save, p.theme.Words.Text("characters.save"), p.theme.Second, p.theme.onColor())
		}),
	)
}

// field is the outline of what can be written in.
func (k *Theme) field(gtx layout.Context, r image.Rectangle) {
	shape := clip.UniformRRect(r, gtx.Dp(10))
	paint.FillShape(gtx.Ops, k.Field, shape.Op(gtx.Ops))
	paint.FillShape(gtx.Ops, k.Accent, clip.Stroke{Path: shape.Path(gtx.Ops), Width: 1.4 * gtx.Metric.PxPerDp}.Op())
}

func (p *PresetsPanel) rowBody(gtx layout.Context, r PresetRow, a *presetActs) layout.Dimensions {
	say := p.theme.Words.Text
	return layout.Inset{Top: 8}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
			layout.Rigid(func(gtx layout.Context) layout.Dimensions { return p.sizeRow(gtx, r, a) }),
			layout.Rigid(layout.Spacer{Height: 6}.Layout),
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				if p.sure {
					return p.askSure(gtx, r, a)
				}
				buttons := []button{{&a.rename, say("characters.rename")}, {&a.duplicate, say("characters.duplicate")}, {&a.edit, say("characters.edit")}}
				if r.Delete != "" {
					buttons = append(buttons, button{&a.del, r.Delete})
				}
				return p.buttons(gtx, buttons...)
			}),
		)
	})
}

type button struct {
	click *widget.Clickable
	word  string
}

func (p *PresetsPanel) buttons(gtx layout.Context, list ...button) layout.Dimensions {
	var children []layout.FlexChild
	for i, b := range list {
		if i > 0 {
			children = append(children, layout.Rigid(layout.Spacer{Width: 6}.Layout))
		}
		children = append(children, layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return p.theme.pillButton(gtx, b.click, b.word, p.theme.Pill, p.theme.Ink)
		}))
	}
	return layout.Flex{}.Layout(gtx, children...)
}

func (p *PresetsPanel) askSure(gtx layout.Context, r PresetRow, a *presetActs) layout.Dimensions {
	say := p.theme.Words.Text
	return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			l := p.theme.label(13, say("characters.sure", lang.Args{"name": r.Shown}), p.theme.Ink)
			l.MaxLines = 2
			return l.Layout(gtx)
		}),
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return p.theme.pillButton(gtx, &a.yes, r.Delete, p.theme.Alarm, p.theme.Field)
		}),
		layout.Rigid(layout.Spacer{Width: 6}.Layout),
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return p.theme.pillButton(gtx, &a.no, say("characters.keep"), p.theme.Pill, p.theme.Ink)
		}),
	)
}

// sizeRow is how tall she is.
func (p *PresetsPanel) sizeRow(gtx layout.Context, r PresetRow, a *presetActs) layout.Dimensions {
	if a.size.Update(gtx) {
		a.sized = true
	}
	at := func() int { return leastSize + int(math.Round(float64(a.size.Value)*(mostSize-leastSize)/10))*10 }
	if !a.size.Dragging() {
		if set := at(); a.sized && set != r.Height {
			p.OnHeight(r.ID, set)
			r.Height = set
			p.note(r)
		} else if !a.sized {
			a.size.Value = min(max(float32(r.Height-leastSize)/(mostSize-leastSize), 0), 1)
		}
		a.sized = false
	}
	shown := r.Height
	if a.size.Dragging() {
		shown = at()
	}
	return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
		layout.Rigid(p.theme.cell(56, p.theme.Words.Text("characters.size"), p.theme.Ink, text.Start)),
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions { return p.theme.slide(gtx, &a.size, 0, p.theme.Second) }),
		layout.Rigid(p.theme.cell(60, itoa(shown)+" px", p.theme.Faint, text.End)),
	)
}

// note keeps a changed row until the app tells it again.
func (p *PresetsPanel) note(r PresetRow) {
	for i := range p.view.Rows {
		if p.view.Rows[i].ID == r.ID {
			p.view.Rows[i] = r
		}
	}
}

// unitSp is a text size of so many pixels.
func unitSp(gtx layout.Context, pixels int) unit.Sp {
	return unit.Sp(float32(pixels) / gtx.Metric.PxPerSp)
}
