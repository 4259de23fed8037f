// Package tray is the tray icon and its menu. It shows state that it is told (Update) and sends intents; it decides and
// stores nothing: a click on a checkbox changes no mark before the next Update says so.
//
// The same menu, as data, is what a right click on a pet opens: Menu.Items.
package tray

import (
	"fmt"
	"strings"

	"yui/internal/readable"
)

// Menu is what the menu shows.
type Menu struct {
	Pets    []Pet    // open pets
	Presets []Preset // all saved presets
	// The switches: what is stored now.
	Relations, Browser, ScreenLook, Camera bool
	// HasCamera shows the camera's switch at all.
	HasCamera bool
	// More are further switches: speaking first, MCP servers. Their number is that of the first Menu.
	More   []Switch
	Labels Labels
}

// Switch is a switch that the config brings.
type Switch struct {
	ID, Label string
	On        bool
}

// Pet is an open pet: it can be shown and hidden.
type Pet struct {
	ID, Name string
	Visible  bool
}

// Preset is a saved preset: it can be opened and closed.
type Preset struct {
	ID    string
	Label string // as shown: "Yui · warm"
	Open  bool
}

// Labels are the words in the person's language. Empty ones are English.
type Labels struct {
	Show, Hide     string // of a pet; %s is its name
	MorePets       string
	Presets        string
	PresetsPanel   string
	Relations      string // the switch
	RelationsPanel string
	Browser        string
	ScreenLook     string
	Camera         string
	ResetPosition  string
	Settings       string
	Quit           string
}

func (l Labels) filled() Labels {
	for _, f := range []struct {
		field *string
		word  string
	}{
		{&l.Show, "Show %s"}, {&l.Hide, "Hide %s"}, {&l.MorePets, "More pets"}, {&l.Presets, "Presets"}, {&l.PresetsPanel, "Characters…"},
		{&l.Relations, "Relations"}, {&l.RelationsPanel, "Relations…"}, {&l.Browser, "Browser"},
		{&l.ScreenLook, "Look at screen"}, {&l.Camera, "Camera"}, {&l.ResetPosition, "Reset position"},
		{&l.Settings, "Settings"}, {&l.Quit, "Quit"},
	} {
		if *f.field == "" {
			*f.field = f.word
		}
	}
	return l
}

// Action is what the person wants.
type Action string

// The actions of an Intent, and what its fields then hold.
const (
	TogglePet     Action = "toggle_pet"     // ID is the pet, On whether it shall be visible
	TogglePreset  Action = "toggle_preset"  // ID is the preset, On whether it shall be open
	SetSwitch     Action = "set_switch"     // ID is the switch, On its new state
	OpenPresets   Action = "open_presets"   // the panel of characters
	OpenRelations Action = "open_relations" // the panel; ID is the pet that it begins with, or empty
	ResetPosition Action = "reset_position"
	OpenSettings  Action = "open_settings"
	Quit          Action = "quit"
)

// Switch ids of SetSwitch intents (docs/rules/tools.md#declaring).
const (
	SwitchRelations = "relations"
	SwitchBrowser   = "browser"
	SwitchScreen    = "screen"
	SwitchCamera    = "camera"
)

// Intent is one choice in the menu.
type Intent struct {
	Action Action
	ID     string
	On     bool
}

// Item is one row of the menu.
type Item struct {
	Label     string
	Separator bool
	Checkbox  bool
	Checked   bool
	Intent    Intent // of a row without children
	Children  []Item
}

// Items is the menu as rows, two levels deep.
func (m Menu) Items() []Item {
	l := m.Labels.filled()
	separator := Item{Separator: true}
	items := m.petItems(l)
	if len(items) > 0 {
		items = append(items, separator)
	}
	items = append(items, Item{Label: l.Presets, Children: m.presetItems()}, manageItem(l), separator)
	items = append(items, m.switchItems(l)...)
	return append(items, separator,
		Item{Label: l.ResetPosition, Intent: Intent{Action: ResetPosition}},
		Item{Label: l.Settings, Intent: Intent{Action: OpenSettings}}, separator,
		Item{Label: l.Quit, Intent: Intent{Action: Quit}})
}

func (m Menu) petItems(l Labels) []Item {
	var items []Item
	for _, p := range m.Pets {
		word := l.Show
		if p.Visible {
			word = l.Hide
		}
		items = append(items, Item{Label: named(word, p.Name), Intent: Intent{TogglePet, p.ID, !p.Visible}})
	}
	return items
}

func (m Menu) presetItems() []Item {
	var items []Item
	for _, p := range m.Presets {
		items = append(items, Item{Label: readable.Line(p.Label, maxLabel), Checkbox: true, Checked: p.Open,
			Intent: Intent{TogglePreset, p.ID, !p.Open}})
	}
	return items
}

// manageItem is the row that opens the panel of characters.
func manageItem(l Labels) Item {
	return Item{Label: l.PresetsPanel, Intent: Intent{Action: OpenPresets}}
}

func (m Menu) switchItems(l Labels) []Item {
	box := func(label, id string, on bool) Item {
		return Item{Label: label, Checkbox: true, Checked: on, Intent: Intent{SetSwitch, id, !on}}
	}
	items := []Item{
		box(l.Relations, SwitchRelations, m.Relations),
		{Label: l.RelationsPanel, Intent: Intent{Action: OpenRelations}},
		box(l.Browser, SwitchBrowser, m.Browser),
		box(l.ScreenLook, SwitchScreen, m.ScreenLook),
	}
	if m.HasCamera {
		items = append(items, box(l.Camera, SwitchCamera, m.Camera))
	}
	for _, s := range m.More {
		items = append(items, box(readable.Line(s.Label, maxLabel), s.ID, s.On))
	}
	return items
}

// named puts a name into a label. A translation without a place for the name gets it at its end.
func named(word, name string) string {
	if !strings.Contains(word, "%s") {
		word += " %s"
	}
	return strings.Replace(word, "%s", readable.Line(name, maxLabel), 1)
}

// maxLabel bounds a name that a person or a character file chose.
const maxLabel = 60

// String is for logs.
func (i Intent) String() string { return fmt.Sprintf("%s %s %v", i.Action, i.ID, i.On) }
