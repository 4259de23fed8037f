package remote

import (
	"context"
	"strings"

	"yui/cmd/yui/control"
)

func (m *Remote) presetsCommand(ctx context.Context, _ control.Request, r *control.Reply) error {
	return r.Value(m.House.Presets(ctx))
}

func (m *Remote) openCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	preset, err := m.House.Preset(ctx, req.Arg(0))
	if err != nil {
		return err
	}
	return m.House.Open(ctx, preset)
}

func (m *Remote) closeCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	p, err := m.House.Pet(ctx, req.Arg(0))
	if err != nil {
		return err
	}
	return p.Close(ctx)
}

func (m *Remote) importCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	p, err := m.Presets.Import(ctx, req.Arg(0), req.Arg(1))
	if err != nil {
		return err
	}
	r.Out(p.ID)
	for _, odd := range p.Odd {
		r.Err(strings.Join(strings.Fields(odd), " ")) // one line of what a file may have a part in
	}
	return nil
}

func (m *Remote) createCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	p, err := m.Presets.Create(ctx, req.Arg(0), req.Arg(1))
	if err != nil {
		return err
	}
	r.Out(p.ID)
	return nil
}

func (m *Remote) duplicateCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	preset, err := m.House.Preset(ctx, req.Arg(0))
	if err != nil {
		return err
	}
	p, err := m.Presets.Duplicate(ctx, preset, req.Arg(1))
	if err != nil {
		return err
	}
	r.Out(p.ID)
	return nil
}

func (m *Remote) renameCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	preset, err := m.House.Preset(ctx, req.Arg(0))
	if err != nil {
		return err
	}
	return m.Presets.Rename(ctx, preset, req.Arg(1))
}

func (m *Remote) deleteCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	preset, err := m.House.Preset(ctx, req.Arg(0))
	if err != nil {
		return err
	}
	return m.Presets.Delete(ctx, preset)
}
