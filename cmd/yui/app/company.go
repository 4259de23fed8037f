package app

import (
	"context"
	"sync"
	"time"

	"yui/chat"
	"yui/store"
	"yui/tools"
)

// addressedChainMax is how many addressed turns may follow one another without the person (spec/avatar.md 3.4).
const addressedChainMax = 4

// company is what one pet's tools know of the others: tools.Relations and tools.Company. Safe from any goroutine.
type company struct {
	pet *pet

	mu sync.Mutex
	to map[string]string // turn -> preset id it is for; the newest turns only
}

// Others are the other open presets.
func (c *company) Others() []tools.Named {
	var list []tools.Named
	for _, p := range c.pet.app.openPresets() {
		if p.ID != c.pet.preset.ID {
			list = append(list, tools.Named{ID: p.ID, Name: p.Name})
		}
	}
	return list
}

// RelationsOn reads the switch.
func (c *company) RelationsOn() bool { return c.pet.app.switches.Enabled(KeyRelations) }

// Rate keeps a change.
func (c *company) Rate(ctx context.Context, toward string, delta int, why string) (value int, clamped bool, err error) {
	target := store.UserTarget
	if toward != "" {
		target = store.TargetOf(toward)
	}
	before, err := c.pet.app.store.Relations(ctx, c.pet.preset.ID)
	if err != nil {
		return 0, false, err
	}
	r, err := c.pet.app.store.Rate(ctx, store.RelationCall{Preset: c.pet.preset.ID, Target: target, Delta: delta, Why: why, Now: time.Now()})
	if err == nil {
		go c.pet.app.readBands(c.pet.app.ctx)
		if was := before[target]; toward == "" && tools.Band(was) != tools.Band(r.Value) {
			c.showChange(r.Value > was)
		}
	}
	return r.Value, r.Clamped, err
}

// showChange lets a new band toward the person be seen: a few hearts, or a fallen face for a moment.
func (c *company) showChange(warmer bool) {
	if warmer {
		fireworks{c.pet}.Show(tools.EffectHearts)
		return
	}
	c.pet.app.loop.Do(func() {
		c.pet.fig.Express("sad", "")
		c.pet.faceEndsIn(4 * time.Second)
	})
}

// Addressed notes whom a turn's reply is for.
func (c *company) Addressed(turn, presetID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.to == nil || len(c.to) > 16 {
		c.to = map[string]string{}
	}
	c.to[turn] = presetID
}

// recipient takes the note of a turn, "" where there is none.
func (c *company) recipient(turn string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := c.to[turn]
	delete(c.to, turn)
	return id
}

// openPresets are the presets with an open pet, in the order of opening. Safe from any goroutine.
func (a *App) openPresets() []Preset {
	if list := a.opened.Load(); list != nil {
		return *list
	}
	return nil
}

// noteOpen keeps openPresets and the main pet true. Main thread.
func (a *App) noteOpen() {
	list := make([]Preset, len(a.pets))
	for i, p := range a.pets {
		list[i] = p.preset
	}
	a.opened.Store(&list)
	if len(a.pets) > 0 {
		a.mainPet.Store(a.pets[0])
	} else {
		a.mainPet.Store(nil)
	}
}

// passOn gives an addressed reply to the pet that it is for, once its playback is over (seed 1, address_character).
// Main thread.
func (p *pet) passOn() {
	id := p.company.recipient(p.turn)
	if id == "" || p.outcome != chat.OK || p.text.Len() == 0 {
		return
	}
	to := p.app.petOf(id)
	if to == nil || p.chain >= addressedChainMax {
		return
	}
	to.chainNext = p.chain + 1
	to.taint.Inherit(p.taint) // what she has read comes along with her words
	to.session.Background(p.app.ctx, chat.Addressed(p.preset.Name, p.text.String()))
}
