package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// Get returns the JSON value of a setting; ok is false if it was never set.
func (s *Store) Get(ctx context.Context, key string) (value json.RawMessage, ok bool, err error) {
	var text string
	err = s.db.QueryRowContext(ctx, "SELECT value FROM setting WHERE key = ?", key).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read setting %s: %w", key, err)
	}
	return json.RawMessage(text), true, nil
}

// Set stores the JSON value of a setting. It is durable against the end of the process when Set returns.
func (s *Store) Set(ctx context.Context, key string, value json.RawMessage) error {
	if !json.Valid(value) {
		return fmt.Errorf("store setting %s: the value is not JSON", key)
	}
	_, err := s.db.ExecContext(ctx, "INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, string(value))
	if err != nil {
		return fmt.Errorf("store setting %s: %w", key, err)
	}
	return nil
}

// Settings returns all settings that were ever set.
func (s *Store) Settings(ctx context.Context) (map[string]json.RawMessage, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT key, value FROM setting")
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	defer rows.Close()
	all := map[string]json.RawMessage{}
	for rows.Next() {
		var k, v string
		if err := rows.Scan(&k, &v); err != nil {
			return nil, fmt.Errorf("read settings: %w", err)
		}
		all[k] = json.RawMessage(v)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	return all, nil
}
