package plugin

import "time"

// Clock tells the weekday, the date and the part of the day in words. The block's time line has the rest, but small
// models count weekdays badly.
type Clock struct{ language string }

// NewClock makes the plugin "clock".
func NewClock(language string) *Clock { return &Clock{language} }

// Name is "clock".
func (c *Clock) Name() string { return "clock" }

// Line is "date: Monday, 2 March 2026, evening", in the time zone of now.
func (c *Clock) Line(now time.Time) string {
	return in(c.language, "date: ", "日付: ", "날짜: ") + longDate(c.language, now) +
		in(c.language, ", ", "、", ", ") + partOfDay(c.language, now)
}

func partOfDay(language string, now time.Time) string {
	switch h := now.Hour(); {
	case h < 5:
		return in(language, "night", "深夜", "새벽")
	case h < 11:
		return in(language, "morning", "朝", "아침")
	case h < 14:
		return in(language, "midday", "昼", "한낮")
	case h < 18:
		return in(language, "afternoon", "午後", "오후")
	case h < 22:
		return in(language, "evening", "夜", "저녁")
	}
	return in(language, "late evening", "夜遅く", "밤")
}

// evening tells whether tomorrow matters already: from six in the evening.
func evening(now time.Time) bool { return now.Hour() >= 18 }
