package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // the days of the test must not depend on the machine

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"
	"pgregory.net/rapid"
)

// turning is a moment at which a zone changed its clocks or its calendar.
type turning struct{ zone, near string }

var turnings = []turning{
	{"UTC", "2026-03-01T00:00:00Z"},
	{"Europe/Berlin", "2026-03-29T01:00:00Z"},         // an hour is left out
	{"Europe/Berlin", "2026-10-25T01:00:00Z"},         // an hour comes twice
	{"America/Sao_Paulo", "2018-11-04T03:00:00Z"},     // there is no midnight
	{"America/Sao_Paulo", "2018-02-18T02:00:00Z"},     // the hour before midnight comes twice
	{"America/St_Johns", "2010-11-07T02:31:00Z"},      // a date begins, ends after a minute, and begins again
	{"Africa/Cairo", "2026-04-23T22:00:00Z"},          // there is no midnight
	{"Australia/Lord_Howe", "2026-04-04T15:00:00Z"},   // half an hour comes twice
	{"Pacific/Apia", "2011-12-30T10:00:00Z"},          // a date is left out
	{"America/Juneau", "1867-10-18T08:57:41Z"},        // a date comes twice
	{"Asia/Kathmandu", "2026-01-31T18:15:00Z"},        // an ordinary midnight of an odd zone
	{"Pacific/Kiritimati", "1994-12-31T10:40:00Z"},    // a date is left out
	{"America/New_York", "2026-11-01T06:00:00.9999Z"}, // an hour comes twice
}

func (turn turning) at() time.Time {
	loc, err := time.LoadLocation(turn.zone)
	if err != nil {
		panic(err)
	}
	at, err := time.Parse(time.RFC3339Nano, turn.near)
	if err != nil {
		panic(err)
	}
	return at.In(loc)
}

// rules are the rules of relations (docs/rules/tools.md#rate_relation) in their simplest form: a list of all changes, of which everything is counted
// afresh each time.
type rules []RelationChange

func (r rules) value(target string) (sum int) {
	for _, c := range r {
		if c.Target == target {
			sum += c.Delta
		}
	}
	return sum
}

func (r *rules) rate(c RelationCall) RelationResult {
	today := 0
	for _, old := range *r {
		if old.Target == c.Target && old.Source == "model" && old.Time.In(c.Now.Location()).Format(time.DateOnly) == c.Now.Format(time.DateOnly) {
			today += max(old.Delta, -old.Delta)
		}
	}
	step, steps := 1, c.Delta
	if c.Delta < 0 {
		step, steps = -1, -c.Delta
	}
	value, done := r.value(c.Target), 0
	for range steps { // point by point, as long as there is room
		if next := value + step; today < 4 && next >= -20 && next <= 20 {
			value, today, done = next, today+1, done+step
		}
	}
	if done != 0 {
		*r = append(*r, RelationChange{c.Target, time.UnixMilli(c.Now.UnixMilli()), done, value, c.Why, "model"})
	}
	return RelationResult{value, done, done != c.Delta}
}

func (r *rules) set(target string, value int, now time.Time) RelationResult {
	held := value
	if held > 20 {
		held = 20
	} else if held < -20 {
		held = -20
	}
	jump := held - r.value(target)
	if jump != 0 {
		*r = append(*r, RelationChange{target, time.UnixMilli(now.UnixMilli()), jump, held, "set by the user", "user"})
	}
	return RelationResult{held, jump, held != value}
}

// newestFirst is the log as the store tells it.
func (r rules) newestFirst(target ...string) (log []RelationChange) {
	for i := len(r) - 1; i >= 0; i-- {
		if len(target) == 0 || r[i].Target == target[0] {
			log = append(log, r[i])
		}
	}
	return log
}

// TestRelationRules runs random lives with clocks that run, leap back and forth and change their zone.
func TestRelationRules(t *testing.T) {
	ctx := context.Background()
	s, _ := openNew(t)
	lives := 0
	rapid.Check(t, func(t *rapid.T) {
		lives++
		preset := fmt.Sprint("life ", lives)
		targets := []string{UserTarget, TargetOf("momo"), TargetOf(UserTarget)}
		now := rapid.SampledFrom(turnings).Draw(t, "begin").at().Add(-time.Duration(rapid.Int64Range(0, int64(30*time.Hour)).Draw(t, "before")))
		var want rules
		t.Repeat(map[string]func(*rapid.T){
			"rate": func(t *rapid.T) {
				c := RelationCall{preset, rapid.SampledFrom(targets).Draw(t, "target"), rapid.SampledFrom([]int{-2, -1, 1, 2, 2, 2, 0, 9, -9}).Draw(t, "delta"),
					rapid.StringN(0, 80, -1).Draw(t, "why"), now}
				got, err := s.Rate(ctx, c)
				if diff := cmp.Diff(want.rate(c), got); err != nil || diff != "" {
					t.Fatalf("rate: %v %s", err, diff)
				}
			},
			"set": func(t *rapid.T) {
				target, value := rapid.SampledFrom(targets).Draw(t, "target"), rapid.IntRange(-25, 25).Draw(t, "value")
				got, err := s.SetByUser(ctx, preset, target, value, now)
				if diff := cmp.Diff(want.set(target, value, now), got); err != nil || diff != "" {
					t.Fatalf("set: %v %s", err, diff)
				}
			},
			"clock runs": func(t *rapid.T) { now = now.Add(time.Duration(rapid.Int64Range(0, int64(3*time.Hour)).Draw(t, "by"))) },
			"days pass":  func(t *rapid.T) { now = now.Add(time.Duration(rapid.Int64Range(0, int64(60*time.Hour)).Draw(t, "by"))) },
			"clock is set": func(t *rapid.T) {
				now = now.Add(time.Duration(rapid.Int64Range(int64(-50*time.Hour), int64(50*time.Hour)).Draw(t, "by")))
			},
			"minute by minute": func(t *rapid.T) { now = now.Add(time.Duration(rapid.IntRange(-90, 90).Draw(t, "by")) * time.Minute) },
			"zone changes":     func(t *rapid.T) { now = now.In(rapid.SampledFrom(turnings).Draw(t, "zone").at().Location()) },
			"": func(t *rapid.T) {
				values, err := s.Relations(ctx, preset)
				if err != nil {
					t.Fatal(err)
				}
				for _, target := range targets {
					if values[target] != want.value(target) {
						t.Fatalf("%s is %d, the log adds up to %d", target, values[target], want.value(target))
					}
					log, err := s.RelationLog(ctx, preset, 1000, target)
					if diff := cmp.Diff(want.newestFirst(target), log); err != nil || diff != "" {
						t.Fatalf("log of %s: %v %s", target, err, diff)
					}
				}
				log, err := s.RelationLog(ctx, preset, 1000)
				if diff := cmp.Diff(want.newestFirst(), log); err != nil || diff != "" {
					t.Fatalf("log: %v %s", err, diff)
				}
			},
		})
	})
}

// TestDailyCapByZone spends a day's points just before each turning and looks for the moment at which there are new ones:
// it must be the moment at which the date changes, and no other.
func TestDailyCapByZone(t *testing.T) {
	ctx := context.Background()
	s, _ := openNew(t)
	for i, turn := range turnings {
		begin := turn.at().Add(-40 * time.Minute)
		for j := range 60 {
			preset, now := fmt.Sprint(i, " ", j), begin.Add(time.Duration(j+1)*47*time.Minute)
			for k, at := range []time.Time{begin, begin, now} {
				r, err := s.Rate(ctx, RelationCall{preset, UserTarget, 2, "x", at})
				if err != nil {
					t.Fatal(err)
				}
				if sameDay := now.Format(time.DateOnly) == begin.Format(time.DateOnly); (k == 2 && sameDay) != (r.Delta == 0) {
					t.Errorf("%s: spent at %v, call %d at %v changes %d points", turn.zone, begin, k, at, r.Delta)
				}
			}
		}
	}
}

func TestRelationExtremes(t *testing.T) {
	ctx := context.Background()
	s, _ := openNew(t)
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for i, c := range []struct {
		delta int
		want  RelationResult
	}{{math.MaxInt, RelationResult{4, 4, true}}, {math.MinInt, RelationResult{0, -4, true}}, {0, RelationResult{}}} {
		now = now.AddDate(0, 0, 1)
		if got, err := s.Rate(ctx, RelationCall{"yui", UserTarget, c.delta, "x", now}); err != nil || got != c.want {
			t.Errorf("%d: %+v %v, want %+v", i, got, err, c.want)
		}
	}
	for value, want := range map[int]RelationResult{math.MaxInt: {20, 20, true}, math.MinInt: {-20, -20, true}, 0: {}} {
		if got, err := s.SetByUser(ctx, fmt.Sprint(value), UserTarget, value, now); err != nil || got != want {
			t.Errorf("set %d: %+v %v, want %+v", value, got, err, want)
		}
	}
	if log, err := s.RelationLog(ctx, "0", 10); err != nil || len(log) != 0 {
		t.Errorf("setting what is there already was logged: %+v %v", log, err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Rate(ended, RelationCall{"late", UserTarget, 1, "x", now}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	if all, err := s.Relations(ctx, "late"); err != nil || len(all) != 0 {
		t.Errorf("after the end something was stored: %v %v", all, err)
	}
}

// TestFeelingsOutliveAPreset keeps what was felt toward a preset that is gone, apart from the person.
func TestFeelingsOutliveAPreset(t *testing.T) {
	ctx := context.Background()
	s, path := openNew(t)
	now := time.Now()
	for _, c := range []RelationCall{
		{"yui", TargetOf("momo"), 2, "shared her cake", now}, {"yui", UserTarget, -1, "forgot the tea", now},
		{"momo", TargetOf("user"), 1, "a nice name", now}, {"sora", TargetOf("yui"), 1, "x", now},
	} {
		if _, err := s.Rate(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.SetOpen(ctx, "momo", false), s.Close()); err != nil {
		t.Fatal(err)
	}
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	values, err := s.Relations(ctx, "yui")
	if diff := cmp.Diff(map[string]int{"preset:momo": 2, "user": -1}, values); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	ids, err := s.RelatedPresets(ctx)
	if diff := cmp.Diff([]string{"momo", "sora", "user", "yui"}, ids); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for target, want := range map[string]string{TargetOf("momo"): "momo", TargetOf("user"): "user", UserTarget: ""} {
		if id, ok := PresetOf(target); ok != (want != "") || ok && id != want {
			t.Errorf("%s is %q %v", target, id, ok)
		}
	}
}

// checkSums finds values that are not the sum of their log, rows of the log that do not follow each other, and days
// with more than four points. It returns the number of log rows.
func checkSums(t *testing.T, db *sql.DB) (rows int) {
	t.Helper()
	for about, q := range map[string]string{
		"values that are not the sum of their log": `SELECT count(*) FROM (SELECT preset, target, sum(delta) AS s FROM relation_log GROUP BY preset, target) l
			FULL JOIN relation r USING (preset, target) WHERE r.value IS NOT l.s`,
		"log rows that do not follow": `SELECT count(*) FROM (SELECT value, sum(delta) OVER (PARTITION BY preset, target ORDER BY id) AS s FROM relation_log) WHERE value <> s`,
		"days over the cap": `SELECT count(*) FROM (SELECT sum(abs(delta)) AS s FROM relation_log WHERE source = 'model'
			GROUP BY preset, target, ts / 86400000) WHERE s > 4`,
		"changes of nothing": `SELECT count(*) FROM relation_log WHERE delta = 0`,
	} {
		var n int
		if err := db.QueryRow(q).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			t.Errorf("%d %s", n, about)
		}
	}
	if err := db.QueryRow("SELECT count(*) FROM relation_log").Scan(&rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// rateForEver changes relations of few pairs on many days until ctx ends or n is reached, and says what was acknowledged.
func rateForEver(ctx context.Context, s *Store, seed, n int, said func()) error {
	for i := 0; i < n; i++ {
		k := seed + i
		now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, k/3%97)
		var err error
		if k%11 == 0 {
			_, err = s.SetByUser(ctx, "yui", []string{UserTarget, TargetOf("momo")}[k%2], k%41-20, now)
		} else {
			_, err = s.Rate(ctx, RelationCall{"yui", []string{UserTarget, TargetOf("momo")}[k%2], []int{-2, -1, 1, 2, 2}[k%5], "x", now})
		}
		if err != nil {
			return err
		}
		said()
	}
	return nil
}

// TestRelationWriters has four writers at once: two goroutines of one store, one of a second, and another process.
func TestRelationWriters(t *testing.T) {
	const each = 250
	if path := os.Getenv("YUI_RELATION_WRITER"); path != "" {
		s, err := Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(rateForEver(context.Background(), s, 3, each, func() {}), s.Close()); err != nil {
			t.Fatal(err)
		}
		return
	}
	ctx := context.Background()
	s, path := openNew(t)
	second, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestRelationWriters$", "-test.timeout", "60s")
	cmd.Env = append(os.Environ(), "YUI_RELATION_WRITER="+path)
	var wg sync.WaitGroup
	wg.Go(func() {
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("the other process: %v\n%s", err, out)
		}
	})
	for i, db := range []*Store{s, s, second} {
		wg.Go(func() {
			if err := rateForEver(ctx, db, i, each, func() {}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if rows := checkSums(t, s.db); rows < each {
		t.Errorf("only %d changes came to pass", rows)
	}
}

// TestRelationKill kills a process with two writers, at another instant each round, while this one has two more. Each
// change that the dead one said it had made must be there.
func TestRelationKill(t *testing.T) {
	if path := os.Getenv("YUI_RELATION_KILL"); path != "" {
		dieRating(t, path)
	}
	s, path := openNew(t)
	before := 0
	for round := range 12 {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestRelationKill$", "-test.timeout", "60s")
		cmd.Env = append(os.Environ(), "YUI_RELATION_KILL="+path, fmt.Sprint("YUI_RELATION_ROUND=", round))
		out := &lineCounter{want: 10 + 7*round, full: make(chan struct{})}
		cmd.Stdout = out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 2)
		for i := range 2 {
			go func() { ended <- rateForEver(ctx, s, 2*round+i, math.MaxInt, func() {}) }()
		}
		select {
		case <-out.full:
		case <-time.After(30 * time.Second):
			t.Error("the writers did not get going")
		}
		for end := time.Now().Add(time.Duration(round*83) * time.Microsecond); time.Now().Before(end); { // between two lines
		}
		cmd.Process.Kill()
		cmd.Wait()
		stop()
		for range 2 {
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("a writer that was not killed: %v", err)
			}
		}
		rows := checkSums(t, s.db)
		if rows <= before {
			t.Errorf("round %d: nothing was written", round)
		}
		before = rows
		for i := range 2 {
			log, err := s.RelationLog(context.Background(), killed(round, i), 1<<20)
			if said := out.count(fmt.Sprintf("wrote %d\n", i)); err != nil || said == 0 || len(log) < said || len(log) > said+1 {
				t.Errorf("round %d: writer %d said that it had made %d changes, there are %d (%v)", round, i, said, len(log), err)
			}
		}
	}
	var verdict string
	if err := s.db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("the file: %s %v", verdict, err)
	}
}

// killed is the preset of a writer that will be killed.
func killed(round, writer int) string { return fmt.Sprint("killed ", round, " ", writer) }

// dieRating rates with two goroutines until the process is killed, and says so after each change.
func dieRating(t *testing.T, path string) {
	s, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	round := 0
	fmt.Sscan(os.Getenv("YUI_RELATION_ROUND"), &round)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			for k := 0; ; k++ {
				now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, k/2)
				c := RelationCall{killed(round, i), UserTarget, 2 - k%2*4, "x", now}
				if r, err := s.Rate(context.Background(), c); err != nil || r.Delta != c.Delta {
					t.Error(r, err)
					return
				}
				fmt.Printf("wrote %d\n", i)
			}
		})
	}
	wg.Wait()
	t.Fatal("the writers gave up")
}

// TestStopWhileLocked ends the wait for a file that another program keeps locked.
func TestStopWhileLocked(t *testing.T) {
	s, path := openNew(t)
	second, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	tx, err := second.db.Begin() // immediate: it holds the write lock
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	got := make(chan error, 1)
	go func() {
		_, err := s.Rate(ctx, RelationCall{"yui", UserTarget, 1, "x", time.Now()})
		got <- err
	}()
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	tx.Rollback()
	if r, err := s.Rate(context.Background(), RelationCall{"yui", UserTarget, 1, "x", time.Now()}); err != nil || r.Value != 1 {
		t.Errorf("once the lock is gone: %+v %v", r, err)
	}
}

// TestStopAtAnyMoment stops ratings at many moments of their transaction: one that says that it failed has left nothing,
// one that says that it worked is there.
func TestStopAtAnyMoment(t *testing.T) {
	s, _ := openNew(t)
	failed := 0
	for i := range 600 {
		preset := fmt.Sprint(i)
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(time.Duration(i)*time.Microsecond, cancel)
		_, err := s.Rate(ctx, RelationCall{preset, UserTarget, 1, "x", time.Now()})
		cancel()
		if err != nil {
			failed++
			if !errors.Is(err, context.Canceled) {
				t.Errorf("stopped after %d us: %v", i, err)
			}
		}
		log, logErr := s.RelationLog(context.Background(), preset, 10)
		if logErr != nil || (len(log) == 0) != (err != nil) {
			t.Errorf("stopped after %d us: Rate says %v, the log has %d rows (%v)", i, err, len(log), logErr)
		}
	}
	if failed == 0 {
		t.Error("no rating was stopped in time")
	}
	checkSums(t, s.db)
}

// TestRelationsOfTheFirstVersion opens a file that was made before the indexes of version 2.
func TestRelationsOfTheFirstVersion(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "yui.db")
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("migrations"), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(ctx, 1); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if _, err := db.Exec(`INSERT INTO relation VALUES ('yui', 'user', 3);
		INSERT INTO relation_log (preset, target, ts, delta, value, why, source) VALUES ('yui', 'user', ?, 3, 3, 'x', 'model')`, now.UnixMilli()); err != nil {
		t.Fatal(err)
	}
	db.Close()
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if r, err := s.Rate(ctx, RelationCall{"yui", UserTarget, 2, "x", now}); err != nil || r != (RelationResult{4, 1, true}) {
		t.Errorf("%+v %v", r, err)
	}
	checkSums(t, s.db)
}

// TestRelationIndexes asks SQLite whether the questions of each turn and of the panel are answered without reading the
// whole log.
func TestRelationIndexes(t *testing.T) {
	s, _ := openNew(t)
	for q, index := range map[string]string{
		`SELECT ts, abs(delta) FROM relation_log WHERE preset = 'a' AND target = 'b' AND source = 'model' AND ts BETWEEN 1 AND 2`: "relation_log_by_time",
		`SELECT why FROM relation_log WHERE preset = 'a' ORDER BY id DESC LIMIT 9`:                                                "relation_log_by_preset",
		`SELECT why FROM relation_log WHERE preset = 'a' AND target IN ('b') ORDER BY id DESC LIMIT 9`:                            "relation_log_by_pair",
	} {
		rows, err := s.db.Query("EXPLAIN QUERY PLAN " + q)
		if err != nil {
			t.Fatal(err)
		}
		var plan []string
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			plan = append(plan, step)
		}
		rows.Close()
		if all := strings.Join(plan, "; "); !strings.Contains(all, index) || strings.Contains(all, "SCAN") || strings.Contains(all, "TEMP B-TREE") {
			t.Errorf("%s: %s", q, all)
		}
	}
}

func BenchmarkRate(b *testing.B) {
	s, err := Open(context.Background(), filepath.Join(b.TempDir(), "yui.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for i := 0; b.Loop(); i++ {
		if r, err := s.Rate(ctx, RelationCall{"yui", UserTarget, 2 - i/2%2*4, "brought me tea", now.AddDate(0, 0, i/2)}); err != nil || r.Delta == 0 {
			b.Fatal(r, err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ratings/s")
}

// BenchmarkRelationLog reads what the panel shows of a history of 10,000 changes.
func BenchmarkRelationLog(b *testing.B) {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(b.TempDir(), "yui.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for i := range 10000 {
		if _, err := s.Rate(ctx, RelationCall{"yui", []string{UserTarget, TargetOf("momo")}[i%2], 2 - i/4%2*4, "brought me tea", now.AddDate(0, 0, i/4)}); err != nil {
			b.Fatal(err)
		}
	}
	for name, limit := range map[string]int{"all": 10000, "newest 200": 200} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if log, err := s.RelationLog(ctx, "yui", limit); err != nil || len(log) != limit {
					b.Fatal(len(log), err)
				}
			}
		})
	}
	b.Run("one target", func(b *testing.B) {
		for b.Loop() {
			if log, err := s.RelationLog(ctx, "yui", 10000, UserTarget); err != nil || len(log) != 5000 {
				b.Fatal(len(log), err)
			}
		}
	})
}
