package memory

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"yui/cmd/yui/presets"
	"yui/store"
)

// A mark that still stands keeps that preset closed, once, and is told of.
func TestUnfinishedOpening(t *testing.T) {
	ctx := t.Context()
	s, err := store.Open(ctx, filepath.Join(t.TempDir(), "yui.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	m, all := &Memory{Store: s}, []presets.Preset{{ID: "yui", Name: "Yui"}, {ID: "heavy", Name: "Heavy", Model: "model.vrm"}}
	open := []string{"yui", "heavy"}
	if list, away, err := m.Unfinished(ctx, all, open); err != nil || len(away) != 0 || !slices.Equal(list, open) {
		t.Errorf("without a mark: %v, %v, %v", list, away, err)
	}
	for _, id := range open {
		if err := s.SetOpen(ctx, id, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Set(ctx, openingKey("heavy"), json.RawMessage("true")); err != nil {
		t.Fatal(err)
	}
	list, away, err := m.Unfinished(ctx, all, open)
	if err != nil || len(away) != 1 || away[0].ID != "heavy" || !slices.Equal(list, []string{"yui"}) {
		t.Errorf("with a mark: %v, %v, %v", list, away, err)
	}
	pets, err := s.Pets(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pets {
		if p.Preset == "heavy" && p.Opened > 0 {
			t.Error("she would be opened again at the start after")
		}
	}
	if list, away, err := m.Unfinished(ctx, all, open); err != nil || len(away) != 0 || !slices.Equal(list, open) {
		t.Errorf("a second time: %v, %v, %v", list, away, err)
	}
}
