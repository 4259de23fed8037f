// Package settings is what a person can set: config.toml, the switches of the database, secrets, and the folders that all of
// it lies in. One table has a row for each setting. It knows no pet and no window.
package settings

import (
	"os"

	"yui/assets/lang"
	"yui/tools/command"
	"yui/tools/mcp"
)

// Config is config.toml with the defaults filled in. Each field has its row in the table of settings, which finds it by its
// tag. It is never written to: a changed file makes a new one.
type Config struct {
	Language string        `toml:"language"` // en, ja or ko
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
	Ask     bool                      `toml:"ask"`     // false never asks the person
	Command map[string]command.Config `toml:"command"` // tools of one's own by name
}

// ChatConfig says who answers.
type ChatConfig struct {
	API             string `toml:"api"`
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
	Ride          bool  `toml:"ride"`
	Walk          bool  `toml:"walk"`
	Fall          bool  `toml:"fall"`
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
	AllWorkspaces   bool   `toml:"all_workspaces"`
	PauseFullscreen bool   `toml:"pause_fullscreen"`
	Theme           string `toml:"theme"` // light, dark, or the desktop's where empty
	FPS             int    `toml:"fps"`
	AntiAliasing    bool   `toml:"anti_aliasing"`
}

// APIs that [chat] api may name.
const (
	APICompanion   = "companion"
	APICompletions = "chat_completions"
	APIResponses   = "responses"
	APIPush        = "push"
)

// fill puts in what depends on the rest, or on the system.
func (c *Config) fill() {
	if c.Chat.API == "" {
		c.Chat.API = APICompanion
		if c.Chat.BaseURL != "" {
			c.Chat.API = APICompletions // the shipped value where a server is named
		}
	}
	if c.Language == "" {
		c.Language = systemLanguage()
	}
}

// systemLanguage reads the locale as gettext does.
func systemLanguage() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := os.Getenv(name); v != "" {
			return lang.Bundled().Match(v)
		}
	}
	return lang.English
}

// or is an optional bool, or what holds without it.
func or(p *bool, otherwise bool) bool {
	if p == nil {
		return otherwise
	}
	return *p
}

// Template is the first config.toml, which explains itself.
const Template = `# YUI's settings; docs/config.md describes each. Everything is optional. A change holds as soon as the file is saved.

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
