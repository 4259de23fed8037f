package settings

import (
	"yui/chat/plugin"
)

// PluginsConfig holds a table for each plugin (docs/rules/desktop.md#presets).
type PluginsConfig struct {
	Clock    ClockConfig    `toml:"clock"`
	Weather  WeatherConfig  `toml:"weather"`
	Calendar CalendarConfig `toml:"calendar"`
}

// ClockConfig is [plugins.clock]; it is on where nothing is said.
type ClockConfig struct {
	Enabled bool `toml:"enabled"`
}

// WeatherConfig is [plugins.weather]; it is on where it has a place.
type WeatherConfig struct {
	Enabled      *bool    `toml:"enabled"`
	Place        string   `toml:"place"`
	Latitude     *float64 `toml:"latitude"`
	Longitude    *float64 `toml:"longitude"`
	Units        string   `toml:"units"`
	BaseURL      string   `toml:"base_url"`
	GeocodingURL string   `toml:"geocoding_url"`
}

// On reports whether there is a weather line.
func (c WeatherConfig) On() bool {
	return or(c.Enabled, c.Place != "" || c.Latitude != nil || c.Longitude != nil)
}

// Plugin is the config as the plugin wants it.
func (c WeatherConfig) Plugin() plugin.WeatherConfig {
	return plugin.WeatherConfig{Place: c.Place, Latitude: c.Latitude, Longitude: c.Longitude, Units: c.Units,
		BaseURL: c.BaseURL, GeocodingURL: c.GeocodingURL}
}

// CalendarConfig is [plugins.calendar]; it is on where it names a calendar.
type CalendarConfig struct {
	Enabled   *bool  `toml:"enabled"`
	File      string `toml:"file"`
	URL       string `toml:"url"`
	Reminders bool   `toml:"reminders"`
	Lead      int    `toml:"lead_minutes"`
	Grace     int    `toml:"grace_minutes"`
}

// On reports whether there is a calendar.
func (c CalendarConfig) On() bool { return or(c.Enabled, c.File != "" || c.URL != "") }

// Plugin is the config as the plugin wants it.
func (c CalendarConfig) Plugin() plugin.CalendarConfig {
	return plugin.CalendarConfig{File: c.File, URL: c.URL}
}

// mend takes out what cannot be together, and gives bad the key and why.
func (c *PluginsConfig) mend(bad func(key, why string)) {
	if c.Weather.On() {
		if key, err := c.Weather.Plugin().Check(); err != nil {
			bad("plugins.weather."+key, err.Error())
			c.Weather = WeatherConfig{}
		}
	}
	if c.Calendar.On() {
		if key, err := c.Calendar.Plugin().Check(); err != nil {
			bad("plugins.calendar."+key, err.Error())
			c.Calendar = CalendarConfig{}
		}
	}
}
