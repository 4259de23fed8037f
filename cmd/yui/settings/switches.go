package settings

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"yui/avatar/clips"
	"yui/store"
)

// The keys of the switches (docs/rules/tools.md#declaring, docs/rules/tools.md#vocabulary, docs/rules/chat.md#screenshots, docs/rules/desktop.md#store).
const (
	KeyBrowser   = "yui.browser"
	KeyRelations = "yui.relations"
	KeyLook      = "yui.look_screen"
	KeyCamera    = "yui.camera"
	KeyMotions   = "yui.express_motions"
	KeyIdle      = "yui.idle_motions"
	KeyTasks     = "yui.delegation_history"

	KeyProactive  = "yui.proactive"    // pets speak first
	KeyWatch      = "yui.screen_watch" // and of what is in front
	KeyGuardrails = "yui.guardrails"
	KeyPacer      = "yui.proactive-pacer-gap"
)

// defaults are the values of keys that were never set. A key outside this table and outside the patterns below is
// refused, so that a typing error is not stored in silence.
var defaults = map[string]string{
	KeyBrowser:           `{"enabled":false}`,
	KeyRelations:         `{"enabled":true}`,
	KeyLook:              `{"enabled":false}`,
	KeyCamera:            `{"enabled":false}`,
	"yui.screenshot":     `{"enabled":false}`,
	KeyWatch:             `{"enabled":false}`,
	"yui.bed-scene":      `{"enabled":false}`,
	"yui.gaze":           `{"enabled":true}`,
	"yui.climb":          `{"enabled":true}`,
	"yui.fall":           `{"enabled":true}`,
	"yui.walk":           `{"enabled":true}`,
	"yui.tts":            `{"enabled":true}`,
	"yui.stt":            `{"enabled":false}`,
	KeyIngress:           `{"enabled":false,"port":8770}`,
	KeyMotions:           `[]`,
	KeyIdle:              `[]`,
	KeyTasks:             `[]`,
	KeyPresence:          `180000`,
	KeyGuardrails:        `{}`,
	"yui.bubble-persist": `{"enabled":false}`,
	KeyPacer:             `600000`,
	KeyProactive:         `{"enabled":true}`,
}

// ownKey matches settings of one preset: yui.<id>.<name>.
var ownKey = regexp.MustCompile(`^yui\.[a-z0-9_-]{1,64}\.[a-z0-9_-]{1,64}$`)

// Switches is the stored settings, read from memory and written through. Safe from any goroutine.
type Switches struct {
	store *store.Store

	mu      sync.Mutex
	values  map[string]json.RawMessage
	more    map[string]string // defaults of keys that the config brings
	changed []func(key string)
}

// LoadSwitches reads all settings once.
func LoadSwitches(ctx context.Context, s *store.Store) (*Switches, error) {
	values, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	return &Switches{store: s, values: values}, nil
}

// OnChange adds a listener; it runs on the goroutine that set the value.
func (s *Switches) OnChange(f func(key string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = append(s.changed, f)
}

// Know adds a key that the config brings, with its default.
func (s *Switches) Know(key, def string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.more == nil {
		s.more = map[string]string{}
	}
	s.more[key] = def
}

// fallback is the default of a key; s.mu is held.
func (s *Switches) fallback(key string) (def string, ok bool) {
	if def, ok = defaults[key]; !ok {
		def, ok = s.more[key]
	}
	return def, ok
}

// Get returns the JSON value of a key, its default where it was never set.
func (s *Switches) Get(key string) (json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, known := s.fallback(key)
	if v, ok := s.values[key]; ok {
		return v, nil
	}
	if known {
		return json.RawMessage(d), nil
	}
	if ownKey.MatchString(key) {
		return json.RawMessage("null"), nil
	}
	return nil, fmt.Errorf("read setting %s: there is no such key", key)
}

// Set stores a value. For a switch a bare true or false is taken as {"enabled": …}.
func (s *Switches) Set(ctx context.Context, key string, value json.RawMessage) error {
	s.mu.Lock()
	def, known := s.fallback(key)
	s.mu.Unlock()
	if !known && !ownKey.MatchString(key) {
		return fmt.Errorf("store setting %s: there is no such key", key)
	}
	value, err := fit(key, def, value)
	if err != nil {
		return err
	}
	if err := s.store.Set(ctx, key, value); err != nil {
		return err
	}
	s.mu.Lock()
	s.values[key] = value
	listeners := s.changed
	s.mu.Unlock()
	for _, f := range listeners {
		f(key)
	}
	return nil
}

// fit checks that a value has the shape of its default.
func fit(key, def string, value json.RawMessage) (json.RawMessage, error) {
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return nil, fmt.Errorf("store setting %s: the value is not JSON: %w", key, err)
	}
	if def == "" {
		return value, nil
	}
	var d any
	if err := json.Unmarshal([]byte(def), &d); err != nil {
		return nil, fmt.Errorf("read default of %s: %w", key, err)
	}
	switch want := d.(type) {
	case map[string]any:
		if b, ok := v.(bool); ok {
			if _, isSwitch := want["enabled"]; isSwitch {
				return json.RawMessage(fmt.Sprintf(`{"enabled":%v}`, b)), nil
			}
		}
		got, ok := v.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("store setting %s: the value must look like %s", key, def)
		}
		if e, has := got["enabled"]; has {
			if _, ok := e.(bool); !ok {
				return nil, fmt.Errorf("store setting %s: enabled must be true or false", key)
			}
		}
		if key == KeyIngress {
			if _, err := ParseIngress(value); err != nil {
				return nil, err
			}
		}
	case []any:
		if _, ok := v.([]any); !ok {
			return nil, fmt.Errorf("store setting %s: the value must be a list", key)
		}
	case float64:
		if _, ok := v.(float64); !ok {
			return nil, fmt.Errorf("store setting %s: the value must be a number", key)
		}
	}
	return value, nil
}

// Enabled tells whether a switch is on.
func (s *Switches) Enabled(key string) bool {
	raw, err := s.Get(key)
	if err != nil {
		return false
	}
	var v struct {
		Enabled bool `json:"enabled"`
	}
	return json.Unmarshal(raw, &v) == nil && v.Enabled
}

// Strings reads a list of strings.
func (s *Switches) Strings(key string) []string {
	raw, err := s.Get(key)
	if err != nil {
		return nil
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// Number reads a number, within bounds.
func (s *Switches) Number(key string, least, most float64) float64 {
	raw, err := s.Get(key)
	if err != nil {
		return least
	}
	var v float64
	if json.Unmarshal(raw, &v) != nil {
		return least
	}
	return max(least, min(most, v))
}

// AvoidedClips are the clips that the person does not want to see while she idles. The setting holds their names, as
// file paths too ("idle/lively_hop.vrma").
func (s *Switches) AvoidedClips() []clips.ID {
	var ids []clips.ID
	for _, name := range s.Strings(KeyIdle) {
		name = path.Base(strings.ReplaceAll(name, `\`, "/"))
		ids = append(ids, clips.ID(strings.TrimSuffix(name, ".vrma")))
	}
	return ids
}
