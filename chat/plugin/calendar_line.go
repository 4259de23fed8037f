package plugin

import (
	"strings"
	"time"
	"unicode/utf8"

	"yui/assets/lang"
	"yui/chat/plugin/ics"
	"yui/internal/readable"
)

// fits are how many events of a day are named and how long their titles may be, tried until the line is short enough.
var fits = []fit{{4, maxTitle}, {4, 30}, {3, 24}, {2, 20}, {1, 20}}

type fit struct{ events, title int }

// Line is `calendar: today 14:00 "Dentist" (in 25 min), all day "Fair"; tomorrow 09:00 "Standup"`. Where today has
// nothing left, it names the next event within two weeks.
func (c *Calendar) Line(now time.Time) string {
	list, ok := c.Occurrences()
	if !ok {
		return ""
	}
	var line string
	for _, f := range fits {
		if line = c.line(list, now, f); utf8.RuneCountInString(line) <= MaxLine {
			break
		}
	}
	return line
}

func (c *Calendar) line(list []ics.Occurrence, now time.Time, f fit) string {
	say := c.words.Text
	today, tomorrow, after := dayStart(now, 0), dayStart(now, 1), dayStart(now, 2)
	rest := during(list, now, tomorrow)
	next := during(list, tomorrow, after)
	days := []string{say("plugin.calendar.nothing_today")}
	if len(rest) > 0 {
		days[0] = say("plugin.calendar.today", lang.Args{"list": c.day(rest, today, now, f)})
	}
	switch later := soonest(list, after, dayStart(now, 15)); {
	case len(next) > 0:
		days = append(days, say("plugin.calendar.tomorrow", lang.Args{"list": c.day(next, tomorrow, now, f)}))
	case evening(now) || len(rest) == 0:
		days = append(days, say("plugin.calendar.nothing_tomorrow"))
		if later != nil {
			at := later.Start.In(now.Location())
			days = append(days, say("plugin.calendar.next", lang.Args{"day": c.words.WeekDate(at), "event": c.event(*later, dayStart(at, 0), now, f)}))
		}
	}
	return say("plugin.calendar.line", lang.Args{"days": strings.Join(days, say("plugin.semicolon"))})
}

// during picks what is not over at from and begins before to. What lasts from days before is named on its days.
func during(list []ics.Occurrence, from, to time.Time) []ics.Occurrence {
	var found []ics.Occurrence
	for _, o := range list {
		if o.Start.Before(to) && (o.End.After(from) || !o.Start.Before(from)) {
			found = append(found, o)
		}
	}
	return found
}

func soonest(list []ics.Occurrence, from, to time.Time) *ics.Occurrence {
	for i, o := range list {
		if !o.Start.Before(from) && o.Start.Before(to) {
			return &list[i]
		}
	}
	return nil
}

func (c *Calendar) day(list []ics.Occurrence, day, now time.Time, f fit) string {
	var parts []string
	for _, o := range list[:min(len(list), f.events)] {
		parts = append(parts, c.event(o, day, now, f))
	}
	return listed(c.words, parts, len(list)-f.events)
}

// event is `14:00 "Dentist" (in 25 min)`.
func (c *Calendar) event(o ics.Occurrence, day, now time.Time, f fit) string {
	when := o.Start.In(now.Location()).Format("15:04")
	if o.AllDay || o.Start.Before(day) && !o.End.Before(day.AddDate(0, 0, 1)) {
		when = c.words.Text("plugin.calendar.all_day")
	} else if o.Start.Before(now) && o.End.After(now) {
		when = c.words.Text("plugin.calendar.until", lang.Args{"time": o.End.In(now.Location()).Format("15:04")})
	}
	event := when + " " + quoted(c.words, readable.Line(o.Title, f.title))
	if wait := o.Start.Sub(now); wait > 0 && wait <= 90*time.Minute && !o.AllDay {
		return c.words.Text("plugin.calendar.soon", lang.Args{"event": event, lang.Count: int((wait + 30*time.Second) / time.Minute)})
	}
	return event
}

// quoted puts a title, which cleanTitle has made, between the language's quotation marks.
func quoted(w *lang.Words, title string) string {
	if title == "" {
		title = w.Text("plugin.calendar.untitled")
	}
	return w.Text("plugin.calendar.quoted", lang.Args{"title": title})
}
