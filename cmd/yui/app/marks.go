package app

import (
	"context"
	"time"

	"yui/store"
	"yui/tools"
)

// marks is tools.Ledger over the database, for one preset.
type marks struct {
	app    *App
	preset string
}

// LoadMarks implements tools.Ledger.
func (m marks) LoadMarks() (tools.Marks, error) {
	ctx, cancel := context.WithTimeout(context.Background(), storeWait)
	defer cancel()
	kept := tools.Marks{Grants: map[string]time.Time{}}
	list, err := m.app.store.Marks(ctx, m.preset)
	if err != nil {
		m.app.log.Error("read what has entered a conversation", "pet", m.preset, "error", err)
		return kept, err
	}
	for _, k := range list {
		if k.Kind == store.MarkSource {
			kept.Sources = append(kept.Sources, k.Name)
		} else {
			kept.Grants[k.Name] = k.At
		}
	}
	return kept, nil
}

// SaveMarks implements tools.Ledger. It has happened when it returns: what the model is told next may be kept for ever.
func (m marks) SaveMarks(now tools.Marks) {
	ctx, cancel := context.WithTimeout(context.Background(), storeWait)
	defer cancel()
	var list []store.Mark
	for i, s := range now.Sources {
		list = append(list, store.Mark{Kind: store.MarkSource, Name: s, At: time.UnixMilli(int64(i))}) // their order
	}
	for name, at := range now.Grants {
		list = append(list, store.Mark{Kind: store.MarkGrant, Name: name, At: at})
	}
	if err := m.app.store.SetMarks(ctx, m.preset, list); err != nil {
		m.app.log.Error("keep what has entered a conversation", "pet", m.preset, "error", err)
	}
}

// begins is chat.Config.Begins: it notes what a turn brings along, on the turn's goroutine.
func (p *pet) begins(person bool, brings []string) {
	for _, own := range p.app.openPresets() {
		if own.ID == p.id && own.Unconfirmed() {
			brings = append(brings, tools.FromCard)
		}
	}
	p.taint.Turn(person, brings...)
}
