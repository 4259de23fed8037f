package memory

import (
	"context"
	"time"

	"yui/store"
	"yui/tools"
)

// Marks is tools.Ledger over the database, for one preset.
type Marks struct {
	memory *Memory
	preset string
}

// Marks is what has entered the conversation of a preset.
func (m *Memory) Marks(preset string) Marks { return Marks{m, preset} }

// LoadMarks implements tools.Ledger.
func (m Marks) LoadMarks() (tools.Marks, error) {
	ctx, cancel := context.WithTimeout(context.Background(), Wait)
	defer cancel()
	kept := tools.Marks{Grants: map[string]time.Time{}}
	list, err := m.memory.Store.Marks(ctx, m.preset)
	if err != nil {
		m.memory.log.Error("read what has entered a conversation", "pet", m.preset, "error", err)
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
func (m Marks) SaveMarks(now tools.Marks) {
	ctx, cancel := context.WithTimeout(context.Background(), Wait)
	defer cancel()
	var list []store.Mark
	for i, s := range now.Sources {
		list = append(list, store.Mark{Kind: store.MarkSource, Name: s, At: time.UnixMilli(int64(i))}) // their order
	}
	for name, at := range now.Grants {
		list = append(list, store.Mark{Kind: store.MarkGrant, Name: name, At: at})
	}
	if err := m.memory.Store.SetMarks(ctx, m.preset, list); err != nil {
		m.memory.log.Error("keep what has entered a conversation", "pet", m.preset, "error", err)
	}
}
