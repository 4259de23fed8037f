package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"yui/cmd/yui/logs"
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

// Guarded is a folder and the beginnings of the names in it that nobody but the person may read.
type Guarded struct {
	Dir   string
	Names []string
}

// Guarded are the folders that nobody but the person may read.
func (p Paths) Guarded() []Guarded {
	of := func(file string) Guarded { return Guarded{filepath.Dir(file), []string{filepath.Base(file)}} }
	return []Guarded{of(p.Env), of(p.Store), {p.Logs, logs.Prefixes[:]}, of(p.Socket)}
}

// Close makes the folders, and takes from what is there what other users may do with it. Its error says that one of the
// folders cannot be made without which nothing can be kept; a start without a log goes on.
func (p Paths) Close() error {
	for _, g := range p.Guarded() {
		if err := private.Folder(g.Dir); err != nil && g.Dir != p.Logs {
			return err
		}
		private.Files(g.Dir, g.Names...)
	}
	return nil
}

// mostMistakes is how many lines of mistakes a bubble shows; yui doctor has all.
const mostMistakes = 3

// InBubble is what is wrong in the settings, as short as a bubble needs it: the menu opens the file, wherever it lies.
func (p Paths) InBubble(mistakes error) string {
	text := strings.NewReplacer("read "+p.Config, filepath.Base(p.Config), "read "+p.Env, filepath.Base(p.Env)).Replace(mistakes.Error())
	lines := strings.Split(text, "\n")
	if len(lines) > mostMistakes {
		lines = append(lines[:mostMistakes], "…")
	}
	return strings.Join(lines, "\n")
}
