package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func openNew(t *testing.T) (*Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b?#%", "yui.db")
	s, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, path
}

func TestSettingsLast(t *testing.T) {
	ctx := context.Background()
	s, path := openNew(t)
	if _, ok, err := s.Get(ctx, "yui.browser"); ok || err != nil {
		t.Fatalf("unset key: ok %v, err %v", ok, err)
	}
	for _, v := range []string{`{"enabled":true}`, `{"enabled":false}`} {
		if err := s.Set(ctx, "yui.browser", json.RawMessage(v)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Set(ctx, "yui.browser", json.RawMessage("{")); err == nil {
		t.Error("broken JSON was stored")
	}
	s.Close()
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if v, ok, err := s.Get(ctx, "yui.browser"); !ok || err != nil || string(v) != `{"enabled":false}` {
		t.Errorf("after reopening: %s %v %v", v, ok, err)
	}
}

func TestTranscriptSessionsAndSearch(t *testing.T) {
	ctx := context.Background()
	s, _ := openNew(t)
	now := time.Now()
	add := func(l Line) {
		l.Preset, l.Time = "yui", now
		if _, err := s.Append(ctx, l); err != nil {
			t.Fatal(err)
		}
	}
	add(Line{Role: "user", Text: "before the boundary"})
	add(Line{Boundary: true})
	add(Line{Role: "user", Text: "明日の会議はある？"})
	add(Line{Role: "assistant", Text: "The kettle is on. 100%", Cut: true})
	if _, err := s.Append(ctx, Line{Preset: "momo", Role: "user", Text: "kettle", Time: now}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Session(ctx, "yui", 10)
	if err != nil || len(got) != 2 || got[0].Role != "user" || !got[1].Cut {
		t.Fatalf("session: %+v, %v", got, err)
	}
	if got, _ = s.Session(ctx, "yui", 1); len(got) != 1 || got[0].Role != "assistant" {
		t.Errorf("the limit must keep the newest line: %+v", got)
	}
	for words, want := range map[string]int{"kettle": 1, "会議": 1, "before": 1, "0%": 1, "_": 0, `"; DROP`: 0} {
		found, err := s.Search(ctx, "yui", words, 10)
		if err != nil || len(found) != want {
			t.Errorf("search %q: %d lines, err %v, want %d", words, len(found), err, want)
		}
	}
}

func TestPetsKeepTheirOrder(t *testing.T) {
	ctx := context.Background()
	s, _ := openNew(t)
	for _, id := range []string{"yui", "momo", "sora"} {
		if err := s.SetOpen(ctx, id, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.SetOpen(ctx, "yui", false), s.SetOpen(ctx, "yui", true), s.SetOpen(ctx, "momo", true), s.SavePlace(ctx, "momo", 12.5, 700)); err != nil {
		t.Fatal(err)
	}
	pets, err := s.Pets(ctx)
	if err != nil || len(pets) != 3 {
		t.Fatalf("%+v %v", pets, err)
	}
	if pets[0].Preset != "momo" || pets[1].Preset != "sora" || pets[2].Preset != "yui" {
		t.Errorf("a pet that was closed must come last when it opens again: %+v", pets)
	}
	if !pets[0].Placed || pets[0].X != 12.5 || pets[2].Placed {
		t.Errorf("places: %+v", pets)
	}
}

func TestDamagedFileIsKeptAside(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		"text.db": []byte(strings.Repeat("this is not a database ", 500)),
		"cut.db":  brokenDatabase(t),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(ctx, path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if s.Aside == "" {
			t.Fatalf("%s: nothing was said of the damage", name)
		}
		kept, err := os.ReadFile(s.Aside)
		if err != nil || string(kept) != string(content) {
			t.Errorf("%s: the old file was not kept whole: %v", name, err)
		}
		if err := s.Set(ctx, "k", json.RawMessage("1")); err != nil {
			t.Errorf("%s: the new file does not work: %v", name, err)
		}
		s.Close()
	}
}

// brokenDatabase is a real database with its later pages overwritten.
func brokenDatabase(t *testing.T) []byte {
	s, path := openNew(t)
	for i := range 200 {
		if err := s.Set(context.Background(), fmt.Sprint("key", i), json.RawMessage(`"`+strings.Repeat("x", 900)+`"`)); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(b) / 3; i < len(b)*2/3; i++ {
		b[i] = 0xA5
	}
	return b
}

func TestLockedFileIsNotTouched(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the busy timeout")
	}
	ctx := context.Background()
	s, path := openNew(t)
	conn, err := s.db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, q := range []string{"PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"} {
		if _, err := conn.ExecContext(ctx, q); err != nil {
			t.Fatal(err)
		}
	}
	other, err := Open(ctx, path)
	if !errors.Is(err, ErrLocked) {
		if other != nil {
			other.Close()
		}
		t.Fatalf("err %v, want ErrLocked", err)
	}
	if m, _ := filepath.Glob(path + ".damaged*"); len(m) > 0 {
		t.Error("a locked file was moved aside")
	}
}

func TestManyWriters(t *testing.T) {
	ctx := context.Background()
	s, path := openNew(t)
	second, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	var wg sync.WaitGroup
	for g := range 4 {
		db := s
		if g%2 == 1 {
			db = second
		}
		wg.Go(func() {
			for i := range 250 {
				if _, err := db.Append(ctx, Line{Preset: "yui", Role: "user", Text: fmt.Sprint(g, " ", i), Time: time.Now()}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if got, err := s.Session(ctx, "yui", 5000); err != nil || len(got) != 1000 {
		t.Errorf("%d lines, err %v, want 1000", len(got), err)
	}
}

// TestKill writes in a process of its own that is killed in the middle: what was acknowledged must be there.
func TestKill(t *testing.T) {
	if path := os.Getenv("YUI_STORE_KILL"); path != "" {
		s, err := Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; ; i++ {
			if _, err := s.Append(context.Background(), Line{Preset: "yui", Role: "user", Text: fmt.Sprint(i), Time: time.Now()}); err != nil {
				t.Fatal(err)
			}
			fmt.Println("wrote", i)
		}
	}
	path := filepath.Join(t.TempDir(), "yui.db")
	before := 0 // lines that earlier rounds left
	for round := range 5 {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestKill$", "-test.timeout", "60s")
		cmd.Env = append(os.Environ(), "YUI_STORE_KILL="+path)
		out := &lineCounter{want: 20 + 13*round, full: make(chan struct{})}
		cmd.Stdout = out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-out.full:
		case <-time.After(30 * time.Second):
			t.Error("the writer did not get going")
		}
		cmd.Process.Kill()
		cmd.Wait()
		s, err := Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		if s.Aside != "" {
			t.Fatal("a killed writer left a damaged file")
		}
		got, err := s.Session(context.Background(), "yui", 1e6)
		if err != nil {
			t.Fatal(err)
		}
		if wrote := out.lines(); len(got) < before+wrote {
			t.Errorf("round %d: %d new lines in the file, %d were acknowledged", round, len(got)-before, wrote)
		}
		before = len(got)
		s.Close()
	}
}

// lineCounter collects what a process that will be killed says, and closes full once it has said enough.
type lineCounter struct {
	mu   sync.Mutex
	text strings.Builder
	full chan struct{}
	want int
	once sync.Once
}

func (c *lineCounter) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text.Write(p)
	if strings.Count(c.text.String(), "wrote ") >= c.want {
		c.once.Do(func() { close(c.full) })
	}
	return len(p), nil
}

func (c *lineCounter) lines() int { return c.count("wrote ") }

// count tells how often it said this.
func (c *lineCounter) count(words string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Count(c.text.String(), words)
}

// The file and its journals are the person's alone, whatever the folder is; so is a file of an older version.
func TestFileIsPrivate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "yui.db")
	private := func(when string) {
		t.Helper()
		for _, name := range []string{path, path + "-wal", path + "-shm"} {
			if st, err := os.Stat(name); err != nil || st.Mode().Perm() != 0o600 {
				t.Errorf("%s: %s: %v (%v)", when, name, st, err)
			}
		}
	}
	for _, when := range []string{"a new file", "an older file"} {
		s, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		private(when)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if st, err := os.Stat(dir); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v (%v)", st.Mode(), err)
	}
}
