package memory

import (
	"bytes"
	"context"
	"encoding/json"

	"yui/chat"
	"yui/store"
)

// transcriptLines is how many lines of a session are read back: far more than any context window holds.
const transcriptLines = 20000

// Transcript is chat.Store over the database, for one preset.
type Transcript struct {
	store  *store.Store
	preset string
}

// Transcript is the conversation of a preset.
func (m *Memory) Transcript(preset string) Transcript { return Transcript{m.Store, preset} }

// Load implements chat.Store: the lines of the present session.
func (t Transcript) Load() ([]chat.Item, error) {
	ctx, cancel := context.WithTimeout(context.Background(), Wait)
	defer cancel()
	lines, err := t.store.Session(ctx, t.preset, transcriptLines)
	return itemsOf(lines), err
}

// Search finds lines of all sessions, newest first.
func (t Transcript) Search(ctx context.Context, words string, limit int) ([]chat.Item, error) {
	lines, err := t.store.Search(ctx, t.preset, words, limit)
	return itemsOf(lines), err
}

func itemsOf(lines []store.Line) []chat.Item {
	items := make([]chat.Item, len(lines))
	for i, l := range lines {
		items[i] = chat.Item{Role: l.Role, Text: l.Text, At: l.Time, Cut: l.Cut, NotSent: l.NotSent, Guide: l.Guide}
	}
	return items
}

// Append implements chat.Store.
func (t Transcript) Append(items ...chat.Item) error {
	ctx, cancel := context.WithTimeout(context.Background(), Wait)
	defer cancel()
	lines := make([]store.Line, len(items))
	for i, it := range items {
		lines[i] = store.Line{Preset: t.preset, Boundary: it.Kind == chat.KindBoundary, Role: it.Role, Text: it.Text, Time: it.At,
			Cut: it.Cut, NotSent: it.NotSent, Guide: it.Guide}
	}
	_, err := t.store.Append(ctx, lines...)
	return err
}

func (t Transcript) key(key string) string { return "chat." + t.preset + "." + key }

// Value implements chat.Store: a value that the conversation keeps, nil where it has none.
func (t Transcript) Value(key string) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(context.Background(), Wait)
	defer cancel()
	v, ok, err := t.store.Get(ctx, t.key(key))
	if !ok || bytes.Equal(v, []byte("null")) {
		return nil, err
	}
	return v, err
}

// SetValue implements chat.Store; nil takes a value out.
func (t Transcript) SetValue(key string, value json.RawMessage) error {
	ctx, cancel := context.WithTimeout(context.Background(), Wait)
	defer cancel()
	if value == nil {
		value = json.RawMessage("null")
	}
	return t.store.Set(ctx, t.key(key), value)
}
