//go:build !windows && !darwin

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// TestCrash kills the process in the middle of a turn, damages its files, and starts it again.
func TestCrash(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	server := newFakeServer(t, "")
	y := prepare(t, desk)
	y.config(server.config())
	y.start()
	t.Run("killed in a turn", func(t *testing.T) { testKilled(t, y.as(t), server) })
	t.Run("ended by a fault", func(t *testing.T) { testFault(t, y.as(t)) })
	t.Run("damaged database", func(t *testing.T) { testDamaged(t, y.as(t)) })
	y.quit()
	t.Run("config with a mistake", func(t *testing.T) { testBrokenConfig(t, desk) })
	t.Run("no database possible", func(t *testing.T) { testNoDatabase(t, desk) })
}

func testKilled(t *testing.T, y *instance, server *fakeServer) {
	y.must("say", "the first thing is w-stream")
	y.must("set", "yui.look_screen", "true")
	y.must("set", "yui.express_motions", `["dance"]`)
	y.wantAct(`{"action":"move_to","spot":"bottom-left"}`, "ok")
	before := y.onFloor(0)
	time.Sleep(500 * time.Millisecond) // places are written beside the main thread
	cut := make(chan struct{})
	go func() {
		defer close(cut)
		y.run("say", "the second thing is w-stall")
	}()
	y.wait(settleWait, "the turn in the middle", func(p pet) bool { return p.Turn.Running && p.Talk.Bubble == "I was about to" })
	y.kill()
	<-cut

	y.start()
	p := y.pet()
	if !near(p.Feet.X, before.Feet.X, 2) || !near(p.Feet.Y, before.Feet.Y, 2) {
		t.Errorf("she stood at %v and is back at %v", before.Feet, p.Feet)
	}
	if !y.state().Switches["screen"] || y.must("get", "yui.express_motions") != `["dance"]` {
		t.Errorf("switches: %v, motions %s", y.state().Switches, y.must("get", "yui.express_motions"))
	}
	y.must("say", "the third thing")
	var history strings.Builder
	for _, m := range server.last().Messages {
		history.WriteString(m.Role + ": " + m.text() + "\n")
	}
	h := history.String()
	if !strings.Contains(h, "user: the first thing") && !strings.Contains(h, "the first thing is w-stream") || !strings.Contains(h, "Hello from the fake.") {
		t.Errorf("the request after the crash does not carry the first turn:\n%s", h)
	}
	if !strings.Contains(h, "the third thing") {
		t.Errorf("the request does not carry its own words:\n%s", h)
	}
}

// A signal that a fault raises leaves a report, which is told once and holds nothing that was said.
func testFault(t *testing.T, y *instance) {
	y.must("say", "the fourth thing is a secret")
	if err := y.cmd.Process.Signal(syscall.SIGSEGV); err != nil {
		t.Fatal(err)
	}
	if code := y.awaitEnd(quitWait); code == 0 {
		t.Error("ended as if nothing had been")
	}
	y.start()
	p := y.wait(settleWait, "the report told of", func(p pet) bool { return strings.Contains(p.Talk.Bubble, "by a fault of mine") })
	reports, err := filepath.Glob(filepath.Join(y.home, "logs", "crash_*-*.txt"))
	if err != nil || len(reports) != 1 || !strings.Contains(p.Talk.Bubble, reports[0]) {
		t.Fatalf("reports %v, %v; the bubble says %q", reports, err, p.Talk.Bubble)
	}
	raw, err := os.ReadFile(reports[0])
	if err != nil {
		t.Fatal(err)
	}
	report := string(raw)
	if !strings.Contains(report, "SIGSEGV") || !strings.Contains(report, "goroutine ") || !strings.Contains(report, "msg=started") || strings.Contains(report, "fourth thing") {
		t.Errorf("the report:\n%s", report)
	}
	if r := y.run("doctor"); !strings.Contains(r.out, "warn  crashes") || !strings.Contains(r.out, reports[0]) {
		t.Errorf("%+v", r)
	}
	y.quit()
	y.start()
	y.must("say", "hello again")
	if b := y.pet().Talk.Bubble; strings.Contains(b, "fault") {
		t.Errorf("told twice: %q", b)
	}
}

func testDamaged(t *testing.T, y *instance) {
	y.quit()
	db := filepath.Join(y.home, "yui.db")
	garbage := []byte(strings.Repeat("this was a database once; ", 4000))
	if err := os.WriteFile(db, garbage, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, rest := range []string{"-wal", "-shm"} {
		if err := os.Remove(db + rest); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	y.start()
	p := y.wait(settleWait, "the bad news", func(p pet) bool { return strings.Contains(p.Talk.Bubble, "damaged") })
	aside := ""
	for _, file := range leaks(t, y.home, "this was a database once; ") {
		if file != db {
			aside = file
		}
	}
	if aside == "" || !strings.Contains(p.Talk.Bubble, filepath.Base(aside)) {
		t.Errorf("the old file is at %q, the bubble says %q", aside, p.Talk.Bubble)
	}
	if b, err := os.ReadFile(aside); err != nil || string(b) != string(garbage) {
		t.Errorf("the old file was changed: %d bytes, %v", len(b), err)
	}
	y.must("set", "yui.browser", "true")
	y.must("say", "hello")
}

func testBrokenConfig(t *testing.T, desk *desktoptest.Desktop) {
	for text, want := range map[string]string{
		"[chat]\nmodel = \"a\"\nbase_url = http://x\n":          "line 3",
		"[body]\n\nhieght = 3\n":                                "line 3",
		"[body]\nheight = \"tall\"\n":                           "line 2",
		"[chat]\napi = \"telepathy\"\n":                         "chat.api",
		"[body]\nheight = 4\n":                                  "body.height",
		"[chat]\nbase_url = \"ftp://example.org\"\n":            "chat.base_url",
		"[chat]\napi = \"chat_completions\"\n[chat]\napi = 2\n": "line 3",
	} {
		y := prepare(t, desk)
		y.config(text)
		r := y.run("doctor")
		if r.code != 1 || !strings.Contains(r.out, filepath.Join(y.home, "config.toml")) || !strings.Contains(r.out, want) {
			t.Errorf("config %q: %+v, want exit 1, the file and %s", text, r, want)
		}
		if strings.Contains(r.out+r.err, "goroutine") {
			t.Errorf("config %q: a stack trace", text)
		}
	}
}

func testNoDatabase(t *testing.T, desk *desktoptest.Desktop) {
	y := prepare(t, desk)
	if err := os.Mkdir(filepath.Join(y.home, "yui.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	y.start()
	y.told("yui.db") // nothing is kept, and she says so
	if y.must("say", "hello") == "" {
		t.Error("a folder in place of the database: she does not answer")
	}
	y.quit()
}
