package app

import (
	"context"
	"errors"

	"yui/assets/lang"
	"yui/cmd/yui/presets"
	"yui/overlay/figure"
)

// tried lets a preset's own model show that it can be drawn (docs/rules/avatar.md#bounds-of-a-model), and says so if it
// cannot: then the next start leaves it closed, too. Main thread.
func (a *App) tried(p presets.Preset, fig *figure.Pet) error {
	if p.Model == "" {
		return nil // bundled: somebody must come up, however slow the machine is
	}
	err := fig.Try()
	if slow := new(figure.SlowError); errors.As(err, &slow) {
		a.memory.Save("open pets", func(ctx context.Context) error { return a.memory.SetOpen(ctx, p.ID, false) })
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
	return errors.New(a.words.Text("model.too_slow", lang.Args{"name": p.Name, "milliseconds": slow.Frame.Milliseconds()}))
}
