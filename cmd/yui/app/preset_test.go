package app

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yui/avatar/body"
	"yui/cmd/yui/settings"
	"yui/overlay"
)

func TestShownNames(t *testing.T) {
	list := []Preset{{ID: "yui", Name: "Yui"}, {ID: "b", Name: "Yui"}, {ID: "c", Name: "Yui 2"}, {ID: "a", Name: "Yui"}, {ID: "user", Name: "user"}, {ID: "d", Name: "שלום 🦊"}}
	want := map[string]string{"a": "Yui", "b": "Yui 3", "yui": "Yui 4", "c": "Yui 2", "user": "user", "d": "שלום 🦊"}
	if diff := cmp.Diff(want, shownNames(list)); diff != "" {
		t.Error(diff)
	}
}

// TestOwnChat edits who answers for a character.
func TestOwnChat(t *testing.T) {
	edit := func(url, model string) overlay.PresetEdit { return overlay.PresetEdit{BaseURL: url, Model: model} }
	for _, c := range []struct {
		name string
		was  *settings.ChatConfig
		edit overlay.PresetEdit
		want *settings.ChatConfig
	}{
		{"shared", nil, edit("", ""), nil},
		{"a model without a server", nil, edit("", "qwen3"), nil},
		{"her own", nil, edit("http://h/v1", "qwen3"), &settings.ChatConfig{BaseURL: "http://h/v1", Model: "qwen3"}},
		{"another model", &settings.ChatConfig{BaseURL: "http://h/v1", Model: "a", APIKey: "k", ContextWindow: 9}, edit("http://h/v1", "b"),
			&settings.ChatConfig{BaseURL: "http://h/v1", Model: "b", APIKey: "k", ContextWindow: 9}},
		{"another server never sees the key", &settings.ChatConfig{BaseURL: "http://h/v1", APIKey: "k"}, edit("http://i/v1", ""), &settings.ChatConfig{BaseURL: "http://i/v1"}},
		{"shared again", &settings.ChatConfig{BaseURL: "http://h/v1", Model: "a"}, edit("", "a"), nil},
		{"a companion of her own stays", &settings.ChatConfig{API: settings.APICompanion}, edit("", ""), &settings.ChatConfig{API: settings.APICompanion}},
		{"a server instead of the companion", &settings.ChatConfig{API: settings.APICompanion}, edit("http://h/v1", ""), &settings.ChatConfig{BaseURL: "http://h/v1"}},
	} {
		if diff := cmp.Diff(c.want, ownChat(c.was, c.edit)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestClearOf(t *testing.T) {
	at := func(x, w float64) body.Rect { return body.Rect{X: x, Y: 500, W: w, H: 240} }
	panel := body.Rect{X: 600, Y: 100, W: 500, H: 560}
	for _, c := range []struct {
		want  float64
		taken []body.Rect
		near  float64
	}{
		{1000, nil, 1000},
		{1000, []body.Rect{at(100, 140)}, 1000},
		{1000, []body.Rect{at(930, 140)}, 860},
		{1000, []body.Rect{at(930, 140), at(790, 140)}, 1140},
		{1000, []body.Rect{panel}, 1170},
		{-440, []body.Rect{at(930, 140)}, 70},
		{1000, []body.Rect{at(930, 140), {X: 0, W: 1280, Y: 0, H: 800}}, 860}, // rather over a panel than over a friend
	} {
		got := clearOf(c.want, 140, 70, 1210, c.taken)
		if math.Abs(got-c.near) > 4 {
			t.Error(fmt.Sprint(c.want, c.taken), got, "want", c.near)
		}
	}
}
