package plugin

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"yui/chat"
	"yui/chat/plugin/ics"
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
	lang := c.language
	today, tomorrow, after := dayStart(now, 0), dayStart(now, 1), dayStart(now, 2)
	rest := during(list, now, tomorrow)
	next := during(list, tomorrow, after)
	parts := []string{in(lang, "today ", "今日 ", "오늘 ") + c.day(rest, today, now, f)}
	if len(rest) == 0 {
		parts[0] = in(lang, "nothing more today", "今日の予定はもうありません", "오늘 남은 일정 없음")
	}
	switch later := soonest(list, after, dayStart(now, 15)); {
	case len(next) > 0:
		parts = append(parts, in(lang, "tomorrow ", "明日 ", "내일 ")+c.day(next, tomorrow, now, f))
	case evening(now) || len(rest) == 0:
		parts = append(parts, in(lang, "nothing tomorrow", "明日の予定はありません", "내일 일정 없음"))
		if later != nil {
			at := later.Start.In(now.Location())
			parts = append(parts, in(lang, "next ", "次は", "다음 ")+shortDate(lang, at)+" "+c.event(*later, dayStart(at, 0), now, f))
		}
	}
	return in(lang, "calendar: ", "予定: ", "일정: ") + strings.Join(parts, in(lang, "; ", "。", "; "))
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
	s := strings.Join(parts, in(c.language, ", ", "、", ", "))
	if more := len(list) - f.events; more > 0 {
		s += fmt.Sprintf(in(c.language, " and %d more", " ほか%d件", " 외 %d건"), more)
	}
	return s
}

// event is `14:00 "Dentist" (in 25 min)`.
func (c *Calendar) event(o ics.Occurrence, day, now time.Time, f fit) string {
	lang := c.language
	when := o.Start.In(now.Location()).Format("15:04")
	if o.AllDay || o.Start.Before(day) && !o.End.Before(day.AddDate(0, 0, 1)) {
		when = in(lang, "all day", "終日", "종일")
	} else if o.Start.Before(now) && o.End.After(now) {
		when = in(lang, "now until ", "進行中 〜", "진행 중 ~") + o.End.In(now.Location()).Format("15:04")
	}
	s := when + " " + quoted(lang, chat.Plain(o.Title, f.title))
	if wait := o.Start.Sub(now); wait > 0 && wait <= 90*time.Minute && !o.AllDay {
		s += " (" + inMinutes(lang, wait) + ")"
	}
	return s
}

// quoted puts a title, which cleanTitle has made, between the language's quotation marks.
func quoted(language, title string) string {
	if title == "" {
		title = in(language, "untitled", "無題", "제목 없음")
	}
	return in(language, `"`, "「", `"`) + title + in(language, `"`, "」", `"`)
}

// inMinutes is "in 25 min".
func inMinutes(language string, d time.Duration) string {
	return fmt.Sprintf(in(language, "in %d min", "あと%d分", "%d분 뒤"), int((d+30*time.Second)/time.Minute))
}
