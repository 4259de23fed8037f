package app

import (
	"context"
	"encoding/json"
	"errors"
	"image"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"yui/overlay"
	"yui/tools"
	"yui/tools/browser"
	"yui/tools/camera"
	"yui/tools/mcp"
)

// equipment is what the tools of all pets share, made once from the config.
type equipment struct {
	relay    *browser.Relay
	engine   tools.SearchEngine // nil where none is configured: then web_search is not declared
	webhook  *tools.Webhook     // nil likewise
	camera   camera.Source
	vision   tools.Vision // nil where nobody can look at a picture
	consent  *consent
	commands []ownCommand
	servers  *mcp.Manager
	problems []error
}

// newEquipment never fails: what is set up wrongly is left out and told.
func (a *App) newEquipment() *equipment {
	e := &equipment{relay: browser.NewRelay(browser.RelayOptions{}), consent: &consent{app: a}}
	note := func(err error) {
		if err != nil {
			e.problems = append(e.problems, err)
			a.log.Warn("a tool is not set up", "error", err)
		}
	}
	var err error
	e.engine, err = tools.NewSearchEngine(a.cfg.Search.SearXNG, tools.Secret(os.Getenv("OLLAMA_API_KEY")))
	note(err)
	if address := os.Getenv("DISCORD_WEBHOOK_URL"); address != "" {
		hook, err := tools.ParseWebhook(address)
		note(err)
		if err == nil {
			e.webhook = &hook
		}
	}
	e.camera, err = camera.New(camera.Config{Device: a.cfg.Camera.Device, File: a.cfg.Camera.File, Command: a.cfg.Camera.Command})
	note(err)
	if a.cfg.Vision.Provider != "" {
		e.vision, err = tools.NewVision(tools.VisionConfig{Provider: a.cfg.Vision.Provider, Model: a.cfg.Vision.Model,
			BaseURL: a.cfg.Vision.BaseURL, Key: tools.Secret(a.cfg.Vision.Key)})
		note(err)
	}
	e.commands, err = newCommands(a.cfg.Tools.Command, a.cfg.Language)
	note(err)
	e.servers, err = a.newServers()
	note(err)
	go func() {
		if n, err := browser.CleanUp(""); err != nil {
			a.log.Warn("remove leftovers of the browser tool", "error", err)
		} else if n > 0 {
			a.log.Info("removed leftovers of the browser tool", "folders", n)
		}
		e.consent.load()
	}()
	return e
}

// see gives the tools the vision of this moment.
func (e *equipment) see() tools.Vision { return e.vision }

// own are the tools that every pet window declares beside its cue, relations and address.
func (e *equipment) own(p *pet) []tools.Tool {
	a, lang := p.app, p.app.cfg.Language
	guard := p.guard()
	browsing := func() bool { return a.switches.Enabled(KeyBrowser) }
	list := []tools.Tool{
		guard.Guarded(browser.New(browser.Options{Relay: e.relay, Preset: p.preset.ID, Enabled: browsing}), tools.BrowserRule(lang, browsing, p.taint)),
		guard.Guarded(p.taint.Watched(tools.NewSeeCamera(lang, eyes{p, e}, e.see), tools.FromCamera, nil), tools.CameraRule(lang, eyes{p, e}, e.see, e.consent)),
		tools.NewShowEffect(lang, fireworks{p}),
	}
	if e.engine != nil {
		list = append(list, p.taint.Watched(tools.NewWebSearch(lang, e.engine, p.found), tools.FromSearch, nil))
	}
	if e.webhook != nil {
		list = append(list, guard.Guarded(tools.NewDiscordShare(lang, *e.webhook), tools.DiscordRule(lang)))
	}
	for _, c := range e.commands {
		tool := c.tool
		if c.sends {
			tool = guard.Guarded(tool, c.rule)
		}
		list = append(list, tool)
	}
	return list
}

// guard is how the tools of a pet ask the person.
func (p *pet) guard() tools.Guard {
	a := p.app
	return tools.Guard{Asker: asker{p}, On: func() bool { return on(a.cfg.Tools.Ask, true) }, Language: a.cfg.Language}
}

// found shows the pages of a search as links in the bubble.
func (p *pet) found(turn string, sources []tools.Source) {
	p.app.loop.Do(func() {
		if p.turn != turn || p.talk == nil {
			return
		}
		links := make([]overlay.Link, len(sources))
		for i, s := range sources {
			links[i] = overlay.Link{Text: s.Title, Open: func() { p.app.openAddress(s.URL) }}
		}
		p.talk.SetLinks(links)
	})
}

// openAddress opens a page that the person clicked. Only web addresses: foreign text names no programs and no files.
func (a *App) openAddress(url string) {
	if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return
	}
	a.writes.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := exec.CommandContext(ctx, "xdg-open", url).Run(); err != nil {
			a.log.Warn("open link", "error", err)
		}
	})
}

// fireworks is tools.Effects over the overlay.
type fireworks struct{ pet *pet }

// Show lets an effect burst from the middle of the pet.
func (f fireworks) Show(effect string) {
	f.pet.app.loop.Do(func() {
		a, fig := f.pet.app, f.pet.fig
		if !fig.Visible() {
			return
		}
		if a.effects == nil {
			a.effects = a.loop.NewEffects()
		}
		a.effects.Still = a.still()
		r := fig.Figure()
		from := image.Pt((r.Min.X+r.Max.X)/2, r.Min.Y+r.Dy()/3)
		if err := a.effects.Show(effect, from, max(r.Dy(), 120), a.desk.Snapshot().Compositor); err != nil {
			a.log.Warn("show effect", "error", err)
		}
	})
}

// eyes is tools.Camera.
type eyes struct {
	pet *pet
	own *equipment
}

// CameraAllowed reads the switch.
func (e eyes) CameraAllowed() bool { return e.pet.app.switches.Enabled(KeyCamera) }

// Looking shows by the pet that the camera is open.
func (e eyes) Looking(on bool) {
	e.pet.app.loop.Do(func() {
		if e.pet.talk == nil {
			return
		}
		if on {
			e.pet.talk.SetStatus("● " + e.pet.app.words.status("see_camera", true))
		} else {
			e.pet.talk.SetStatus("")
		}
	})
}

// Frame takes one picture.
func (e eyes) Frame(ctx context.Context) (image.Image, error) {
	if e.own.camera == nil {
		return nil, tools.ErrNoCamera
	}
	return e.own.camera.Frame(ctx)
}

// consent is tools.Consent: the person allowed the camera once, for good.
type consent struct {
	app   *App
	given atomic.Bool
}

const consentKey = "camera.consent"

func (c *consent) load() {
	ctx, cancel := context.WithTimeout(c.app.ctx, storeWait)
	defer cancel()
	if v, ok, err := c.app.store.Get(ctx, consentKey); err == nil && ok && string(v) == "true" {
		c.given.Store(true)
	}
}

// Given tells whether it was.
func (c *consent) Given() bool { return c.given.Load() }

// Give keeps it.
func (c *consent) Give() {
	c.given.Store(true)
	c.app.save("consent", func(ctx context.Context) error { return c.app.store.Set(ctx, consentKey, json.RawMessage("true")) })
}

// asker is tools.Asker: the question in the pet's bubble.
type asker struct{ pet *pet }

// Ask waits for the person's answer. Called from a turn's goroutine.
func (k asker) Ask(ctx context.Context, q tools.Question) bool {
	answer := make(chan bool, 1)
	wait := 20 * time.Second
	if at, ok := ctx.Deadline(); ok {
		wait = time.Until(at)
	}
	text := q.Title
	if q.Body != "" {
		text += "\n\n" + q.Body
	}
	k.pet.app.loop.Do(func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			return
		}
		k.pet.askPerson(func() {
			k.pet.talk.Ask(text, q.Allow, q.Deny, wait, func(allowed bool) { answer <- allowed })
		})
	})
	select {
	case allowed := <-answer:
		return allowed
	case <-ctx.Done():
		k.pet.app.loop.Do(func() {
			k.pet.late.ask = nil
			if k.pet.talk != nil {
				k.pet.talk.EndAsk()
			}
		})
		return false
	}
}

// askPerson shows a question now, or once the talk window is there. Main thread.
func (p *pet) askPerson(show func()) {
	if p.talk == nil {
		p.late.ask = show
		p.app.wantLook()
		return
	}
	p.anchor()
	show()
}
