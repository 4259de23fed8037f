package ingress

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const scripts = "../../contrib/agents"

// toolsOf makes a folder with the programs that a hook script may use, and of the readers of JSON only one.
func toolsOf(t *testing.T, reader string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"sh", "dirname", "curl", reader} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("%s is not installed", name)
		}
		if name == reader { // a version manager's stand-in wants more of the path than we leave
			if out, err := exec.Command(name, map[string]string{"python3": "-c", "node": "-p", "jq": "--version"}[name],
				map[string]string{"python3": "import sys; print(sys.executable)", "node": "process.execPath"}[name]).Output(); err == nil && name != "jq" {
				path = strings.TrimSpace(string(out))
			}
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// hook runs a script as its agent does, with a recorded event, and gives how long it took.
func hook(t *testing.T, script, file, path, address string, env ...string) time.Duration {
	t.Helper()
	event, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	full, err := filepath.Abs(filepath.Join(scripts, script))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, full)
	if strings.HasPrefix(script, "codex") {
		cmd.Args = append(cmd.Args, "an argument of the config", strings.TrimSpace(string(event)))
	} else {
		cmd.Stdin = bytes.NewReader(event)
	}
	cmd.Env = append([]string{"PATH=" + path, "YUI_INGRESS=" + address, "HOME=" + t.TempDir(), "http_proxy=http://127.0.0.1:1"}, env...)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%s %s: %v, said %q", script, file, err, out)
	}
	return time.Since(began)
}

// Each script, with each program that may read its JSON, reports what its agent's recorded events say.
func TestHookScripts(t *testing.T) {
	for _, reader := range []string{"jq", "python3", "node"} {
		t.Run(reader, func(t *testing.T) {
			t.Parallel()
			path := toolsOf(t, reader)
			r := newRig(t, nil)
			for _, c := range []struct{ script, file, line, note string }{
				{"claude-code.sh", "claude-stop.json", `agent claude done, project "kettle" (0min ago)`,
					`agent note: The kettle's parser now reads "hot" and $(cold). All 42 tests pass — 全部通りました。`},
				{"claude-code.sh", "claude-permission.json", `agent claude needs_input, project "kettle" (0min ago)`, "agent note: Claude needs your permission to use Bash"},
				{"claude-code.sh", "claude-notification-old.json", `agent claude needs_input, project "kettle" (0min ago)`, "agent note: Claude is waiting for your input"},
				{"codex.sh", "codex-complete.json", `agent codex done, project "kettle" (0min ago)`, "agent note: The kettle is warm; `go test` passes."},
			} {
				hook(t, c.script, c.file, path, r.base)
				got := r.turn(t)
				if got.Line != c.line || len(got.Lines) != 1 || got.Lines[0] != c.note {
					t.Errorf("%s %s: %+v", c.script, c.file, got)
				}
			}
			hook(t, "claude-code.sh", "claude-stop.json", path, r.base, "YUI_HOOK_SUMMARY=0")
			if got := r.turn(t); len(got.Lines) != 0 {
				t.Errorf("with no summary: %+v", got)
			}
			// What is neither an end nor a question is not sent; the next turn is the event after it.
			hook(t, "claude-code.sh", "claude-auth.json", path, r.base)
			hook(t, "codex.sh", "codex-start.json", path, r.base)
			hook(t, "codex.sh", "codex-complete.json", path, r.base)
			if got := r.turn(t); got.Event != "agent.done" {
				t.Errorf("%+v", got)
			}
		})
	}
}

// The sessions and the cut of a long report, as they arrive.
func TestHookBody(t *testing.T) {
	r := newRig(t, nil)
	r.be(false, true)
	path := toolsOf(t, "jq")
	var e map[string]any
	raw, _ := os.ReadFile("testdata/claude-stop.json")
	_ = json.Unmarshal(raw, &e)
	e["last_assistant_message"] = strings.Repeat("あ", 100000)
	long, _ := json.Marshal(e)
	full, _ := filepath.Abs(filepath.Join(scripts, "claude-code.sh"))
	cmd := exec.Command(full)
	cmd.Stdin, cmd.Env = bytes.NewReader(long), []string{"PATH=" + path, "YUI_INGRESS=" + r.base}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v, said %q", err, out)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Server.mu.Lock()
	defer r.Server.mu.Unlock()
	events := r.Server.agents
	if len(r.Server.inbox.agents) > 0 {
		events = r.Server.inbox.agents[0].events
	}
	if len(events) != 1 || events[0].Session != e["session_id"] || events[0].Cwd != "/home/me/kettle" || len([]rune(events[0].Summary)) != 500 {
		t.Errorf("%.300v", events)
	}
}

// No pet, a pet that does not answer, no JSON, no programs: the agent notices nothing.
func TestHookScriptsNeverFail(t *testing.T) {
	t.Parallel()
	path := toolsOf(t, "jq")
	l, err := net.Listen("tcp4", "127.0.0.1:0") // accepts, and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, script := range []string{"claude-code.sh", "codex.sh"} {
		for _, address := range []string{"http://127.0.0.1:1", "http://" + l.Addr().String(), "nonsense"} {
			if took := hook(t, script, "claude-stop.json", path, address); took > 30*time.Second {
				t.Errorf("%s to %s took %v", script, address, took)
			}
		}
		full, _ := filepath.Abs(filepath.Join(scripts, script))
		for _, input := range []string{"", "{", "[]", "null", `{"hook_event_name":7}`} {
			cmd := exec.Command(full, input)
			cmd.Stdin, cmd.Env = strings.NewReader(input), []string{"PATH=" + path}
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%s with %q: %v, said %q", script, input, err, out)
			}
		}
		bare := t.TempDir()
		for _, name := range []string{"sh", "dirname"} {
			where, err := exec.LookPath(name)
			if err == nil {
				err = os.Symlink(where, filepath.Join(bare, name))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		hook(t, script, "codex-complete.json", bare, "http://127.0.0.1:1")
	}
}
