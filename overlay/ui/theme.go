// Package ui is what is said and asked on the screen: the bubble and input of a pet, questions, the menu, and the panels, with
// their fonts and colours. It knows overlay/window, never overlay/figure; cmd/yui/app ties the two.
//
// All of it belongs to the main thread, which window.Loop owns, unless a method says otherwise.
package ui

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gioui.org/f32"
	"gioui.org/font"
	"gioui.org/font/gofont"
	"gioui.org/font/opentype"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/text"
	"gioui.org/unit"
	"gioui.org/widget"
	"gioui.org/widget/material"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/math/fixed"

	"yui/assets/lang"
	"yui/overlay/prose"
)

// Palette is the colours of bubble, input, menu and panels (docs/rules/desktop.md#palette).
type Palette struct {
	Paper, Edge, Ink, Soft, Faint, Accent, Alarm, Second, Link, Pill, Field, Shadow color.NRGBA
}

func rgb(v uint32, a uint8) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: a}
}

// Light is warm paper and soft ink; Dark is the same by lamplight.
var (
	Light = Palette{Paper: rgb(0xFFFAF0, 240), Edge: rgb(0xE8D9C4, 255), Ink: rgb(0x3B2F2F, 255), Soft: rgb(0x6E5C52, 255), Faint: rgb(0x9A8A7C, 255),
		Accent: rgb(0xE8735A, 255), Alarm: rgb(0xA83C28, 255), Second: rgb(0x5AA9A0, 255), Link: rgb(0x1F7168, 255), Pill: rgb(0xF5E6D3, 255), Field: rgb(0xFFFDF8, 250), Shadow: rgb(0x000000, 8)}
	Dark = Palette{Paper: rgb(0x2B2522, 240), Edge: rgb(0x4A3F38, 255), Ink: rgb(0xF6EBDD, 255), Soft: rgb(0xCDBFB0, 255), Faint: rgb(0xA89A8C, 255),
		Accent: rgb(0xF08A72, 255), Alarm: rgb(0xFFA28C, 255), Second: rgb(0x74C2B9, 255), Link: rgb(0x8FD6CE, 255), Pill: rgb(0x3D342E, 255), Field: rgb(0x332C28, 250), Shadow: rgb(0x000000, 16)}
)

// Theme is how text and panels look; all talk windows and menus share one.
type Theme struct {
	Palette
	Motion  bool        // animate; false under reduced motion
	Words   *lang.Words // of panels and bubbles; nil: English
	widgets *material.Theme
	emoji   font.Typeface // the families that draw emoji, before those of text
}

// NewTheme loads the fonts: Go's own for Latin, the system's for the rest of the world. It reads the disk, so call it on
// any goroutine but the main one; what it returns belongs to the main thread.
func NewTheme() *Theme {
	th := material.NewTheme()
	families, faces := emoji()
	th.Shaper = text.NewShaper(text.WithCollection(slices.Concat(gofont.Regular(), more(), faces)))
	th.Face = font.Typeface("Go, Noto Sans, Noto Sans CJK JP, " + families + ", sans-serif")
	// The shaper reads its fonts when it first needs them: now, and not on the main thread.
	for _, w := range []font.Weight{font.Normal, font.Bold} {
		th.Shaper.LayoutString(text.Parameters{Font: font.Font{Typeface: th.Face, Weight: w}, PxPerEm: fixed.I(14), MaxWidth: 1000}, "Aé…")
	}
	return &Theme{Palette: Light, Motion: true, widgets: th, emoji: font.Typeface(families) + ", " + th.Face}
}

// more is Go's other faces: bold for titles, italic for stage directions, one of equal widths for code. Parsing a font
// that is built in cannot fail; were it to, its text is drawn regular.
func more() (faces []font.FontFace) {
	for _, f := range []struct {
		ttf  []byte
		font font.Font
	}{
		{gobold.TTF, font.Font{Typeface: "Go", Weight: font.Bold}},
		{goitalic.TTF, font.Font{Typeface: "Go", Style: font.Italic}},
		{gomono.TTF, font.Font{Typeface: "Go Mono"}},
	} {
		if parsed, err := opentype.ParseCollection(f.ttf); err == nil {
			faces = append(faces, font.FontFace{Font: f.font, Face: parsed[0].Face})
		}
	}
	return faces
}

// prose is how a reply looks.
func (k *Theme) prose() prose.Style {
	return prose.Style{Shaper: k.widgets.Shaper, Face: k.widgets.Face, Mono: "Go Mono, " + k.widgets.Face, Emoji: k.emoji, Size: 14, Ink: k.Ink, Soft: k.Soft, Link: k.Link,
		Edge: k.Edge, Ground: k.Pill, Selection: k.selection(), Fade: 16}
}

// selection is the colour behind selected text.
func (k *Theme) selection() color.NRGBA {
	return color.NRGBA{R: k.Accent.R, G: k.Accent.G, B: k.Accent.B, A: 70}
}

// label is a short text.
type label struct {
	material.LabelStyle
	theme *Theme
}

// Layout draws the text; one with emoji as a reply is drawn, each emoji by its own font.
func (l label) Layout(gtx layout.Context) layout.Dimensions {
	if !prose.HasEmoji(l.Text) {
		return l.LabelStyle.Layout(gtx)
	}
	style := l.theme.prose()
	style.Size, style.Ink, style.Face = l.TextSize, l.Color, l.Font.Typeface
	return prose.Label{Style: style, Bold: l.Font.Weight > font.Medium, MaxLines: l.MaxLines, Alignment: l.Alignment, Text: l.Text}.Layout(gtx)
}

// label is a text of the given size in the given colour.
func (k *Theme) label(size unit.Sp, s string, c color.NRGBA) label {
	l := label{material.Label(k.widgets, size, s), k}
	l.Color = c
	l.LineHeight = size * 1.4
	l.LineHeightScale = 1
	l.SelectionColor = k.selection()
	return l
}

func (k *Theme) editor(e *widget.Editor, hint string) material.EditorStyle {
	s := material.Editor(k.widgets, e, hint)
	s.Color, s.HintColor, s.TextSize, s.LineHeight, s.LineHeightScale = k.Ink, k.Faint, 14, 14*1.4, 1
	s.SelectionColor = k.selection()
	return s
}

// card draws a rounded sheet of paper with a soft shadow under what is drawn next.
func (k *Theme) card(gtx layout.Context, r image.Rectangle, radius int, fill, edge color.NRGBA, edgeWidth float32) {
	k.shadow(gtx, r, radius)
	w := max(1, int(edgeWidth+0.5))
	fillRounded(gtx, r, radius, edge, w)
	fillRounded(gtx, r.Inset(w), radius-w, fill, 0)
}

func (k *Theme) shadow(gtx layout.Context, r image.Rectangle, radius int) {
	step := max(1, gtx.Dp(2))
	for i := 5; i >= 1; i-- {
		g := r.Inset(-i * step / 2).Add(image.Pt(0, step))
		fillRounded(gtx, g, radius+i*step/2, k.Shadow, 0)
	}
}

// fillRounded fills a rounded rectangle, or only its edge of the given width. Gio covers the whole box of a path several
// times over, which software GL feels on a panel; so all but the corners is drawn as plain rectangles.
func fillRounded(gtx layout.Context, r image.Rectangle, radius int, c color.NRGBA, edge int) {
	radius = max(0, min(radius, r.Dx()/2, r.Dy()/2))
	fill := func(x0, y0, x1, y1 int) {
		if x0 < x1 && y0 < y1 {
			paint.FillShape(gtx.Ops, c, clip.Rect(image.Rect(x0, y0, x1, y1)).Op())
		}
	}
	in := r.Inset(radius)
	if edge <= 0 || edge > radius {
		fill(in.Min.X, r.Min.Y, in.Max.X, in.Min.Y)
		fill(r.Min.X, in.Min.Y, r.Max.X, in.Max.Y)
		fill(in.Min.X, in.Max.Y, in.Max.X, r.Max.Y)
	} else {
		fill(in.Min.X, r.Min.Y, in.Max.X, r.Min.Y+edge)
		fill(r.Min.X, in.Min.Y, r.Min.X+edge, in.Max.Y)
		fill(r.Max.X-edge, in.Min.Y, r.Max.X, in.Max.Y)
		fill(in.Min.X, r.Max.Y-edge, in.Max.X, r.Max.Y)
	}
	if radius == 0 {
		return
	}
	for _, corner := range []struct {
		x, y   int
		dx, dy float32
	}{{in.Min.X, in.Min.Y, -1, -1}, {in.Max.X, in.Min.Y, 1, -1}, {in.Max.X, in.Max.Y, 1, 1}, {in.Min.X, in.Max.Y, -1, 1}} {
		outer, inner := float32(radius), float32(0)
		if edge > 0 && edge <= radius {
			inner = outer - float32(edge)
		}
		path := quarter(gtx.Ops, f32.Pt(float32(corner.x), float32(corner.y)), corner.dx, corner.dy, outer, inner)
		paint.FillShape(gtx.Ops, c, clip.Outline{Path: path}.Op())
	}
}

// quarter is a quarter of a disc round a point, toward (dx, dy), without its inner part.
func quarter(ops *op.Ops, o f32.Point, dx, dy, outer, inner float32) clip.PathSpec {
	const k = 0.5523 // circle by cubic
	at := func(x, y float32) f32.Point { return o.Add(f32.Pt(x*dx, y*dy)) }
	var p clip.Path
	p.Begin(ops)
	p.MoveTo(at(outer, 0))
	p.CubeTo(at(outer, outer*k), at(outer*k, outer), at(0, outer))
	p.LineTo(at(0, inner))
	if inner > 0 {
		p.CubeTo(at(inner*k, inner), at(inner, inner*k), at(inner, 0))
	}
	p.Close()
	return p.End()
}

// bubble draws a rounded sheet with a tail whose tip is at tip; side says which edge the tail grows from.
func (k *Theme) bubble(gtx layout.Context, r image.Rectangle, radius float32, side Side, tip f32.Point, paper color.NRGBA) {
	k.shadow(gtx, r, int(radius))
	paint.FillShape(gtx.Ops, paper, clip.Outline{Path: bubblePath(gtx.Ops, r, radius, side, tip, float32(gtx.Dp(9)))}.Op())
	paint.FillShape(gtx.Ops, k.Edge, clip.Stroke{Path: bubblePath(gtx.Ops, r, radius, side, tip, float32(gtx.Dp(9))), Width: max(1, gtx.Metric.PxPerDp)}.Op())
}

// bubblePath is the outline, clockwise from the top left, with the tail's two feet half apart on the side's edge.
func bubblePath(ops *op.Ops, r image.Rectangle, c float32, side Side, tip f32.Point, half float32) clip.PathSpec {
	x0, y0, x1, y1 := float32(r.Min.X), float32(r.Min.Y), float32(r.Max.X), float32(r.Max.Y)
	clampX := func(x float32) float32 { return min(max(x, x0+c+half), x1-c-half) }
	clampY := func(y float32) float32 { return min(max(y, y0+c+half), y1-c-half) }
	q := c * 0.4477 // circle by cubic
	var p clip.Path
	p.Begin(ops)
	p.MoveTo(f32.Pt(x0+c, y0))
	if side == Below {
		t := clampX(tip.X)
		p.LineTo(f32.Pt(t-half, y0))
		p.QuadTo(f32.Pt(t-half/4, y0), tip)
		p.QuadTo(f32.Pt(t+half/2, y0), f32.Pt(t+half, y0))
	}
	p.LineTo(f32.Pt(x1-c, y0))
	p.CubeTo(f32.Pt(x1-q, y0), f32.Pt(x1, y0+q), f32.Pt(x1, y0+c))
	if side == Left {
		t := clampY(tip.Y)
		p.LineTo(f32.Pt(x1, t-half))
		p.QuadTo(f32.Pt(x1, t-half/4), tip)
		p.QuadTo(f32.Pt(x1, t+half/2), f32.Pt(x1, t+half))
	}
	p.LineTo(f32.Pt(x1, y1-c))
	p.CubeTo(f32.Pt(x1, y1-q), f32.Pt(x1-q, y1), f32.Pt(x1-c, y1))
	if side == Above {
		t := clampX(tip.X)
		p.LineTo(f32.Pt(t+half, y1))
		p.QuadTo(f32.Pt(t+half/4, y1), tip)
		p.QuadTo(f32.Pt(t-half/2, y1), f32.Pt(t-half, y1))
	}
	p.LineTo(f32.Pt(x0+c, y1))
	p.CubeTo(f32.Pt(x0+q, y1), f32.Pt(x0, y1-q), f32.Pt(x0, y1-c))
	if side == Right {
		t := clampY(tip.Y)
		p.LineTo(f32.Pt(x0, t+half))
		p.QuadTo(f32.Pt(x0, t+half/4), tip)
		p.QuadTo(f32.Pt(x0, t-half/2), f32.Pt(x0, t-half))
	}
	p.LineTo(f32.Pt(x0, y0+c))
	p.CubeTo(f32.Pt(x0, y0+q), f32.Pt(x0+q, y0), f32.Pt(x0+c, y0))
	p.Close()
	return p.End()
}

// Sample draws some of everything that talk windows draw, for window.Loop.Rehearse.
func (k *Theme) Sample(gtx layout.Context) {
	r := image.Rectangle{Max: gtx.Constraints.Max}.Inset(12)
	fade := paint.PushOpacity(gtx.Ops, 0.5)
	k.bubble(gtx, r, 12, Above, f32.Pt(40, float32(r.Max.Y+8)), k.Paper)
	k.label(14, "Yui", k.Ink).Layout(gtx)
	fade.Pop()
	k.card(gtx, r.Inset(20), 8, k.Field, k.Edge, 1)
	paint.FillShape(gtx.Ops, k.Accent, clip.Ellipse(r.Inset(30)).Op(gtx.Ops))
	k.label(14, "Yui", k.Ink).Layout(gtx)
}

// Side is where a bubble lies, seen from the pet.
type Side int

// The sides, in the order in which they are tried.
const (
	Above Side = iota
	Right
	Left
	Below
)

// rounded is a rounded rectangle as the bands that X shapes want: y-sorted and apart.
func rounded(r image.Rectangle, radius int) []image.Rectangle {
	radius = min(radius, r.Dx()/2, r.Dy()/2)
	if radius <= 0 {
		return []image.Rectangle{r}
	}
	inset := func(row int) int { // of the row-th line from an edge
		y := float64(radius-row) - 0.5
		c := float64(radius)
		return radius - int(math.Sqrt(c*c-y*y)+0.5)
	}
	bands := make([]image.Rectangle, 0, 2*radius+1)
	for i := range radius {
		d := inset(i)
		bands = append(bands, image.Rect(r.Min.X+d, r.Min.Y+i, r.Max.X-d, r.Min.Y+i+1))
	}
	if r.Dy() > 2*radius { // the server refuses a list with an empty rectangle
		bands = append(bands, image.Rect(r.Min.X, r.Min.Y+radius, r.Max.X, r.Max.Y-radius))
	}
	for i := radius - 1; i >= 0; i-- {
		d := inset(i)
		bands = append(bands, image.Rect(r.Min.X+d, r.Max.Y-i-1, r.Max.X-d, r.Max.Y-i))
	}
	return bands
}

// paper is the colour of a sheet: without a compositor nothing shines through it.
func (k *Theme) paper(composited bool) color.NRGBA {
	c := k.Paper
	if !composited {
		c.A = 255
	}
	return c
}
