package presets

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	settle    = 700 * time.Millisecond // how long the folder must rest: an exporter writes for a while
	watchWait = 20 * time.Second       // for one change to be taken over
)

// Watch takes over what changes in the folder, until ctx ends: a model that was exported anew shows without a restart, one
// that cannot be read leaves the old one where it is and says why, and a model that somebody puts into the folder itself
// becomes a preset.
func (f *Folder) Watch(ctx context.Context) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		f.o.Log.Warn("watch presets", "error", err)
		return
	}
	defer w.Close()
	seen := &sightings{folder: f, watcher: w, loose: map[string]bool{}, changed: map[string]bool{}}
	if err := seen.begin(); err != nil {
		f.o.Log.Warn("watch presets", "error", err)
		return
	}
	rest := time.NewTimer(0) // models may lie there already
	defer rest.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			if seen.note(e) {
				rest.Reset(settle)
			}
		case err := <-w.Errors:
			if !errors.Is(err, syscall.EINVAL) { // a folder went before its watch was taken back
				f.o.Log.Warn("watch presets", "error", err)
			}
		case <-rest.C:
			seen.takeOver(ctx)
		}
	}
}

// sightings are what a watch has seen and not yet taken over.
type sightings struct {
	folder  *Folder
	watcher *fsnotify.Watcher
	loose   map[string]bool // model files in the folder itself
	changed map[string]bool // presets by id, and whether more than preset.toml did
}

// begin watches the folder and the presets in it.
func (s *sightings) begin() error {
	dir := s.folder.dir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	s.watch(dir)
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir() && presetID.MatchString(e.Name()):
			s.watch(file)
		case !e.IsDir() && isModel(e.Name()):
			s.loose[file] = true
		}
	}
	return err
}

func (s *sightings) watch(dir string) {
	if err := s.watcher.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.folder.o.Log.Warn("watch presets", "folder", filepath.Base(dir), "error", err)
	}
}

// note keeps what an event says, and reports whether there is something to take over.
func (s *sightings) note(e fsnotify.Event) bool {
	dir := filepath.Clean(s.folder.dir)
	inside := filepath.Dir(e.Name) == dir
	if inside && isModel(e.Name) {
		s.loose[e.Name] = true
		return true
	}
	id := idOfPath(dir, e.Name)
	if !presetID.MatchString(id) {
		if inside && e.Has(fsnotify.Create) {
			s.tellOddFolder(e.Name)
		}
		return false
	}
	if inside && e.Has(fsnotify.Create) {
		s.watch(e.Name)
	}
	s.changed[id] = s.changed[id] || !strings.HasSuffix(e.Name, fileName)
	return true
}

// idOfPath is the folder below dir that a path lies in or is.
func idOfPath(dir, path string) string {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	return first
}

// tellOddFolder says why a new folder is no preset.
func (s *sightings) tellOddFolder(path string) {
	if st, err := os.Stat(path); err != nil || !st.IsDir() || strings.HasPrefix(filepath.Base(path), ".") {
		return
	}
	if _, err := read(path); err != nil {
		s.folder.o.Trouble(err)
	}
}

// takeOver adopts the models and reloads the presets that were seen, and forgets them.
func (s *sightings) takeOver(ctx context.Context) {
	if len(s.loose) > 0 {
		wait, cancel := context.WithTimeout(ctx, watchWait)
		for _, file := range slices.Sorted(maps.Keys(s.loose)) {
			if err := s.folder.adopt(wait, file); err != nil {
				s.folder.o.Trouble(err)
			}
		}
		cancel()
		clear(s.loose)
	}
	for id, files := range s.changed {
		delete(s.changed, id)
		wait, cancel := context.WithTimeout(ctx, watchWait)
		if err := s.folder.changedOutside(wait, id, files); err != nil && ctx.Err() == nil {
			s.folder.o.Trouble(err)
		}
		cancel()
	}
}

// changedOutside takes over what somebody else did to a preset's folder.
func (f *Folder) changedOutside(ctx context.Context, id string, files bool) error {
	if err := f.changing.enter(ctx); err != nil {
		return err
	}
	defer f.changing.leave()
	dir := filepath.Join(f.dir, id)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return f.gone(ctx, id)
	}
	_, err := f.reload(ctx, id, files)
	if err != nil {
		if _, gone := os.Stat(dir); errors.Is(gone, fs.ErrNotExist) {
			return nil // it goes while it is read
		}
	}
	return err
}
