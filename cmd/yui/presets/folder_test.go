package presets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yui/assets"
)

// memory is a Memory of its own.
type memory struct {
	mu      sync.Mutex
	related []string
	values  map[string]json.RawMessage
}

func (m *memory) RelatedPresets(context.Context) ([]string, error) { return m.related, nil }

func (m *memory) Get(_ context.Context, key string) (json.RawMessage, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.values[key]
	return v, ok, nil
}

func (m *memory) Set(_ context.Context, key string, v json.RawMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = map[string]json.RawMessage{}
	}
	m.values[key] = v
	return nil
}

// open makes a Folder in an empty directory that sends its changes to told, which must have room for them.
func open(t *testing.T, m *memory, told chan Change) *Folder {
	t.Helper()
	f, err := Open(filepath.Join(t.TempDir(), "presets"), Options{
		Memory: m, Log: slog.New(slog.DiscardHandler),
		Changed: func(_ context.Context, c Change) error { told <- c; return nil },
		Trouble: func(err error) { told <- Change{Now: Preset{Name: "trouble: " + err.Error()}} },
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// short is a change in a line: ids, names and heights, a dash for nobody.
func short(c Change) string {
	one := func(p Preset) string {
		if p.ID == "" {
			return "-" + p.Name
		}
		return fmt.Sprintf("%s %s %d", p.ID, p.Name, p.Height)
	}
	files := ""
	if c.Files {
		files = " files"
	}
	return one(c.Was) + " > " + one(c.Now) + files
}

// Every change is told once, with what was before, after the list holds it.
func TestChangesAreTold(t *testing.T) {
	ctx, told := t.Context(), make(chan Change, 1)
	f := open(t, &memory{}, told)
	get := func(id string) Preset { p, _ := f.Get(id); return p }
	for _, c := range []struct {
		do   func() error
		want string
	}{
		{func() error { _, err := f.Create(ctx, "Kuro", "momo"); return err }, "- > kuro Kuro 0"},
		{func() error { return f.Rename(ctx, get("kuro"), "Shiro") }, "kuro Kuro 0 > kuro Shiro 0"},
		{func() error { return f.SetHeight(ctx, get("kuro"), 300) }, "kuro Shiro 0 > kuro Shiro 300"},
		{func() error { _, err := f.Duplicate(ctx, get("kuro"), ""); return err }, "- > shiro-2 Shiro 2 300"},
		{func() error {
			return f.Save(ctx, get("kuro"), Edit{Wears: "momo", Voice: "low", BaseURL: "http://h/v1"})
		}, "kuro Shiro 300 > kuro Shiro 300"},
		{func() error { return f.Delete(ctx, get("kuro")) }, "kuro Shiro 300 > -"},
		{func() error { return f.Rename(ctx, get("yui"), "Yuiko") }, "yui Yui 0 > yui Yuiko 0"},
		{func() error { return f.Delete(ctx, get("yui")) }, "yui Yuiko 0 > yui Yui 0"},
	} {
		if err := c.do(); err != nil {
			t.Fatalf("%s: %v", c.want, err)
		}
		got := <-told
		if diff := cmp.Diff(c.want, short(got)); diff != "" {
			t.Error(diff)
		}
		if listed := get(got.Now.ID); listed.Name != got.Now.Name {
			t.Errorf("%s: the list has %+v", c.want, listed)
		}
		if _, listed := f.Get(got.Was.ID); listed && got.Now.ID == "" {
			t.Errorf("%s: she is still listed", c.want)
		}
	}
	if name := f.NameOfGone(ctx, "kuro"); name != "Shiro" {
		t.Errorf("the name of who is gone: %q", name)
	}
	if p := get("yui"); !p.Shipped() {
		t.Errorf("she is not as she ships: %+v", p)
	}
	left, err := os.ReadDir(f.dir)
	if err != nil || len(left) != 1 || left[0].Name() != "shiro-2" {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}

// What cannot be is refused, and neither told nor written.
func TestRefusals(t *testing.T) {
	ctx, told := t.Context(), make(chan Change, 1)
	f := open(t, &memory{}, told)
	yui, _ := f.Get("yui")
	var bad AddressError
	for name, err := range map[string]error{
		"an empty name":  f.Rename(ctx, yui, " \u200b"),
		"a bundled one":  f.Delete(ctx, yui),
		"no address":     f.Save(ctx, yui, Edit{Wears: "yui", BaseURL: "over there"}),
		"a strange look": func() error { _, err := f.Create(ctx, "X", "nobody"); return err }(),
		"no file":        func() error { _, err := f.Import(ctx, filepath.Join(f.dir, "none.vrm"), ""); return err }(),
		"a folder":       func() error { _, err := f.Import(ctx, t.TempDir(), ""); return err }(),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if name == "no address" && (!errors.As(err, &bad) || string(bad) != "over there") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(told) != 0 {
		t.Errorf("told: %s", short(<-told))
	}
	if _, err := os.Stat(f.dir); err == nil {
		t.Error("the folder was made for nothing")
	}
}

// An id that somebody felt something toward goes to nobody but her who is back: a newcomer must not inherit it.
func TestNewcomersInheritNothing(t *testing.T) {
	told := make(chan Change, 8)
	f := open(t, &memory{related: []string{"kuro", "mira"}, values: map[string]json.RawMessage{goneKey("kuro"): json.RawMessage(`"Kuro"`)}}, told)
	for _, c := range []struct{ name, id string }{{"Kuro?", "kuro-2"}, {"Kuro", "kuro"}, {"Kuro", "kuro-3"}, {"Mira", "mira-2"}} {
		p, err := f.Create(t.Context(), c.name, "")
		if err != nil || p.ID != c.id {
			t.Errorf("%s: %q, %v; want %q", c.name, p.ID, err, c.id)
		}
	}
}

// Many at once get ids of their own, and all of them are listed.
func TestChangesGoOneAtATime(t *testing.T) {
	const n = 8
	told := make(chan Change, n)
	f := open(t, &memory{}, told)
	ids := make([]string, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			p, err := f.Create(t.Context(), "Kuro", "")
			if err != nil {
				t.Error(err)
			}
			ids[i] = p.ID
		})
	}
	all.Wait()
	slices.Sort(ids)
	if distinct := slices.Compact(ids); len(distinct) != n || len(f.All()) != n+len(bundled) || len(told) != n {
		t.Errorf("%v, %d listed, %d told", ids, len(f.All()), len(told))
	}
}

// A change that waits for another one gives up with its context.
func TestWaitingIsGivenUp(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	f := open(t, &memory{}, nil)
	f.o.Changed = func(context.Context, Change) error { close(entered); <-leave; return nil }
	first := make(chan error)
	go func() { _, err := f.Create(t.Context(), "Kuro", ""); first <- err }()
	<-entered
	given, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := f.Create(given, "Shiro", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("the second: %v", err)
	}
	close(leave)
	if err := <-first; err != nil || len(f.All()) != len(bundled)+1 {
		t.Errorf("the first: %v, %d presets", err, len(f.All()))
	}
}

// What happens in the folder by other hands is taken over and told.
func TestWatch(t *testing.T) {
	told := make(chan Change, 16)
	f := open(t, &memory{}, told)
	model, err := assets.Character("yui-small")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(path string, b []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(f.dir, path), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wait := func(what, want string) Change {
		t.Helper()
		for {
			select {
			case c := <-told:
				if strings.Contains(short(c), want) {
					return c
				}
			case <-t.Context().Done():
				t.Fatalf("%s: never told", what)
			}
		}
	}
	put("lamp.vrm", model)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { f.Watch(ctx); close(done) }()
	born := wait("a model that lay there", "- > ").Now
	if _, err := os.Stat(filepath.Join(f.dir, "lamp.vrm")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it still lies there: %v", err)
	}
	put(filepath.Join(born.ID, fileName), []byte("name = 'Lampe'\nmodel = '"+born.Model+"'"))
	wait("other words", " > "+born.ID+" Lampe 0")
	put(filepath.Join(born.ID, born.Model), model)
	if c := wait("a model exported anew", " files"); c.Now.Name != "Lampe" {
		t.Errorf("%s", short(c))
	}
	put(filepath.Join(born.ID, fileName), []byte("name = "))
	wait("broken words", "trouble: ")
	if p, _ := f.Get(born.ID); p.Name != "Lampe" {
		t.Errorf("what cannot be read changed her: %+v", p)
	}
	if err := os.Mkdir(filepath.Join(f.dir, "No Id"), 0o700); err != nil {
		t.Fatal(err)
	}
	wait("an odd folder", `trouble: read preset "No Id"`)
	if err := os.RemoveAll(filepath.Join(f.dir, born.ID)); err != nil {
		t.Fatal(err)
	}
	wait("a folder that went", " > -")
	cancel()
	<-done
}
