package settings

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"yui/avatar/clips"
	"yui/chat/ingress"
	"yui/store"
)

// opened are the settings of a home folder with a database.
func opened(t *testing.T) (*Settings, *store.Store) {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "yui.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s, err := Open(pathsIn(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Use(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	return s, db
}

func TestSwitches(t *testing.T) {
	s, db := opened(t)
	ctx := t.Context()
	var heard []string
	s.OnChange(func(c Change) { heard = append(heard, c.Keys...) })
	if s.Enabled(KeyBrowser) || !s.Enabled(KeyRelations) {
		t.Error("browser is off and relations are on by default")
	}
	for _, c := range []struct {
		key, value string
		ok         bool
	}{
		{KeyBrowser, "true", true}, {KeyLook, `{"enabled":true}`, true}, {KeyLook, `{"enabled":"yes"}`, false}, {KeyLook, "3", false},
		{KeyMotions, `["sulk"]`, true}, {KeyMotions, `{}`, false}, {"yui.presence", "20000", true}, {"yui.presence", `"x"`, false},
		{"yui.no-such", "1", false}, {KeyBrowser, "{", false},
	} {
		if err := s.Set(ctx, c.key, json.RawMessage(c.value)); (err == nil) != c.ok {
			t.Errorf("set %s %s: %v, want ok %v", c.key, c.value, err, c.ok)
		}
	}
	if !s.Enabled(KeyBrowser) || len(s.Strings(KeyMotions)) != 1 || len(heard) != 4 {
		t.Errorf("browser %v, motions %v, heard %v", s.Enabled(KeyBrowser), s.Strings(KeyMotions), heard)
	}
	if err := s.Use(context.Background(), db); err != nil || !s.Enabled(KeyBrowser) {
		t.Errorf("a switch did not last: %v", err)
	}
}

// A switch with a port is turned off and on again with the port that it had.
func TestSwitchLeavesItsOtherParts(t *testing.T) {
	s, _ := opened(t)
	for _, value := range []string{`{"enabled":true,"port":9000}`, "false", "true"} {
		if err := s.Set(t.Context(), KeyIngress, json.RawMessage(value)); err != nil {
			t.Fatal(err)
		}
	}
	if in := s.Ingress(); !in.Enabled || in.Port != 9000 {
		t.Errorf("%+v", in)
	}
}

// What an older YUI has left in the database is no error: keys that there are no longer are let be, and a value that
// cannot be counts as none.
func TestOldValues(t *testing.T) {
	s, db := opened(t)
	for key, value := range map[string]string{"yui.tts": `{"enabled":true}`, "yui.bed-scene": `3`, KeyPresence: `"soon"`, KeyRelations: `{"on":false}`, KeyIngress: `7`} {
		if err := db.Set(t.Context(), key, json.RawMessage(value)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Use(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if got := s.Number(KeyPresence); got != 180000 || !s.Enabled(KeyRelations) {
		t.Errorf("presence %v, relations %v", got, s.Enabled(KeyRelations))
	}
	if in := s.Ingress(); in.Enabled || in.Port != ingress.Port {
		t.Errorf("ingress %+v", in)
	}
	if _, err := s.Get("yui.tts"); err == nil {
		t.Error("a key that is gone has a value")
	}
}

// What is deselected reaches the pet as clips' own names.
func TestAvoidedClips(t *testing.T) {
	s, _ := opened(t)
	if got := s.AvoidedClips(); len(got) != 0 {
		t.Errorf("avoids %q before anything is set", got)
	}
	if err := s.Set(t.Context(), KeyIdle, json.RawMessage(`["lively_hop","motions/idle_stretch.vrma"]`)); err != nil {
		t.Fatal(err)
	}
	if got := s.AvoidedClips(); !slices.Equal(got, []clips.ID{clips.LivelyHop, clips.IdleStretch}) {
		t.Errorf("avoids %q", got)
	}
}

// cast are Characters that know momo alone.
type cast map[string]any

func (c cast) Own(id, key string) (any, error) {
	if id != "momo" {
		return nil, errors.New("there is no such preset")
	}
	return c[key], nil
}

func (c cast) SetOwn(_ context.Context, id, key string, value any) error {
	_, err := c.Own(id, key)
	if c[key] = value; value == nil {
		delete(c, key)
	}
	return err
}

// What each preset has for itself is asked of and given to who keeps presets, checked like everything else.
func TestOwnSettings(t *testing.T) {
	s, _ := opened(t)
	momo := cast{"chat.api_key": "hers"}
	s.UseCharacters(momo)
	for _, c := range []struct {
		key, value string
		ok         bool
	}{
		{"yui.momo.height", "300", true}, {"yui.momo.height", "30", false}, {"yui.momo.height", `"tall"`, false}, {"yui.momo.chat.model", `"m"`, true},
		{"yui.momo.nothing", "1", false}, {"yui.nobody.height", "300", false}, {"yui.momo.chat.api_key", `"k"`, false}, {"yui.momo.chat.model", "null", true},
		{"yui.<id>.height", "300", false}, {"yui.Momo.height", "300", false},
	} {
		err := s.Set(t.Context(), c.key, json.RawMessage(c.value))
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), c.key) {
			t.Errorf("set %s %s: %v", c.key, c.value, err)
		}
	}
	for key, want := range map[string]string{"yui.momo.height": "300", "yui.momo.chat.model": "null", "yui.momo.chat.api_key": "true", "yui.momo.voice": "null"} {
		if got, err := s.Get(key); err != nil || string(got) != want {
			t.Errorf("%s is %s, %v", key, got, err)
		}
	}
	if _, err := s.Get("yui.nobody.height"); err == nil {
		t.Error("nobody has a height")
	}
}
