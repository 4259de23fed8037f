package app

import (
	"context"
	"time"

	"yui/cmd/yui/company"
	"yui/cmd/yui/settings"
	"yui/store"
	"yui/tools"
)

// feelings is tools.Relations of one pet. Safe from any goroutine.
type feelings struct {
	pet *pet
	*company.Member
}

// RelationsOn reads the switch.
func (f feelings) RelationsOn() bool { return f.pet.app.settings.Enabled(settings.KeyRelations) }

// Rate keeps a change.
func (f feelings) Rate(ctx context.Context, toward string, delta int, why string) (value int, clamped bool, err error) {
	target := store.UserTarget
	if toward != "" {
		target = store.TargetOf(toward)
	}
	r, err := f.pet.app.memory.Rate(ctx, store.RelationCall{Preset: f.pet.id, Target: target, Delta: delta, Why: why, Now: time.Now()})
	if err == nil && r.Delta != 0 {
		f.pet.app.panels.Changed()
		f.pet.showBand(target, r.Value-r.Delta, r.Value)
	}
	return r.Value, r.Clamped, err
}

// showBand lets a new band be seen on her: a few hearts where she warms to the person, else her face for a moment.
// Not for the main thread.
func (p *pet) showBand(target string, was, now int) {
	band := tools.Band(now)
	switch {
	case band == tools.Band(was):
		return
	case now > was && now > 0 && target == store.UserTarget:
		if err := p.senses.Show(tools.EffectHearts); err != nil {
			p.app.log.Debug("show a new band", "error", err)
		}
		return
	}
	face := "sad"
	if now > was {
		face = "happy"
	}
	p.app.loop.Do(func() {
		p.fig.Express(face, "")
		p.faceEndsIn(4 * time.Second)
	})
}
