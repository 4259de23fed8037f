//go:build unix

package browser

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"yui/tools"
)

// bench is a relay over a command of the test's own, in folders of the test's own.
type bench struct {
	t     *testing.T
	dir   string // for what the command and the test tell each other; the command knows it as $DIR
	temp  string // where the screenshot folders are made
	relay *Relay
}

// quick are limits that leave a loaded machine enough time for what is meant to work.
var quick = Limits{Deadline: time.Minute, Backstop: 20 * time.Second, Wait: 25 * time.Second, Drain: 200 * time.Millisecond}

// newBench makes a relay whose ego-browser is a shell script; $1 is nodejs or skill. Where script is "" there is none.
func newBench(t *testing.T, limits Limits, script string) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), temp: t.TempDir()}
	path := filepath.Join(b.dir, commandName)
	if script != "" {
		writeProgram(t, path, "#!/bin/sh\nDIR='"+b.dir+"'\n"+script+"\n", 0o755)
	}
	b.relay = NewRelay(RelayOptions{Limits: limits, Temp: b.temp, Find: func() (string, bool) { return path, script != "" }})
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
		defer stop()
		if err := b.relay.Close(ctx); err != nil {
			t.Error(err)
		}
		b.wantNoFolders()
	})
	return b
}

// writeProgram writes an executable file. No process is forked meanwhile: it would hold the file open for writing, and
// the kernel would refuse to run it.
func writeProgram(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) tool(preset string) tools.Tool {
	return New(Options{Relay: b.relay, Preset: preset, Enabled: func() bool { return true }})
}

// call runs code for a preset.
func (b *bench) call(ctx context.Context, preset, code string) tools.Result {
	return b.tool(preset).Run(ctx, tools.Call{Args: codeArgs(code)})
}

func (b *bench) guide(ctx context.Context) tools.Result {
	return b.tool("yui").Run(ctx, tools.Call{Args: json.RawMessage(`{"guide":true}`)})
}

func codeArgs(code string) json.RawMessage {
	args, err := json.Marshal(map[string]string{"code": code})
	if err != nil {
		panic(err)
	}
	return args
}

// later is a call that goes on beside the test.
func (b *bench) later(ctx context.Context, preset, code string) <-chan tools.Result {
	done := make(chan tools.Result, 1)
	go func() { done <- b.call(ctx, preset, code) }()
	return done
}

// wantNoFolders fails where a screenshot folder is left.
func (b *bench) wantNoFolders() {
	b.t.Helper()
	left, err := filepath.Glob(filepath.Join(b.temp, folderPrefix+"*"))
	if err != nil || len(left) > 0 {
		b.t.Errorf("folders are left: %v %v", left, err)
	}
}

// appears waits for a file of the bench's folder.
func (b *bench) appears(name string) {
	b.t.Helper()
	b.until(name+" appears", func() bool {
		_, err := os.Stat(filepath.Join(b.dir, name))
		return err == nil
	})
}

func (b *bench) until(what string, done func() bool) {
	b.t.Helper()
	for limit := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			b.t.Fatalf("%s: not within a minute", what)
		}
	}
}

func (b *bench) put(name string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), nil, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) has(name string) bool {
	_, err := os.Stat(filepath.Join(b.dir, name))
	return err == nil
}

// get is a result, or a failure of the test.
func get(t *testing.T, c <-chan tools.Result) tools.Result {
	t.Helper()
	select {
	case r := <-c:
		return r
	case <-time.After(90 * time.Second):
		t.Fatal("the call does not answer")
		panic("unreachable")
	}
}

func wantText(t *testing.T, got tools.Result, want string) {
	t.Helper()
	if got.Text != want {
		t.Errorf("got  %q\nwant %q", short(got.Text), short(want))
	}
}

// success and failure are the texts of a script that printed lines.
func success(lines ...string) string {
	return strings.Join(append([]string{untrusted}, lines...), "\n")
}

func failure(status string, lines ...string) string {
	return status + "\n" + success(lines...)
}
