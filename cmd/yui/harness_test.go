//go:build !windows && !darwin

package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// Limits are generous: tests share few cores, and a limit only says when to give up.
const (
	startWait   = 30 * time.Second
	commandWait = 60 * time.Second
	quitWait    = 15 * time.Second
	settleWait  = 20 * time.Second
)

// The JSON of `yui state` (docs/rules/desktop.md#command-line), and no key besides.
type (
	state struct {
		Version  string
		Presets  []pet
		Switches map[string]bool
		Backend  struct {
			API     string `json:"api"`
			BaseURL string `json:"base_url"`
			Model   string
			Ready   bool
			Error   string
		}
		Tray struct {
			Registered bool
			Error      string
		}
		Store   struct{ Error string }
		Ingress struct {
			Enabled        bool
			Address, Error string
		}
		Desktop struct {
			System        string
			WindowManager string `json:"window_manager"`
			Compositor    bool
			Monitors      []struct {
				rect
				WorkArea rect `json:"work_area"`
				Scale    float64
			}
		}
		Effects struct {
			Running int
			Frames  uint64
		}
	}
	pet struct {
		ID, Name   string
		Open, Main bool
		Window     struct {
			rect
			Monitor int
			Visible bool
		}
		Feet, Seat point
		Posture    struct {
			State     string
			PerchedOn *struct {
				App         string
				WindowTitle string `json:"window_title"`
			} `json:"perched_on"`
		}
		Moving          bool
		Emotion, Motion string
		FPS             int
		Frames          uint64
		Talk            struct {
			Bubble    string
			InputOpen bool `json:"input_open"`
			Status    string
		}
		Turn struct {
			Running        bool
			Outcome, Error string
		}
		Relations map[string]struct {
			Value int
			Band  string
		}
	}
	rect  struct{ X, Y, Width, Height int }
	point struct{ X, Y float64 }
)

func (r rect) bottom() float64 { return float64(r.Y + r.Height) }

// instance is a yui with a home of its own. Subtests share it by as.
type instance struct {
	t    *testing.T
	desk *desktoptest.Desktop
	bin  string
	home string
	env  []string
	*process
}

// process is what runs now, the same for all subtests.
type process struct {
	owner *testing.T    // whose end quits it
	log   *bytes.Buffer // what it wrote; read it only once it has ended
	cmd   *exec.Cmd
	done  chan struct{}
	ended bool
	// expected are log lines of level ERROR that a test provokes.
	expected []*regexp.Regexp
}

// as gives the instance to a subtest.
func (y *instance) as(t *testing.T) *instance {
	sub := *y
	sub.t = t
	t.Cleanup(func() { sub.picture("at the end of the subtest") })
	return &sub
}

// home makes a folder with a short path: a socket's may have 107 bytes.
func home(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "yui")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// prepare makes an instance that does not run yet. Variables in env win over the desktop's; NAME= unsets one.
func prepare(t *testing.T, desk *desktoptest.Desktop, env ...string) *instance {
	t.Helper()
	y := &instance{t: t, desk: desk, bin: builtBinary(t), home: home(t), env: env, process: &process{owner: t}}
	y.rules("settle = \"1h\"\n") // a test that wants her to speak first says so
	return y
}

func (y *instance) rules(text string) {
	y.t.Helper()
	if err := os.WriteFile(filepath.Join(y.home, "rules.toml"), []byte(text), 0o600); err != nil {
		y.t.Fatal(err)
	}
}

// launch starts YUI on the desktop and waits until it answers.
func launch(t *testing.T, desk *desktoptest.Desktop, env ...string) *instance {
	t.Helper()
	y := prepare(t, desk, env...)
	y.start()
	return y
}

func (y *instance) config(text string) {
	y.t.Helper()
	if err := os.WriteFile(filepath.Join(y.home, "config.toml"), []byte(text), 0o600); err != nil {
		y.t.Fatal(err)
	}
}

// calm takes the drawing back where the race detector makes each frame five times as dear: what is tested stays the same.
func (y *instance) calm() {
	y.t.Helper()
	file := filepath.Join(y.home, "config.toml")
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		y.t.Fatal(err)
	}
	if raceBinary() && !bytes.Contains(text, []byte("[window]")) {
		y.config(string(text) + "\n[window]\nfps = 10\nanti_aliasing = false\n")
	}
}

func (y *instance) environ() []string {
	env := y.desk.Env()
	for _, e := range append([]string{"YUI_HOME=" + y.home, "YUI_CHAT_KEY="}, y.env...) {
		name, value, _ := strings.Cut(e, "=")
		env = slicesDelete(env, func(s string) bool { return strings.HasPrefix(s, name+"=") })
		if value != "" {
			env = append(env, e)
		}
	}
	return env
}

func slicesDelete(list []string, drop func(string) bool) []string {
	var kept []string
	for _, s := range list {
		if !drop(s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// start starts the process and waits until it answers; the test's end quits it and looks for what it should not say.
func (y *instance) start() {
	y.t.Helper()
	y.spawn()
	desktoptest.WaitFor(y.t, startWait, "yui to answer", func() bool {
		_, err := y.ask("state")
		return err == nil || !y.alive()
	})
	if !y.alive() {
		y.t.Fatalf("yui ended at once:\n%s", y.log)
	}
}

func (y *instance) spawn() {
	y.t.Helper()
	y.calm()
	y.log, y.done, y.ended = &bytes.Buffer{}, make(chan struct{}), false
	cmd := exec.Command(y.bin)
	cmd.Env = y.environ()
	cmd.Stdout, cmd.Stderr = y.log, y.log
	if err := cmd.Start(); err != nil {
		y.t.Fatal(err)
	}
	y.cmd = cmd
	done := y.done
	go func() {
		_ = cmd.Wait() // ProcessState tells how
		close(done)
	}()
	y.owner.Cleanup(func() {
		last := *y
		last.t = y.owner
		if last.cmd == cmd {
			last.picture("at the end")
			last.quit()
		}
	})
}

func (y *instance) alive() bool {
	select {
	case <-y.done:
		return false
	default:
		return true
	}
}

// kill ends the process as a power cut would.
func (y *instance) kill() {
	y.t.Helper()
	y.ended = true
	if err := y.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		y.t.Fatal(err)
	}
	<-y.done
	y.inspect()
}

// quit ends the instance by its own command, once.
func (y *instance) quit() {
	y.t.Helper()
	if y.ended {
		return
	}
	y.ended = true
	if y.alive() {
		if r := y.run("quit"); r.code != 0 {
			y.t.Errorf("quit: exit %d: %s", r.code, r.err)
		}
		select {
		case <-y.done:
		case <-time.After(quitWait):
			y.t.Errorf("yui did not end within %s after quit", quitWait)
			_ = y.cmd.Process.Signal(os.Interrupt)
			_ = y.cmd.Process.Kill()
			<-y.done
		}
	}
	if code := y.cmd.ProcessState.ExitCode(); code != 0 {
		y.t.Errorf("yui ended with %v", y.cmd.ProcessState)
	}
	y.inspect()
}

// awaitEnd waits until the process has ended by itself, and returns its exit code.
func (y *instance) awaitEnd(limit time.Duration) int {
	y.t.Helper()
	select {
	case <-y.done:
	case <-time.After(limit):
		y.t.Fatalf("yui did not end within %s", limit)
	}
	y.ended = true
	return y.cmd.ProcessState.ExitCode()
}

// inspect looks for what no run may log.
func (y *instance) inspect() {
	y.t.Helper()
	text := y.log.String()
	for _, line := range strings.Split(text, "\n") {
		bad := strings.Contains(line, "DATA RACE") || strings.HasPrefix(line, "panic:") || strings.Contains(line, "panic=") ||
			strings.HasPrefix(line, "fatal error:") || strings.Contains(line, "level=ERROR")
		for _, e := range y.expected {
			bad = bad && !e.MatchString(line)
		}
		if bad {
			y.t.Errorf("yui logged: %s", line)
		}
	}
	if y.t.Failed() {
		const most = 12000
		if len(text) > most {
			text = "…" + text[len(text)-most:]
		}
		y.t.Logf("log of yui:\n%s", text)
	}
}

// picture keeps a picture of the screen where the test failed.
func (y *instance) picture(what string) {
	if y.t.Failed() {
		y.keep(what)
	}
}

// keep keeps a picture of the screen with the test's artifacts.
func (y *instance) keep(what string) {
	shot, err := y.desk.Screenshot()
	if err != nil {
		y.t.Logf("no picture %s: %v", what, err)
		return
	}
	file := filepath.Join(y.t.ArtifactDir(), strings.ReplaceAll(what, " ", "-")+".png")
	if err := desktoptest.SavePNG(file, shot); err != nil {
		y.t.Logf("no picture %s: %v", what, err)
		return
	}
	y.t.Logf("picture %s: %s", what, file)
}

type result struct {
	out, err string
	code     int
}

// run is one command of the command line.
func (y *instance) run(args ...string) result {
	y.t.Helper()
	return y.runWith(y.environ(), args...)
}

func (y *instance) runWith(env []string, args ...string) result {
	y.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), commandWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, y.bin, args...)
	cmd.Env = env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		y.t.Fatalf("yui %q: %v %v\n%s", args, err, ctx.Err(), errs.String())
	}
	return result{strings.TrimSuffix(out.String(), "\n"), strings.TrimSuffix(errs.String(), "\n"), cmd.ProcessState.ExitCode()}
}

// must runs a command that has to succeed, and returns what it printed.
func (y *instance) must(args ...string) string {
	y.t.Helper()
	r := y.run(args...)
	if r.code != 0 {
		y.t.Fatalf("yui %q: exit %d\n%s\n%s", args, r.code, r.out, r.err)
	}
	return r.out
}

// act is `yui call body_action`.
func (y *instance) act(args string) string {
	y.t.Helper()
	return y.must("call", "body_action", args)
}

// wantAct fails unless the command answers that word.
func (y *instance) wantAct(args, word string) {
	y.t.Helper()
	if got := y.act(args); got != word {
		y.t.Fatalf("body_action %s: got %q, want %q; state %s", args, got, word, y.run("state").out)
	}
}

// state is `yui state`, asked over the control socket without a process for each question.
func (y *instance) state() state {
	y.t.Helper()
	text, err := y.ask("state")
	if err != nil {
		y.t.Fatal(err)
	}
	return strict[state](y.t, text)
}

// ask sends a command to the control socket as the command line does, and returns what it would print.
func (y *instance) ask(command string, args ...string) (string, error) {
	conn, err := net.Dial("unix", filepath.Join(y.home, "yui.sock"))
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(commandWait)); err != nil {
		return "", err
	}
	if err := json.NewEncoder(conn).Encode(map[string]any{"command": command, "args": args}); err != nil {
		return "", err
	}
	var out string
	for d := json.NewDecoder(conn); ; {
		var line struct {
			Out, Err string
			Exit     *int
		}
		if err := d.Decode(&line); err != nil {
			return "", fmt.Errorf("ask yui for %s: %w", command, err)
		}
		out += line.Out
		if line.Exit == nil {
			continue
		}
		if *line.Exit != 0 {
			return "", fmt.Errorf("ask yui for %s: exit %d %s", command, *line.Exit, line.Err)
		}
		return out, nil
	}
}

// strict decodes JSON whose every key is known.
func strict[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("decode %s: %v", text, err)
	}
	if d.More() {
		t.Fatalf("more than one JSON value: %s", text)
	}
	return v
}

// pet is the main pet.
func (y *instance) pet() pet {
	y.t.Helper()
	s := y.state()
	if len(s.Presets) == 0 {
		y.t.Fatal("no pet is open")
	}
	return s.Presets[0]
}

// waitState waits until the whole state is as wanted; where it does not come, the test fails with the last one.
func (y *instance) waitState(limit time.Duration, what string, done func(s state) bool) state {
	y.t.Helper()
	end := time.Now().Add(limit)
	for wait := 30 * time.Millisecond; ; wait = min(wait*2, 250*time.Millisecond) {
		s := y.state()
		if done(s) {
			return s
		}
		if time.Now().After(end) {
			y.keep("waiting for " + what)
			y.t.Fatalf("waited %s for %s; the state is %s", limit, what, y.must("state"))
		}
		time.Sleep(wait)
	}
}

// wait waits until the main pet is as wanted.
func (y *instance) wait(limit time.Duration, what string, done func(p pet) bool) pet {
	y.t.Helper()
	return y.waitState(limit, what, func(s state) bool { return len(s.Presets) > 0 && done(s.Presets[0]) }).Presets[0]
}

// posture waits until she holds a posture and no command runs.
func (y *instance) posture(want string) pet {
	y.t.Helper()
	return y.wait(settleWait, "posture "+want, func(p pet) bool { return p.Posture.State == want && !p.Moving })
}

// onFloor waits until she stands with her feet on the floor of a monitor.
func (y *instance) onFloor(monitor int) pet {
	y.t.Helper()
	s := y.waitState(settleWait, "standing on the floor", func(s state) bool {
		if len(s.Desktop.Monitors) <= monitor {
			return false
		}
		p, floor := s.Presets[0], s.Desktop.Monitors[monitor].WorkArea.bottom()
		return p.Posture.State == "standing" && near(p.Feet.Y, floor, 2) && p.Window.Monitor == monitor
	})
	return s.Presets[0]
}

func near(a, b, slack float64) bool { return a-b <= slack && b-a <= slack }

// shut ends a window and gives the window manager time to notice: the next program's window may get the same number.
func shut(w *desktoptest.Window) {
	w.Close()
	time.Sleep(200 * time.Millisecond)
}
