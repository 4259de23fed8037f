package plugin

import (
	"fmt"
	"math"
	"strings"
	"time"
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

// Text is the sentence to say at now, in the language: `In 10 minutes: "Dentist".`
func (r Reminder) Text(language string, now time.Time) string {
	if len(r.Missed) > 0 {
		return missedText(language, r.Missed, now)
	}
	title := quoted(language, r.Title)
	start := r.Start.In(now.Location())
	wait := start.Sub(now)
	minutes := int(math.Round(wait.Minutes()))
	switch {
	case wait >= 2*time.Hour || r.AllDay && wait > 0:
		return fmt.Sprintf(in(language, "%[1]s: %[2]s.", "%sは%sです。", "%s: %s."), when(language, r.Event, now), title)
	case r.AllDay:
		return fmt.Sprintf(in(language, "Today: %s.", "今日は%sです。", "오늘: %s."), title)
	case minutes <= -1:
		return fmt.Sprintf(in(language, "%[2]s began %[1]d min ago.", "%[2]sは%[1]d分前に始まりました。", "%[2]s 일정이 %[1]d분 전에 시작됐어요."), -minutes, title)
	case minutes <= 0:
		return fmt.Sprintf(in(language, "%s begins now.", "%sの時間です。", "%s 시작할 시간이에요."), title)
	case minutes == 1:
		return fmt.Sprintf(in(language, "In one minute: %s.", "あと1分で%sです。", "1분 뒤: %s."), title)
	}
	return fmt.Sprintf(in(language, "In %d minutes: %s.", "あと%d分で%sです。", "%d분 뒤: %s."), minutes, title)
}

// when is "Tomorrow, 14:00".
func when(language string, e Event, now time.Time) string {
	start := e.Start.In(now.Location())
	var day string
	switch d := dayStart(start, 0); {
	case d.Equal(dayStart(now, 0)):
		day = in(language, "Today", "今日", "오늘")
	case d.Equal(dayStart(now, 1)):
		day = in(language, "Tomorrow", "明日", "내일")
	case d.Equal(dayStart(now, -1)):
		day = in(language, "Yesterday", "昨日", "어제")
	default:
		day = shortDate(language, start)
	}
	if e.AllDay {
		return day
	}
	return day + in(language, ", ", " ", " ") + start.Format("15:04")
}

func missedText(language string, missed []Event, now time.Time) string {
	var parts []string
	for _, e := range missed[:min(len(missed), maxMissed)] {
		parts = append(parts, quoted(language, e.Title)+in(language, " (", "(", "(")+when(language, e, now)+")")
	}
	s := strings.Join(parts, in(language, ", ", "、", ", "))
	if more := len(missed) - maxMissed; more > 0 {
		s += fmt.Sprintf(in(language, " and %d more", " ほか%d件", " 외 %d건"), more)
	}
	return fmt.Sprintf(in(language, "Missed in the meantime: %s.", "この間に過ぎた予定: %s。", "그 사이 지나간 일정: %s."), s)
}
