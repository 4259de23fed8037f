package presets

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"yui/cmd/yui/settings"
)

// Every setting that a preset has for itself is kept in its file and taken out again, and a key goes to no other server.
func TestOwn(t *testing.T) {
	f, err := Open(t.TempDir(), Options{Log: slog.New(slog.DiscardHandler), Changed: func(context.Context, Change) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{"height": int64(300), "chat.context_window": int64(900), "wears": "sora", "chat.api": "responses", "chat.base_url": "http://127.0.0.1:9/v1"}
	for _, s := range settings.In(settings.Preset) {
		key := strings.TrimPrefix(s.Key, settings.OwnPrefix)
		value, ok := values[key]
		if !ok {
			value = "Other"
		}
		before, err := f.Own("momo", key)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.SetOwn(t.Context(), "momo", key, value); err != nil {
			t.Errorf("%s: %v", key, err)
		}
		got, err := f.Own("momo", key)
		if n, is := got.(int); is {
			got = int64(n)
		}
		if err != nil || got != value {
			t.Errorf("%s is %v, %v", key, got, err)
		}
		if list, err := Load(f.dir); err != nil || len(list) != 3 {
			t.Errorf("after %s: %v", key, err)
		}
		if key == "name" { // is always there
			continue
		}
		if err := f.SetOwn(t.Context(), "momo", key, nil); err != nil {
			t.Errorf("%s: %v", key, err)
		}
		if got, _ := f.Own("momo", key); got != before {
			t.Errorf("%s was %v and is %v", key, before, got)
		}
	}
	for _, c := range [][2]string{{"chat.base_url", "http://127.0.0.1:1/v1"}, {"chat.api_key", "hers"}, {"chat.base_url", "http://127.0.0.1:2/v1"}} {
		if err := f.SetOwn(t.Context(), "momo", c[0], c[1]); err != nil {
			t.Fatal(err)
		}
	}
	if key, _ := f.Own("momo", "chat.api_key"); key != nil {
		t.Error("her key goes to another server")
	}
	for key, value := range map[string]any{"chat.base_url": "ftp://x", "wears": "nobody", "name": " "} {
		if err := f.SetOwn(t.Context(), "momo", key, value); err == nil {
			t.Errorf("%s became %q", key, value)
		}
	}
	if err := f.SetOwn(t.Context(), "nobody", "height", int64(100)); err == nil {
		t.Error("a preset that there is not was changed")
	}
}
