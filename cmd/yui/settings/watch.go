package settings

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long a file must rest before it is read: editors write more than once.
const settle = 300 * time.Millisecond

// Watch takes over each change of config.toml and .env, until ctx ends. Files with a mistake change nothing: what held
// holds, and told is given the mistake, once (docs/rules/desktop.md#settings). The listeners of OnChange have to be there
// before.
func (s *Settings) Watch(ctx context.Context, log *slog.Logger, told func(mistakes error)) {
	s.AskKeyring(ctx)
	var events chan fsnotify.Event
	var errs chan error
	names := s.names()
	if w, err := s.watcher(names); err != nil {
		log.Warn("watch settings", "error", err) // the keyring counts all the same
	} else {
		defer w.Close()
		events, errs = w.Events, w.Errors
	}
	last := ""                         // the mistake that was told
	if err := s.reload(); err != nil { // of what has changed since Open, whose mistakes are told
		last = err.Error()
	}
	rung := s.rung
	rest := time.NewTimer(time.Hour)
	defer rest.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-rung:
			rung = nil
			s.tell(s.ringed())
		case e := <-events:
			if slices.Contains(names, filepath.Clean(e.Name)) {
				rest.Reset(settle)
			}
		case err := <-errs:
			log.Warn("watch settings", "error", err)
		case <-rest.C:
			err := s.reload()
			if err != nil && err.Error() != last {
				log.Warn("the settings are not taken over", "error", err)
				told(err)
			}
			if last = ""; err != nil {
				last = err.Error()
			}
		}
	}
}

// names are the files, and what they are links to.
func (s *Settings) names() []string {
	names := []string{s.paths.Config, s.paths.Env}
	for _, file := range slices.Clone(names) {
		if to, err := filepath.EvalSymlinks(file); err == nil && !slices.Contains(names, to) {
			names = append(names, to)
		}
	}
	return names
}

// watcher watches the folders: editors put a new file in the old one's place.
func (s *Settings) watcher(names []string) (*fsnotify.Watcher, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(s.paths.Config), 0o700); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	for _, file := range names {
		if err := w.Add(filepath.Dir(file)); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	return w, nil
}

// ringed is what the keyring's answer changes.
func (s *Settings) ringed() (c Change) {
	s.secrets.mu.Lock()
	defer s.secrets.mu.Unlock()
	for _, row := range In(Env) {
		if s.ring[row.Key] != "" {
			c.Keys, c.Stirs = append(c.Keys, row.Key), c.Stirs|row.Stirs
		}
	}
	return c
}

// reload reads the files again. Where one has a mistake, neither changes anything.
func (s *Settings) reload() error {
	s.changing.Lock()
	defer s.changing.Unlock()
	c, err := ReadConfig(s.paths.Config)
	if err != nil {
		return err
	}
	names, err := s.read()
	if err != nil {
		return err
	}
	change := differing(s.config.Swap(c), c)
	for _, name := range names {
		row, known := Find(name)
		if !known {
			row.Stirs = Gear | Servers // a variable that tables of tools may name
		}
		change.Keys, change.Stirs = append(change.Keys, name), change.Stirs|row.Stirs
	}
	s.tell(change)
	return nil
}
