// Package mcptest has the MCP programs that others wrote, for tests: the reference server that has everything, and a
// client over the official TypeScript SDK.
package mcptest

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"yui/internal/npmtest"
)

// The packages, pinned with their checksums, and the client.
//
//go:embed npm
var packages embed.FS

const startWait = 60 * time.Second

// Everything is the command of @modelcontextprotocol/server-everything, to which "stdio" or "streamableHttp" is added.
func Everything(t testing.TB) []string {
	t.Helper()
	node, folder := installed(t)
	return []string{node, filepath.Join(folder, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")}
}

// Client is the command of a client over the official TypeScript SDK. Its arguments are the server's command, and it
// stands until its stdin ends: each line {"name":…,"arguments":{…}} is a call, whose result it prints as a line of JSON.
// {"list":true} prints the tools.
func Client(t testing.TB) []string {
	t.Helper()
	node, folder := installed(t)
	return []string{node, filepath.Join(folder, "client.mjs")}
}

// Web is server-everything over streamable HTTP at a fixed port of this machine.
type Web struct {
	URL  string
	t    testing.TB
	argv []string
	port int
	cmd  *exec.Cmd
	done chan struct{}
}

// StartWeb starts it, and the end of the test ends it.
func StartWeb(t testing.TB) *Web {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &Web{t: t, argv: append(Everything(t), "streamableHttp"), port: l.Addr().(*net.TCPAddr).Port}
	l.Close()
	w.URL = fmt.Sprintf("http://127.0.0.1:%d/mcp", w.port)
	w.Start()
	t.Cleanup(w.Kill)
	return w
}

// Start starts it (again), and returns once it listens.
func (w *Web) Start() {
	w.t.Helper()
	cmd := exec.Command(w.argv[0], w.argv[1:]...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", w.port))
	out, err := cmd.StderrPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatalf("start server-everything: %v", err)
	}
	w.cmd, w.done = cmd, make(chan struct{})
	done := w.done
	go func() {
		defer close(done)
		for s := bufio.NewScanner(out); s.Scan(); {
			_ = s.Text() // a full pipe would stop it
		}
		_ = cmd.Wait()
	}()
	for end := time.Now().Add(startWait); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", w.port)); err == nil {
			c.Close()
			return
		}
	}
	w.t.Fatalf("server-everything did not listen within %s", startWait)
}

// Kill ends it at once.
func (w *Web) Kill() {
	_ = w.cmd.Process.Kill()
	<-w.done
}

// installed gives node and the folder of the packages; they are installed once into the user's cache folder. Where that
// cannot be, the test says so and is skipped.
func installed(t testing.TB) (node, folder string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here, so no MCP programs of others")
	}
	files, err := fs.Sub(packages, "npm")
	if err != nil {
		t.Fatal(err)
	}
	if folder, err = npmtest.Install(t.Context(), "mcp", files); err != nil {
		t.Skipf("the MCP programs of npm cannot be had: %v", err)
	}
	return node, folder
}
