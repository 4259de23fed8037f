package plugin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"yui/internal/readable"
)

const (
	// defaultDeadline is how long a turn waits for all plugins together: 300 ms, less what a busy machine needs
	// to wake us.
	defaultDeadline = 280 * time.Millisecond
	// fetchTimeout ends one fetch; it goes on in the background when the turn has left without it.
	fetchTimeout = 15 * time.Second
	// closeWait is how long Close waits for a plugin that does not heed its context.
	closeWait = 2 * time.Second
	// maxWriters bounds the goroutines in one plugin's Line: some for turns of several pets at once, no more when it hangs.
	maxWriters = 4
	// firstRetry and lastRetry are the pauses after a failed fetch: doubled each time.
	firstRetry, lastRetry = 30 * time.Second, 15 * time.Minute
	// longestPause bounds what a server may ask for by Retry-After.
	longestPause = time.Hour
)

// Options of a Set. The zero value is what the app uses.
type Options struct {
	Deadline time.Duration // 280 ms where 0
	Log      *slog.Logger  // nil for none
}

// A Set asks plugins. Safe from any goroutine.
type Set struct {
	deadline time.Duration
	log      *slog.Logger
	ctx      context.Context
	cancel   context.CancelFunc
	slots    []*slot
	byName   map[string]*slot

	mu     sync.Mutex // guards the slots' state and closed
	closed bool
	work   sync.WaitGroup
}

// slot is one plugin and what is known of its last fetches.
type slot struct {
	Plugin
	fetch Fetcher // nil for a plugin that needs none

	fetched  time.Time     // of the last success
	flight   chan struct{} // closed when the running fetch ends; nil while none runs
	began    time.Time     // of the running fetch
	waited   bool          // a turn has waited for this plugin once: never again
	failures int           // in a row
	retry    time.Time
	err      error
	since    time.Time
	writers  int
}

// NewSet makes a Set; the lines keep the plugins' order. It fails where two have one name.
func NewSet(o Options, plugins ...Plugin) (*Set, error) {
	if o.Deadline == 0 {
		o.Deadline = defaultDeadline
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Set{deadline: o.Deadline, log: o.Log, byName: map[string]*slot{}}
	for _, p := range plugins {
		if _, twice := s.byName[p.Name()]; twice || p.Name() == "" {
			return nil, fmt.Errorf("add plugin %q: the name is empty or taken", p.Name())
		}
		sl := &slot{Plugin: p}
		sl.fetch, _ = p.(Fetcher)
		s.slots, s.byName[p.Name()] = append(s.slots, sl), sl
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

// Names lists the plugins in the order of their lines.
func (s *Set) Names() []string {
	names := make([]string, len(s.slots))
	for i, sl := range s.slots {
		names[i] = sl.Name()
	}
	return names
}

// Lines asks all plugins at once and returns the lines that came in time, in the plugins' order: each one line of
// at most MaxLine characters. Only a plugin that was never asked before makes it wait, at most the Set's deadline for
// all together; who comes later has its line in the next turn.
func (s *Set) Lines(ctx context.Context, now time.Time) []string {
	var lines []string
	for _, line := range s.ask(ctx, now, s.slots) {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// Line asks one plugin by its name, under the same rules. The error is ErrUnknown for a name that is not there.
func (s *Set) Line(ctx context.Context, now time.Time, name string) (string, error) {
	sl, ok := s.byName[name]
	if !ok {
		return "", fmt.Errorf("ask plugin %q: %w", name, ErrUnknown)
	}
	return s.ask(ctx, now, []*slot{sl})[0], nil
}

// Refresh starts fetching whatever is no longer new, and waits for nothing. Called now and then, it keeps the caches
// warm and the reminders right while nobody talks.
func (s *Set) Refresh(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sl := range s.slots {
		s.start(sl, now)
	}
}

// Check fetches everything now, waits for it until ctx ends, and returns what is wrong: for `yui doctor`.
func (s *Set) Check(ctx context.Context, now time.Time) []Problem {
	s.Refresh(now)
	var late []Problem
	for _, sl := range s.slots {
		s.mu.Lock()
		flight := sl.flight
		s.mu.Unlock()
		if flight == nil {
			continue
		}
		select {
		case <-flight:
		case <-ctx.Done():
			late = append(late, Problem{Plugin: sl.Name(), Err: errors.New("no answer in time")})
		}
	}
	return append(late, s.Problems()...)
}

// Problems tells which plugins failed last, and what they complain of.
func (s *Set) Problems() []Problem {
	s.mu.Lock()
	var list []Problem
	for _, sl := range s.slots {
		if sl.err != nil {
			list = append(list, Problem{sl.Name(), sl.err, sl.since})
		}
	}
	s.mu.Unlock()
	for _, sl := range s.slots {
		if t, ok := sl.Plugin.(Troubled); ok {
			for _, err := range t.Troubles() {
				list = append(list, Problem{Plugin: sl.Name(), Err: err})
			}
		}
	}
	return list
}

// Close ends all fetches and waits for them; a plugin that does not come back is left behind after two seconds. A
// closed Set gives no lines.
func (s *Set) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	done := make(chan struct{})
	go func() {
		s.work.Wait()
		close(done)
	}()
	timer := time.NewTimer(closeWait)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		s.log.Warn("a plugin does not end")
	}
}

// ask returns a line for each slot, "" where there is none.
func (s *Set) ask(ctx context.Context, now time.Time, slots []*slot) []string {
	ctx, cancel := context.WithTimeout(ctx, s.deadline)
	defer cancel()
	type answer struct {
		i    int
		line string
	}
	lines := make([]string, len(slots))
	answers := make(chan answer, len(slots)) // room for all: late ones hang nowhere
	asked := 0
	for i, sl := range slots {
		flight, ok := s.enter(sl, now)
		if !ok {
			continue
		}
		asked++
		go func() {
			defer s.leave(sl)
			answers <- answer{i, s.write(ctx, sl, flight, now)}
		}()
	}
	for range asked {
		select {
		case a := <-answers:
			lines[a.i] = a.line
		case <-ctx.Done():
			return lines
		}
	}
	return lines
}

// enter counts a writer in, and gives the fetch that it has to wait for, if any.
func (s *Set) enter(sl *slot, now time.Time) (<-chan struct{}, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || sl.writers >= maxWriters {
		return nil, false
	}
	sl.writers++
	s.work.Add(1)
	s.start(sl, now)
	cold := sl.flight != nil && sl.fetched.IsZero() && sl.failures == 0
	if !cold || sl.waited && time.Since(sl.began) > s.deadline {
		return nil, true
	}
	sl.waited = true
	return sl.flight, true
}

func (s *Set) leave(sl *slot) {
	s.mu.Lock()
	sl.writers--
	s.mu.Unlock()
	s.work.Done()
}

// write waits for a first fetch and asks for the line.
func (s *Set) write(ctx context.Context, sl *slot, flight <-chan struct{}, now time.Time) (line string) {
	if flight != nil {
		select {
		case <-flight:
		case <-ctx.Done():
			return ""
		}
	}
	defer func() {
		if r := recover(); r != nil {
			line = ""
			s.note(sl, now, fmt.Errorf("write line: panic: %v", r))
		}
	}()
	return readable.Line(sl.Line(now), MaxLine)
}

// start begins a fetch where one is due. The lock is held.
func (s *Set) start(sl *slot, now time.Time) {
	if sl.fetch == nil || s.closed || sl.flight != nil || !sl.due(now) {
		return
	}
	flight := make(chan struct{})
	sl.flight, sl.began = flight, time.Now()
	s.work.Go(func() {
		err := s.fetchOnce(sl, now)
		if s.ctx.Err() != nil {
			err = nil // ended by Close, which is nobody's fault
		}
		s.note(sl, now, err)
		s.mu.Lock()
		if err == nil && s.ctx.Err() == nil {
			sl.fetched = now
		}
		sl.flight = nil
		s.mu.Unlock()
		close(flight)
	})
}

// due tells whether it is time to fetch. A clock that was set back makes everything due, and no pause outlasts the
// longest one.
func (sl *slot) due(now time.Time) bool {
	if sl.failures > 0 {
		wait := sl.retry.Sub(now)
		return wait <= 0 || wait > longestPause
	}
	age := now.Sub(sl.fetched)
	return sl.fetched.IsZero() || age < 0 || age >= sl.fetch.Lasts()
}

func (s *Set) fetchOnce(sl *slot, now time.Time) (err error) {
	ctx, cancel := context.WithTimeout(s.ctx, fetchTimeout)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("fetch: panic: %v", r)
		}
	}()
	return sl.fetch.Fetch(ctx, now)
}

// note remembers how a fetch ended, and logs the first failure of a row.
func (s *Set) note(sl *slot, now time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		if sl.failures > 0 {
			s.log.Info("plugin is well again", "plugin", sl.Name())
		}
		sl.failures, sl.err, sl.since = 0, nil, time.Time{}
		return
	}
	if sl.failures == 0 {
		sl.since = now
		s.log.Warn("plugin failed", "plugin", sl.Name(), "error", err)
	}
	wait := min(firstRetry<<min(sl.failures, 10), lastRetry)
	var p *pause
	if errors.As(err, &p) {
		wait = min(max(wait, p.dur), longestPause)
	}
	sl.failures++
	sl.err, sl.retry = err, now.Add(wait)
}
