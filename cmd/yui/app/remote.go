package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"time"

	"yui/chat"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/remote"
	"yui/store"
	"yui/tools"
)

// commandWait bounds what no person or model is waited for.
const commandWait = 20 * time.Second

var errNoPet = errors.New("no pet is open: yui open PRESET opens one")

// remote answers the command line.
func (a *App) remote() *remote.Remote {
	return &remote.Remote{
		House: steward{a}, Settings: a.settings, Presets: a.presets, Rules: a.first.JSON,
		Servers: func() (json.RawMessage, error) { return json.Marshal(a.equip.Servers().States()) },
	}
}

// steward is remote.House over the app.
type steward struct{ app *App }

// Pet implements remote.House.
func (h steward) Pet(ctx context.Context, word string) (remote.Pet, error) {
	a := h.app
	var p *pet
	var err error
	callErr := a.loop.Call(ctx, func() {
		if word == "" {
			if len(a.pets) > 0 {
				p = a.pets[0]
			} else {
				err = errNoPet
			}
			return
		}
		var preset presets.Preset
		if preset, err = a.presets.Find(word); err != nil {
			return
		}
		if p = a.petOf(preset.ID); p == nil {
			err = fmt.Errorf("%s is not open: yui open %s opens her", preset.Name, preset.ID)
		}
	})
	return guest{p}, errors.Join(callErr, err)
}

// Preset implements remote.House.
func (h steward) Preset(ctx context.Context, word string) (presets.Preset, error) {
	if word != "" {
		return h.app.presets.Find(word)
	}
	p := h.app.mainPet.Load()
	if p == nil {
		return presets.Preset{}, errNoPet
	}
	preset, _ := h.app.presets.Get(p.id)
	return preset, nil
}

// Open implements remote.House.
func (h steward) Open(ctx context.Context, p presets.Preset) error { return h.app.open(ctx, p) }

// Show implements remote.House.
func (h steward) Show(ctx context.Context) error {
	a := h.app
	return a.loop.Call(ctx, func() {
		for _, p := range a.pets {
			p.fig.Show()
		}
		if len(a.pets) == 0 {
			a.panels.OpenCast() // without a pet and a tray there would be no way back
		}
		a.panels.Refresh()
	})
}

// Quit implements remote.House.
func (h steward) Quit() { h.app.quit() }

// Presets implements remote.House.
func (h steward) Presets(ctx context.Context) (v json.RawMessage, err error) {
	err = h.app.loop.Call(ctx, func() { v = h.presetsJSON() })
	return v, err
}

// guest is remote.Pet over an open pet.
type guest struct{ pet *pet }

// Say implements remote.Pet.
func (g guest) Say(ctx context.Context, text string) (turn *chat.Turn, err error) {
	err = g.pet.app.loop.Call(ctx, func() { turn = g.pet.say(text) })
	return turn, err
}

// Stop implements remote.Pet.
func (g guest) Stop() { g.pet.session.Stop() }

// Recite implements remote.Pet.
func (g guest) Recite(ctx context.Context, text string) (busy bool, err error) {
	p := g.pet
	err = p.app.loop.Call(ctx, func() {
		if busy = p.running || p.playing || p.talk != nil && p.talk.Asking(); !busy {
			p.recite(text)
		}
	})
	return busy, err
}

// Tools implements remote.Pet.
func (g guest) Tools() []chat.Tool { return g.pet.tools.Declared() }

// Call implements remote.Pet.
func (g guest) Call(ctx context.Context, turn, tool string, args json.RawMessage) tools.Result {
	return g.pet.tools.Call(ctx, turn, tool, args)
}

// Said implements remote.Pet.
func (g guest) Said() []chat.Item { return g.pet.session.Transcript() }

// Search implements remote.Pet.
func (g guest) Search(ctx context.Context, words string, limit int) ([]chat.Item, error) {
	return g.pet.session.Search(ctx, words, limit)
}

// Picture implements remote.Pet.
func (g guest) Picture(ctx context.Context) (img image.Image, err error) {
	callErr := g.pet.app.loop.Call(ctx, func() { img, err = g.pet.fig.Snapshot() })
	return img, errors.Join(callErr, err)
}

// Close implements remote.Pet.
func (g guest) Close(ctx context.Context) error {
	return g.pet.app.loop.Call(ctx, func() { g.pet.app.closePet(g.pet) })
}

// open loads a preset's model and puts her on the desktop; not for the main thread.
func (a *App) open(ctx context.Context, preset presets.Preset) error {
	model, err := a.loadModel(preset)
	if err != nil {
		return err
	}
	pets, err := a.memory.Pets(ctx)
	if err != nil {
		return err
	}
	var at store.Pet
	for _, p := range pets {
		if p.Preset == preset.ID {
			at = p
		}
	}
	if err := a.dress.Bring(ctx, model); err != nil {
		return fmt.Errorf("draw %s: %w", preset.Name, err)
	}
	callErr := a.loop.Call(ctx, func() {
		err = a.openPet(preset, model, nil, at)
		a.dress.Leave(model)
		a.panels.Refresh()
	})
	return errors.Join(callErr, err)
}
