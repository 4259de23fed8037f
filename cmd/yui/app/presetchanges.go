package app

import (
	"context"
	"reflect"

	"yui/assets/lang"
	"yui/cmd/yui/presets"
)

// presetChanged carries a change of the presets to the screen and to her open pet. Not for the main thread.
func (a *App) presetChanged(ctx context.Context, c presets.Change) error {
	was, now := c.Was, c.Now
	if err := a.loop.Call(ctx, func() {
		switch p := a.petOf(was.ID); {
		case p == nil:
		case now.ID == "":
			a.closePet(p)
		default:
			p.become(now)
			a.noteOpen()
		}
		a.panels.Refresh()
	}); err != nil {
		return err
	}
	known := was.ID != "" && now.ID != ""
	if known && (c.Files || was.ModelAt(a.heightOf(was)) != now.ModelAt(a.heightOf(now))) {
		a.redress(now)
	}
	return nil
}

// become carries a changed preset to its open pet; a changed model is another matter. Main thread.
func (p *pet) become(now presets.Preset) {
	was := p.preset
	p.preset = now
	if !reflect.DeepEqual(was.Chat, now.Chat) {
		p.connect()
	} else if p.push == nil {
		p.session.SetBackend(p.app.backends.Load().For(now))
	}
	p.fig.SetName(now.Name)
	if p.talk != nil {
		p.talk.SetName(now.Name)
	}
	if p.app.heightOf(was) != p.app.heightOf(now) {
		p.fig.SetHeight(float64(p.app.heightOf(now)))
	}
}

// redress puts a preset's model on her open pet, and says where that is not possible. Not for the main thread.
func (a *App) redress(p presets.Preset) {
	m, err := a.loadModel(p)
	if err != nil {
		a.tellTrouble(err)
		return
	}
	if err := a.dress.Bring(a.ctx, m); err != nil {
		a.tellTrouble(&lang.Fault{Key: "model.not_drawn", Args: lang.Args{"name": p.Name, "cause": err}, Err: err})
		return
	}
	a.loop.Do(func() {
		defer a.dress.Leave(m)
		a.panels.NewModel(p.ID)
		if q := a.petOf(p.ID); q != nil {
			if err := q.fig.Wear(m); err != nil {
				q.tell(a.slowModel(p, err).Error())
			}
			a.panels.Refresh() // her face in the panels
		}
	})
}

// tellTrouble says in the main pet's bubble what went wrong, and keeps it in the log.
func (a *App) tellTrouble(err error) {
	a.log.Warn("told the person", "error", err)
	a.say(a.words.Error(err))
}

// say shows a sentence of the program's own in the main pet's bubble, soon. Safe from any goroutine.
func (a *App) say(text string) {
	a.loop.Do(func() {
		switch {
		case a.panels.Theme() == nil: // with what else went wrong at the start
			a.warn(text)
			a.panels.Want()
		case len(a.pets) > 0:
			a.pets[0].tell(text)
		}
	})
}
