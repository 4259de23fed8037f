package app

import (
	"context"
	"image"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"yui/assets/lang"
	"yui/cmd/yui/asking"
	"yui/cmd/yui/memory"
	"yui/cmd/yui/settings"
	"yui/internal/proc"
	"yui/overlay/ui"
	"yui/tools"
	"yui/tools/browser"
	"yui/tools/mcp"
)

// equipment is what the tools of all pets share.
type equipment struct {
	relay   *browser.Relay
	consent *asking.Consent
	servers *mcp.Manager

	changing sync.Mutex // one change of the gear at a time
	gear     atomic.Pointer[gear]
}

// newEquipment never fails: what is set up wrongly is left out and told.
func (a *App) newEquipment() *equipment {
	e := &equipment{relay: browser.NewRelay(browser.RelayOptions{}), consent: asking.NewConsent(a.memory, "camera.consent")}
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
		ctx, cancel := context.WithTimeout(a.ctx, memory.Wait)
		defer cancel()
		e.consent.Load(ctx)
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
	scripts := tools.BrowserRules(a.words, browsing, p.taint)
	for i := range scripts {
		scripts[i].Within = e.relay.Wait()
	}
	list := []tools.Tool{
		guard.GuardedBy(p.taint.Watched(browser.New(browser.Options{Relay: e.relay, Preset: p.preset.ID, Enabled: browsing}), tools.FromPages, browser.Foreign),
			scripts...),
		guard.Guarded(p.taint.Watched(tools.NewSeeCamera(p.toolWords, p.senses, e.see), tools.FromCamera, nil), tools.CameraRule(a.words, p.senses, e.see, p.taint.AlsoMarked(e.consent, "camera"))),
		tools.NewShowEffect(p.toolWords, p.senses),
	}
	if g.engine != nil {
		list = append(list, p.taint.Watched(tools.NewWebSearch(p.toolWords, g.engine, p.found), tools.FromSearch, nil))
	}
	if g.webhook != nil {
		list = append(list, guard.Guarded(tools.NewDiscordShare(p.toolWords, *g.webhook), tools.DiscordRule(a.words)))
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

// asker asks the person in her bubble.
func (p *pet) asker() asking.Asker { return asking.NewAsker(p.app.loop, p, p.app.words) }

// guard is how the tools of a pet ask the person.
func (p *pet) guard() tools.Guard {
	a := p.app
	return tools.Guard{Asker: p.asker(), On: func() bool { return a.equip.gear.Load().ask }, Words: a.words}
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
		links[0] = ui.Link{Text: p.app.words.Text("talk.searched", lang.Args{"queries": strings.Join(p.searched, " · ")})}
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

// frame takes one picture of the camera.
func (e *equipment) frame(ctx context.Context) (image.Image, error) {
	source := e.gear.Load().camera
	if source == nil {
		return nil, tools.ErrNoCamera
	}
	return source.Frame(ctx)
}

// WithBubble implements asking.Pet.
func (p *pet) WithBubble(show func(b asking.Bubble)) {
	if p.talk == nil {
		p.late.asks = append(p.late.asks, func() { show(p.talk) })
		p.app.panels.Want()
		return
	}
	p.anchor()
	show(p.talk)
}

// close ends what the tools left running; a browser script may take its time, but not ours.
func (e *equipment) close(log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	wg.Go(func() {
		ending, cancel := context.WithTimeout(context.Background(), serversEnd)
		defer cancel()
		if err := e.servers.Close(ending); err != nil {
			log.Warn("end MCP servers", "error", err)
		}
	})
	defer wg.Wait()
	if err := e.relay.Close(ctx); err != nil {
		log.Warn("end browser scripts", "error", err)
	}
}
