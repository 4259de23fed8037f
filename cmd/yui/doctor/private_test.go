package doctor

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yui/cmd/yui/logs"
	"yui/cmd/yui/settings"
	"yui/store"
)

// What the person says and what their keys are reaches no other user, also where the folders were there before.
func TestFilesArePrivate(t *testing.T) {
	paths := pathsIn(t) // 0755, as test folders are
	home := filepath.Dir(paths.Env)
	if err := os.MkdirAll(paths.Logs, 0o755); err != nil {
		t.Fatal(err)
	}
	old := []string{paths.Env, paths.Store + ".damaged-1", filepath.Join(paths.Logs, "yui.log"), filepath.Join(paths.Logs, "turns_2026-01-01.jsonl"), paths.Config}
	for _, file := range old {
		if err := os.WriteFile(file, []byte("[chat]\napi_key = \"k\"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	doctor := func() string {
		var out bytes.Buffer
		c := &checkup{out: &out}
		c.private(paths)
		return out.String()
	}
	before := doctor()
	for _, path := range append(old, home, paths.Logs) {
		if !strings.Contains(before, "chmod 600 "+path+"\n") && !strings.Contains(before, "chmod 700 "+path+"\n") {
			t.Errorf("doctor does not tell of %s:\n%s", path, before)
		}
	}
	if err := paths.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(context.Background(), paths.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	log := logs.Open(paths.Logs)
	defer log.Close()
	fmt.Fprintln(log, "begun")
	today, err := filepath.Glob(filepath.Join(paths.Logs, "yui_*.log"))
	if err != nil || len(today) != 1 {
		t.Fatal(today, err)
	}
	for _, path := range append(append(old[:4:4], today...), paths.Store, paths.Store+"-wal", paths.Store+"-shm") {
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v (%v)", path, st.Mode(), err)
		}
	}
	for _, dir := range []string{home, paths.Logs} {
		if st, err := os.Stat(dir); err != nil || st.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v (%v)", dir, st.Mode(), err)
		}
	}
	if after := doctor(); !strings.HasPrefix(after, "ok ") || strings.Count(after, "\n") != 1 {
		t.Errorf("doctor afterwards:\n%s", after)
	}
}

// A config.toml without a key is no secret.
func TestDoctorNamesConfigWithKey(t *testing.T) {
	paths := pathsIn(t)
	for _, c := range []struct {
		text string
		want bool
	}{{"[chat]\nmodel = \"m\"\n", false}, {"[chat]\napi_key = \"k\"\n", true}, {"[vision]\nprovider = \"ollama\"\napi_key = \"k\"\n", true}} {
		if err := os.WriteFile(paths.Config, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		check := &checkup{out: &out}
		check.private(paths)
		if got := strings.Contains(out.String(), fmt.Sprintf("reach %s (0644)", paths.Config)); got != c.want {
			t.Errorf("%q: %s", c.text, &out)
		}
	}
}

func TestFoldersThatTakeFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{dir: true, filepath.Join(dir, "not", "yet"): true, file: false, filepath.Join(file, "below"): false} {
		if err := takesFiles(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if err := store.Check(context.Background(), filepath.Join(file, "yui.db")); err == nil {
		t.Error("a database below a file is well")
	}
}

func pathsIn(t *testing.T) settings.Paths {
	t.Helper()
	t.Setenv("YUI_HOME", t.TempDir())
	p, err := settings.FindPaths()
	if err != nil {
		t.Fatal(err)
	}
	return p
}
