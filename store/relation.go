package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// UserTarget is the target id of the person. A preset's target id is TargetOf.
const UserTarget = "user"

// UserReason is the reason of a change that the person made; no model's change may carry it (docs/rules/tools.md#rate_relation).
const UserReason = "set by the user"

const (
	relationLimit = 20 // a value lies between -20 and 20
	dailyCap      = 4  // points of change a target and local calendar day, ups and downs added
	// daySpan is more than any calendar day lies away from a moment of its own, clocks that change at midnight and
	// islands that move the date line included.
	daySpan = 72 * time.Hour
)

// TargetOf returns the target id of a preset; it can never be UserTarget.
func TargetOf(preset string) string { return targetPrefix + preset }

// PresetOf returns the preset that a target id names; ok is false for the person.
func PresetOf(target string) (preset string, ok bool) { return strings.CutPrefix(target, targetPrefix) }

const targetPrefix = "preset:"

// RelationChange is one row of the log of changes.
type RelationChange struct {
	Target       string
	Time         time.Time
	Delta, Value int
	Why, Source  string // Source is "model" or "user"
}

// RelationCall is a change that a model asks for.
type RelationCall struct {
	Preset, Target string
	Delta          int
	Why            string
	Now            time.Time // the daily cap counts the calendar day that Now shows in its own location
}

// RelationResult is what became of a change.
type RelationResult struct {
	Value   int  // after the change
	Delta   int  // what was applied, 0 if nothing was
	Clamped bool // less than was asked for was applied
}

// Rate applies a model's change in one transaction. What would pass the daily cap of 4 points or the range of -20 to 20
// is cut to what fits, and a change cut to nothing leaves no trace (docs/rules/tools.md#rate_relation). When Rate returns without
// an error the change outlasts a power cut; with one, nothing changed.
func (s *Store) Rate(ctx context.Context, c RelationCall) (RelationResult, error) {
	var r RelationResult
	err := s.relationTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		value, err := relationValue(ctx, tx, c.Preset, c.Target)
		if err != nil {
			return err
		}
		spent, err := spentToday(ctx, tx, c)
		if err != nil {
			return err
		}
		room := max(0, dailyCap-spent)
		delta := min(max(c.Delta, -room, -relationLimit-value), room, relationLimit-value)
		r = RelationResult{Value: value + delta, Delta: delta, Clamped: delta != c.Delta}
		return writeRelation(ctx, tx, c.Preset, RelationChange{c.Target, c.Now, r.Delta, r.Value, c.Why, "model"})
	})
	if err != nil {
		return RelationResult{}, fmt.Errorf("rate %s toward %s: %w", c.Preset, c.Target, err)
	}
	return r, nil
}

// SetByUser moves a value to where the person put it: one jump, logged with UserReason, held only by the range, and
// without any part in the daily cap. Setting the value that is there already changes and logs nothing.
func (s *Store) SetByUser(ctx context.Context, preset, target string, value int, now time.Time) (RelationResult, error) {
	held := min(max(value, -relationLimit), relationLimit)
	r := RelationResult{Value: held, Clamped: held != value}
	err := s.relationTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		old, err := relationValue(ctx, tx, preset, target)
		if err != nil {
			return err
		}
		r.Delta = held - old
		return writeRelation(ctx, tx, preset, RelationChange{target, now, r.Delta, held, UserReason, "user"})
	})
	if err != nil {
		return RelationResult{}, fmt.Errorf("set %s toward %s: %w", preset, target, err)
	}
	return r, nil
}

// relationTx runs f in a transaction that holds the file's write lock from its first statement on, so that what f read
// still holds when it writes. It returns as soon as ctx ends, then with the error of ctx, and nothing of f lasts. SQLite
// does not give up its wait for a file that another program keeps locked, so that wait may go on after the
// caller has been answered.
func (s *Store) relationTx(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
	// Whoever comes first decides: the caller that leaves, or the commit, which is waited for.
	var decided atomic.Bool
	ended := make(chan error, 1)
	go func() {
		ended <- func() error {
			tx, err := s.db.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			defer tx.Rollback()
			if err := f(context.WithoutCancel(ctx), tx); err != nil { // too short to be interrupted
				return err
			}
			if !decided.CompareAndSwap(false, true) {
				return ctx.Err()
			}
			return tx.Commit()
		}()
	}()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		if decided.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		err = <-ended
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // the driver has other words for it
	}
	return err
}

func relationValue(ctx context.Context, tx *sql.Tx, preset, target string) (value int, err error) {
	err = tx.QueryRowContext(ctx, "SELECT value FROM relation WHERE preset = ? AND target = ?", preset, target).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return value, err
}

// spentToday adds up what models changed on the calendar day of c.Now. Each change's own date is asked for: days have
// 23 to 25 hours, some zones change their clocks at midnight so that a date comes in two parts, and a clock that was set
// back leaves changes behind that lie in the future.
func spentToday(ctx context.Context, tx *sql.Tx, c RelationCall) (spent int, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT ts, abs(delta) FROM relation_log
		WHERE preset = ? AND target = ? AND source = 'model' AND ts BETWEEN ? AND ?`,
		c.Preset, c.Target, c.Now.Add(-daySpan).UnixMilli(), c.Now.Add(daySpan).UnixMilli())
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	year, month, day := c.Now.Date()
	for rows.Next() {
		var ms int64
		var points int
		if err := rows.Scan(&ms, &points); err != nil {
			return 0, err
		}
		if y, m, d := time.UnixMilli(ms).In(c.Now.Location()).Date(); y == year && m == month && d == day {
			spent += points
		}
	}
	return spent, rows.Err()
}

// writeRelation stores a change and the value it leads to; a change of nothing is none.
func writeRelation(ctx context.Context, tx *sql.Tx, preset string, c RelationChange) error {
	if c.Delta == 0 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO relation_log (preset, target, ts, delta, value, why, source) VALUES (?, ?, ?, ?, ?, ?, ?)",
		preset, c.Target, c.Time.UnixMilli(), c.Delta, c.Value, strings.ToValidUTF8(c.Why, "\uFFFD"), c.Source); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO relation (preset, target, value) VALUES (?, ?, ?)
		ON CONFLICT (preset, target) DO UPDATE SET value = excluded.value`, preset, c.Target, c.Value)
	return err
}

// Relations returns the value toward each target that ever changed. Nothing ever removes a row: what was felt toward a
// preset that is gone stays, and is there again when the preset returns.
func (s *Store) Relations(ctx context.Context, preset string) (map[string]int, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT target, value FROM relation WHERE preset = ?", preset)
	if err != nil {
		return nil, fmt.Errorf("read relations: %w", err)
	}
	defer rows.Close()
	all := map[string]int{}
	for rows.Next() {
		var t string
		var v int
		if err := rows.Scan(&t, &v); err != nil {
			return nil, fmt.Errorf("read relations: %w", err)
		}
		all[t] = v
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read relations: %w", err)
	}
	return all, nil
}

// RelationLog returns the newest changes first, at most limit: those toward the given target, or toward all of them
// if none is given.
func (s *Store) RelationLog(ctx context.Context, preset string, limit int, target ...string) ([]RelationChange, error) {
	q, args := "SELECT target, ts, delta, value, why, source FROM relation_log WHERE preset = ?", []any{preset}
	if len(target) > 0 {
		q += " AND target IN (?" + strings.Repeat(", ?", len(target)-1) + ")"
		for _, t := range target {
			args = append(args, t)
		}
	}
	rows, err := s.db.QueryContext(ctx, q+" ORDER BY id DESC LIMIT ?", append(args, limit)...)
	if err != nil {
		return nil, fmt.Errorf("read relation log: %w", err)
	}
	defer rows.Close()
	var log []RelationChange
	for rows.Next() {
		var c RelationChange
		var ms int64
		if err := rows.Scan(&c.Target, &ms, &c.Delta, &c.Value, &c.Why, &c.Source); err != nil {
			return nil, fmt.Errorf("read relation log: %w", err)
		}
		c.Time = time.UnixMilli(ms)
		log = append(log, c)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read relation log: %w", err)
	}
	return log, nil
}

// RelatedPresets returns the id of every preset that ever felt something or was felt for, in order. A new preset must
// take none of these ids, or it would inherit the feelings of one that is gone.
func (s *Store) RelatedPresets(ctx context.Context) ([]string, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT preset FROM relation UNION
		SELECT substr(target, ?1) FROM relation WHERE target <> ?2 ORDER BY 1`, len(targetPrefix)+1, UserTarget)
	if err != nil {
		return nil, fmt.Errorf("read related presets: %w", err)
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("read related presets: %w", err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read related presets: %w", err)
	}
	return ids, nil
}
