package initiative

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"yui/chat/rules"
)

// settle is how long the file must rest before it is read: editors write more than once.
const settle = 700 * time.Millisecond

// ReadRules reads the person's rules over the shipped ones; a missing file is an empty one.
func ReadRules(file string) (*rules.Set, error) {
	st, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return rules.Read(nil)
	}
	if err != nil {
		return nil, err
	}
	if st.Size() > rules.MaxFile {
		return nil, errors.New("the file is too long")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return rules.Read(b)
}

func (in *Initiative) broken(err error) {
	why := in.o.File + ": " + err.Error()
	in.fault.Store(&why)
	in.o.Log.Warn("rules are not read; those before stay", "error", why)
}

// Fault is what is wrong with the person's file, nil where nothing is.
func (in *Initiative) Fault() error {
	if why := in.fault.Load(); why != nil {
		return errors.New(*why)
	}
	return nil
}

// Watch reads the file anew when it changes, until ctx ends. One that is broken is told, and the last good rules stay.
func (in *Initiative) Watch(ctx context.Context) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		in.o.Log.Warn("watch rules", "error", err)
		return
	}
	defer w.Close()
	if err := w.Add(filepath.Dir(in.o.File)); err != nil { // editors replace files
		in.o.Log.Warn("watch rules", "error", err)
		return
	}
	settled := time.NewTimer(time.Hour)
	defer settled.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e, open := <-w.Events:
			if !open {
				return
			}
			if e.Name == in.o.File {
				settled.Reset(settle)
			}
		case err := <-w.Errors:
			in.o.Log.Warn("watch rules", "error", err)
		case <-settled.C:
			in.reload()
		}
	}
}

func (in *Initiative) reload() {
	set, err := ReadRules(in.o.File)
	if err != nil {
		in.broken(err)
		in.o.World.Trouble(in.Fault())
		return
	}
	in.fault.Store(nil)
	in.engine.Use(set)
	in.o.Log.Info("rules read", "rules", len(set.Rules))
	in.Poke()
}

// JSON is what `yui rules` prints: every rule, in the order in which they are tried.
func (in *Initiative) JSON() (json.RawMessage, error) {
	type row struct {
		Name        string     `json:"name"`
		Enabled     bool       `json:"enabled"`
		Description string     `json:"description"`
		LastFired   *time.Time `json:"last_fired"`
	}
	list := []row{}
	for _, r := range in.engine.Set().Rules {
		v := row{Name: r.Name, Enabled: r.Enabled, Description: r.Description.In(in.o.Language())}
		if at := in.engine.LastFired(r.Name); !at.IsZero() {
			v.LastFired = &at
		}
		list = append(list, v)
	}
	fault := ""
	if why := in.fault.Load(); why != nil {
		fault = *why
	}
	return json.Marshal(map[string]any{"file": in.o.File, "error": fault, "rules": list})
}
