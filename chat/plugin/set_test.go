package plugin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	_ "time/tzdata" // the tests need zones on any machine

	"go.uber.org/goleak"

	"yui/assets/lang"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noon is the moment of most tests: a Monday.
var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// long is how long a test waits for what must come.
const long = 20 * time.Second

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func newSet(t testing.TB, o Options, plugins ...Plugin) *Set {
	t.Helper()
	s, err := NewSet(o, plugins...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// told is a plugin whose line is at hand.
type told struct{ name, line string }

func (p told) Name() string          { return p.name }
func (p told) Line(time.Time) string { return p.line }

// fetching is a plugin whose Fetch the test owns.
type fetching struct {
	name  string
	fetch func(ctx context.Context, now time.Time) error
	lasts time.Duration
	calls atomic.Int64
	good  atomic.Int64 // the successes so far, told by the line
}

func (p *fetching) Name() string         { return p.name }
func (p *fetching) Lasts() time.Duration { return p.lasts }
func (p *fetching) Fetch(ctx context.Context, now time.Time) error {
	p.calls.Add(1)
	err := p.fetch(ctx, now)
	if err == nil {
		p.good.Add(1)
	}
	return err
}
func (p *fetching) Line(time.Time) string {
	if n := p.good.Load(); n > 0 {
		return fmt.Sprintf("%s: %d", p.name, n)
	}
	return ""
}

// settled waits until no fetch runs.
func settled(t testing.TB, s *Set) {
	t.Helper()
	for end := time.Now().Add(long); ; {
		s.mu.Lock()
		var flight chan struct{}
		for _, sl := range s.slots {
			if sl.flight != nil {
				flight = sl.flight
			}
		}
		s.mu.Unlock()
		if flight == nil {
			return
		}
		select {
		case <-flight:
		case <-time.After(time.Until(end)):
			t.Fatal("a fetch does not end")
		}
	}
}

func wantLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLinesKeepTheirOrderAndAreClean(t *testing.T) {
	s := newSet(t, Options{}, told{"a", "a: 1"}, told{"b", ""}, told{"c", "c: x\ny\u202e\x00z"}, told{"d", strings.Repeat("長", 300)})
	got := s.Lines(t.Context(), noon)
	wantLines(t, got, "a: 1", "c: x yz", strings.Repeat("長", MaxLine-1)+"…")
	if strings.Join(s.Names(), " ") != "a b c d" {
		t.Error(s.Names())
	}
	line, err := s.Line(t.Context(), noon, "a")
	if line != "a: 1" || err != nil {
		t.Error(line, err)
	}
	if _, err := s.Line(t.Context(), noon, "nobody"); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	if _, err := NewSet(Options{}, told{"a", ""}, told{"a", ""}); err == nil {
		t.Error("two plugins have one name")
	}
}

// A first fetch is waited for; later ones go on in the background, while the old facts are told.
func TestCacheLife(t *testing.T) {
	p := &fetching{name: "p", lasts: time.Minute, fetch: func(context.Context, time.Time) error { return nil }}
	s := newSet(t, Options{Deadline: long}, p)
	wantLines(t, s.Lines(t.Context(), noon), "p: 1")
	wantLines(t, s.Lines(t.Context(), noon.Add(59*time.Second)), "p: 1")
	if p.calls.Load() != 1 {
		t.Error("fetched while fresh")
	}
	hold := make(chan struct{})
	p.fetch = func(context.Context, time.Time) error { <-hold; return nil }
	for range 10 { // stale, but usable; and one fetch at a time
		wantLines(t, s.Lines(t.Context(), noon.Add(time.Hour)), "p: 1")
	}
	close(hold)
	settled(t, s)
	wantLines(t, s.Lines(t.Context(), noon.Add(time.Hour)), "p: 2")
	if p.calls.Load() != 2 {
		t.Errorf("%d fetches", p.calls.Load())
	}
	// A clock that was set back does not make old facts look new.
	s.Refresh(noon.Add(-time.Hour))
	settled(t, s)
	if p.calls.Load() != 3 {
		t.Errorf("%d fetches", p.calls.Load())
	}
}

// One that never answers costs the deadline once, and after that nothing but its line.
func TestSlowPlugins(t *testing.T) {
	stuck := &fetching{name: "stuck", fetch: func(ctx context.Context, _ time.Time) error { <-ctx.Done(); return ctx.Err() }}
	release := make(chan struct{})
	slow := &fetching{name: "slow", lasts: time.Hour, fetch: func(ctx context.Context, _ time.Time) error {
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
	s := newSet(t, Options{}, told{"a", "a: 1"}, stuck, slow, told{"z", "z: 1"})
	began := time.Now()
	wantLines(t, s.Lines(t.Context(), noon), "a: 1", "z: 1")
	if d := time.Since(began); d < defaultDeadline*9/10 || d > 3*time.Second {
		t.Errorf("the first turn waited %v", d)
	}
	for range 20 {
		wantLines(t, s.Lines(t.Context(), noon), "a: 1", "z: 1")
	}
	if stuck.calls.Load() != 1 || slow.calls.Load() != 1 {
		t.Error("a second fetch runs beside the first")
	}
	close(release)
	for end := time.Now().Add(long); slow.good.Load() == 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	wantLines(t, s.Lines(t.Context(), noon), "a: 1", "slow: 1", "z: 1") // the next turn has it
}

// A turn that is stopped does not wait on.
func TestCancelledTurn(t *testing.T) {
	stuck := &fetching{name: "stuck", fetch: func(ctx context.Context, _ time.Time) error { <-ctx.Done(); return ctx.Err() }}
	s := newSet(t, Options{Deadline: time.Hour}, stuck)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	wantLines(t, s.Lines(ctx, noon))
}

func TestFailuresBackOff(t *testing.T) {
	broken := errors.New("out of order")
	p := &fetching{name: "p", lasts: time.Minute, fetch: func(context.Context, time.Time) error { return broken }}
	s := newSet(t, Options{Deadline: long}, p, told{"a", "a: 1"})
	now := noon
	wantLines(t, s.Lines(t.Context(), now), "a: 1")
	if list := s.Problems(); len(list) != 1 || list[0].String() != "p: out of order" || !list[0].Since.Equal(noon) {
		t.Error(list)
	}
	tries := p.calls.Load()
	for range int(24 * time.Hour / (10 * time.Second)) { // a day of turns
		now = now.Add(10 * time.Second)
		s.Lines(t.Context(), now)
		settled(t, s)
	}
	if n := p.calls.Load() - tries; n < 90 || n > 110 {
		t.Errorf("%d tries in a day", n)
	}
	p.fetch = func(context.Context, time.Time) error { return nil }
	now = now.Add(lastRetry)
	s.Lines(t.Context(), now)
	settled(t, s)
	wantLines(t, s.Lines(t.Context(), now), "p: 1", "a: 1")
	if list := s.Problems(); len(list) != 0 {
		t.Error(list)
	}
	// What worked keeps its facts when it fails again; a server that asks for a pause gets it.
	p.fetch = func(context.Context, time.Time) error { return fmt.Errorf("ask: %w", &pause{broken, 40 * time.Minute}) }
	now = now.Add(time.Minute)
	s.Lines(t.Context(), now)
	settled(t, s)
	tries = p.calls.Load()
	wantLines(t, s.Lines(t.Context(), now.Add(39*time.Minute)), "p: 1", "a: 1")
	settled(t, s)
	if p.calls.Load() != tries {
		t.Error("asked within the pause")
	}
	s.Lines(t.Context(), now.Add(41*time.Minute))
	settled(t, s)
	if p.calls.Load() != tries+1 {
		t.Error("not asked after the pause")
	}
}

type panicking struct{ told }

func (panicking) Line(time.Time) string { panic("line") }

func TestPanicsAreCaught(t *testing.T) {
	p := &fetching{name: "p", fetch: func(context.Context, time.Time) error { panic("fetch") }}
	s := newSet(t, Options{Deadline: long}, panicking{told{name: "q"}}, p, told{"a", "a: 1"})
	wantLines(t, s.Lines(t.Context(), noon), "a: 1")
	if got := fmt.Sprint(s.Problems()); !strings.Contains(got, "q: write line: panic: line") || !strings.Contains(got, "p: fetch: panic: fetch") {
		t.Error(got)
	}
}

// hanging does not come back from Line until it is let go.
type hanging struct {
	told
	in   atomic.Int64
	hold chan struct{}
}

func (p *hanging) Line(time.Time) string {
	p.in.Add(1)
	<-p.hold
	return "late"
}

func TestHangingLineIsBounded(t *testing.T) {
	p := &hanging{told: told{name: "p"}, hold: make(chan struct{})}
	s := newSet(t, Options{Deadline: 5 * time.Millisecond}, p)
	for range 50 {
		wantLines(t, s.Lines(t.Context(), noon))
	}
	if n := p.in.Load(); n > maxWriters {
		t.Errorf("%d goroutines hang", n)
	}
	close(p.hold)
}

func TestCloseEndsFetches(t *testing.T) {
	ended := make(chan struct{})
	p := &fetching{name: "p", fetch: func(ctx context.Context, _ time.Time) error { <-ctx.Done(); close(ended); return ctx.Err() }}
	s := newSet(t, Options{Deadline: time.Millisecond}, p)
	s.Refresh(noon)
	s.Close()
	select {
	case <-ended:
	default:
		t.Error("Close came back before the fetch")
	}
	if len(s.Problems()) != 0 {
		t.Error(s.Problems())
	}
	s.Refresh(noon)
	wantLines(t, s.Lines(t.Context(), noon))
	s.Close()
}

func TestCheckWaits(t *testing.T) {
	p := &fetching{name: "p", fetch: func(context.Context, time.Time) error { return errors.New("no") }}
	q := &fetching{name: "q", fetch: func(ctx context.Context, _ time.Time) error { <-ctx.Done(); return ctx.Err() }}
	s := newSet(t, Options{}, p, q)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if got := fmt.Sprint(s.Check(ctx, noon)); !strings.Contains(got, "p: no") || !strings.Contains(got, "q: ") {
		t.Error(got)
	}
}

func TestClock(t *testing.T) {
	tokyo := zone(t, "Asia/Tokyo")
	at := time.Date(2026, 3, 1, 21, 30, 0, 0, time.UTC) // Monday morning in Tokyo
	for language, want := range map[string]string{
		"en": "date: Monday, 2 March 2026, morning", "ja": "日付: 2026年3月2日 月曜日、朝", "ko": "날짜: 2026년 3월 2일 월요일, 아침", "fr": "date: Monday, 2 March 2026, morning",
	} {
		if got := NewClock(lang.In(language)).Line(at.In(tokyo)); got != want {
			t.Errorf("%s: %s", language, got)
		}
	}
	if got := NewClock(lang.In("en")).Line(at); got != "date: Sunday, 1 March 2026, evening" {
		t.Error(got)
	}
	parts := map[string]bool{}
	for h := range 24 {
		parts[string(partOfDay(time.Date(2026, 3, 2, h, 0, 0, 0, tokyo)))] = true
	}
	if len(parts) != 6 {
		t.Error(parts)
	}
}
