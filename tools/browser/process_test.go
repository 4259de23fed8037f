//go:build linux

package browser

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yui/tools"
)

// TestFlood: a command that prints 100 MB is read to the end, and the end is looked at.
func TestFlood(t *testing.T) {
	b := newBench(t, quick, drainStdin+`head -c 100000000 /dev/zero | tr '\0' x >&2; printf '\n[yui] deadline\n' >&2; head -c 100000000 /dev/zero; exit 124`)
	got := b.call(context.Background(), "yui", "x").Text
	if len(got) != textLimit || !strings.HasPrefix(got, failure(resultTimeLimit, "xxx")) || !strings.HasSuffix(got, "x\n[truncated]") {
		t.Errorf("%d bytes: %q", len(got), short(got))
	}
}

// afterGo begins a process that goes on when the test says so, at the latest after a minute.
const afterGo = `(n=0; while ! [ -e $DIR/go ] && [ $n -lt 1200 ]; do sleep 0.05; n=$((n+1)); done; `

// TestGrandchild: what the command leaves behind with its pipes does not hold up the answer, and is not killed.
func TestGrandchild(t *testing.T) {
	limits := quick
	limits.Backstop = 10 * time.Second
	b := newBench(t, limits, drainStdin+afterGo+`touch $DIR/lived; echo late >&2) & echo early >&2`)
	wantText(t, b.call(context.Background(), "yui", "x"), success("early"))
	if b.has("lived") {
		t.Error("the answer waited for the process that was left")
	}
	b.put("go")
	b.appears("lived")
}

// TestGrandchildKilled is the same where the command is killed: the process that it started, which may be ego lite, lives.
func TestGrandchildKilled(t *testing.T) {
	limits := quick
	limits.Backstop = 500 * time.Millisecond
	b := newBench(t, limits, `trap '' TERM; `+afterGo+`touch $DIR/lived) & wait`)
	wantText(t, b.call(context.Background(), "yui", strings.Repeat("x", 1<<20)), resultUnknown)
	b.put("go")
	b.appears("lived")
}

// TestNothingLeft: no zombie, no descriptor, no folder, whatever happens.
func TestNothingLeft(t *testing.T) {
	limits := quick
	limits.Backstop = 300 * time.Millisecond
	scripts := []string{drainStdin + "echo x >&2", "exit 1", "exec sleep 30", drainStdin + "sleep 1 & exit 0", "exec 0<&- 2>&-; exit 0"}
	var benches []*bench
	for _, s := range scripts {
		benches = append(benches, newBench(t, limits, s))
	}
	broken := newBench(t, limits, "x")
	writeProgram(t, filepath.Join(broken.dir, commandName), "no program", 0o755)
	benches = append(benches, broken)
	round := func() {
		for _, b := range benches {
			b.call(context.Background(), "yui", strings.Repeat("x", 100_000))
			b.guide(context.Background())
			b.wantNoFolders()
		}
	}
	round() // what Go opens once for all is open now
	before := descriptors(t)
	for range 3 {
		round()
	}
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors, then %d", before, after)
	}
	if z := zombies(t); len(z) > 0 {
		t.Errorf("zombies: %v", z)
	}
}

// TestChildDescriptors: the command has nothing of ours but its own three.
func TestChildDescriptors(t *testing.T) {
	// The list is taken before anything is redirected: a shell may redirect in
	// itself and put its own descriptors elsewhere meanwhile.
	b := newBench(t, quick, drainStdin+`list=$(for f in /proc/$$/fd/*; do readlink $f; done); echo "$list" >&2`)
	b.put("ours")
	file, err := os.Open(filepath.Join(b.dir, "ours"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	pipe, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", read.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	got := b.call(context.Background(), "yui", "x").Text
	if !strings.Contains(got, "pipe:[") || !strings.Contains(got, "/dev/null") {
		t.Errorf("its own are missing: %q", got)
	}
	if strings.Contains(got, file.Name()) || strings.Contains(got, pipe) {
		t.Errorf("it has ours: %q", got)
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("YUI_CHAT_KEY", "secret")
	t.Setenv("YUI_EGO_TEST", "open")
	b := newBench(t, quick, drainStdin+`echo "$YUI_CHAT_KEY/$YUI_EGO_TEST" >&2`)
	wantText(t, b.call(context.Background(), "yui", "x"), success("/open"))
}

func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// zombies are this process's children that nobody has waited for.
func zombies(t *testing.T) (found []string) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // gone
		}
		var state string
		var parent int
		if _, err := fmt.Sscan(string(stat[bytes.LastIndexByte(stat, ')')+1:]), &state, &parent); err == nil && parent == os.Getpid() && state == "Z" {
			found = append(found, path)
		}
	}
	return found
}

// TestStart is a command that cannot be started, and a folder that cannot be made.
func TestStart(t *testing.T) {
	start := func(path string) tools.Result {
		r := NewRelay(RelayOptions{Temp: t.TempDir(), Find: func() (string, bool) { return path, true }})
		return New(Options{Relay: r, Preset: "yui", Enabled: func() bool { return true }}).Run(context.Background(), tools.Call{Args: codeArgs("x")})
	}
	dir := t.TempDir()
	writeProgram(t, filepath.Join(dir, "plain"), "#!/bin/sh\n", 0o644)
	writeProgram(t, filepath.Join(dir, "noise"), "\x00\x01\x02", 0o755)
	writeProgram(t, filepath.Join(dir, "orphan"), "#!/no/such/interpreter\n", 0o755)
	for name, want := range map[string]string{
		"plain":  "error: ego-browser failed to start: permission denied",
		"noise":  "error: ego-browser failed to start: exec format error",
		"orphan": "error: ego-browser failed to start: no such file or directory",
		".":      "error: ego-browser failed to start: permission denied",
	} {
		wantText(t, start(filepath.Join(dir, name)), want)
	}
	b := newBench(t, quick, "exit 0")
	b.relay.temp = filepath.Join(b.dir, "none")
	wantText(t, b.call(context.Background(), "yui", "x"), "error: screenshot folder failed: no such file or directory")
	wantText(t, newBench(t, quick, "").call(context.Background(), "yui", "x"), "error: ego lite not found: install ego lite and run it once")
}

func TestFind(t *testing.T) {
	home, one, two := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("PATH", "relative"+string(os.PathListSeparator)+one+string(os.PathListSeparator)+two)
	find := func(want string) {
		t.Helper()
		got, found := Find()
		if found != (want != "") || got != want {
			t.Errorf("found %q, not %q", got, want)
		}
	}
	find("")
	own := filepath.Join(home, ".local", "bin", commandName)
	if err := os.MkdirAll(own, 0o700); err != nil { // a folder of that name
		t.Fatal(err)
	}
	find("")
	writeProgram(t, filepath.Join(one, commandName), "", 0o644)
	find(filepath.Join(one, commandName)) // starting it says what is wrong
	writeProgram(t, filepath.Join(two, commandName), "", 0o755)
	find(filepath.Join(two, commandName))
	if err := os.Remove(own); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "gone"), own); err != nil {
		t.Fatal(err)
	}
	find(filepath.Join(two, commandName))
	writeProgram(t, filepath.Join(home, "gone"), "", 0o644)
	find(own)
}
