package app

import (
	"context"
	"image"
	"maps"
	"slices"
	"time"

	"yui/assets/lang"
	"yui/avatar/body"
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

// openRelations shows the panel for a pet ("" for the main one). Main thread.
func (a *App) openRelations(selected string) {
	if len(a.pets) == 0 {
		return
	}
	if a.petOf(selected) == nil {
		selected = a.pets[0].preset.ID
	}
	if a.look == nil {
		a.wantPanel = selected
		a.wantLook()
		return
	}
	if a.panel == nil {
		panel, err := ui.NewRelationsPanel(a.loop, a.look, float32(monitorOf(a.desk.Snapshot(), a.aroundMain()).Scale))
		if err != nil {
			a.log.Error("open relations", "error", err)
			return
		}
		panel.OnSwitch = func(on bool) { a.setSwitch(settings.KeyRelations, on) }
		panel.OnSelect = func(id string) { a.showRelations(id) }
		panel.OnSet = a.setFeeling
		a.panel = panel
	}
	a.panel.SetComposited(a.desk.Snapshot().Compositor)
	a.panelOf = selected
	a.readRelations(func(v ui.RelationsView) {
		w := monitorOf(a.desk.Snapshot(), a.aroundMain()).WorkArea
		a.panel.Show(v, image.Rect(w.X, w.Y, w.X+w.W, w.Y+w.H))
	})
}

// aroundMain is where the main pet stands, the origin where none is open. Main thread.
func (a *App) aroundMain() body.Point {
	if len(a.pets) == 0 {
		return body.Point{}
	}
	return a.pets[0].fig.Feet()
}

func (a *App) showRelations(id string) {
	a.panelOf = id
	a.refreshPanel()
}

// refreshPanel shows newer values where the panel is open. Main thread.
func (a *App) refreshPanel() {
	if a.panel != nil && a.panel.Visible() {
		a.readRelations(a.panel.Update)
	}
}

// setFeeling keeps what the person set by a slider.
func (a *App) setFeeling(from, to string, value int) {
	target := store.UserTarget
	if to != "" {
		target = store.TargetOf(to)
	}
	a.memory.Save("relation", func(ctx context.Context) error {
		r, err := a.memory.SetByUser(ctx, from, target, value, time.Now())
		a.changed() // after an error as well: the slider goes back
		if err == nil {
			a.loop.Do(func() {
				if p := a.petOf(from); p != nil {
					p.showBand(target, r.Value-r.Delta, r.Value)
				}
			})
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
func (a *App) readRelations(then func(ui.RelationsView)) {
	v := ui.RelationsView{On: a.settings.Enabled(settings.KeyRelations), Selected: a.panelOf}
	var all []member
	list := a.presets.All()
	names := presets.ShownNames(list)
	for _, p := range list {
		q, name := a.petOf(p.ID), names[p.ID]
		all = append(all, member{p.ID, name, q != nil})
		if q != nil {
			v.Pets = append(v.Pets, ui.RelationsPet{ID: p.ID, Name: name, Face: q.fig.Portrait()})
		}
		if p.ID == a.panelOf {
			v.Name = name
		}
	}
	a.memory.Go(func() {
		ctx, cancel := context.WithTimeout(a.ctx, memory.Wait)
		defer cancel()
		if err := a.gatherRelations(ctx, &v, all); err != nil {
			a.log.Error("show relations", "error", err)
			return
		}
		a.loop.Do(func() { then(v) })
	})
}

// gatherRelations adds what everybody open feels and the history of the selected one. Not for the main thread.
func (a *App) gatherRelations(ctx context.Context, v *ui.RelationsView, all []member) error {
	nameOf := func(target string) (name string, known bool) {
		id, _ := store.PresetOf(target)
		if i := slices.IndexFunc(all, func(m member) bool { return m.id == id }); i >= 0 {
			return all[i].name, true
		}
		if name = a.presets.NameOfGone(ctx, id); name == "" {
			name = id
		}
		return name, false
	}
	v.Band = func(value int) (id, word string) { id = tools.Band(value); return id, a.words.Text(bands[id]) }
	for _, m := range all {
		if !m.open {
			continue
		}
		values, err := a.memory.Relations(ctx, m.id)
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
	log, err := a.memory.RelationLog(ctx, v.Selected, historyRows)
	if err != nil {
		return err
	}
	now, names := time.Now(), map[string]string{store.UserTarget: ""}
	for _, c := range log {
		toward, asked := names[c.Target]
		if !asked {
			var here bool
			if toward, here = nameOf(c.Target); !here {
				toward = a.words.Text("relations.name_gone", lang.Args{"name": toward})
			}
			names[c.Target] = toward
		}
		v.History = append(v.History, ui.FeelingChange{When: day(a.words, c.Time, now), Toward: toward, Why: c.Why, Delta: c.Delta, Value: c.Value})
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
