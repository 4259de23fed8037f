package toolbox

import (
	"maps"

	"yui/assets/lang"
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
func newGear(cfg *settings.Config, w *lang.Words, secret func(name string) string) (*gear, []error) {
	g := &gear{ask: cfg.Tools.Ask, voice: cfg.Voice.Tags}
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
	g.commands, err = newCommands(cfg.Tools.Command, w, secret)
	note(err)
	return g, problems
}

// Refit makes the gear of the present settings; not for the main thread.
func (e *Equipment) Refit() {
	e.changing.Lock()
	g, problems := newGear(e.Settings.Config(), e.Words, e.Settings.Secret)
	for _, err := range problems {
		e.Log.Warn("a tool is not set up", "error", err)
	}
	before := e.gear.Swap(g)
	e.changing.Unlock()
	if before != nil && !maps.Equal(before.voice, g.voice) {
		e.Options.Vocabulary()
	}
}
