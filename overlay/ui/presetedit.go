package ui

import (
	"image"
	"slices"
	"strings"

	"gioui.org/font"
	"gioui.org/io/key"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/unit"
	"gioui.org/widget"
)

// PresetEdit is what a person may change of a character by hand.
type PresetEdit struct {
	ID, Name string
	Persona  string // her instructions
	Voice    string // how she sounds, in words
	Wears    string // the id of one of Looks, "" for the file of her own
	BaseURL  string // of a backend of her own, "" for the one that all share
	Model    string // that backend's model
	Card     bool   // her persona is a card's that nobody has confirmed

	File  string       // the model file of her own, "" where she has none
	Looks []PresetLook // what she may wear instead
}

// PresetLook is a bundled character's model.
type PresetLook struct{ ID, Name string }

// presetPage is the page of the panel on which one character is edited.
type presetPage struct {
	open bool
	edit PresetEdit
	face *paint.ImageOp

	looks                      []widget.Clickable
	persona, voice, url, model widget.Editor
	wanted                     *widget.Editor // which shall have the keyboard
	save, cancel, file, right  widget.Clickable
	list                       widget.List
}

// personaLimit and lineLimit bound what can be written, in code points.
const (
	personaLimit = 24000
	lineLimit    = 400
)

// EditPage shows the page of one character; Save there calls OnSave.
func (p *PresetsPanel) EditPage(e PresetEdit) {
	g := &p.page
	g.open, g.edit = true, e
	if a := p.acts[e.ID]; a != nil {
		g.face = a.face
	}
	g.looks = make([]widget.Clickable, len(e.Looks)+1)
	g.list.Axis, g.list.Position = layout.Vertical, layout.Position{}
	for _, f := range []struct {
		editor *widget.Editor
		text   string
		limit  int
	}{{&g.persona, e.Persona, personaLimit}, {&g.voice, e.Voice, lineLimit}, {&g.url, e.BaseURL, lineLimit}, {&g.model, e.Model, lineLimit}} {
		f.editor.SingleLine, f.editor.MaxLen = f.limit == lineLimit, f.limit
		f.editor.SetText(f.text)
		f.editor.SetCaret(0, 0)
	}
	p.panel.Invalidate()
}

// fields are the page's editors from top to bottom.
func (g *presetPage) fields() []*widget.Editor {
	return []*widget.Editor{&g.persona, &g.voice, &g.url, &g.model}
}

// nextField moves the keyboard to the page's next field; false where the page is not shown.
func (p *PresetsPanel) nextField(back bool) bool {
	g := &p.page
	if !g.open {
		return false
	}
	p.panel.Settle() // a click just before
	fields := g.fields()
	at := slices.IndexFunc(fields, func(e *widget.Editor) bool { return p.panel.Keyboard().Focused(e) })
	switch {
	case back && at <= 0:
		at = len(fields) - 1
	case back:
		at--
	default:
		at = (at + 1) % len(fields)
	}
	g.wanted = fields[at]
	p.panel.Settle() // what is typed next goes there
	p.panel.Invalidate()
	return true
}

// closePage goes back to the list; false where it is shown already.
func (p *PresetsPanel) closePage() bool {
	was := p.page.open
	p.page.open = false
	p.panel.Invalidate()
	return was
}

func (p *PresetsPanel) pageEvents(gtx layout.Context) {
	g := &p.page
	for i := range g.looks {
		if g.looks[i].Clicked(gtx) {
			g.edit.Wears = ""
			if i < len(g.edit.Looks) {
				g.edit.Wears = g.edit.Looks[i].ID
			}
		}
	}
	switch {
	case g.cancel.Clicked(gtx):
		p.closePage()
	case g.file.Clicked(gtx):
		p.closePage()
		p.OnFile(g.edit.ID)
	case g.right.Clicked(gtx):
		g.edit.Card = false
		p.savePage()
	case g.save.Clicked(gtx):
		p.savePage()
	}
}

// savePage closes the page and hands out what it says.
func (p *PresetsPanel) savePage() {
	g := &p.page
	p.closePage()
	e := g.edit
	e.Persona, e.Voice = strings.TrimSpace(g.persona.Text()), strings.TrimSpace(g.voice.Text())
	e.BaseURL, e.Model = strings.TrimSpace(g.url.Text()), strings.TrimSpace(g.model.Text())
	p.OnSave(e)
}

// cardNote asks the person to look over what a card has brought; nothing where there is none.
func (p *PresetsPanel) cardNote(gtx layout.Context) layout.Dimensions {
	g, say := &p.page, p.theme.Words.Text
	if !g.edit.Card {
		return layout.Dimensions{}
	}
	return layout.Inset{Top: 8}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
			layout.Flexed(1, p.theme.label(12, say("characters.card"), p.theme.Alarm).Layout),
			layout.Rigid(layout.Spacer{Width: 10}.Layout),
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				return p.theme.pillButton(gtx, &g.right, say("characters.right"), p.theme.Second, p.theme.onColor())
			}))
	})
}

// pageContent is the page: fields that scroll where the screen is low, and the buttons below.
func (p *PresetsPanel) pageContent(gtx layout.Context) layout.Dimensions {
	g, say := &p.page, p.theme.Words.Text
	if g.wanted != nil {
		gtx.Execute(key.FocusCmd{Tag: g.wanted})
		g.wanted = nil
	}
	others := unit.Dp(314) // what all but the persona's field needs
	if g.edit.Card {
		others += 48
	}
	height := max(120, unit.Dp(float32(gtx.Constraints.Max.Y)/gtx.Metric.PxPerDp)-others)
	fields := []layout.Widget{
		p.pageHead,
		p.titled(say("characters.looks"), p.lookPills),
		p.cardNote,
		p.titled(say("characters.persona"), p.fieldOf(&g.persona, "", height)),
		p.titled(say("characters.voice"), p.fieldOf(&g.voice, say("characters.voice_hint"), 0)),
		func(gtx layout.Context) layout.Dimensions {
			return layout.Flex{}.Layout(gtx,
				layout.Flexed(0.6, p.titled(say("characters.backend"), p.fieldOf(&g.url, say("characters.shared"), 0))),
				layout.Rigid(layout.Spacer{Width: 8}.Layout),
				layout.Flexed(0.4, p.titled(say("characters.model"), p.fieldOf(&g.model, say("characters.model_hint"), 0))))
		},
	}
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			return g.list.List.Layout(gtx, len(fields), func(gtx layout.Context, i int) layout.Dimensions { return fields[i](gtx) })
		}),
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return layout.Inset{Top: 12, Bottom: 6}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
				return layout.Flex{}.Layout(gtx,
					layout.Rigid(func(gtx layout.Context) layout.Dimensions {
						return p.theme.pillButton(gtx, &g.save, say("characters.save"), p.theme.Second, p.theme.onColor())
					}),
					layout.Rigid(layout.Spacer{Width: 6}.Layout),
					layout.Rigid(func(gtx layout.Context) layout.Dimensions {
						return p.theme.pillButton(gtx, &g.cancel, say("characters.cancel"), p.theme.Pill, p.theme.Ink)
					}),
					layout.Flexed(1, layout.Spacer{}.Layout),
					layout.Rigid(func(gtx layout.Context) layout.Dimensions {
						return p.theme.pillButton(gtx, &g.file, say("characters.file"), p.theme.Pill, p.theme.Ink)
					}),
				)
			})
		}),
	)
}

func (p *PresetsPanel) pageHead(gtx layout.Context) layout.Dimensions {
	return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			gtx.Constraints = layout.Exact(image.Pt(gtx.Dp(40), gtx.Dp(40)))
			return p.theme.facePicture(gtx, p.page.face, firstLetter(p.page.edit.Name))
		}),
		layout.Rigid(layout.Spacer{Width: 12}.Layout),
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			l := p.theme.label(17, p.page.edit.Name, p.theme.Ink)
			l.Font.Weight, l.MaxLines = font.Bold, 1
			return l.Layout(gtx)
		}),
	)
}

// titled puts a small heading over a field.
func (p *PresetsPanel) titled(title string, w layout.Widget) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		return layout.Inset{Top: 8}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
			return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
				layout.Rigid(p.theme.label(11.5, title, p.theme.Faint).Layout),
				layout.Rigid(layout.Spacer{Height: 3}.Layout),
				layout.Rigid(w))
		})
	}
}

// fieldOf is an editor in a field, of a fixed height (in logical pixels) where there is one.
func (p *PresetsPanel) fieldOf(e *widget.Editor, hint string, height unit.Dp) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		m := op.Record(gtx.Ops)
		gtx.Constraints.Min.X = gtx.Constraints.Max.X
		if height > 0 {
			gtx.Constraints.Min.Y, gtx.Constraints.Max.Y = gtx.Dp(height), gtx.Dp(height)
		}
		d := layout.Inset{Left: 12, Right: 12, Top: 6, Bottom: 6}.Layout(gtx, p.theme.editor(e, hint).Layout)
		call := m.Stop()
		shape := clip.UniformRRect(image.Rectangle{Max: d.Size}, gtx.Dp(10))
		edge := p.theme.Edge
		if gtx.Focused(e) {
			edge = p.theme.Accent
		}
		paint.FillShape(gtx.Ops, p.theme.Field, shape.Op(gtx.Ops))
		paint.FillShape(gtx.Ops, edge, clip.Stroke{Path: shape.Path(gtx.Ops), Width: 1.4 * gtx.Metric.PxPerDp}.Op())
		call.Add(gtx.Ops)
		return d
	}
}

// lookPills are the bundled characters, and the file of her own.
func (p *PresetsPanel) lookPills(gtx layout.Context) layout.Dimensions {
	g := &p.page
	var children []layout.FlexChild
	pill := func(i int, id, name string) {
		children = append(children, layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			fill, ink := p.theme.Pill, p.theme.Ink
			if g.edit.Wears == id {
				fill, ink = p.theme.Second, p.theme.onColor()
			}
			return layout.Inset{Right: 6}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
				return p.theme.pillButton(gtx, &g.looks[i], name, fill, ink)
			})
		}))
	}
	for i, l := range g.edit.Looks {
		pill(i, l.ID, l.Name)
	}
	if g.edit.File != "" {
		pill(len(g.edit.Looks), "", g.edit.File)
	}
	return layout.Flex{}.Layout(gtx, children...)
}
