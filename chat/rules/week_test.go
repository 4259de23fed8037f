package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// person is the desktop of a test: who sits there when, and what is in front.
type person struct {
	e       *Engine
	g       *Gate
	now     time.Time
	idle    time.Duration
	app     string
	appAt   time.Time
	watch   bool
	sit     Situation
	fires   []string
	held    []string
	turns   []time.Time
	replies bool // every fire is a turn
}

func sitDown(t *testing.T, rulesFile, at string, zone *time.Location) *person {
	t.Helper()
	now, err := time.ParseInLocation("2006-01-02 15:04", at, zone)
	if err != nil {
		t.Fatal(err)
	}
	return &person{e: NewEngine(mustRead(t, rulesFile), nil), g: NewGate(now.Add(-time.Hour)), now: now, appAt: now, replies: true}
}

func (p *person) look() Sighting {
	f := Facts{Now: p.now, Idle: p.idle.Minutes(), Present: p.idle <= 3*time.Minute, Silent: p.now.Sub(p.g.LastTurn()).Minutes(),
		App: p.app, InApp: p.now.Sub(p.appAt).Minutes()}
	return Sighting{Facts: f, Watch: p.watch}
}

// pass lets time go by in steps of half a minute; away says that nobody touches anything.
func (p *person) pass(d time.Duration, away bool) {
	for end := p.now.Add(d); p.now.Before(end); {
		p.now = p.now.Add(30 * time.Second)
		if away {
			p.idle += 30 * time.Second
		} else {
			p.idle = 0
		}
		p.tick()
	}
}

func (p *person) tick() {
	f, ok, held := p.e.Judge(p.g, p.look(), p.sit)
	for _, h := range held {
		p.held = append(p.held, fmt.Sprintf("%s %s %s", p.now.Format("Mon 15:04"), h.Fire.Rule.Name, h.Reason))
	}
	if !ok {
		return
	}
	p.fires = append(p.fires, p.now.Format("Mon 15:04 ")+f.Rule.Name)
	p.turns = append(p.turns, p.now)
	if p.replies {
		p.g.Turn(p.now)
	}
}

func (p *person) front(app string) { p.app, p.appAt = app, p.now }

func berlin(t *testing.T) *time.Location {
	t.Helper()
	z, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestWeek is a working week and the weekend in which the clocks go forward: the scheduled greetings come once a day and
// only while somebody is there, nobody is interrupted twice in ten minutes, and nothing comes in quiet hours.
func TestWeek(t *testing.T) {
	p := sitDown(t, `
quiet_hours = "22:30-07:00"
[rule.gap]
when.at = ["02:30"]
per_day = 1
`, "2026-03-23 00:00", berlin(t)) // Monday; the night to the 29th has no hour from 2 to 3
	for range 7 {
		midnight := p.now
		until := func(hour, minute int, away bool) {
			p.pass(time.Date(midnight.Year(), midnight.Month(), midnight.Day(), hour, minute, 0, 0, p.now.Location()).Sub(p.now), away)
		}
		until(8, 30, true)
		until(12, 30, false)
		until(13, 30, true) // lunch
		until(19, 0, false)
		until(24, 0, true)
	}
	for _, rule := range []string{"first_of_the_day", "greeting_morning", "greeting_lunch", "greeting_evening"} {
		n := 0
		for _, f := range p.fires {
			if strings.HasSuffix(f, " "+rule) {
				n++
			}
		}
		if n != 7 {
			t.Errorf("%s fired %d times in seven days:\n%s", rule, n, strings.Join(p.fires, "\n"))
		}
	}
	for i := 1; i < len(p.turns); i++ {
		if d := p.turns[i].Sub(p.turns[i-1]); d < 10*time.Minute {
			t.Errorf("interrupted twice in %v: %s", d, p.fires[i])
		}
	}
	for i, at := range p.turns {
		if h := at.Hour(); h < 8 || h >= 19 {
			t.Errorf("fired at %v: %s", at, p.fires[i])
		}
	}
	if p.fires[0] != "Mon 08:30 first_of_the_day" {
		t.Errorf("Monday began with %v", p.fires[0])
	}
}

// TestGraceAndPresence: a scheduled rule waits for somebody to come, as long as its grace.
func TestGraceAndPresence(t *testing.T) {
	const file = "[rule.tea]\nwhen.at = [\"16:00\"]\nwhen.grace = \"30m\"\n[rule.first_of_the_day]\nenabled = false\n[rule.welcome_back]\nenabled = false\n"
	for late, fires := range map[time.Duration]bool{10 * time.Minute: true, 29 * time.Minute: true, 31 * time.Minute: false} {
		p := sitDown(t, file, "2026-03-02 15:30", time.UTC)
		p.idle = time.Hour
		p.pass(30*time.Minute+late, true)
		p.pass(time.Hour, false)
		if got := slices.ContainsFunc(p.fires, func(f string) bool { return strings.HasSuffix(f, "tea") }); got != fires {
			t.Errorf("%v late: %v", late, p.fires)
		}
	}
}

// TestDaylightSaving: a time that spring leaves out comes once, a time that autumn has twice comes once.
func TestDaylightSaving(t *testing.T) {
	for _, day := range []string{"2026-03-29", "2026-10-25", "2026-06-01"} {
		for _, at := range []string{"02:30", "30 2 * * *"} {
			p := sitDown(t, "[rule.x]\nwhen.at = [\""+at+"\"]\n", day+" 00:00", berlin(t))
			p0 := p.now
			p.pass(26*time.Hour, false)
			n := 0
			for _, f := range p.fires {
				if strings.HasSuffix(f, " x") && f[:3] == p0.Format("Mon") {
					n++
				}
			}
			want := 1
			if day == "2026-03-29" && at != "02:30" {
				want = 0 // cron says 2:30, and there is none
			}
			if n != want {
				t.Errorf("%s %q fired %d times, want %d: %v", day, at, n, want, p.fires)
			}
		}
	}
}

// TestRestart: what has fired today does not fire again after a restart.
func TestRestart(t *testing.T) {
	p := sitDown(t, "[rule.tea]\nwhen.at = [\"16:00\"]\n[rule.first_of_the_day]\nenabled = false\n", "2026-03-02 15:59", time.UTC)
	p.pass(5*time.Minute, false)
	if !strings.Contains(strings.Join(p.fires, ","), "tea") {
		t.Fatalf("tea did not fire: %v, held %v", p.fires, p.held)
	}
	p.e = NewEngine(p.e.Set(), p.e.State())
	p.g = NewGate(p.now.Add(-time.Hour))
	p.fires = nil
	p.pass(time.Hour, false)
	if len(p.fires) > 0 && strings.Contains(strings.Join(p.fires, ","), "tea") {
		t.Errorf("after the restart: %v", p.fires)
	}
}

// TestGap: behind a turn of the person's, timers wait for the pacing gap; it is said once why.
func TestGap(t *testing.T) {
	p := sitDown(t, "[rule.tea]\nwhen.at = [\"16:00\"]\n[rule.first_of_the_day]\nenabled = false\n", "2026-03-02 15:58", time.UTC)
	p.g.Turn(p.now)
	p.pass(9*time.Minute, false)
	if len(p.fires) != 0 || !slices.Equal(p.held, []string{"Mon 16:00 tea global_gap"}) {
		t.Fatalf("fired %v, held %v", p.fires, p.held)
	}
	p.pass(2*time.Minute, false)
	if !slices.Equal(p.fires, []string{"Mon 16:08 tea"}) {
		t.Errorf("fired %v", p.fires)
	}
}

func TestSilentAndBack(t *testing.T) {
	const file = `
[rule.short_break]
when.silent = "20m"
cooldown = "1h"
[rule.first_of_the_day]
enabled = false
[rule.greeting_evening]
enabled = false
`
	p := sitDown(t, file, "2026-03-02 14:00", time.UTC)
	p.g = NewGate(p.now)
	p.pass(30*time.Minute, false)
	if !slices.Equal(p.fires, []string{"Mon 14:20 short_break"}) {
		t.Fatalf("fired %v", p.fires)
	}
	p.fires = nil
	p.pass(90*time.Minute, true)
	p.pass(time.Minute, false)
	if !slices.Equal(p.fires, []string{"Mon 16:00 welcome_back"}) {
		t.Errorf("back after an hour and a half: %v, held %v", p.fires, p.held)
	}
	// Sleep of the computer: no idle time counts, the clock jumps.
	p.fires = nil
	p.pass(15*time.Minute, false)
	p.now = p.now.Add(3 * time.Hour)
	p.pass(time.Minute, false)
	if !slices.Equal(p.fires, []string{"Mon 19:16 welcome_back"}) {
		t.Errorf("after the sleep: %v, held %v", p.fires, p.held)
	}
}

// TestScreen: the figures of docs/rules/chat.md#guardrails.
func TestScreen(t *testing.T) {
	const file = "[rule.first_of_the_day]\nenabled = false\n[rule.greeting_evening]\nenabled = false\n[rule.short_break]\nenabled = false\n[rule.long_focus]\nenabled = false\n"
	p := sitDown(t, file, "2026-03-02 14:10", time.UTC)
	p.watch = true
	p.front("Editor")
	p.pass(12*time.Minute, false)
	p.front("Browser")
	p.pass(time.Minute, false)
	if len(p.fires) != 0 {
		t.Fatalf("before it settled: %v", p.fires)
	}
	p.pass(time.Minute, false)
	if !slices.Equal(p.fires, []string{"Mon 14:23 screen_switched"}) {
		t.Fatalf("fired %v, held %v", p.fires, p.held)
	}
	p.pass(50*time.Minute, false)
	if !slices.Contains(p.fires, "Mon 15:07 screen_long_session") {
		t.Errorf("fired %v, held %v", p.fires, p.held)
	}
	p.watch, p.fires = false, nil
	p.front("Editor")
	p.pass(2*time.Hour, false)
	if len(p.fires) != 0 {
		t.Errorf("with the watch off: %v", p.fires)
	}
}

// TestCaps: the caps of a rule, of the file and of the guardrails.
func TestCaps(t *testing.T) {
	const every = "[rule.a]\nwhen.at = [\"* * * * *\"]\n%s\n[rule.first_of_the_day]\nenabled = false\n"
	for _, c := range []struct {
		keys, top string
		limits    Limits
		hours     time.Duration
		want      int
	}{
		{"per_day = 3", "", DefaultLimits(), 3 * time.Hour, 3},
		{"per_hour = 2", "", DefaultLimits(), 2 * time.Hour, 4},
		{"cooldown = \"45m\"", "", DefaultLimits(), 3 * time.Hour, 4},
		{"", "per_hour = 3\n", DefaultLimits(), 2 * time.Hour, 6},
		{"", "per_hour = 900\n", Limits{Window: time.Hour, Tier2: 5, Overall: 40, Cooldown: time.Minute}, 2 * time.Hour, 10},
		{"", "per_hour = 900\n", Limits{Window: time.Hour, Tier2: 50, Overall: 7, Cooldown: time.Minute}, 2 * time.Hour, 14},
		{"if = \"hour == 15 && minute < 10\"", "per_hour = 900\n", DefaultLimits(), 3 * time.Hour, 10},
		{"if = \"today < 4\"", "per_hour = 900\n", DefaultLimits(), 3 * time.Hour, 4},
	} {
		p := sitDown(t, c.top+fmt.Sprintf(every, c.keys), "2026-03-02 14:00", time.UTC)
		p.g.Use(c.limits, 0)
		p.pass(c.hours-time.Minute, false)
		n := 0
		for _, f := range p.fires {
			if strings.HasSuffix(f, " a") {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s%s: fired %d times, want %d", c.top, c.keys, n, c.want)
		}
	}
}

// TestHeldReasons: each reason has its word.
func TestHeldReasons(t *testing.T) {
	const file = "[rule.a]\nwhen.at = [\"14:30\"]\n[rule.first_of_the_day]\nenabled = false\n"
	for reason, prepare := range map[Reason]func(p *person){
		Disabled:   func(p *person) { p.sit.Off = true },
		Hidden:     func(p *person) { p.sit.Hidden = true },
		Starting:   func(p *person) { p.g = NewGate(p.now.Add(30 * time.Minute)) },
		GlobalGap:  func(p *person) { p.g.Turn(p.now.Add(29 * time.Minute)) },
		QuietHours: func(p *person) { p.e.Use(mustRead(t, "quiet_hours = \"14:00-15:00\"\n"+file)) },
		HourlyCap:  func(p *person) { p.e.Use(mustRead(t, "per_hour = 0\n"+file)) },
	} {
		p := sitDown(t, file, "2026-03-02 14:00", time.UTC)
		prepare(p)
		p.pass(31*time.Minute, false)
		if !slices.ContainsFunc(p.held, func(h string) bool { return strings.HasSuffix(h, " a "+string(reason)) }) {
			t.Errorf("%s: fired %v, held %v", reason, p.fires, p.held)
		}
	}
}

// TestUserIsFree: what the person does herself is never held by the gap, but by the caps.
func TestUserIsFree(t *testing.T) {
	g := NewGate(time.Unix(0, 0))
	now := time.Unix(10, 0)
	g.Turn(now)
	if r := g.Ask(now, SourceUser, true); r != Free {
		t.Errorf("a gesture is held: %s", r)
	}
	for range 24 {
		g.Began(now, SourceUser)
	}
	if r := g.Ask(now, SourceUser, true); r != Tier2Cap {
		t.Errorf("the 25th in an hour: %q", r)
	}
}

func TestSignalsAndGestures(t *testing.T) {
	e := NewEngine(mustRead(t, "[rule.ci]\nwhen.signal = [\"ci/*\"]\nif = 'text contains \"failed\"'\n[rule.hug]\nwhen.gesture = [\"pat\"]\nif = \"gesture == 'pat' && hour > 3\"\n"), nil)
	f := Facts{Now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	if _, ok := e.Signal(Signal{"ci", "build", "it failed"}, f); !ok {
		t.Error("a signal did not fire")
	}
	for _, s := range []Signal{{"ci", "build", "it passed"}, {"mail", "build", "failed"}, {"ci/x", "build", "failed"}} {
		if _, ok := e.Signal(s, f); ok {
			t.Errorf("%v fired", s)
		}
	}
	if _, ok := e.Gesture("pat", f); !ok {
		t.Error("a gesture did not fire")
	}
	if _, ok := e.Gesture("drag", f); ok {
		t.Error("another gesture fired")
	}
}

func BenchmarkThousandRules(b *testing.B) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "[rule.r%d]\nwhen.words = [\"word number %d\", \"もうひとつ%d\", \"third%d\"]\nif = \"hour > 3 && present\"\nhint = \"h\"\n", i, i, i, i)
	}
	e := NewEngine(mustRead(b, text.String()), nil)
	f := Facts{Now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), Present: true, Text: strings.Repeat("a sentence of the person's, of the usual kind, ", 4)}
	b.ResetTimer()
	for b.Loop() {
		if _, ok := e.Words(f); ok {
			b.Fatal("fired")
		}
	}
}

func BenchmarkTickThousandRules(b *testing.B) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "[rule.r%d]\nwhen.at = [\"%02d:%02d\"]\nif = \"hour > 3 && present\"\nhint = \"h\"\n", i, i%24, i%60)
	}
	e := NewEngine(mustRead(b, text.String()), nil)
	l := Sighting{Facts: Facts{Now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), Present: true}}
	for b.Loop() {
		for _, f := range e.Tick(l) {
			e.Dropped(f, l.Now)
		}
	}
}
