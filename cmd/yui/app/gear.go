package app

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"yui/cmd/yui/settings"
	"yui/tools"
	"yui/tools/camera"
)

// gear is what the config and the keys say of tools at one moment. It is never written to: a changed config makes a new
// one, and tools that come or go with it are declared with the next turn (docs/rules/tools.md#declaring).
type gear struct {
	engine  tools.SearchEngine // nil where none is configured: then web_search is not declared
	webhook *tools.Webhook     // nil likewise
	camera  camera.Source
	vision  tools.Vision      // nil where nobody can look at a picture
	ask     bool              // [tools] ask
	voice   map[string]string // the tags of [voice] with their meanings

	commands []ownCommand
}

// newGear reads a config. What is set up wrongly is left out and told; secret returns a key, "" for none.
func newGear(cfg settings.Config, secret func(name string) string) (*gear, []error) {
	g := &gear{ask: settings.On(cfg.Tools.Ask, true), voice: cfg.Voice.Tags}
	var problems []error
	note := func(err error) {
		if err != nil {
			problems = append(problems, err)
		}
	}
	var err error
	g.engine, err = tools.NewSearchEngine(cfg.Search.SearXNG, tools.Secret(secret(settings.KeyOllama)))
	note(err)
	if address := secret(settings.KeyDiscord); address != "" {
		hook, err := tools.ParseWebhook(address)
		note(err)
		if err == nil {
			g.webhook = &hook
		}
	}
	g.camera, err = camera.New(camera.Config{Device: cfg.Camera.Device, File: cfg.Camera.File, Command: cfg.Camera.Command})
	note(err)
	if cfg.Vision.Provider != "" {
		g.vision, err = tools.NewVision(tools.VisionConfig{Provider: cfg.Vision.Provider, Model: cfg.Vision.Model,
			BaseURL: cfg.Vision.BaseURL, Key: tools.Secret(cfg.Vision.Key)})
		note(err)
	}
	g.commands, err = newCommands(cfg.Tools.Command, cfg.Language, secret)
	note(err)
	return g, problems
}

// configSettle is how long a file must rest before it is read: editors write more than once.
const configSettle = 300 * time.Millisecond

// watchConfig makes new gear when config.toml or .env changes. The rest of the config is read at the start only.
func (a *App) watchConfig() {
	ring := make(chan map[string]string, 1)
	go func() { ring <- settings.ReadRing(a.ctx) }()
	w, err := fsnotify.NewWatcher()
	if err != nil {
		a.log.Warn("watch config", "error", err)
		return
	}
	defer w.Close()
	// The folder: editors put a new file in the old one's place.
	dir := filepath.Dir(a.paths.Config)
	err = os.MkdirAll(dir, 0o700)
	if err == nil {
		err = w.Add(dir)
	}
	if err != nil {
		a.log.Warn("watch config", "error", err) // the keyring counts all the same
	}
	rest := time.NewTimer(time.Hour)
	defer rest.Stop()
	for {
		select {
		case <-a.ctx.Done():
			return
		case a.equip.keys.Ring = <-ring:
			if len(a.equip.keys.Ring) > 0 {
				a.regear()
			}
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			if name := filepath.Clean(e.Name); name == a.paths.Config || name == a.paths.Env {
				rest.Reset(configSettle)
			}
		case err := <-w.Errors:
			a.log.Warn("watch config", "error", err)
		case <-rest.C:
			a.regear()
		}
	}
}

// regear reads the config again. A broken one changes nothing, and is told.
func (a *App) regear() {
	cfg, err := settings.ReadConfig(a.paths.Config)
	if err != nil {
		a.log.Warn("the config is not taken over", "error", err)
		a.say(fmt.Sprintf(a.words.notTaken, a.paths.InBubble(err)))
		return
	}
	cfg.Language = a.cfg.Language // which changes with a restart only
	g, problems := newGear(cfg, a.equip.keys.Get)
	for _, err := range problems {
		a.log.Warn("a tool is not set up", "error", err)
	}
	if before := a.equip.gear.Swap(g); !maps.Equal(before.voice, g.voice) {
		a.loop.Do(a.tellVocabulary)
	}
}
