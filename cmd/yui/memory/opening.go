package memory

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"yui/cmd/yui/presets"
)

// openingKey is where it stands that a preset's model is being drawn for the first time. A model that ends the program
// on the way leaves the mark, and is not opened by the next start.
func openingKey(id string) string { return "preset.opening." + id }

// Opening notes that a preset's own model is about to be drawn; the mark is durable when it returns, and goes with done.
// The bundled models need none.
func (m *Memory) Opening(ctx context.Context, p presets.Preset) (done func(), err error) {
	if p.Model == "" {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, Wait)
	defer cancel()
	if err := m.Set(ctx, openingKey(p.ID), json.RawMessage("true")); err != nil {
		return nil, err
	}
	return func() {
		m.Save("opened", func(ctx context.Context) error { return m.Set(ctx, openingKey(p.ID), json.RawMessage("false")) })
	}, nil
}

// Unfinished returns the list of presets to open without those whose opening the last run did not outlive, and these
// to tell of. Called again it knows of nothing: the person may open them by hand.
func (m *Memory) Unfinished(ctx context.Context, all []presets.Preset, open []string) (list []string, away []presets.Preset, err error) {
	list = slices.Clone(open)
	for _, p := range all {
		raw, ok, err := m.Get(ctx, openingKey(p.ID))
		if err != nil {
			return nil, nil, err
		}
		if !ok || string(raw) != "true" {
			continue
		}
		if err := errors.Join(m.SetOpen(ctx, p.ID, false), m.Set(ctx, openingKey(p.ID), json.RawMessage("false"))); err != nil {
			return nil, nil, err
		}
		list = slices.DeleteFunc(list, func(id string) bool { return id == p.ID })
		away = append(away, p)
	}
	return list, away, nil
}
