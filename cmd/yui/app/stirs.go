package app

import (
	"yui/assets/lang"
	"yui/cmd/yui/settings"
	"yui/tools/mcp"
)

// stirs has what each stir of a changed setting does, in the order in which they happen. A new one is a name in
// cmd/yui/settings and a row here. Main thread.
var stirs = []struct {
	of settings.Stir
	do func(a *App, c settings.Change)
}{
	{settings.Words, func(a *App, _ settings.Change) { a.speakIn(a.cfg().Language) }},
	{settings.Backend, func(a *App, _ settings.Change) { a.memory.Go(a.renewBackend) }},
	{settings.Knowledge, func(a *App, _ settings.Change) { a.memory.Go(a.relearn) }},
	{settings.Palette, func(a *App, _ settings.Change) { a.memory.Go(a.repaint) }},
	{settings.Figures, func(a *App, _ settings.Change) { a.refigure() }},
	{settings.Height, func(a *App, _ settings.Change) { a.grow() }},
	{settings.Edges, func(a *App, _ settings.Change) { a.each(func(p *pet) { p.fig.SetQuality(a.renderOptions().Quality) }) }},
	{settings.Workspaces, func(a *App, _ settings.Change) { a.roam() }},
	{settings.FullScreen, func(a *App, _ settings.Change) { a.desktopChanged() }},
	{settings.Gear, func(a *App, _ settings.Change) { a.memory.Go(a.equip.Refit) }},
	{settings.Servers, func(a *App, c settings.Change) { a.serve(c.Keys) }},
	{settings.Vocabulary, func(a *App, _ settings.Change) { a.tellVocabulary() }},
	{settings.Publisher, func(a *App, _ settings.Change) { a.memory.Go(a.publish) }},
	{settings.Idling, func(a *App, _ settings.Change) { a.each(func(p *pet) { p.fig.SetAvoided(a.settings.AvoidedClips()) }) }},
	{settings.Gaze, func(a *App, _ settings.Change) {
		a.each(func(p *pet) { p.fig.SetLooks(a.settings.Enabled(settings.KeyGaze)) })
	}},
	{settings.Limits, func(a *App, _ settings.Change) { a.first.Limits() }},
	{settings.Moment, func(a *App, _ settings.Change) { a.first.Poke() }},
	{settings.Listener, func(a *App, _ settings.Change) { a.memory.Go(func() { a.door.Apply(a.ctx) }) }},
	{settings.Browsing, func(a *App, _ settings.Change) {
		if a.settings.Enabled(settings.KeyBrowser) {
			a.memory.Save("warning", a.warnOfBrowser)
		}
	}},
}

// apply carries changed settings to where they matter at once. Main thread.
func (a *App) apply(c settings.Change) {
	for _, e := range stirs {
		if c.Stirs&e.of != 0 {
			e.do(a, c)
		}
	}
	a.panels.Refresh()
}

// notTaken tells the person that changed settings have mistakes.
func (a *App) notTaken(mistakes error) {
	a.say(a.words.Text("settings.not_taken", lang.Args{"mistakes": a.paths.InBubble(mistakes)}))
}

// refigure takes over the body's figures, how often pets are drawn, and how much moves on the screen. Main thread.
func (a *App) refigure() {
	a.each(func(p *pet) {
		p.fig.SetBody(a.bodyConfig())
		p.fig.SetFPS(a.cfg().Window.FPS)
	})
	a.panels.Restill()
	a.theatre.heed()
}

// grow makes pets without a height of their own as tall as the config says; what they wear may come in sizes. Main thread.
func (a *App) grow() {
	a.dress.SetTexturePixels(a.renderOptions().TexturePixels)
	a.each(func(p *pet) {
		if p.preset.Height != 0 {
			return
		}
		p.fig.SetHeight(float64(a.heightOf(p.preset)))
		preset := p.preset
		a.memory.Go(func() { a.redress(preset) })
	})
}

// roam puts pets on every workspace, or keeps each to the one that is shown now. Main thread.
func (a *App) roam() {
	all, now := a.cfg().Window.AllWorkspaces, a.desk.Snapshot().Workspace
	a.each(func(p *pet) {
		p.bound, p.workspace = !all, now
		p.fig.SetAllWorkspaces(all)
	})
	a.desktopChanged()
}

// repaint shows everything in the colours of the present settings; not for the main thread.
func (a *App) repaint() { a.panels.Recolour(a.redraw) }

// redraw paints bubbles, menu and panels anew. Main thread.
func (a *App) redraw() {
	a.each(func(p *pet) {
		if p.talk != nil {
			p.talk.Repaint()
		}
	})
	a.panels.Repaint()
}

// speakIn changes the language of everything that is on the screen and of what is said from now on; what models are told of
// tools follows with the next conversation. Main thread.
func (a *App) speakIn(language string) {
	a.words.Use(language)
	a.panels.NewModel("")
	a.redraw() // tray and lists are done after every change
}

// serve takes over the tables and the switches of MCP servers. Main thread.
func (a *App) serve(keys []string) {
	a.memory.Go(func() {
		if err := a.equip.Servers().Use(a.cfg().MCP, a.settings.Hidden()); err != nil {
			a.log.Warn("MCP servers are not set up", "error", err)
		}
		for _, name := range a.equip.Servers().Names() {
			for _, key := range keys {
				if key == mcp.Key(name) {
					a.equip.Servers().Switched(name)
				}
			}
		}
		a.loop.Do(a.panels.Refresh)
	})
}
