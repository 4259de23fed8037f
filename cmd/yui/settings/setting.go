package settings

import (
	"slices"
	"strings"

	"yui/assets/lang"
)

// Kind is what a setting's value looks like, and by what a window would show it.
type Kind string

// The kinds. A switch is true or false; the database keeps it as {"enabled": …}.
const (
	Switch Kind = "switch"
	Choice Kind = "choice" // one of Choices
	Number Kind = "number" // from Min to Max, in Unit
	Text   Kind = "text"
	Secret Kind = "secret" // a text that is never shown
	Path   Kind = "path"
	List   Kind = "list"   // of values of the kind Of, at most Most
	Fields Kind = "fields" // a table of Parts
	Table  Kind = "table"  // entries under names of the person's own
)

// Place is where a setting is kept.
type Place string

// The places.
const (
	File     Place = "config.toml"
	Database Place = "the database"
	Env      Place = ".env or the keyring"
	Preset   Place = "preset.toml" // of each character
)

// OwnPrefix begins the key of a setting that each preset has for itself: "yui.<id>.height".
const OwnPrefix = "yui.<id>."

// Group is a page of the settings window.
type Group string

// The groups, in their order.
const (
	General Group = "general"
	Looks   Group = "looks" // of one character
	Chat    Group = "chat"
	Talking Group = "talking" // speaking first
	Tools   Group = "tools"
	Body    Group = "body"
	Window  Group = "window"
	Plugins Group = "plugins"
	Agents  Group = "agents" // programs that reach her
)

// Shown is where a person finds a setting, beside the command line, which has all of them.
type Shown uint8

// The places where settings are shown.
const (
	InMenu   Shown = 1 << iota // of the tray and of a right click on a pet
	InWindow                   // of settings
)

// Setting is one row of the table of all settings.
type Setting struct {
	Key   string // "window.fps" is fps under [window] of config.toml
	Kind  Kind
	Kept  Place
	Group Group
	Shown Shown

	Default string // as JSON; "" where nothing is a value of its own
	Unset   string // what holds then, for docs/config.md

	Choices  []string
	Min, Max float64
	Whole    bool // no fractions
	Unit     string
	Most     int // code points of a text, entries of a list or table
	Of       *Setting
	Parts    []Setting

	Stirs  Stir   // what has to happen for a change to show; what is read anew each time needs nothing
	Switch string // a switch's id in menus, in `yui state` and toward models (docs/rules/tools.md#declaring)
	Doc    string // its row in docs/config.md

	Name  lang.Key // of its words in assets/lang, where a menu shows it
	Title string   // its words where the config brings the row

	check func(v any) string                                  // what is wrong with a value of the right kind
	entry func(c *Config, name string, v any) (bad []mistake) // takes one entry of a table that Of cannot describe
}

// Stir is what has to happen when settings change, one bit each.
type Stir uint32

// The stirs; cmd/yui/app has for each what it does.
const (
	Backend    Stir = 1 << iota // who answers, by which key
	Words                       // the language of everything that is on the screen
	Palette                     // light or dark
	Figures                     // the body's figures, and how often she is drawn
	Height                      // of pets without a height of their own
	Edges                       // their smoothing
	Workspaces                  // on which of them pets are
	FullScreen                  // what a full-screen window does to them
	Gear                        // tools that come and go
	Servers                     // of MCP
	Knowledge                   // plugins
	Vocabulary                  // what backends are told that pets can express
	Idling                      // clips to leave out
	Gaze
	Limits    // guardrails and pacing
	Moment    // whether it is a moment to speak first
	Listener  // the ingress
	Browsing  // the browser switch, which is explained once
	Publisher // the Expression Broker
)

// All is the table: every setting, in the order in which a window shows them.
func All() []Setting { return slices.Clone(table) }

// In returns the rows of one place.
func In(place Place) []Setting {
	return slices.DeleteFunc(All(), func(s Setting) bool { return s.Kept != place })
}

// Find returns the row of a key.
func Find(key string) (Setting, bool) {
	i, ok := byKey[key]
	if !ok {
		return Setting{}, false
	}
	return table[i], true
}

var byKey = func() map[string]int {
	m := make(map[string]int, len(table))
	for i, s := range table {
		m[s.Key] = i
	}
	return m
}()

// Own reports whether each preset has the setting for itself; all others are for all of them.
func (s Setting) Own() bool { return s.Kept == Preset }

// Label is what the setting is called where it is shown; a row that the config brings is called by its own name there.
func (s Setting) Label(w *lang.Words) string {
	if s.Name == "" {
		return s.Title
	}
	return w.Text(s.Name)
}

func (s Setting) path() []string { return strings.Split(s.Key, ".") }
