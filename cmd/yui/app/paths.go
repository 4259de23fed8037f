package app

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"yui/internal/private"
)

// Paths says where YUI keeps things. With YUI_HOME all of it lies under that folder.
type Paths struct {
	Config  string // config.toml
	Rules   string // rules.toml
	Env     string // .env beside it: a tray program has no shell environment
	Store   string // yui.db
	Presets string // one folder a preset
	Cache   string
	Logs    string
	Socket  string
	Lock    string
}

// FindPaths reads YUI_HOME and the XDG folders. It makes no folder.
func FindPaths() (Paths, error) {
	if home := os.Getenv("YUI_HOME"); home != "" {
		dir, err := filepath.Abs(home)
		if err != nil {
			return Paths{}, fmt.Errorf("find YUI_HOME: %w", err)
		}
		return layOut(dir, dir, filepath.Join(dir, "cache"), filepath.Join(dir, "logs"), dir), nil
	}
	xdg.Reload() // tests and people change the environment
	in := func(base string) string { return filepath.Join(base, "yui") }
	run := xdg.RuntimeDir
	if st, err := os.Stat(run); err != nil || !st.IsDir() {
		run = xdg.DataHome // no login session: the data folder is the person's own as well
	}
	return layOut(in(xdg.ConfigHome), in(xdg.DataHome), in(xdg.CacheHome), in(xdg.StateHome), in(run)), nil
}

func layOut(config, data, cache, logs, run string) Paths {
	return Paths{
		Config:  filepath.Join(config, "config.toml"),
		Rules:   filepath.Join(config, "rules.toml"),
		Env:     filepath.Join(config, ".env"),
		Store:   filepath.Join(data, "yui.db"),
		Presets: filepath.Join(data, "presets"),
		Cache:   cache,
		Logs:    logs,
		Socket:  filepath.Join(run, "yui.sock"),
		Lock:    filepath.Join(run, "yui.lock"),
	}
}

// guarded is a folder and the beginnings of the names in it that nobody but the person may read.
type guarded struct {
	dir   string
	names []string
}

func (p Paths) guarded() []guarded {
	of := func(file string) guarded { return guarded{filepath.Dir(file), []string{filepath.Base(file)}} }
	return []guarded{of(p.Env), of(p.Store), {p.Logs, []string{"yui", "turns_"}}, of(p.Socket)}
}

// close makes the folders, and takes from what is there what other users may do with it. Its error says that one of the
// folders cannot be made without which nothing can be kept; a start without a log goes on.
func (p Paths) close() error {
	for _, g := range p.guarded() {
		if err := private.Folder(g.dir); err != nil && g.dir != p.Logs {
			return err
		}
		private.Files(g.dir, g.names...)
	}
	return nil
}
