package plugin

import (
	"fmt"
	"time"

	"yui/chat"
)

// in picks the words of a language; anything but Japanese and Korean is English.
func in(language, en, ja, ko string) string {
	switch language {
	case chat.Japanese:
		return ja
	case chat.Korean:
		return ko
	}
	return en
}

// Heading is the line over the plugins' lines in the client context.
func Heading(language string) string {
	return in(language, "Known today:", "いま分かっていること:", "지금 알려진 것:")
}

var weekdays = map[string][7]string{
	chat.English:  {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
	chat.Japanese: {"日曜日", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日"},
	chat.Korean:   {"일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"},
}

func weekday(language string, t time.Time) string {
	days, ok := weekdays[language]
	if !ok {
		days = weekdays[chat.English]
	}
	return days[t.Weekday()]
}

// longDate is "Monday, 2 March 2026".
func longDate(language string, t time.Time) string {
	day := weekday(language, t)
	switch language {
	case chat.Japanese:
		return fmt.Sprintf("%d年%d月%d日 %s", t.Year(), t.Month(), t.Day(), day)
	case chat.Korean:
		return fmt.Sprintf("%d년 %d월 %d일 %s", t.Year(), t.Month(), t.Day(), day)
	}
	return fmt.Sprintf("%s, %d %s %d", day, t.Day(), t.Month(), t.Year())
}

// shortDate is "Monday, 2 March": a day within the next weeks.
func shortDate(language string, t time.Time) string {
	switch language {
	case chat.Japanese:
		return fmt.Sprintf("%d月%d日(%s)", t.Month(), t.Day(), string([]rune(weekday(language, t))[:1]))
	case chat.Korean:
		return fmt.Sprintf("%d월 %d일(%s)", t.Month(), t.Day(), string([]rune(weekday(language, t))[:1]))
	}
	return fmt.Sprintf("%s %d %s", weekday(language, t)[:3], t.Day(), t.Month().String()[:3])
}

// dayStart is the first instant of the day that lies days after t's.
func dayStart(t time.Time, days int) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day()+days, 0, 0, 0, 0, t.Location())
}
