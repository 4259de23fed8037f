// Command sheets draws contact sheets of the bundled characters, to be judged by eye: every side, every size on dark,
// light and busy grounds, all emotions, every posture. It needs a display; `make sheets` opens a private one.
package main

import (
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"yui/assets"
	"yui/avatar/clips"
	"yui/avatar/motion"
	"yui/avatar/render"
	"yui/avatar/vrm"
	"yui/overlay/window"
	"yui/platform/desktoptest"
)

func init() { runtime.LockOSThread() }

func main() {
	out := flag.String("out", "out/sheets", "the folder for the sheets")
	flag.Parse()
	if err := run(*out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sheets:", err)
		os.Exit(1)
	}
}

func run(out string, ids []string) error {
	if len(ids) == 0 {
		ids = []string{"yui", "momo", "sora"}
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if os.Getenv("DISPLAY") == "" {
		d, err := desktoptest.Launch(context.Background(), desktoptest.Options{WM: "none", NoBus: true})
		if err != nil {
			return err
		}
		defer d.Close()
		os.Setenv("DISPLAY", d.Display)
	}
	loop, err := window.NewLoop(slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer loop.Close()
	loop.Shared()
	s, err := newStudio()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.wear(id); err != nil {
			return err
		}
		for name, draw := range map[string]func() (*image.RGBA, error){
			"sides": s.sides, "sizes": s.sizes, "emotions": s.emotions, "postures": s.postures,
		} {
			page, err := draw()
			if err != nil {
				return fmt.Errorf("%s of %s: %w", name, id, err)
			}
			file := filepath.Join(out, id+"-"+name+".png")
			if err := desktoptest.SavePNG(file, page); err != nil {
				return err
			}
			fmt.Println(file)
		}
	}
	return nil
}

// studio draws one character.
type studio struct {
	renderer *render.Renderer
	target   *render.Target
	clips    *motion.Library
	model    *vrm.Model
	scene    *render.Scene
}

func newStudio() (*studio, error) {
	r, err := render.New(render.Options{Quality: render.On, TexturePixels: 800})
	if err != nil {
		return nil, err
	}
	t, err := render.NewTarget(r, 100, 100)
	if err != nil {
		return nil, err
	}
	s := &studio{renderer: r, target: t, clips: motion.NewLibrary()}
	for _, name := range assets.Motions() {
		b, err := assets.Motion(name)
		if err != nil {
			return nil, err
		}
		a, err := vrm.LoadAnimation(b)
		if err != nil {
			return nil, err
		}
		if err := s.clips.Add(clips.ID(name), a); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *studio) wear(id string) error {
	b, err := assets.Character(id)
	if err != nil {
		return err
	}
	if s.model, err = vrm.Load(b); err != nil {
		return err
	}
	if s.scene != nil {
		s.scene.Release()
	}
	s.scene, err = s.renderer.Upload(s.model)
	return err
}

// shot is one picture: a clip at a time, a face, a turn of the body.
type shot struct {
	label   string
	clip    clips.ID
	at      float64 // seconds into it
	emotion string
	yaw     float64 // degrees
	height  int     // of the character in pixels
	ground  func(*image.RGBA)
}

// take draws a shot over its ground; cell is the size of the picture.
func (s *studio) take(o shot, cell image.Point) (*image.RGBA, error) {
	p := motion.NewPlayer(s.model, s.clips, 7)
	if o.clip != "" {
		p.Hold(o.clip, motion.HoldOpts{})
	}
	if o.emotion != "" {
		p.Emotion(o.emotion, 1)
	}
	in := motion.Input{Yaw: float32(o.yaw * math.Pi / 180), ReducedMotion: true}
	if o.at == 0 {
		o.at = 1
	}
	var pose *motion.Pose
	for t := 0.0; t < o.at; t += 1.0 / 30 {
		pose = p.Step(time.Second/30, in)
	}
	a := p.Anatomy()
	ppm := float32(o.height) / a.Height
	v := render.View{Width: cell.X, Height: cell.Y, PixelsPerMetre: ppm, RootX: float32(cell.X) / 2, RootY: float32(cell.Y) * 0.86}
	if err := s.target.Resize(cell.X, cell.Y); err != nil {
		return nil, err
	}
	if err := s.target.Draw(s.scene, pose, v); err != nil {
		return nil, err
	}
	picture, err := s.target.Snapshot()
	if err != nil {
		return nil, err
	}
	page := image.NewRGBA(image.Rectangle{Max: cell})
	if o.ground == nil {
		o.ground = paper
	}
	o.ground(page)
	draw.Draw(page, page.Bounds(), picture, image.Point{}, draw.Over)
	label(page, o.label)
	return page, nil
}

func paper(p *image.RGBA) { fill(p, color.RGBA{0xFD, 0xF6, 0xEA, 255}) }
func black(p *image.RGBA) { fill(p, color.RGBA{0, 0, 0, 255}) }
func white(p *image.RGBA) { fill(p, color.RGBA{255, 255, 255, 255}) }

func fill(p *image.RGBA, c color.RGBA) {
	draw.Draw(p, p.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
}

// scenery is a ground as restless as a photograph: hills, sky and noise of several sizes.
func scenery(p *image.RGBA) {
	b := p.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			fx, fy := float64(x), float64(y)/float64(b.Dy())
			n := math.Sin(fx*0.05)*math.Cos(float64(y)*0.07) + 0.6*math.Sin(fx*0.21+float64(y)*0.17) + 0.4*math.Sin(fx*0.9)*math.Sin(float64(y)*0.8)
			hill := 0.55 + 0.12*math.Sin(fx*0.018)
			r, g, bl := 120+70*fy+12*n, 160+40*fy+12*n, 205+10*n
			if fy > hill {
				r, g, bl = 70+50*fy+26*n, 105+35*fy+30*n, 55+20*n
			}
			c := func(v float64) uint8 { return uint8(min(max(v, 0), 255)) }
			p.SetRGBA(x, y, color.RGBA{c(r), c(g), c(bl), 255})
		}
	}
}

func label(p *image.RGBA, text string) {
	d := font.Drawer{Dst: p, Src: image.NewUniform(color.RGBA{0x6B, 0x5B, 0x50, 255}), Face: basicfont.Face7x13, Dot: fixed.P(8, p.Bounds().Dy()-8)}
	d.DrawString(text)
}

// grid lays shots out in rows of equal cells.
func (s *studio) grid(columns int, cell image.Point, shots []shot) (*image.RGBA, error) {
	rows := (len(shots) + columns - 1) / columns
	page := image.NewRGBA(image.Rect(0, 0, columns*cell.X, rows*cell.Y))
	paper(page)
	for i, o := range shots {
		picture, err := s.take(o, cell)
		if err != nil {
			return nil, err
		}
		at := image.Pt(i%columns*cell.X, i/columns*cell.Y)
		draw.Draw(page, picture.Bounds().Add(at), picture, image.Point{}, draw.Src)
	}
	return page, nil
}

func (s *studio) sides() (*image.RGBA, error) {
	var shots []shot
	for _, yaw := range []float64{0, 45, 90, 180, -90, -45} {
		shots = append(shots, shot{label: fmt.Sprintf("%.0f degrees", yaw), yaw: yaw, height: 300})
	}
	return s.grid(3, image.Pt(400, 400), shots)
}

func (s *studio) sizes() (*image.RGBA, error) {
	var shots []shot
	for _, ground := range []func(*image.RGBA){black, white, scenery} {
		for _, height := range []int{600, 300, 150} {
			shots = append(shots, shot{label: fmt.Sprintf("%d px", height), height: height, ground: ground})
		}
	}
	return s.grid(3, image.Pt(700, 740), shots)
}

func (s *studio) emotions() (*image.RGBA, error) {
	var shots []shot
	for _, e := range motion.Emotions() {
		shots = append(shots, shot{label: e, emotion: e, height: 300})
	}
	return s.grid(5, image.Pt(340, 380), shots)
}

func (s *studio) postures() (*image.RGBA, error) {
	shots := []shot{
		{label: "idle", clip: "idle_breathe"}, {label: "walk", clip: "walk", yaw: 60, at: 1.3}, {label: "window_sit", clip: "window_sit", at: 2},
		{label: "peek", clip: "peek", at: 2.5}, {label: "drag", clip: "drag", at: 1.5}, {label: "falling", clip: "falling"},
		{label: "landing", clip: "landing", at: 0.25}, {label: "jump", clip: "jump", at: 0.6}, {label: "climb_up", clip: "climb_up", yaw: 90},
		{label: "bed_lie", clip: "bed_lie", at: 1.8}, {label: "sleeping", clip: "bed_sleep", at: 3}, {label: "thinking", clip: "thinking", at: 2},
		{label: "listening", clip: "listening", at: 1.5}, {label: "talk", clip: "talk_a", at: 1}, {label: "happy", clip: "happy", at: 0.7},
		{label: "laugh", clip: "laugh"}, {label: "sulk", clip: "sulk", at: 2}, {label: "dance", clip: "dance_sway", at: 0.8},
		{label: "wave", clip: "lively_wave", at: 1.4}, {label: "head_pat", clip: "head_pat", at: 1.2},
	}
	for i := range shots {
		shots[i].height = 240
	}
	return s.grid(5, image.Pt(380, 360), shots)
}
