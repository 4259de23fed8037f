package app

import (
	"context"
	"time"

	"yui/assets/lang"
	"yui/chat"
	"yui/chat/plugin"
	"yui/cmd/yui/settings"
)

// knowledge is the plugins of all pets.
type knowledge struct {
	*plugin.Set
	words *lang.Words
	// reminders is nil where there is no calendar, or the person wants none.
	reminders *plugin.Reminders
}

// newKnowledge makes the plugins that are on. s may be nil: then nothing is kept, and there are no reminders.
func newKnowledge(words *lang.Words, c settings.PluginsConfig, s plugin.Store, o plugin.Options) (*knowledge, error) {
	k := &knowledge{words: words}
	var list []plugin.Plugin
	if settings.On(c.Clock.Enabled, true) {
		list = append(list, plugin.NewClock(words))
	}
	if c.Weather.On() {
		w, err := plugin.NewWeather(words, c.Weather.Plugin(), s)
		if err != nil {
			return nil, err
		}
		list = append(list, w)
	}
	if c.Calendar.On() {
		cal, err := plugin.NewCalendar(words, c.Calendar.Plugin())
		if err != nil {
			return nil, err
		}
		list = append(list, cal)
		if s != nil && settings.On(c.Calendar.Reminders, true) {
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
	return chat.Notes{Heading: plugin.Heading(k.words), Lines: k.Lines(ctx, now)}
}

// refreshEvery is how often the plugins may look whether their facts are still new; most looks cost nothing.
const refreshEvery = time.Minute

// keepKnowledge keeps the plugins' caches warm until the app ends, and loads what reminders were due. Without a plugin
// that fetches, nothing ticks.
func (a *App) keepKnowledge() {
	if !a.cfg.Plugins.Weather.On() && !a.cfg.Plugins.Calendar.On() {
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
func (c *checkup) plugins(ctx context.Context, cfg settings.Config) {
	language := cfg.Language
	if language == "" {
		language = systemLanguage()
	}
	k, err := newKnowledge(lang.In(language), cfg.Plugins, nil, plugin.Options{})
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
