package plugin

import (
	"time"

	"yui/assets/lang"
)

// Clock tells the weekday, the date and the part of the day in words. The block's time line has the rest, but small
// models count weekdays badly.
type Clock struct{ words *lang.Words }

// NewClock makes the plugin "clock".
func NewClock(w *lang.Words) *Clock { return &Clock{w} }

// Name is "clock".
func (c *Clock) Name() string { return "clock" }

// Line is "date: Monday, 2 March 2026, evening", in the time zone of now.
func (c *Clock) Line(now time.Time) string {
	return c.words.Text("plugin.clock.line", lang.Args{"date": c.words.LongDate(now), "part": c.words.Text(partOfDay(now))})
}

func partOfDay(now time.Time) lang.Key {
	switch h := now.Hour(); {
	case h < 5:
		return "plugin.clock.night"
	case h < 11:
		return "plugin.clock.morning"
	case h < 14:
		return "plugin.clock.midday"
	case h < 18:
		return "plugin.clock.afternoon"
	case h < 22:
		return "plugin.clock.evening"
	}
	return "plugin.clock.late"
}

// evening tells whether tomorrow matters already: from six in the evening.
func evening(now time.Time) bool { return now.Hour() >= 18 }
