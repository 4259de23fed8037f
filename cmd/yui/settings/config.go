// Package settings is what a person can set: config.toml, the switches of the database, secrets, and the folders that all of
// it lies in. It knows no pet and no window.
package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/joho/godotenv"
	"github.com/pelletier/go-toml/v2"

	"yui/tools/command"
	"yui/tools/mcp"
)

// Config is config.toml; every key is optional. docs/config.md describes each.
type Config struct {
	Language string        `toml:"language"` // en, ja or ko; the system's where empty
	Chat     ChatConfig    `toml:"chat"`
	Body     BodyConfig    `toml:"body"`
	Voice    VoiceConfig   `toml:"voice"`
	Window   WindowConfig  `toml:"window"`
	Search   SearchConfig  `toml:"search"`
	Camera   CameraConfig  `toml:"camera"`
	Vision   VisionConfig  `toml:"vision"`
	Tools    ToolsConfig   `toml:"tools"`
	Plugins  PluginsConfig `toml:"plugins"`

	MCP map[string]mcp.Config `toml:"mcp"` // servers by name
}

// SearchConfig says where web_search searches. Without it, OLLAMA_API_KEY in .env is used.
type SearchConfig struct {
	SearXNG string `toml:"searxng"`
}

// CameraConfig says what see_camera looks through; the system's first camera where it is empty.
type CameraConfig struct {
	Device  string   `toml:"device"`
	File    string   `toml:"file"`
	Command []string `toml:"command"`
}

// VisionConfig says who looks at the camera's picture: "ollama", "openai", or "chat" for the chat model itself.
type VisionConfig struct {
	Provider string `toml:"provider"`
	Model    string `toml:"model"`
	BaseURL  string `toml:"base_url"`
	Key      string `toml:"api_key"`
}

// ToolsConfig is about all tools, and holds those that are programs.
type ToolsConfig struct {
	Ask     *bool                     `toml:"ask"`     // false never asks the person
	Command map[string]command.Config `toml:"command"` // tools of one's own by name
}

// ChatConfig says who answers.
type ChatConfig struct {
	API             string `toml:"api"` // companion, chat_completions (responses and push come later)
	BaseURL         string `toml:"base_url"`
	Model           string `toml:"model"`
	APIKey          string `toml:"api_key"`
	Instructions    string `toml:"instructions"`
	ReasoningEffort string `toml:"reasoning_effort"`
	ContextWindow   int    `toml:"context_window"`
	BrokerBaseURL   string `toml:"broker_base_url"`
}

// BodyConfig is how she lives on the desktop.
type BodyConfig struct {
	Height        int   `toml:"height"` // soles to ear tips in logical pixels
	Ride          *bool `toml:"ride"`
	Walk          *bool `toml:"walk"`
	Fall          *bool `toml:"fall"`
	ReducedMotion *bool `toml:"reduced_motion"` // the desktop's setting where absent
	WakeTimeout   int   `toml:"wake_timeout"`   // seconds of sleep
	StrollEvery   []int `toml:"stroll_every"`   // seconds between two strolls on the floor: least, most
}

// VoiceConfig holds the tags of a voice engine.
type VoiceConfig struct {
	Tags map[string]string `toml:"tags"`
}

// WindowConfig is what the pet's window does.
type WindowConfig struct {
	AllWorkspaces   *bool  `toml:"all_workspaces"`
	PauseFullscreen *bool  `toml:"pause_fullscreen"`
	Theme           string `toml:"theme"` // light, dark, or the desktop's where empty
	FPS             int    `toml:"fps"`
	AntiAliasing    *bool  `toml:"anti_aliasing"`
}

// APIs that [chat] api may name.
const (
	APICompanion   = "companion"
	APICompletions = "chat_completions"
	APIResponses   = "responses"
	APIPush        = "push"
)

// LoadConfig reads config.toml and the .env beside it. A missing file is an empty one. The config can be used whatever
// the error says: it holds without what is wrong. The error names each file and key, and for broken TOML the line and
// column.
func LoadConfig(paths Paths) (Config, error) {
	var trouble error
	if _, err := godotenv.Read(paths.Env); err != nil && !errors.Is(err, fs.ErrNotExist) {
		trouble = fmt.Errorf("read %s: %w", paths.Env, Cause(err))
	}
	c, err := ReadConfig(paths.Config)
	return c, errors.Join(err, trouble)
}

// ReadConfig reads config.toml alone, as LoadConfig does. A file that is no TOML leaves the defaults; a value that cannot
// be counts as left out.
func ReadConfig(file string) (Config, error) {
	var c Config
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	} else if err != nil {
		err = fmt.Errorf("read %s: %w", file, Cause(err))
	}
	d := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields()
	if bad := d.Decode(&c); bad != nil {
		var unknown *toml.StrictMissingError
		if !errors.As(bad, &unknown) { // all other keys are read where one is unknown
			c = Config{}
		}
		err = fmt.Errorf("read %s: %s", file, TOMLTrouble(bad))
	}
	return c, errors.Join(err, c.mend(file))
}

// Cause is an error of the file system without the path, which is named already.
func Cause(err error) error {
	var bad *fs.PathError
	if errors.As(err, &bad) {
		return bad.Err
	}
	return err
}

// TOMLTrouble is an error of the TOML reader with its line and column.
func TOMLTrouble(err error) string {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		e := unknown.Errors[0]
		line, col := e.Position()
		return fmt.Sprintf("line %d, column %d: there is no key %q", line, col, strings.Join(e.Key(), "."))
	}
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		line, col := bad.Position()
		return fmt.Sprintf("line %d, column %d: %s", line, col, strings.TrimPrefix(bad.Error(), "toml: "))
	}
	return err.Error()
}

// mend takes out each value that cannot be, fills in the defaults, and says what was wrong. What names a server stays: the
// backend that is made of it says what is wrong with it, whenever she is talked to.
func (c *Config) mend(file string) error {
	var faults []error
	bad := func(key, why string) {
		faults = append(faults, fmt.Errorf("read %s: %s", file, strings.TrimSpace(key+" "+why)))
	}
	oneOf := func(key string, value *string, words ...string) {
		if *value != "" && !slices.Contains(words, *value) {
			last := len(words) - 1
			bad(key, fmt.Sprintf("is %q; it must be %s or %s", *value, strings.Join(words[:last], ", "), words[last]))
			*value = ""
		}
	}
	oneOf("chat.api", &c.Chat.API, APICompanion, APICompletions, APIResponses, APIPush)
	oneOf("language", &c.Language, "en", "ja", "ko")
	oneOf("window.theme", &c.Window.Theme, "light", "dark")
	for _, n := range []struct {
		key      string
		value    *int
		from, to int
	}{
		{"body.height", &c.Body.Height, LeastHeight, MostHeight}, {"window.fps", &c.Window.FPS, 5, 60},
		{"body.wake_timeout", &c.Body.WakeTimeout, 10, 3600}, {"chat.context_window", &c.Chat.ContextWindow, 512, 1 << 24},
	} {
		if *n.value != 0 && (*n.value < n.from || *n.value > n.to) {
			bad(n.key, fmt.Sprintf("is %d; it must be from %d to %d", *n.value, n.from, n.to))
			*n.value = 0
		}
	}
	if e := c.Body.StrollEvery; e != nil && (len(e) != 2 || e[0] < 1 || e[1] < e[0] || e[1] > 86400) {
		bad("body.stroll_every", fmt.Sprintf("is %v; it must be two numbers of seconds, the least and the most", e))
		c.Body.StrollEvery = nil
	}
	c.Plugins.mend(bad)
	for _, name := range slices.Sorted(maps.Keys(c.MCP)) {
		if err := mcp.CheckAll(map[string]mcp.Config{name: c.MCP[name]}); err != nil {
			bad("mcp", err.Error())
			delete(c.MCP, name)
		}
	}
	if err := mcp.CheckAll(c.MCP); err != nil { // more than there can be
		bad("mcp", err.Error())
		c.MCP = nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.Tools.Command)) {
		if _, err := command.New(name, c.Tools.Command[name], c.Language, os.Getenv); err != nil {
			bad("", strings.TrimPrefix(err.Error(), "read "))
			delete(c.Tools.Command, name)
		}
	}
	c.fill()
	return errors.Join(faults...)
}

// fill puts the defaults where nothing is said.
func (c *Config) fill() {
	if c.Chat.API == "" {
		c.Chat.API = APICompanion
		if c.Chat.BaseURL != "" {
			c.Chat.API = APICompletions // the shipped value where a server is named
		}
	}
	c.Body.Height = cmp.Or(c.Body.Height, 240)
	c.Window.FPS = cmp.Or(c.Window.FPS, 30)
	c.Body.WakeTimeout = cmp.Or(c.Body.WakeTimeout, 120)
}

// On reads an optional bool.
func On(p *bool, otherwise bool) bool {
	if p == nil {
		return otherwise
	}
	return *p
}

// LeastHeight and MostHeight bound a pet's height in logical pixels.
const LeastHeight, MostHeight = 80, 1200

// Template is the first config.toml, which explains itself.
const Template = `# YUI's settings; docs/config.md describes each. Everything is optional. Restart YUI after a change.

# language = "en"           # en, ja, ko

# [chat]
# api = "chat_completions"  # or "companion", the built-in one
# base_url = "http://127.0.0.1:11434/v1"
# model = "qwen3"
# The key: YUI_CHAT_KEY in the .env file beside this one, or api_key here.

# [body]
# height = 240              # logical pixels, ears included

# [window]
# theme = "light"           # or "dark"; the desktop's where left out
`
