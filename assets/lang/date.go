package lang

import "time"

var (
	weekdays = [7]Key{"date.sunday", "date.monday", "date.tuesday", "date.wednesday", "date.thursday", "date.friday", "date.saturday"}
	shortDay = [7]Key{"date.sun", "date.mon", "date.tue", "date.wed", "date.thu", "date.fri", "date.sat"}
	months   = [12]Key{"date.january", "date.february", "date.march", "date.april", "date.may", "date.june",
		"date.july", "date.august", "date.september", "date.october", "date.november", "date.december"}
	shortMonth = [12]Key{"date.month_1", "date.month_2", "date.month_3", "date.month_4", "date.month_5", "date.month_6",
		"date.month_7", "date.month_8", "date.month_9", "date.month_10", "date.month_11", "date.month_12"}
)

// LongDate is "Monday, 2 March 2026".
func (w *Words) LongDate(t time.Time) string {
	return w.Text("date.long", Args{"weekday": w.Text(weekdays[t.Weekday()]), "day": t.Day(), "month": w.Text(months[t.Month()-1]), "year": t.Year()})
}

// WeekDate is "Mon 2 Mar": a day within the next weeks.
func (w *Words) WeekDate(t time.Time) string {
	return w.Text("date.week", Args{"weekday": w.Text(shortDay[t.Weekday()]), "day": t.Day(), "month": w.Text(shortMonth[t.Month()-1])})
}

// DayMonth is "2 Mar": a day of this year.
func (w *Words) DayMonth(t time.Time) string {
	return w.Text("date.day_month", Args{"day": t.Day(), "month": w.Text(shortMonth[t.Month()-1])})
}
