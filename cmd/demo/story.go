package main

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"time"

	"yui/platform/desktoptest"
)

// demonstrate plays the story: she greets, sits on a window, the window is moved under it, she peeks, walks, lies down.
func demonstrate(ctx context.Context, bin, out, wm string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(out, "[0-9][0-9]-*.png"))
	if err != nil {
		return err
	}
	for _, f := range old {
		os.Remove(f) // pictures of an earlier run
	}
	s, err := openStage(ctx, bin, wm, "[body]\nstroll_every = [5, 6]\n")
	if err != nil {
		return err
	}
	defer s.close()
	notes, err := s.terminal("notes", "60x17+90+330", "#FBF6EA", "#5B4B43", notesText)
	if err != nil {
		return err
	}
	work, err := s.terminal("terminal", "70x16+560+400", "#22272E", "#A9D6B0", workText)
	if err != nil {
		return err
	}
	time.Sleep(time.Second)
	film := newFilm(s.Desktop, out)
	defer film.stop()
	n := 0
	shot := func(name string) error {
		n++
		picture, err := s.Screenshot()
		if err != nil {
			return err
		}
		return desktoptest.SavePNG(filepath.Join(out, fmt.Sprintf("%02d-%s.png", n, name)), picture)
	}
	say := func(text string) error {
		fmt.Printf("you:  %s\n", text)
		reply, err := s.pet.run(ctx, "say", text)
		fmt.Printf("Yui:  %s\n", reply)
		return err
	}
	act := func(args string) error {
		word, err := s.pet.run(ctx, "call", "body_action", args)
		fmt.Printf("body: %s -> %s\n", args, word)
		return err
	}
	wait := func(d time.Duration) error { time.Sleep(d); return ctx.Err() }
	slide := func(w *desktoptest.Window, dx, dy int) error {
		from := w.Frame()
		for i := 1; i <= 40; i++ {
			w.Nudge(from.X+dx*i/40, from.Y+dy*i/40)
			time.Sleep(33 * time.Millisecond)
		}
		return ctx.Err()
	}
	for _, step := range []func() error{
		func() error { return wait(1500 * time.Millisecond) },
		func() error { return shot("she-stands") },
		func() error { return say(greeting(time.Now())) },
		func() error { return s.bubbleSeen(ctx, 20*time.Second) },
		func() error { return wait(700 * time.Millisecond) },
		func() error { return shot("she-greets") },
		func() error { work.Raise(); return say("sit on the terminal") },
		func() error { return s.pet.waitFor(ctx, "sitting", 15*time.Second) },
		func() error { return wait(1500 * time.Millisecond) },
		func() error { return shot("she-sits") },
		func() error { return slide(work, -130, 110) },
		func() error { return shot("the-window-moved-and-she-with-it") },
		func() error { return slide(work, 90, -60) },
		func() error { notes.Raise(); return wait(600 * time.Millisecond) },
		func() error { return act(`{"action":"peek","side":"right"}`) },
		func() error { return wait(2200 * time.Millisecond) },
		func() error { return shot("she-peeks") },
		func() error { return act(`{"action":"stand"}`) },
		func() error { return s.pet.waitFor(ctx, "standing", 15*time.Second) },
		func() error { return act(`{"action":"move_to","spot":"bottom-right"}`) },
		func() error { return wait(1200 * time.Millisecond) },
		func() error { return shot("she-stands-in-the-corner") },
		func() error { return s.pet.waitFor(ctx, "walking", 20*time.Second) },
		func() error { return wait(900 * time.Millisecond) },
		func() error { return shot("she-walks") },
		func() error { return s.pet.waitFor(ctx, "standing", 20*time.Second) },
		func() error { return act(`{"action":"go_to_bed"}`) },
		func() error { return wait(4500 * time.Millisecond) },
		func() error { return shot("she-sleeps") },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	file, err := film.save()
	if err != nil {
		return err
	}
	fmt.Printf("%d pictures in %s, the film is %s\n", n, out, file)
	return nil
}

// greeting is what a person says at this hour.
func greeting(now time.Time) string {
	switch h := now.Hour(); {
	case h < 5 || h >= 18:
		return "Good evening, Yui!"
	case h < 12:
		return "Good morning, Yui!"
	}
	return "Hello, Yui!"
}

// bubbleSeen waits until a bubble is on the screen above her: the first one comes later, since its fonts are read for it.
func (s *stage) bubbleSeen(ctx context.Context, limit time.Duration) error {
	until := time.Now().Add(limit)
	for {
		state, err := s.pet.state(ctx)
		if err != nil {
			return err
		}
		picture, err := s.Screenshot()
		if err != nil {
			return err
		}
		w := state.Presets[0].Window
		if paper(picture, image.Rect(w.X, w.Y-200, w.X+w.Width, w.Y+w.Height/2)) > 3000 {
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("no bubble is seen after %s", limit)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// paper counts the pixels of a region that are as light as a bubble.
func paper(picture *image.RGBA, region image.Rectangle) (n int) {
	region = region.Intersect(picture.Bounds())
	for y := region.Min.Y; y < region.Max.Y; y++ {
		for x := region.Min.X; x < region.Max.X; x++ {
			if c := picture.RGBAAt(x, y); c.R > 240 && c.G > 235 && c.B > 225 {
				n++
			}
		}
	}
	return n
}

const (
	notesText = "\n  Today\n\n  - water the plants\n  - answer the letter\n  - finish the small thing first"
	workText  = "\n  $ make test\n  ok   yui/avatar/body\n  ok   yui/chat/completions\n  ok   yui/tools\n  $"
)

// terminal opens an xterm that shows a text.
func (s *stage) terminal(title, geometry, paper, ink, text string) (*desktoptest.Window, error) {
	return s.OpenProgram("XTerm", "xterm", "-T", title, "-geometry", geometry, "-bg", paper, "-fg", ink, "-bd", paper,
		"-b", "8", "-xrm", "XTerm*allowTitleOps: false", "-xrm", "XTerm*cursorBlink: false",
		"-e", "sh", "-c", `printf '%b' "$0"; exec sleep 100000`, text)
}

// crop is what the film shows of the desktop.
var crop = image.Rect(0, 60, 1280, 800)
