package wiretest

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"yui/internal/npmtest"
)

// The counterpart's package, pinned with its checksum.
//
//go:embed npm
var packages embed.FS

const startWait = 60 * time.Second

// StartLLMock starts llmock of the npm package @copilotkit/aimock, a server of Chat Completions and Responses that
// others wrote, with a fixture file, and gives its address. YUI_LLMOCK or PATH may name it; else it is installed once
// into the user's cache folder. Where it cannot be had the test says so and is skipped.
func StartLLMock(t *testing.T, fixtures string) string {
	t.Helper()
	name, args := findLLMock(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	args = append(args, "-p", fmt.Sprint(port), "-h", "127.0.0.1", "-f", fixtures, "--strict", "-c", "7")
	cmd := exec.Command(name, args...)
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start llmock: %v", err)
	}
	read := make(chan struct{})
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-read; _ = cmd.Wait() })
	go func() {
		defer close(read)
		for s := bufio.NewScanner(out); s.Scan(); {
			_ = s.Text() // a full pipe would stop it
		}
	}()
	base := fmt.Sprintf("http://127.0.0.1:%d", port)
	for began := time.Now(); time.Since(began) < startWait; time.Sleep(50 * time.Millisecond) {
		if resp, err := http.Get(base + "/v1/models"); err == nil {
			_ = resp.Body.Close()
			return base
		}
	}
	t.Fatalf("llmock did not answer within %s", startWait)
	return ""
}

// findLLMock gives the command that runs it.
func findLLMock(t *testing.T) (name string, args []string) {
	t.Helper()
	if given := os.Getenv("YUI_LLMOCK"); given != "" {
		return given, nil
	}
	if found, err := exec.LookPath("llmock"); err == nil {
		return found, nil
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here, so no llmock to talk to; YUI_LLMOCK may name one")
	}
	files, err := fs.Sub(packages, "npm")
	if err != nil {
		t.Fatal(err)
	}
	folder, err := npmtest.Install(t.Context(), "aimock", files)
	if err != nil {
		t.Skipf("llmock (npm: @copilotkit/aimock) cannot be had: %v", err)
	}
	return node, []string{filepath.Join(folder, "node_modules", "@copilotkit", "aimock", "dist", "cli.js")}
}
