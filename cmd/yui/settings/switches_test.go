package settings

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"yui/avatar/clips"
	"yui/store"
)

func TestSwitches(t *testing.T) {
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "yui.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := LoadSwitches(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	var heard []string
	s.OnChange(func(key string) { heard = append(heard, key) })
	if s.Enabled(KeyBrowser) || !s.Enabled(KeyRelations) {
		t.Error("browser is off and relations are on by default")
	}
	for _, c := range []struct {
		key, value string
		ok         bool
	}{
		{KeyBrowser, "true", true}, {KeyLook, `{"enabled":true}`, true}, {KeyLook, `{"enabled":"yes"}`, false}, {KeyLook, "3", false},
		{KeyMotions, `["sulk"]`, true}, {KeyMotions, `{}`, false}, {"yui.presence", "20000", true}, {"yui.presence", `"x"`, false},
		{"yui.no-such", "1", false}, {"yui.momo.voice", `"low"`, true}, {KeyBrowser, "{", false},
	} {
		if err := s.Set(ctx, c.key, json.RawMessage(c.value)); (err == nil) != c.ok {
			t.Errorf("set %s %s: %v, want ok %v", c.key, c.value, err, c.ok)
		}
	}
	if !s.Enabled(KeyBrowser) || len(s.Strings(KeyMotions)) != 1 || len(heard) != 5 {
		t.Errorf("browser %v, motions %v, heard %v", s.Enabled(KeyBrowser), s.Strings(KeyMotions), heard)
	}
	again, err := LoadSwitches(ctx, db)
	if err != nil || !again.Enabled(KeyBrowser) {
		t.Errorf("a switch did not last: %v", err)
	}
}

// What is deselected reaches the pet as clips' own names.
func TestAvoidedClips(t *testing.T) {
	ctx := t.Context()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "yui.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := LoadSwitches(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.AvoidedClips(); len(got) != 0 {
		t.Errorf("avoids %q before anything is set", got)
	}
	if err := s.Set(ctx, KeyIdle, json.RawMessage(`["lively_hop","motions/idle_stretch.vrma"]`)); err != nil {
		t.Fatal(err)
	}
	if got := s.AvoidedClips(); !slices.Equal(got, []clips.ID{clips.LivelyHop, clips.IdleStretch}) {
		t.Errorf("avoids %q", got)
	}
}
