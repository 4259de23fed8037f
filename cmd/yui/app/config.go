package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/joho/godotenv"
	"github.com/pelletier/go-toml/v2"

	"yui/chat/api"
	"yui/chat/push"
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

// LoadConfig reads the file at path and the .env beside it. A missing file is an empty config. An error names the file,
// and for broken TOML the line and column.
func LoadConfig(paths Paths) (Config, error) {
	// Variables of the environment win over the file, as with every .env.
	if err := godotenv.Load(paths.Env); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Config{}, fmt.Errorf("read %s: %w", paths.Env, err)
	}
	return ReadConfig(paths.Config)
}

// ReadConfig reads config.toml alone.
func ReadConfig(file string) (Config, error) {
	var c Config
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return c, c.check(file)
	}
	if err != nil {
		return c, fmt.Errorf("read config: %w", err)
	}
	d := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return Config{}, fmt.Errorf("read %s: %s", file, tomlTrouble(err))
	}
	return c, c.check(file)
}

func tomlTrouble(err error) string {
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

func (c *Config) check(file string) error {
	bad := func(key, why string) error {
		return fmt.Errorf("read %s: %s", file, strings.TrimSpace(key+" "+why))
	}
	switch c.Chat.API {
	case "", APICompanion, APICompletions, APIResponses, APIPush:
	default:
		return bad("chat.api", fmt.Sprintf("is %q; it must be companion, chat_completions, responses or push", c.Chat.API))
	}
	if c.Chat.API == "" {
		c.Chat.API = APICompanion
		if c.Chat.BaseURL != "" {
			c.Chat.API = APICompletions // the shipped value where a server is named
		}
	}
	if c.Chat.BaseURL != "" {
		_, _, err := api.Roots(c.Chat.BaseURL)
		if c.Chat.API == APIPush {
			_, err = push.Address(c.Chat.BaseURL)
		}
		if err != nil { // it is not quoted whole: it may hold a password
			return bad("chat.base_url", fmt.Sprintf("is %q; it must look like http://127.0.0.1:11434/v1", api.Shown(c.Chat.BaseURL)))
		}
	}
	switch c.Language {
	case "", "en", "ja", "ko":
	default:
		return bad("language", fmt.Sprintf("is %q; it must be en, ja or ko", c.Language))
	}
	switch c.Window.Theme {
	case "", "light", "dark":
	default:
		return bad("window.theme", fmt.Sprintf("is %q; it must be light or dark", c.Window.Theme))
	}
	for _, n := range []struct {
		key      string
		value    int
		from, to int
	}{
		{"body.height", c.Body.Height, leastHeight, mostHeight}, {"window.fps", c.Window.FPS, 5, 60},
		{"body.wake_timeout", c.Body.WakeTimeout, 10, 3600}, {"chat.context_window", c.Chat.ContextWindow, 512, 1 << 24},
	} {
		if n.value != 0 && (n.value < n.from || n.value > n.to) {
			return bad(n.key, fmt.Sprintf("is %d; it must be from %d to %d", n.value, n.from, n.to))
		}
	}
	if e := c.Body.StrollEvery; e != nil && (len(e) != 2 || e[0] < 1 || e[1] < e[0] || e[1] > 86400) {
		return bad("body.stroll_every", fmt.Sprintf("is %v; it must be two numbers of seconds, the least and the most", e))
	}
	if key, err := c.Plugins.check(); err != nil {
		return bad(key, err.Error())
	}
	if err := mcp.CheckAll(c.MCP); err != nil {
		return bad("mcp", err.Error())
	}
	for _, name := range slices.Sorted(maps.Keys(c.Tools.Command)) {
		if _, err := command.New(name, c.Tools.Command[name], c.Language); err != nil {
			return bad("", strings.TrimPrefix(err.Error(), "read "))
		}
	}
	if c.Body.Height == 0 {
		c.Body.Height = 240
	}
	if c.Window.FPS == 0 {
		c.Window.FPS = 30
	}
	if c.Body.WakeTimeout == 0 {
		c.Body.WakeTimeout = 120
	}
	return nil
}

// on reads an optional bool.
func on(p *bool, otherwise bool) bool {
	if p == nil {
		return otherwise
	}
	return *p
}
