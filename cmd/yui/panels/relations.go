package panels

import (
	"context"
	"maps"
	"slices"
	"time"

	"yui/assets/lang"
	"yui/cmd/yui/memory"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/settings"
	"yui/overlay/ui"
	"yui/store"
	"yui/tools"
)

// historyRows is how much of the history the panel holds: the newest of it, read in a blink. Nobody can cause more than
// four rows a day and target by talk.
const historyRows = 2000

// OpenRelations shows the panel for a pet ("" for the main one).
func (p *Panels) OpenRelations(selected string) {
	pets := p.House.Pets()
	if len(pets) == 0 {
		return
	}
	if _, open := p.open(selected); !open {
		selected = pets[0].ID
	}
	if p.theme == nil {
		p.want = selected
		p.Want()
		return
	}
	if p.relations == nil {
		m, _ := p.around()
		panel, err := ui.NewRelationsPanel(p.Loop, p.theme, float32(m.Scale))
		if err != nil {
			p.Log.Error("open relations", "error", err)
			return
		}
		panel.OnSwitch = func(on bool) { p.Settings.SetSwitch(settings.KeyRelations, on) }
		panel.OnSelect = func(id string) { p.showRelations(id) }
		panel.OnSet = p.setFeeling
		p.relations = panel
	}
	p.relations.SetComposited(p.Desktop.Snapshot().Compositor)
	p.of = selected
	p.readRelations(func(v ui.RelationsView) {
		_, area := p.around()
		p.relations.Show(v, area)
	})
}

func (p *Panels) showRelations(id string) {
	p.of = id
	p.refreshRelations()
}

// refreshRelations shows newer values where the panel is open.
func (p *Panels) refreshRelations() {
	if p.relations != nil && p.relations.Visible() {
		p.readRelations(p.relations.Update)
	}
}

// setFeeling keeps what the person set by a slider.
func (p *Panels) setFeeling(from, to string, value int) {
	target := store.UserTarget
	if to != "" {
		target = store.TargetOf(to)
	}
	p.Memory.Save("relation", func(ctx context.Context) error {
		r, err := p.Memory.SetByUser(ctx, from, target, value, time.Now())
		p.Changed() // after an error as well: the slider goes back
		if err == nil {
			p.House.Felt(from, target, r.Value-r.Delta, r.Value)
		}
		return err
	})
}

// member is a preset as the panel needs it.
type member struct {
	id, name string
	open     bool
}

// readRelations collects what the panel shows beside the main thread and hands it to then on it.
func (p *Panels) readRelations(then func(ui.RelationsView)) {
	v := ui.RelationsView{On: p.Settings.Enabled(settings.KeyRelations), Selected: p.of}
	var all []member
	list := p.Presets.All()
	names := presets.ShownNames(list)
	for _, q := range list {
		pet, open := p.open(q.ID)
		name := names[q.ID]
		all = append(all, member{q.ID, name, open})
		if open {
			v.Pets = append(v.Pets, ui.RelationsPet{ID: q.ID, Name: name, Face: pet.Face()})
		}
		if q.ID == p.of {
			v.Name = name
		}
	}
	p.Memory.Go(func() {
		ctx, cancel := context.WithTimeout(p.ctx, memory.Wait)
		defer cancel()
		if err := p.gatherRelations(ctx, &v, all); err != nil {
			p.Log.Error("show relations", "error", err)
			return
		}
		p.Loop.Do(func() { then(v) })
	})
}

// gatherRelations adds what everybody open feels and the history of the selected one. Not for the main thread.
func (p *Panels) gatherRelations(ctx context.Context, v *ui.RelationsView, all []member) error {
	nameOf := func(target string) (name string, known bool) {
		id, _ := store.PresetOf(target)
		if i := slices.IndexFunc(all, func(m member) bool { return m.id == id }); i >= 0 {
			return all[i].name, true
		}
		if name = p.Presets.NameOfGone(ctx, id); name == "" {
			name = id
		}
		return name, false
	}
	v.Band = func(value int) (id, word string) { id = tools.Band(value); return id, p.Words.Text(bands[id]) }
	for _, m := range all {
		if !m.open {
			continue
		}
		values, err := p.Memory.Relations(ctx, m.id)
		if err != nil {
			return err
		}
		feel := func(to, toName string, value int, gone bool) {
			v.Feelings = append(v.Feelings, ui.Feeling{From: m.id, To: to, ToName: toName, Value: value, Gone: gone})
		}
		feel("", "", values[store.UserTarget], false)
		for _, q := range all {
			value, known := values[store.TargetOf(q.id)]
			if q.id != m.id && (q.open || known) {
				feel(q.id, q.name, value, false)
			}
		}
		for _, target := range slices.Sorted(maps.Keys(values)) {
			if id, isPreset := store.PresetOf(target); isPreset {
				if name, known := nameOf(target); !known {
					feel(id, name, values[target], true)
				}
			}
		}
	}
	log, err := p.Memory.RelationLog(ctx, v.Selected, historyRows)
	if err != nil {
		return err
	}
	now, names := time.Now(), map[string]string{store.UserTarget: ""}
	for _, c := range log {
		toward, asked := names[c.Target]
		if !asked {
			var here bool
			if toward, here = nameOf(c.Target); !here {
				toward = p.Words.Text("relations.name_gone", lang.Args{"name": toward})
			}
			names[c.Target] = toward
		}
		v.History = append(v.History, ui.FeelingChange{When: day(p.Words, c.Time, now), Toward: toward, Why: c.Why, Delta: c.Delta, Value: c.Value})
	}
	return nil
}

// bands are the words for a band, as tools.Band names it.
var bands = map[string]lang.Key{"hostile": "band.hostile", "cold": "band.cold", "neutral": "band.neutral", "warm": "band.warm", "close": "band.close"}

// day names a day as people do.
func day(w *lang.Words, t, now time.Time) string {
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	switch t = t.In(now.Location()); {
	case !t.Before(today):
		return w.Text("relations.today")
	case !t.Before(today.AddDate(0, 0, -1)):
		return w.Text("relations.yesterday")
	case t.Year() == now.Year():
		return w.DayMonth(t)
	}
	return t.Format("2006-01-02")
}
