package app

import (
	"context"
	"fmt"
	"time"

	"yui/chat"
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
	Enabled *bool `toml:"enabled"`
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

func (c WeatherConfig) on() bool {
	return on(c.Enabled, c.Place != "" || c.Latitude != nil || c.Longitude != nil)
}

func (c WeatherConfig) plugin() plugin.WeatherConfig {
	return plugin.WeatherConfig{Place: c.Place, Latitude: c.Latitude, Longitude: c.Longitude, Units: c.Units,
		BaseURL: c.BaseURL, GeocodingURL: c.GeocodingURL}
}

// CalendarConfig is [plugins.calendar]; it is on where it names a calendar.
type CalendarConfig struct {
	Enabled   *bool  `toml:"enabled"`
	File      string `toml:"file"`
	URL       string `toml:"url"`
	Reminders *bool  `toml:"reminders"`
	Lead      *int   `toml:"lead_minutes"`
	Grace     *int   `toml:"grace_minutes"`
}

func (c CalendarConfig) on() bool { return on(c.Enabled, c.File != "" || c.URL != "") }

func (c CalendarConfig) plugin() plugin.CalendarConfig {
	return plugin.CalendarConfig{File: c.File, URL: c.URL}
}

// mend takes out what cannot be, and gives bad the key and why.
func (c *PluginsConfig) mend(bad func(key, why string)) {
	if c.Weather.on() {
		if key, err := c.Weather.plugin().Check(); err != nil {
			bad("plugins.weather."+key, err.Error())
			c.Weather = WeatherConfig{}
		}
	}
	if c.Calendar.on() {
		if key, err := c.Calendar.plugin().Check(); err != nil {
			bad("plugins.calendar."+key, err.Error())
			c.Calendar = CalendarConfig{}
		}
	}
	for _, n := range []struct {
		key   string
		value **int
	}{{"lead_minutes", &c.Calendar.Lead}, {"grace_minutes", &c.Calendar.Grace}} {
		if v := *n.value; v != nil && (*v < 1 || *v > 1440) {
			bad("plugins.calendar."+n.key, fmt.Sprintf("is %d; it must be from 1 to 1440", *v))
			*n.value = nil
		}
	}
}

// knowledge is the plugins of all pets.
type knowledge struct {
	*plugin.Set
	language string
	// reminders is nil where there is no calendar, or the person wants none.
	reminders *plugin.Reminders
}

// newKnowledge makes the plugins that are on. s may be nil: then nothing is kept, and there are no reminders.
func newKnowledge(language string, c PluginsConfig, s plugin.Store, o plugin.Options) (*knowledge, error) {
	k := &knowledge{language: language}
	var list []plugin.Plugin
	if on(c.Clock.Enabled, true) {
		list = append(list, plugin.NewClock(language))
	}
	if c.Weather.on() {
		w, err := plugin.NewWeather(language, c.Weather.plugin(), s)
		if err != nil {
			return nil, err
		}
		list = append(list, w)
	}
	if c.Calendar.on() {
		cal, err := plugin.NewCalendar(language, c.Calendar.plugin())
		if err != nil {
			return nil, err
		}
		list = append(list, cal)
		if s != nil && on(c.Calendar.Reminders, true) {
			k.reminders = plugin.NewReminders(cal, s, plugin.ReminderOptions{Lead: minutesOr(c.Calendar.Lead), Grace: minutesOr(c.Calendar.Grace),
				Source: c.Calendar.File + c.Calendar.URL})
		}
	}
	var err error
	k.Set, err = plugin.NewSet(o, list...)
	return k, err
}

// minutesOr is 0, the default, where nothing is set.
func minutesOr(n *int) time.Duration {
	if n == nil {
		return 0
	}
	return time.Duration(*n) * time.Minute
}

// notes are the plugins' lines for a turn.
func (k *knowledge) notes(ctx context.Context, now time.Time) chat.Notes {
	return chat.Notes{Heading: plugin.Heading(k.language), Lines: k.Lines(ctx, now)}
}

// refreshEvery is how often the plugins may look whether their facts are still new; most looks cost nothing.
const refreshEvery = time.Minute

// keepKnowledge keeps the plugins' caches warm until the app ends, and loads what reminders were due. Without a plugin
// that fetches, nothing ticks.
func (a *App) keepKnowledge() {
	if !a.cfg.Plugins.Weather.on() && !a.cfg.Plugins.Calendar.on() {
		return
	}
	if r := a.know.reminders; r != nil {
		ctx, cancel := context.WithTimeout(a.ctx, storeWait)
		if err := r.Load(ctx); err != nil {
			a.log.Warn("load reminders", "error", err)
		}
		cancel()
	}
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for {
		a.know.Refresh(time.Now())
		select {
		case <-a.ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// plugins tells of each plugin that has something to fetch whether it can.
func (c *checkup) plugins(ctx context.Context, cfg Config) {
	language := cfg.Language
	if language == "" {
		language = systemLanguage()
	}
	k, err := newKnowledge(language, cfg.Plugins, nil, plugin.Options{})
	if err != nil {
		c.fail("plugins", err.Error(), "mend that table of config.toml")
		return
	}
	defer k.Close()
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	now := time.Now()
	bad := map[string]bool{}
	for _, p := range k.Check(ctx, now) {
		bad[p.Plugin] = true
		c.warn(p.Plugin, p.Err.Error(), "its line stays away or is not whole; everything else works")
	}
	for _, name := range k.Names() {
		if line, err := k.Line(ctx, now, name); err == nil && !bad[name] {
			if line == "" {
				line = "nothing to say"
			}
			c.ok(name, line)
		}
	}
}
