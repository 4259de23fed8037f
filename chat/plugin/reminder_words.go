package plugin

import (
	"math"
	"time"

	"yui/assets/lang"
)

// Event is what a reminder is about.
type Event struct {
	Title  string // cleaned: one line, no quotation marks that could end ours
	Start  time.Time
	AllDay bool
}

// Reminder is one thing to say: an event, or all that were missed.
type Reminder struct {
	ID string
	Event
	// Missed lists the events of a summary of what was missed; then Event is empty.
	Missed []Event

	entries []entry
}

// maxMissed is how many missed events are named.
const maxMissed = 3

// Text is the sentence to say at now: `In 10 minutes: "Dentist".`
func (r Reminder) Text(w *lang.Words, now time.Time) string {
	if len(r.Missed) > 0 {
		return missedText(w, r.Missed, now)
	}
	title := quoted(w, r.Title)
	wait := r.Start.In(now.Location()).Sub(now)
	minutes := int(math.Round(wait.Minutes()))
	switch {
	case wait >= 2*time.Hour || r.AllDay && wait > 0:
		return w.Text("plugin.reminder.on", lang.Args{"when": when(w, r.Event, now), "title": title})
	case r.AllDay:
		return w.Text("plugin.reminder.today", lang.Args{"title": title})
	case minutes <= -1:
		return w.Text("plugin.reminder.began", lang.Args{lang.Count: -minutes, "title": title})
	case minutes <= 0:
		return w.Text("plugin.reminder.now", lang.Args{"title": title})
	}
	return w.Text("plugin.reminder.minutes", lang.Args{lang.Count: minutes, "title": title})
}

// when is "Tomorrow, 14:00".
func when(w *lang.Words, e Event, now time.Time) string {
	start := e.Start.In(now.Location())
	var day string
	switch d := dayStart(start, 0); {
	case d.Equal(dayStart(now, 0)):
		day = w.Text("plugin.reminder.day_today")
	case d.Equal(dayStart(now, 1)):
		day = w.Text("plugin.reminder.day_tomorrow")
	case d.Equal(dayStart(now, -1)):
		day = w.Text("plugin.reminder.day_yesterday")
	default:
		day = w.WeekDate(start)
	}
	if e.AllDay {
		return day
	}
	return w.Text("plugin.reminder.at", lang.Args{"day": day, "time": start.Format("15:04")})
}

func missedText(w *lang.Words, missed []Event, now time.Time) string {
	var parts []string
	for _, e := range missed[:min(len(missed), maxMissed)] {
		parts = append(parts, w.Text("plugin.reminder.missed_one", lang.Args{"title": quoted(w, e.Title), "when": when(w, e, now)}))
	}
	return w.Text("plugin.reminder.missed", lang.Args{"list": listed(w, parts, len(missed)-maxMissed)})
}
