package body_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"yui/avatar/body"
)

// A pet sits down on a window, and the window is moved under her.
func Example() {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	shape := body.Shape{Height: 300, HeadTop: 240, SeatDrop: 30, HalfWidth: 60, Unit: 255,
		Box: body.Rect{X: -130, Y: -320, W: 260, H: 340}}
	motions := body.Clips{Sit: body.SitClips{Down: 1.5, Settle: 0.86, Up: 1.35}, WalkSpeed: 0.325}
	b := body.New(body.DefaultConfig(), shape, motions, rand.New(rand.NewPCG(1, 1)))

	desk := body.Desktop{
		Monitors: []body.Monitor{{Rect: body.Rect{W: 1920, H: 1080}, WorkArea: body.Rect{W: 1920, H: 1040}, Scale: 1}},
		Windows:  []body.Window{{ID: 7, App: "XTerm", Title: "shell", Rect: body.Rect{X: 600, Y: 500, W: 400, H: 300}}},
	}
	b.SetDesktop(desk, now)
	b.Step(now)

	command, _ := body.ParseCommand(json.RawMessage(`{"action":"sit_on_window","app":"xterm"}`))
	b.Do(command, now, func(r body.Result) { fmt.Println("body_action:", r) })
	for end := now.Add(2 * time.Second); now.Before(end); {
		next, ok := b.Next(now)
		if !ok || next.After(end) {
			next = end
		}
		now = next
		b.Step(now)
	}
	desk.Windows = []body.Window{{ID: 7, App: "XTerm", Title: "shell", Rect: body.Rect{X: 640, Y: 450, W: 400, H: 300}}}
	b.SetDesktop(desk, now)
	s := b.State(now)
	fmt.Println(s.Posture, "on", s.Perch.App, "at", s.Root)
	// Output:
	// body_action: ok
	// sitting on XTerm at {840 450}
}
