package ics

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/teambition/rrule-go"
	"pgregory.net/rapid"
)

func never(time.Time) bool { return false }

// instances walks a rule by our own code.
func instances(t interface{ Fatal(...any) }, value string, start, from, to time.Time) []time.Time {
	r, err := parseRule(value)
	if err != nil {
		t.Fatal(value, err)
	}
	budget := maxWork
	var list []time.Time
	if err := r.each(start, from, to, never, &budget, func(w time.Time) bool {
		list = append(list, w)
		return true
	}); err != nil {
		t.Fatal(value, err)
	}
	return list
}

// Every rule that both can walk comes out as the library has it, wherever the window lies.
func TestRulesAgreeWithTheLibrary(t *testing.T) {
	pick := func(t *rapid.T, name string, from, to, most int) []int {
		return rapid.SliceOfNDistinct(rapid.IntRange(from, to), 0, most, rapid.ID[int]).Draw(t, name)
	}
	noZero := func(list []int) []int { return slices.DeleteFunc(list, func(n int) bool { return n == 0 }) }
	rapid.Check(t, func(t *rapid.T) {
		o := rrule.ROption{
			Freq:     rapid.SampledFrom([]rrule.Frequency{rrule.YEARLY, rrule.MONTHLY, rrule.WEEKLY, rrule.DAILY}).Draw(t, "freq"),
			Interval: rapid.IntRange(1, 6).Draw(t, "interval"),
			Wkst:     weekdays[rapid.IntRange(0, 6).Draw(t, "wkst")],
			Dtstart: time.Date(rapid.IntRange(2015, 2026).Draw(t, "y"), time.Month(rapid.IntRange(1, 12).Draw(t, "m")), rapid.IntRange(1, 31).Draw(t, "d"),
				rapid.IntRange(0, 23).Draw(t, "h"), rapid.IntRange(0, 59).Draw(t, "min"), 0, 0, time.UTC),
			Byhour:   pick(t, "byhour", 0, 23, 2),
			Byminute: pick(t, "byminute", 0, 59, 2),
		}
		if rapid.Bool().Draw(t, "counted") {
			o.Count = rapid.IntRange(1, 60).Draw(t, "count")
		}
		// Days that come every year: the library looks for others until 9999, seconds each.
		switch family := rapid.IntRange(0, 5).Draw(t, "family"); {
		case family == 0:
			o.Bymonth = pick(t, "bymonth", 1, 12, 3)
		case family == 1:
			o.Bymonth, o.Bymonthday = pick(t, "bymonth", 1, 12, 3), noZero(pick(t, "bymonthday", -28, 28, 3))
		case family == 2 && o.Freq == rrule.YEARLY:
			o.Byyearday = noZero(pick(t, "byyearday", -365, 365, 3))
		case family == 3 && o.Freq == rrule.YEARLY:
			o.Byweekno = noZero(pick(t, "byweekno", -52, 52, 3))
		default:
			for _, d := range pick(t, "byday", 0, 6, 3) {
				wd := weekdays[d]
				if family == 4 { // the library wants both of a mixed list, RFC 5545 one of it: not compared
					wd = wd.Nth(rapid.SampledFrom([]int{-4, -2, -1, 1, 2, 3, 4}).Draw(t, "n"))
				}
				o.Byweekday = append(o.Byweekday, wd)
			}
		}
		// In the first week the library counts from DTSTART on, we from the week's first day: not compared.
		if o.Freq != rrule.WEEKLY && rapid.Bool().Draw(t, "picked") {
			o.Bysetpos = []int{rapid.SampledFrom([]int{-1, 1}).Draw(t, "bysetpos")}
		}
		from := o.Dtstart.AddDate(0, 0, rapid.IntRange(-40, 3000).Draw(t, "from"))
		to := from.AddDate(0, 0, rapid.IntRange(1, 500).Draw(t, "days"))
		want := slices.DeleteFunc(walkLibrary(t, o, to), func(w time.Time) bool { return w.Before(from) })
		got := instances(t, o.RRuleString(), o.Dtstart, from, to)
		if !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Fatalf("%s from %v\n got %v\nwant %v", o.String(), from, got, want)
		}
	})
}

// walkLibrary takes the library's instances up to to.
func walkLibrary(t *rapid.T, o rrule.ROption, to time.Time) []time.Time {
	r, err := rrule.NewRRule(o)
	if err != nil {
		t.Fatal(err)
	}
	var list []time.Time
	next := r.Iterator()
	for {
		w, ok := next()
		if !ok || w.After(to) {
			return list
		}
		list = append(list, w)
	}
}

func TestRulesByExample(t *testing.T) {
	start := time.Date(1997, 9, 2, 9, 0, 0, 0, time.UTC)
	far := time.Date(2003, 1, 1, 0, 0, 0, 0, time.UTC)
	for rule, want := range map[string]string{
		// The examples of RFC 5545, 3.8.5.3.
		"FREQ=DAILY;COUNT=3": "1997-09-02 1997-09-03 1997-09-04",
		"FREQ=WEEKLY;INTERVAL=2;COUNT=4;WKST=SU;BYDAY=TU,TH":      "1997-09-02 1997-09-04 1997-09-16 1997-09-18",
		"FREQ=MONTHLY;COUNT=3;BYDAY=1FR":                          "1997-09-05 1997-10-03 1997-11-07",
		"FREQ=MONTHLY;COUNT=3;BYMONTHDAY=-3":                      "1997-09-28 1997-10-29 1997-11-28",
		"FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3":          "1997-09-04 1997-10-07 1997-11-06",
		"FREQ=MONTHLY;COUNT=3;BYDAY=FR;BYMONTHDAY=13":             "1998-02-13 1998-03-13 1998-11-13",
		"FREQ=YEARLY;COUNT=3;INTERVAL=2;BYMONTH=1,2":              "1999-01-02 1999-02-02 2001-01-02", // no day named: DTSTART's
		"FREQ=YEARLY;COUNT=3;BYDAY=20MO":                          "1998-05-18 1999-05-17 2000-05-15",
		"FREQ=YEARLY;COUNT=3;BYWEEKNO=20;BYDAY=MO":                "1998-05-11 1999-05-17 2000-05-15",
		"FREQ=YEARLY;COUNT=3;INTERVAL=3;BYYEARDAY=1,100,200":      "2000-01-01 2000-04-09 2000-07-18",
		"freq=daily;count=2;x-why=because;":                       "1997-09-02 1997-09-03",
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30":                     "",
		"FREQ=MONTHLY;COUNT=2;BYDAY=MO,1TU":                       "1997-09-02 1997-09-08", // either, not both
		"FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3":                      "1997-10-31 1997-12-31 1998-01-31",
		"FREQ=DAILY;COUNT=2;BYHOUR=9,17":                          "1997-09-02 1997-09-02",
		"FREQ=WEEKLY;COUNT=3;INTERVAL=1;BYDAY=MO,TU,WE,TH,FR,1MO": "1997-09-02 1997-09-03 1997-09-04",
	} {
		var got []string
		for _, w := range instances(t, rule, start, start, far) {
			got = append(got, w.Format("2006-01-02"))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: got %s, want %s", rule, s, want)
		}
	}
}

func TestBrokenRules(t *testing.T) {
	for _, rule := range []string{"", "FREQ=OFTEN", "FREQ=DAILY;INTERVAL=x", "FREQ=DAILY;BYHOUR=99", "FREQ=DAILY;BYMONTHDAY=0", "FREQ=DAILY;INTERVAL=-1",
		"FREQ=DAILY;INTERVAL=99999999", "FREQ=DAILY;UNTIL=soon", "BYDAY=MO", "FREQ=YEARLY;BYEASTER=1", "RSCALE=HEBREW;FREQ=YEARLY",
		"FREQ=DAILY;COUNT=99999999999999999999", "FREQ=DAILY;BYDAY=999MO",
		"FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9;BYMINUTE=0,1,2,3,4,5,6,7,8,9;BYSECOND=0,1"} {
		if _, err := parseRule(rule); err == nil {
			t.Errorf("%q was taken", rule)
		}
	}
}

// Rules that a hostile file would use to keep us busy end within their budget.
func TestRulesAreBounded(t *testing.T) {
	start := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	now := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for _, value := range []string{"FREQ=DAILY;COUNT=1000000000", "FREQ=YEARLY;COUNT=2000000000;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;COUNT=1000000000;BYMONTH=2;BYMONTHDAY=31"} {
		r, err := parseRule(value)
		if err != nil {
			t.Fatal(err)
		}
		budget := 100_000
		err = r.each(start, now, now.AddDate(0, 0, 60), never, &budget, func(time.Time) bool { return true })
		if !errors.Is(err, errBudget) || budget > 0 {
			t.Errorf("%s: %v, %d days left", value, err, budget)
		}
	}
	// Without COUNT the walk begins at the window.
	r, _ := parseRule("FREQ=DAILY")
	budget, n := 100, 0
	if err := r.each(start, now, now.AddDate(0, 0, 60), never, &budget, func(time.Time) bool { n++; return true }); err != nil || n != 61 {
		t.Error(n, err)
	}
}
