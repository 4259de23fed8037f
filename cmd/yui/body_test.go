//go:build !windows && !darwin

package main_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// TestBodyAndLook runs the tools of the body as a model's calls would.
func TestBodyAndLook(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	y := launch(t, desk)
	desk.MovePointer(5, 5)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *instance)
	}{
		{"no windows", testNoWindows}, {"malformed", testMalformed}, {"unknown tool", testUnknownTool}, {"move to", testMoveTo},
		{"sit and stand", testSitStand}, {"peek", testPeek}, {"blocked", testBlocked}, {"interrupted", testInterrupted},
		{"one turn", testOneTurn}, {"look at body", testLookBody}, {"look at perch targets", testLookTargets},
		{"look at screen", testLookScreen}, {"bed", testBed},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, y.as(t)) })
	}
}

func testNoWindows(t *testing.T, y *instance) {
	y.wantAct(`{"action":"sit_on_window","app":"XTerm"}`, "not_found")
	y.wantAct(`{"action":"peek","side":"left"}`, "not_found")
}

func testMalformed(t *testing.T, y *instance) {
	malformed := []string{
		`{}`, `{"action":"fly"}`, `{"action":"sit_on_window"}`, `{"action":"sit_on_window","app":"  "}`, `{"action":"sit_on_window","app":7}`,
		`{"action":"peek"}`, `{"action":"peek","side":"top"}`, `{"action":"peek","side":"Left"}`, `{"action":"move_to"}`,
		`{"action":"move_to","spot":"middle"}`, `[]`, `"stand"`, `null`, `7`,
	}
	args := []string{"call"}
	for _, m := range malformed {
		args = append(args, "body_action", m)
	}
	for i, word := range strings.Split(y.must(args...), "\n") {
		if word != "unsupported" {
			t.Errorf("body_action %s: %q", malformed[i], word)
		}
	}
	r := y.run("call", "body_action", `{"action":`)
	if r.code != 0 || !strings.HasPrefix(r.out, "error: ") {
		t.Errorf("broken JSON: %+v, want a result that starts with error:", r)
	}
	if p := y.pet(); p.Posture.State != "standing" || p.Moving {
		t.Errorf("malformed calls moved her: %+v", p)
	}
}

func testUnknownTool(t *testing.T, y *instance) {
	r := y.run("call", "fly_away", `{}`)
	if r.code != 1 || strings.TrimSpace(r.out+r.err) != "error: unknown tool" {
		t.Errorf("unknown tool: %+v, want exit 1 and error: unknown tool", r)
	}
}

func testMoveTo(t *testing.T, y *instance) {
	m := y.state().Desktop.Monitors[0]
	for _, spot := range []string{"bottom-left", "bottom-right"} {
		y.wantAct(`{"action":"move_to","spot":"`+spot+`"}`, "ok")
		p := y.onFloor(0)
		left := p.Feet.X-float64(m.WorkArea.X) < float64(m.WorkArea.Width)/2
		if left != (spot == "bottom-left") || p.Window.X < m.X || p.Window.X+p.Window.Width > m.X+m.Width {
			t.Errorf("%s put her at %+v", spot, p.Window)
		}
	}
	for _, spot := range []string{"center", "top-left", "top-right"} {
		// Both in one command: between two she would have fallen far.
		out := y.must("call", "body_action", `{"action":"move_to","spot":"`+spot+`","monitor":0}`, "look", `{"at":"body"}`)
		word, seen, _ := strings.Cut(out, "\n")
		place := strict[bodyJSON](t, seen).Position
		if low := m.WorkArea.Y + m.WorkArea.Height/2; word != "ok" || place == nil || place.Y > low {
			t.Errorf("%s: %s", spot, out)
		}
		y.onFloor(0) // in mid-air she falls afterwards
	}
	for _, monitor := range []string{"1", "-1", "99"} {
		y.wantAct(`{"action":"move_to","spot":"center","monitor":`+monitor+`}`, "not_found")
	}
	y.wantAct(`{"action":"move_to","spot":"bottom-right","monitor":"first"}`, "ok") // another type counts as left out
	y.onFloor(0)
}

func testSitStand(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "notes", 250, 420, 60, 10)
	defer shut(term)
	y.wantAct(`{"action":"sit_on_window","app":"nobody's program"}`, "not_found")
	y.wantAct(`{"action":"sit_on_window","app":" xTerm "}`, "ok")
	p := y.sits(term)
	if f := term.Frame(); !near(p.Seat.X, float64(f.X+f.W/2), 12) {
		t.Errorf("she sits at %v, not in the middle of %v", p.Seat, f)
	}
	y.wantAct(`{"action":"sit_on_window","app":"ter"}`, "ok") // a part of the name will do
	y.sits(term)
	y.wantAct(`{"action":"stand"}`, "ok")
	y.onFloor(0)
	y.wantAct(`{"action":"stand"}`, "ok")
}

func testPeek(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "notes", 450, 250, 60, 14)
	defer shut(term)
	for _, side := range []string{"left", "right"} {
		y.wantAct(`{"action":"peek","side":"`+side+`"}`, "ok")
		p := y.posture("peeking")
		f := term.Frame()
		edge := float64(f.X)
		if side == "right" {
			edge += float64(f.W)
		}
		if !near(p.Feet.X, edge, 60) || p.Posture.PerchedOn == nil || p.Posture.PerchedOn.App != "XTerm" {
			t.Errorf("peek %s: edge %v, she %+v", side, edge, p)
		}
		// What is behind the edge is cut from the picture, what leans out is seen.
		out := desktoptest.Rect{X: p.Window.X, Y: p.Window.Y, W: int(edge) - p.Window.X, H: p.Window.Height}
		in := desktoptest.Rect{X: int(edge) + 2, Y: f.Y + 30, W: 60, H: f.H - 40}
		if side == "right" {
			out.X, out.W = int(edge), p.Window.X+p.Window.Width-int(edge)
			in.X = int(edge) - 62
		}
		desktoptest.WaitFor(t, settleWait, "her peeking out on the "+side, func() bool { return coloured(t, y.desk, out, wallpaper) > 2000 })
		y.desk.Picture(t, "peek-"+side)
		if n := coloured(t, y.desk, in, 0xffffff); n > 30 {
			t.Errorf("%d pixels of the window are hidden behind the %s edge", n, side)
		}
	}
	// She rides along with the edge here too.
	before := y.pet()
	f := term.Frame()
	if err := term.MoveTo(f.X-60, f.Y+40); err != nil {
		t.Fatal(err)
	}
	y.wait(settleWait, "coming along", func(p pet) bool {
		return p.Posture.State == "peeking" && near(p.Feet.X, before.Feet.X-60, 2) && near(p.Feet.Y, before.Feet.Y+40, 2)
	})
	shut(term)
	y.onFloor(0)
}

// coloured counts the pixels that are not of a colour.
func coloured(t *testing.T, desk *desktoptest.Desktop, r desktoptest.Rect, not uint32) (n int) {
	t.Helper()
	shot, err := desk.ScreenshotOf(r)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(shot.Pix); i += 4 {
		if uint32(shot.Pix[i])<<16|uint32(shot.Pix[i+1])<<8|uint32(shot.Pix[i+2]) != not {
			n++
		}
	}
	return n
}

func testBlocked(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "notes", 300, 420, 60, 10)
	defer shut(term)
	f := term.Frame()
	cover := y.desk.Window(t, desktoptest.Spec{Title: "cover", Class: "Cover", X: f.X + f.W/2 - 100, Y: f.Y - 100, W: 200, H: 200, Colour: 0x805040})
	defer cover.Close()
	time.Sleep(300 * time.Millisecond)
	y.wantAct(`{"action":"sit_on_window","app":"XTerm"}`, "blocked")
	cover.Close()
	if err := term.MoveTo(300, 0); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	y.wantAct(`{"action":"sit_on_window","app":"XTerm"}`, "blocked") // no room above
	if p := y.pet(); p.Posture.State != "standing" {
		t.Errorf("a blocked command moved her: %+v", p)
	}
}

// belly is a point of the root window that is surely on her.
func belly(p pet) (x, y int) { return int(p.Seat.X), int(p.Seat.Y) - 8 }

// hold takes a pet (its place in the list) by the belly and gives where the pointer has her. A press that met nothing,
// because she had moved on since she was asked, is taken back and tried again.
func (y *instance) hold(i int) (x, at int) {
	y.t.Helper()
	for range 6 {
		x, at = belly(y.state().Presets[i])
		y.desk.MovePointer(x, at)
		y.desk.Press(1)
		for end, step := time.Now().Add(3*time.Second), 0; time.Now().Before(end); step++ {
			if time.Sleep(30 * time.Millisecond); step < 12 { // a hand goes on moving
				x, at = x+1, at-2
				y.desk.MovePointer(x, at)
			}
			if y.state().Presets[i].Posture.State == "dragging" {
				return x, at
			}
		}
		y.desk.Release(1)
		time.Sleep(time.Second) // and a click may have opened the talk
	}
	y.t.Fatalf("she cannot be taken: %+v", y.state().Presets[i])
	return 0, 0
}

// carry moves what hold has, and lets go.
func (y *instance) carry(x, at, toX, toY, steps int) {
	for i := 1; i <= steps; i++ {
		y.desk.MovePointer(x+(toX-x)*i/steps, at+(toY-at)*i/steps)
		time.Sleep(8 * time.Millisecond)
	}
	y.desk.Release(1)
}

func testInterrupted(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "notes", 250, 420, 60, 10)
	defer shut(term)
	time.Sleep(300 * time.Millisecond)
	y.onFloor(0)
	x, at := y.hold(0)
	for i := range 15 {
		y.desk.MovePointer(x-i*6, at-i*12)
		time.Sleep(10 * time.Millisecond)
	}
	y.posture("dragging")
	y.wantAct(`{"action":"sit_on_window","app":"XTerm"}`, "interrupted")
	y.wantAct(`{"action":"move_to","spot":"center"}`, "interrupted")
	y.desk.Release(1)
	y.desk.MovePointer(5, 5)
	y.onFloor(0)

	// Picked up in the middle of sitting down, which lasts a second or two: a hand may come too late.
	for try := 1; ; try++ {
		got := pickUpWhileSitting(t, y, term)
		if got == "interrupted" {
			break
		}
		if got != "ok" || try == 4 {
			t.Fatalf("picked up while sitting down: %q", got)
		}
		y.act(`{"action":"stand"}`)
		y.onFloor(0)
	}
	y.onFloor(0)
}

// pickUpWhileSitting takes her off the edge and gives what the command answers.
func pickUpWhileSitting(t *testing.T, y *instance, term *desktoptest.Window) string {
	answer := make(chan string, 1)
	go func() {
		y := *y
		answer <- y.run("call", "body_action", `{"action":"sit_on_window","app":"XTerm"}`).out
	}()
	p := y.wait(settleWait, "her on the edge", func(p pet) bool { return p.Feet.Y < float64(term.Frame().Y+4) })
	x, at := int(p.Seat.X), int(p.Seat.Y)-20
	if w := p.Window; x < w.X || x > w.X+w.Width {
		t.Fatalf("seat outside of her window: %+v", p)
	}
	y.desk.MovePointer(x, at)
	y.desk.Press(1)
	for i := range 30 { // away from the window, where a drop would make her sit again
		y.desk.MovePointer(x+i*16, at-i*8)
		time.Sleep(10 * time.Millisecond)
	}
	got := <-answer
	y.desk.Release(1)
	y.desk.MovePointer(5, 5)
	return got
}

func testOneTurn(t *testing.T, y *instance) {
	out := y.must("call", "generate_express", `{"emotion_id":"happy"}`, "body_action", `{"action":"stand"}`, "look", `{"at":"nowhere"}`, "look", `{}`)
	if out != "ok\nok\nerror: invalid field at\nerror: invalid field at" {
		t.Errorf("four pairs gave %q", out)
	}
	if p := y.pet(); p.Emotion != "happy" {
		t.Errorf("her face is %s", p.Emotion)
	}
	y.wait(settleWait, "a neutral face again", func(p pet) bool { return p.Emotion == "neutral" })
}

// bodyJSON is what look at body answers (docs/rules/body.md#state).
type bodyJSON struct {
	Position *struct {
		X, Y    int
		Monitor *int
	}
	Posture struct {
		State     string
		PerchedOn *struct {
			App         string
			WindowTitle string `json:"window_title"`
		} `json:"perched_on"`
	}
	VRM *struct{ ID, Label string } `json:"vrm"`

	Moving *bool
}

func testLookBody(t *testing.T, y *instance) {
	b := strict[bodyJSON](t, y.must("call", "look", `{"at":"body","monitor":77}`)) // other targets ignore it
	p := y.pet()
	if b.Position == nil || b.Position.Monitor == nil || *b.Position.Monitor != 0 || b.Position.X != p.Window.X || b.Position.Y != p.Window.Y {
		t.Errorf("position %+v, window %+v", b.Position, p.Window)
	}
	if b.Posture.State != "standing" || b.Posture.PerchedOn != nil || b.VRM == nil || b.VRM.ID != "yui" || b.VRM.Label == "" || b.Moving == nil || *b.Moving {
		t.Errorf("body: %+v", b)
	}
}

func testLookTargets(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "ünï\ttitle", 200, 300, 40, 8)
	defer shut(term)
	bare := y.desk.Window(t, desktoptest.Spec{X: 700, Y: 300, W: 200, H: 150, Colour: 0x444444})
	defer bare.Close()
	time.Sleep(300 * time.Millisecond)
	type targets struct {
		Windows []struct {
			App, Title *string
			Rect       struct{ X, Y, Width, Height int }
			Categories []string
		}
		Edges []string
	}
	text := y.must("call", "look", `{"at":"perch_targets"}`)
	got := strict[targets](t, text)
	if len(got.Windows) != 2 || len(got.Edges) != 2 || got.Edges[0] != "left" || got.Edges[1] != "right" {
		t.Fatalf("targets: %s", text)
	}
	// Front to back: the one opened last is in front.
	front, back := got.Windows[0], got.Windows[1]
	if front.App != nil && *front.App == "XTerm" {
		front, back = back, front
		t.Errorf("not front to back: %s", text)
	}
	if f := term.Frame(); back.App == nil || *back.App != "XTerm" || back.Title == nil || back.Rect != struct{ X, Y, Width, Height int }{f.X, f.Y, f.W, f.H} {
		t.Errorf("xterm at %v: %s", f, text)
	}
	if !strings.Contains(text, `"title":null`) {
		t.Errorf("a window without a title: %s", text)
	}
}

func testLookScreen(t *testing.T, y *instance) {
	look := func(args string) result { return y.run("call", "look", args) }
	for _, args := range []string{`{"at":"screen"}`, `{"at":"screen","monitor":99}`} { // the switch is read first
		if r := look(args); r.code != 0 || r.out != "error: screen capture is off" || r.err != "" {
			t.Errorf("%s while off: %+v", args, r)
		}
	}
	y.must("set", "yui.look_screen", "true")
	for _, args := range []string{`{"at":"screen"}`, `{"at":"screen","monitor":0}`} {
		if r := look(args); r.code != 0 || r.out != "screenshot of display 0" || !strings.HasPrefix(r.err, "1 image") {
			t.Errorf("%s: %+v", args, r)
		}
	}
	for _, args := range []string{`{"at":"screen","monitor":1}`, `{"at":"screen","monitor":-1}`, `{"at":"screen","monitor":"0"}`, `{"at":"screen","monitor":0.5}`} {
		if r := look(args); r.code != 0 || r.out != "error: invalid field monitor" || r.err != "" {
			t.Errorf("%s: %+v", args, r)
		}
	}
	y.must("set", "yui.look_screen", "false")
	for _, at := range []string{`"at":"sky"`, `"at":7`, `"at":null`} {
		if r := look(`{` + at + `}`); r.out != "error: invalid field at" {
			t.Errorf("%s: %+v", at, r)
		}
	}
	if !json.Valid([]byte(look(`{"at":"body","more":{}}`).out)) {
		t.Error("an extra field was not ignored")
	}
}

func testBed(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "notes", 250, 420, 60, 10)
	defer shut(term)
	width := y.pet().Window.Width
	y.wantAct(`{"action":"go_to_bed"}`, "ok")
	p := y.wait(settleWait, "lying", func(p pet) bool { return p.Posture.State == "lying" })
	if p.Posture.PerchedOn != nil {
		t.Errorf("in bed on %+v", p.Posture.PerchedOn)
	}
	for _, args := range []string{`{"action":"sit_on_window","app":"XTerm"}`, `{"action":"peek","side":"left"}`, `{"action":"move_to","spot":"center"}`} {
		y.wantAct(args, "busy")
	}
	y.wantAct(`{"action":"go_to_bed"}`, "ok") // already there
	y.desk.Picture(t, "bed")
	for try := 1; ; try++ { // waking takes three seconds, which a busy machine may need for the two calls
		got := y.must("call", "body_action", `{"action":"stand"}`, "body_action", `{"action":"go_to_bed"}`)
		if got == "ok\nbusy" {
			break
		}
		if got != "ok\nok" || try == 4 {
			t.Fatalf("to bed while waking: %q", got)
		}
		y.wait(settleWait, "lying again", func(p pet) bool { return p.Posture.State == "lying" })
	}
	y.onFloor(0)
	y.wait(settleWait, "her window as before", func(p pet) bool { return p.Window.Width == width }) // the bed fades

	// A message wakes her, too.
	y.wantAct(`{"action":"go_to_bed"}`, "ok")
	y.must("say", "hello")
	y.onFloor(0)
}
