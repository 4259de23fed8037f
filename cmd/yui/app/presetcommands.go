package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"yui/cmd/yui/control"
	"yui/cmd/yui/presets"
	"yui/store"
)

func (a *App) presetsCommand(ctx context.Context, _ control.Request, r *control.Reply) error {
	var v json.RawMessage
	err := a.loop.Call(ctx, func() { v = a.presetsJSON() })
	return r.Value(v, err)
}

func (a *App) openCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	preset, err := a.presetFor(ctx, req.Arg(0))
	if err != nil {
		return err
	}
	return a.open(ctx, preset)
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
		a.updateTray()
	})
	return errors.Join(callErr, err)
}

func (a *App) closeCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	p, err := a.pet(ctx, req.Arg(0))
	if err != nil {
		return err
	}
	return a.loop.Call(ctx, func() { a.closePet(p) })
}

func (a *App) importCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	p, err := a.presets.Import(ctx, req.Arg(0), req.Arg(1))
	if err != nil {
		return err
	}
	r.Out(p.ID)
	for _, odd := range p.Odd {
		r.Err(plainSentence(odd))
	}
	return nil
}

func (a *App) createCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	p, err := a.presets.Create(ctx, req.Arg(0), req.Arg(1))
	if err != nil {
		return err
	}
	r.Out(p.ID)
	return nil
}

func (a *App) duplicateCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	preset, err := a.presetFor(ctx, req.Arg(0))
	if err != nil {
		return err
	}
	p, err := a.presets.Duplicate(ctx, preset, req.Arg(1))
	if err != nil {
		return err
	}
	r.Out(p.ID)
	return nil
}

func (a *App) renameCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	preset, err := a.presetFor(ctx, req.Arg(0))
	if err != nil {
		return err
	}
	return a.presets.Rename(ctx, preset, req.Arg(1))
}

func (a *App) deleteCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	preset, err := a.presetFor(ctx, req.Arg(0))
	if err != nil {
		return err
	}
	return a.presets.Delete(ctx, preset)
}
