package store

import (
	"context"
	"fmt"
	"time"
)

// UserTarget is the target id of the person. A preset's target id is TargetOf.
const UserTarget = "user"

// TargetOf returns the target id of a preset; it can never be UserTarget.
func TargetOf(preset string) string { return "preset:" + preset }

// RelationChange is one row of the log of changes.
type RelationChange struct {
	Target       string
	Time         time.Time
	Delta, Value int
	Why, Source  string
}

// Relations returns the value toward each target that ever changed.
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
	return all, rows.Err()
}

// RelationLog returns the newest changes first, at most limit.
func (s *Store) RelationLog(ctx context.Context, preset string, limit int) ([]RelationChange, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT target, ts, delta, value, why, source FROM relation_log WHERE preset = ? ORDER BY id DESC LIMIT ?", preset, limit)
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
	return log, rows.Err()
}
