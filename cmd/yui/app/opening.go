package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"yui/cmd/yui/presets"
	"yui/overlay/figure"
	"yui/store"
)

// openingKey is where it stands that a preset's model is being drawn for the first time. A model that ends the program
// on the way leaves the mark, and is not opened by the next start.
func openingKey(id string) string { return "preset.opening." + id }

// markOpening notes that a preset's own model is about to be drawn; the mark is durable when it returns. The bundled
// models need none.
func (a *App) markOpening(p presets.Preset) (done func(), err error) {
	if p.Model == "" {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(a.ctx, storeWait)
	defer cancel()
	if err := a.store.Set(ctx, openingKey(p.ID), marshal(true)); err != nil {
		return nil, err
	}
	return func() {
		a.save("opened", func(ctx context.Context) error { return a.store.Set(ctx, openingKey(p.ID), marshal(false)) })
	}, nil
}

// tried lets a preset's own model show that it can be drawn (docs/rules/avatar.md#bounds-of-a-model), and says so where it
// cannot: then the next start leaves it closed, too. Main thread.
func (a *App) tried(p presets.Preset, fig *figure.Pet) error {
	if p.Model == "" {
		return nil // bundled: somebody must come up, however slow the machine is
	}
	err := fig.Try()
	if slow := new(figure.SlowError); errors.As(err, &slow) {
		a.save("open pets", func(ctx context.Context) error { return a.store.SetOpen(ctx, p.ID, false) })
	}
	return a.slowModel(p, err)
}

// slowModel puts into words that a preset's model is too slow; another error stays what it is.
func (a *App) slowModel(p presets.Preset, err error) error {
	slow := new(figure.SlowError)
	if !errors.As(err, &slow) {
		return err
	}
	a.log.Warn("a model is too slow and is taken off", "preset", p.ID, "error", slow)
	return fmt.Errorf(a.words.tooSlow, p.Name, slow.Frame.Milliseconds())
}

// unfinished returns the list of presets to open without those whose opening the last run did not outlive, and these
// to tell of. Called again it knows of nothing: the person may open them by hand.
func unfinished(ctx context.Context, s *store.Store, presets []presets.Preset, open []string) (list []string, away []presets.Preset, err error) {
	list = slices.Clone(open)
	for _, p := range presets {
		raw, ok, err := s.Get(ctx, openingKey(p.ID))
		if err != nil {
			return nil, nil, err
		}
		if !ok || string(raw) != "true" {
			continue
		}
		if err := errors.Join(s.SetOpen(ctx, p.ID, false), s.Set(ctx, openingKey(p.ID), marshal(false))); err != nil {
			return nil, nil, err
		}
		list = slices.DeleteFunc(list, func(id string) bool { return id == p.ID })
		away = append(away, p)
	}
	return list, away, nil
}
