package settings

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"yui/avatar/clips"
	"yui/tools/mcp"
)

// Store keeps the settings of the database as JSON under their keys.
type Store interface {
	Settings(ctx context.Context) (map[string]json.RawMessage, error)
	Set(ctx context.Context, key string, value json.RawMessage) error
}

// Change is what has been set anew.
type Change struct {
	Keys  []string // rows of the table, switches of MCP servers, names in .env
	Stirs Stir     // all that they stir
}

// Settings is everything that a person has set. Safe from any goroutine.
type Settings struct {
	secrets
	paths  Paths
	config atomic.Pointer[Config]

	changing sync.Mutex // one change of the files at a time

	mu     sync.Mutex
	store  Store
	values map[string]json.RawMessage // of the database
	heard  []func(Change)

	characters Characters // set before the first question
}

// Open reads config.toml and the .env beside it. The settings can be used whatever the error says: they hold without what
// is wrong. The error has a line for each mistake, which names the file, the place and the key.
func Open(paths Paths) (*Settings, error) {
	s := &Settings{paths: paths, secrets: secrets{file: paths.Env, rung: make(chan struct{})}}
	_, trouble := s.read()
	c, err := ReadConfig(paths.Config)
	s.config.Store(c)
	return s, errors.Join(err, trouble)
}

// Use reads the settings of the database, and keeps them there from now on.
func (s *Settings) Use(ctx context.Context, store Store) error {
	values, err := store.Settings(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store, s.values = store, values
	return nil
}

// Config is what config.toml says at this moment.
func (s *Settings) Config() *Config { return s.config.Load() }

// ChatKey is the key of the chat server that all characters share: YUI_CHAT_KEY, else the config's, else the keyring's,
// for which it waits a little.
func (s *Settings) ChatKey(ctx context.Context) string {
	if key := s.Variable(KeyChat); key != "" {
		return key
	}
	c := s.Config().Chat
	if c.APIKey != "" || c.API == APICompanion {
		return c.APIKey
	}
	s.awaitKeyring(ctx)
	return s.Secret(KeyChat)
}

// OnChange adds a listener; it runs on the goroutine that has changed something.
func (s *Settings) OnChange(f func(Change)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, f)
}

func (s *Settings) tell(c Change) {
	if len(c.Keys) == 0 {
		return
	}
	s.mu.Lock()
	heard := s.heard
	s.mu.Unlock()
	for _, f := range heard {
		f(c)
	}
}

// row is a key's row: of the table, or the switch of an MCP server that config.toml has.
func (s *Settings) row(key string) (Setting, bool) {
	if row, ok := Find(key); ok {
		return row, true
	}
	for name := range s.Config().MCP {
		if mcp.Key(name) == key {
			return serverSwitch(name), true
		}
	}
	return Setting{}, false
}

// serverSwitch is the switch of an MCP server of the config, a row that the person has brought.
func serverSwitch(name string) Setting {
	return Setting{Key: mcp.Key(name), Kind: Switch, Kept: Database, Group: Tools, Shown: InMenu | InWindow, Default: no, Switch: mcp.Switch(name),
		Title: name + " (MCP)", Stirs: Servers}
}

// Switches are the switches that a menu shows, those of the config's MCP servers last.
func (s *Settings) Switches() []Setting {
	list := slices.DeleteFunc(All(), func(row Setting) bool { return row.Shown&InMenu == 0 || row.Kind != Switch })
	names := make([]string, 0, len(s.Config().MCP))
	for name := range s.Config().MCP {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		list = append(list, serverSwitch(name))
	}
	return list
}

// SwitchKey is the key behind the id of a switch (docs/rules/tools.md#declaring).
func (s *Settings) SwitchKey(id string) (key string, ok bool) {
	for _, row := range s.Switches() {
		if row.Switch == id {
			return row.Key, true
		}
	}
	return "", false
}

// Characters keep the settings that each preset has for itself.
type Characters interface {
	// Own is what a preset says of one, "height" or "chat.model"; nil where it says nothing.
	Own(id, key string) (any, error)
	// SetOwn changes one; nil takes it out.
	SetOwn(ctx context.Context, id, key string, value any) error
}

// UseCharacters says who keeps the settings of presets.
func (s *Settings) UseCharacters(c Characters) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.characters = c
}

// ownKey is the key of a setting of one preset.
var ownKey = regexp.MustCompile(`^yui\.([a-z0-9][a-z0-9_-]{0,63})\.([a-z_.]{1,64})$`)

// own is whose setting a key names, and which; who is "" where it is one for all.
func own(key string) (who, name string, row Setting) {
	if m := ownKey.FindStringSubmatch(key); m != nil {
		if row, ok := Find(OwnPrefix + m[2]); ok {
			return m[1], m[2], row
		}
	}
	return "", "", Setting{}
}

// Get returns the JSON value of a key, its default where it was never set, null where there is none. Of a secret it says
// whether there is one, and of a table of programs or servers their names.
func (s *Settings) Get(key string) (json.RawMessage, error) {
	if who, name, row := own(key); who != "" {
		v, err := s.characters.Own(who, name)
		if err != nil {
			return nil, fmt.Errorf("read setting %s: %w", key, err)
		}
		if row.Kind == Secret {
			v = v != nil
		}
		return json.Marshal(v)
	}
	row, known := s.row(key)
	if !known {
		return nil, fmt.Errorf("read setting %s: %s", key, noSuchKey)
	}
	switch row.Kept {
	case Env:
		return json.Marshal(s.Secret(key) != "")
	case File:
		return s.inFile(row)
	}
	return s.kept(row), nil
}

func (s *Settings) inFile(row Setting) (json.RawMessage, error) {
	v := field(s.Config(), row)
	switch {
	case row.Kind == Secret:
		return json.Marshal(!v.IsZero())
	case row.entry != nil:
		names := []string{}
		for _, name := range v.MapKeys() {
			names = append(names, name.String())
		}
		slices.Sort(names)
		return json.Marshal(names)
	case v.IsZero() && v.Kind() != reflect.Bool:
		return json.RawMessage("null"), nil
	}
	return json.Marshal(v.Interface())
}

// kept is what the database has, or the default. A value that cannot be counts as none: an older YUI may have left it.
func (s *Settings) kept(row Setting) json.RawMessage {
	s.mu.Lock()
	raw, ok := s.values[row.Key]
	s.mu.Unlock()
	if ok {
		var v any
		err := json.Unmarshal(raw, &v)
		if err == nil {
			_, err = row.Check(v)
		}
		ok = err == nil
	}
	switch {
	case ok:
		return raw
	case row.Kind == Switch:
		return enabled(row.Default == yes)
	}
	return json.RawMessage(row.Default)
}

// enabled is a switch as the database has it.
func enabled(on bool) json.RawMessage { return json.RawMessage(fmt.Sprintf(`{"enabled":%v}`, on)) }

// Set sets a key, in the database, in config.toml or in a preset.toml; null takes one out that has no default. A value that
// cannot be is an error that names the key and the reason, and the old one holds.
func (s *Settings) Set(ctx context.Context, key string, value json.RawMessage) error {
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return fmt.Errorf("store setting %s: the value is not JSON: %w", key, err)
	}
	who, name, row := own(key)
	known := who != ""
	if known {
		row.Key = key
	} else {
		row, known = s.row(key)
	}
	switch {
	case !known:
		return fmt.Errorf("store setting %s: %s", key, noSuchKey)
	case row.Kind == Secret: // other users see the command lines of all processes
		return fmt.Errorf("store setting %s: a command line is no place for a secret; put it into %s", key, s.fileOf(row))
	case row.entry != nil:
		return fmt.Errorf("store setting %s: its tables stand in %s; a change there holds at once", key, s.paths.Config)
	case v == nil && row.Kept == File && row.Default == "":
		return s.write(row, nil)
	case v == nil && row.Kept == Preset:
		return s.setOwn(ctx, key, who, name, nil)
	}
	if on, bare := v.(bool); bare && row.part("enabled") != nil {
		var now map[string]any // a switch alone leaves its other parts, such as a port
		if json.Unmarshal(s.kept(row), &now) == nil {
			now["enabled"] = on
			v = now
		}
	}
	kept, err := row.Check(v)
	if err != nil {
		return fmt.Errorf("store setting: %w", err)
	}
	switch row.Kept {
	case File:
		return s.write(row, kept)
	case Preset:
		return s.setOwn(ctx, key, who, name, kept)
	}
	if row.Kind == Switch {
		return s.keep(ctx, row, enabled(kept.(bool)))
	}
	if value, err = json.Marshal(kept); err != nil {
		return fmt.Errorf("store setting %s: %w", key, err)
	}
	return s.keep(ctx, row, value)
}

func (s *Settings) setOwn(ctx context.Context, key, who, name string, value any) error {
	if err := s.characters.SetOwn(ctx, who, name, value); err != nil {
		return fmt.Errorf("store setting %s: %w", key, err)
	}
	return nil
}

func (s *Settings) fileOf(row Setting) string {
	switch row.Kept {
	case File:
		return s.paths.Config
	case Preset:
		return string(Preset)
	}
	return s.paths.Env + " or the keyring"
}

// keep writes a value into the database.
func (s *Settings) keep(ctx context.Context, row Setting, value json.RawMessage) error {
	s.mu.Lock()
	store := s.store
	s.mu.Unlock()
	if err := store.Set(ctx, row.Key, value); err != nil {
		return err
	}
	s.mu.Lock()
	s.values[row.Key] = value
	s.mu.Unlock()
	s.tell(Change{[]string{row.Key}, row.Stirs})
	return nil
}

// decode reads the value of a key of the database.
func (s *Settings) decode(key string, to any) error {
	raw, err := s.Get(key)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, to)
}

// Enabled reports whether a switch of the database is on.
func (s *Settings) Enabled(key string) bool {
	var v struct {
		Enabled bool `json:"enabled"`
	}
	return s.decode(key, &v) == nil && v.Enabled
}

// Strings reads a list of the database.
func (s *Settings) Strings(key string) []string {
	var list []string
	if s.decode(key, &list) != nil {
		return nil
	}
	return list
}

// Number reads a number of the database.
func (s *Settings) Number(key string) float64 {
	var v float64
	if s.decode(key, &v) != nil {
		return 0
	}
	return v
}

// AvoidedClips are the clips that the person does not want to see while she idles. The setting holds their names, as
// file paths too ("idle/lively_hop.vrma").
func (s *Settings) AvoidedClips() []clips.ID {
	var ids []clips.ID
	for _, name := range s.Strings(KeyIdle) {
		name = path.Base(strings.ReplaceAll(name, `\`, "/"))
		ids = append(ids, clips.ID(strings.TrimSuffix(name, ".vrma")))
	}
	return ids
}

// Ingress is the value of KeyIngress.
type Ingress struct {
	Enabled bool `json:"enabled"`
	Port    int  `json:"port"`
}

// Ingress reads it; a port that is left out is the usual one.
func (s *Settings) Ingress() Ingress {
	row, _ := Find(KeyIngress)
	var v Ingress
	_ = json.Unmarshal([]byte(row.Default), &v) // of the table
	_ = s.decode(KeyIngress, &v)                // checked when it was set
	return v
}

// differing are the rows of config.toml in which two configs differ, and what they stir.
func differing(a, b *Config) (c Change) {
	for _, row := range In(File) {
		if !reflect.DeepEqual(field(a, row).Interface(), field(b, row).Interface()) {
			c.Keys, c.Stirs = append(c.Keys, row.Key), c.Stirs|row.Stirs
		}
	}
	return c
}
