// Package knowledge is what plugins know of the day: clock, weather and calendar, their lines for a turn, and the
// calendar's reminders.
package knowledge

import (
	"context"
	"log/slog"
	"time"

	"yui/assets/lang"
	"yui/chat"
	"yui/chat/plugin"
	"yui/cmd/yui/settings"
)

// Knowledge is the plugins of all pets.
type Knowledge struct {
	*plugin.Set
	words   *lang.Words
	log     *slog.Logger
	fetches bool // some plugin asks a disk or a network
	// reminders is nil where there is no calendar, or the person wants none.
	reminders *plugin.Reminders
}

// New makes the plugins that are on. s may be nil: then nothing is kept, and there are no reminders.
func New(words *lang.Words, c settings.PluginsConfig, s plugin.Store, o plugin.Options) (*Knowledge, error) {
	k := &Knowledge{words: words, log: o.Log, fetches: c.Weather.On() || c.Calendar.On()}
	var list []plugin.Plugin
	if c.Clock.Enabled {
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
		if s != nil && c.Calendar.Reminders {
			k.reminders = plugin.NewReminders(cal, s, plugin.ReminderOptions{Lead: time.Duration(c.Calendar.Lead) * time.Minute, Grace: time.Duration(c.Calendar.Grace) * time.Minute,
				Source: c.Calendar.File + c.Calendar.URL})
		}
	}
	var err error
	k.Set, err = plugin.NewSet(o, list...)
	return k, err
}

// Notes are the plugins' lines for a turn.
func (k *Knowledge) Notes(ctx context.Context, now time.Time) chat.Notes {
	return chat.Notes{Heading: plugin.Heading(k.words), Lines: k.Lines(ctx, now)}
}

// refreshEvery is how often the plugins may look whether their facts are still new; most looks cost nothing.
const refreshEvery = time.Minute

// loadWait bounds one access to the database.
const loadWait = 10 * time.Second

// Keep keeps the plugins' caches warm until ctx ends, and loads what reminders were due. Without a plugin that fetches,
// nothing ticks.
func (k *Knowledge) Keep(ctx context.Context) {
	if !k.fetches {
		return
	}
	if k.reminders != nil {
		wait, cancel := context.WithTimeout(ctx, loadWait)
		if err := k.reminders.Load(wait); err != nil {
			k.log.Warn("load reminders", "error", err)
		}
		cancel()
	}
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for {
		k.Refresh(time.Now())
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
