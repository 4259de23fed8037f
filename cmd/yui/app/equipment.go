package app

import (
	"cmp"
	"context"
	"encoding/json"
	"image"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"yui/cmd/yui/memory"
	"yui/cmd/yui/senses"
	"yui/cmd/yui/settings"
	"yui/internal/proc"
	"yui/overlay/figure"
	"yui/overlay/ui"
	"yui/tools"
	"yui/tools/browser"
	"yui/tools/mcp"
)

// equipment is what the tools of all pets share.
type equipment struct {
	relay   *browser.Relay
	consent *consent
	servers *mcp.Manager

	changing sync.Mutex // one change of the gear at a time
	gear     atomic.Pointer[gear]
}

// newEquipment never fails: what is set up wrongly is left out and told.
func (a *App) newEquipment() *equipment {
	e := &equipment{relay: browser.NewRelay(browser.RelayOptions{}), consent: &consent{app: a}}
	a.equip = e
	a.regear()
	var err error
	e.servers, err = a.newServers()
	if err != nil {
		a.log.Warn("MCP servers are not set up", "error", err)
	}
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
func (e *equipment) see() tools.Vision { return e.gear.Load().vision }

// own are the tools that every pet window declares beside its cue, relations and address, with the gear of a moment.
func (e *equipment) own(p *pet, g *gear) []tools.Tool {
	a := p.app
	guard := p.guard()
	browsing := func() bool { return a.settings.Enabled(settings.KeyBrowser) }
	scripts := tools.BrowserRules(a.lang, browsing, p.taint)
	for i := range scripts {
		scripts[i].Within = e.relay.Wait()
	}
	list := []tools.Tool{
		guard.GuardedBy(p.taint.Watched(browser.New(browser.Options{Relay: e.relay, Preset: p.preset.ID, Enabled: browsing}), tools.FromPages, browser.Foreign),
			scripts...),
		guard.Guarded(p.taint.Watched(tools.NewSeeCamera(p.toolWords, p.senses, e.see), tools.FromCamera, nil), tools.CameraRule(a.lang, p.senses, e.see, p.taint.AlsoMarked(e.consent, "camera"))),
		tools.NewShowEffect(p.toolWords, p.senses),
	}
	if g.engine != nil {
		list = append(list, p.taint.Watched(tools.NewWebSearch(p.toolWords, g.engine, p.found), tools.FromSearch, nil))
	}
	if g.webhook != nil {
		list = append(list, guard.Guarded(tools.NewDiscordShare(p.toolWords, *g.webhook), tools.DiscordRule(a.lang)))
	}
	for _, c := range g.commands {
		tool := p.taint.Watched(c.tool, tools.FromCommand, tools.Anything) // its failures say what it printed, too
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
	return tools.Guard{Asker: asker{p}, On: func() bool { return a.equip.gear.Load().ask }, Words: a.lang}
}

// found shows what is searched for, and the pages as links, in the bubble.
func (p *pet) found(turn, query string, sources []tools.Source) {
	p.app.loop.Do(func() {
		if p.turn != turn {
			return
		}
		if !slices.Contains(p.searched, query) {
			p.searched = append(p.searched, query)
		}
		links := make([]ui.Link, len(sources)+1)
		links[0] = ui.Link{Text: p.app.words.searched + strings.Join(p.searched, " · ")}
		for i, s := range sources {
			links[i+1] = ui.Link{Text: s.Title, Host: s.Host(), Open: func() { p.app.openAddress(s.URL) }}
		}
		p.late.links = links // for a talk window that is still being made
		if p.talk != nil {
			p.talk.SetLinks(links)
		}
	})
}

// openAddress opens a page that the person clicked. Only web addresses: foreign text names no programs and no files.
func (a *App) openAddress(url string) {
	if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return
	}
	a.memory.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := proc.Open(ctx, url); err != nil {
			a.log.Warn("open link", "error", err)
		}
	})
}

// player is what plays effects, made with the first one. Main thread.
func (a *App) player() *figure.Effects {
	if a.effects == nil {
		a.effects = figure.NewEffects(a.loop)
	}
	a.effects.Still = a.still()
	return a.effects
}

// stage is senses.Stage over what plays effects.
type stage struct{ app *App }

// Burst implements senses.Stage.
func (s stage) Burst(effect string, at figure.Place) error { return s.app.player().Show(effect, at) }

// Mark implements senses.Stage.
func (s stage) Mark(at figure.Place) (senses.Mark, error) {
	m, err := s.app.player().CameraMark(at)
	if err != nil {
		return nil, err // a nil *Mark in the interface would not be nil
	}
	return m, nil
}

// frame takes one picture of the camera.
func (e *equipment) frame(ctx context.Context) (image.Image, error) {
	source := e.gear.Load().camera
	if source == nil {
		return nil, tools.ErrNoCamera
	}
	return source.Frame(ctx)
}

// consent is tools.Consent: the person allowed the camera once, for good.
type consent struct {
	app   *App
	given atomic.Bool
}

const consentKey = "camera.consent"

func (c *consent) load() {
	ctx, cancel := context.WithTimeout(c.app.ctx, memory.Wait)
	defer cancel()
	if v, ok, err := c.app.memory.Get(ctx, consentKey); err == nil && ok && string(v) == "true" {
		c.given.Store(true)
	}
}

// Given tells whether it was.
func (c *consent) Given() bool { return c.given.Load() }

// Give keeps it.
func (c *consent) Give() {
	c.given.Store(true)
	c.app.memory.Save("consent", func(ctx context.Context) error { return c.app.memory.Set(ctx, consentKey, json.RawMessage("true")) })
}

// asker is tools.Asker: the question in the pet's bubble.
type asker struct{ pet *pet }

// Ask waits for the person's answer. Called from a turn's goroutine.
func (k asker) Ask(ctx context.Context, q tools.Question) bool {
	answer := make(chan bool, 1)
	wait := cmp.Or(q.Wait, tools.AskWait)
	w := k.pet.app.lang
	shown := ui.Question{Title: tools.Legible(w, q.Title), Body: tools.Legible(w, q.Body), Allow: q.Allow, Deny: q.Deny}
	end := func() {} // main thread
	k.pet.app.loop.Do(func() {
		k.pet.askPerson(func() {
			if ctx.Err() == nil {
				end = k.pet.talk.Ask(shown, wait, func(allowed bool) { answer <- allowed })
			}
		})
	})
	select {
	case allowed := <-answer:
		return allowed
	case <-ctx.Done():
		k.pet.app.loop.Do(func() { end() })
		return false
	}
}

// askPerson shows a question now, or once the talk window is there. Main thread.
func (p *pet) askPerson(show func()) {
	if p.talk == nil {
		p.late.asks = append(p.late.asks, show)
		p.app.wantLook()
		return
	}
	p.anchor()
	show()
}
