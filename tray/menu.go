// Package tray is the tray icon and its menu. It shows state that it is told (Update) and sends intents; it decides and
// stores nothing: a click on a checkbox changes no mark before the next Update says so.
//
// The same menu, as data, is what a right click on a pet opens: Menu.Items.
package tray

import (
	"fmt"

	"yui/assets/lang"
	"yui/internal/readable"
)

// Menu is what the menu shows.
type Menu struct {
	Pets    []Pet    // open pets
	Presets []Preset // all saved presets
	// Switches are what is stored now, at most mostSwitches. The first is that of relations, and the row of their panel
	// comes after it.
	Switches []Switch
	Words    *lang.Words // nil: English
}

// Switch is a setting that is on or off.
type Switch struct {
	ID    string // what the Intent of a click has
	Label string
	On    bool
}

// mostSwitches is how many rows the icon's menu keeps for them: they may come while it is there, and rows cannot be put
// between others later.
const mostSwitches = 32

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
	separator := Item{Separator: true}
	items := m.petItems()
	if len(items) > 0 {
		items = append(items, separator)
	}
	items = append(items, Item{Label: m.Words.Text("tray.presets"), Children: m.presetItems()}, m.manageItem(), separator)
	items = append(items, m.switchItems()...)
	last := m.lastItems()
	return append(items, separator, last[0], last[1], separator, last[2])
}

func (m Menu) lastItems() []Item {
	return []Item{
		{Label: m.Words.Text("tray.reset_position"), Intent: Intent{Action: ResetPosition}},
		{Label: m.Words.Text("tray.settings"), Intent: Intent{Action: OpenSettings}},
		{Label: m.Words.Text("tray.quit"), Intent: Intent{Action: Quit}},
	}
}

func (m Menu) petItems() []Item {
	var items []Item
	for _, p := range m.Pets {
		key := lang.Key("tray.show")
		if p.Visible {
			key = "tray.hide"
		}
		items = append(items, Item{Label: m.Words.Text(key, lang.Args{"name": readable.Line(p.Name, maxLabel)}), Intent: Intent{TogglePet, p.ID, !p.Visible}})
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
func (m Menu) manageItem() Item {
	return Item{Label: m.Words.Text("tray.characters"), Intent: Intent{Action: OpenPresets}}
}

func (m Menu) switchItems() []Item {
	var items []Item
	for i, s := range m.Switches {
		items = append(items, Item{Label: readable.Line(s.Label, maxLabel), Checkbox: true, Checked: s.On, Intent: Intent{SetSwitch, s.ID, !s.On}})
		if i == 0 {
			items = append(items, Item{Label: m.Words.Text("tray.relations_panel"), Intent: Intent{Action: OpenRelations}})
		}
	}
	return items
}

// maxLabel bounds a name that a person or a character file chose.
const maxLabel = 60

// String is for logs.
func (i Intent) String() string { return fmt.Sprintf("%s %s %v", i.Action, i.ID, i.On) }
