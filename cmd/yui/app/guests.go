package app

import (
	"time"

	"yui/overlay/ui"
	"yui/tools"
)

// guests is asking.House for the tools of MCP servers: they are told and asked for by the main pet.
type guests struct{ app *App }

// Tell implements asking.House. What the tools say of themselves is shown where the person asks for it, as plain text.
func (g guests) Tell(text, more string) {
	a := g.app
	a.loop.Do(func() {
		if len(a.pets) == 0 {
			return
		}
		p := a.pets[0]
		if p.tell(text); p.talk != nil && more != "" {
			note := ui.Question{Title: a.words.Text("talk.tools_say"), Body: tools.Legible(a.words, more), Deny: a.words.Text("talk.close")}
			p.talk.SetLinks([]ui.Link{{Text: a.words.Text("talk.tools_say"), Open: func() { p.talk.Ask(note, noteWait, func(bool) {}) }}})
		}
	})
}

// noteWait is how long a text that the person has unfolded stays where nobody closes it.
const noteWait = 5 * time.Minute

// Asks implements asking.House.
func (g guests) Asks() bool { return g.app.cfg().Tools.Ask }

// Asking implements asking.House.
func (g guests) Asking() bool {
	return g.app.talks.Asking() || len(g.app.pets) > 0 && len(g.app.pets[0].late.asks) > 0
}

// Asker implements asking.House.
func (g guests) Asker() tools.Asker {
	if p := g.app.mainPet.Load(); p != nil {
		return p.asker()
	}
	return nil
}
