package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// The kinds of marks.
const (
	MarkSource = "source" // foreign text of this source has entered the conversation
	MarkGrant  = "grant"  // the person has allowed this in the conversation
)

// Mark is something that is kept with a preset's present conversation.
type Mark struct {
	Kind, Name string
	At         time.Time
}

// Marks returns a preset's marks, oldest first.
func (s *Store) Marks(ctx context.Context, preset string) ([]Mark, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT kind, name, ts FROM conversation_mark WHERE preset = ? ORDER BY ts, kind, name", preset)
	if err != nil {
		return nil, fmt.Errorf("read marks of %s: %w", preset, err)
	}
	defer rows.Close()
	var list []Mark
	for rows.Next() {
		var m Mark
		var ms int64
		if err := rows.Scan(&m.Kind, &m.Name, &ms); err != nil {
			return nil, fmt.Errorf("read marks of %s: %w", preset, err)
		}
		m.At = time.UnixMilli(ms)
		list = append(list, m)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read marks of %s: %w", preset, err)
	}
	return list, nil
}

// SetMarks replaces a preset's marks, in one transaction.
func (s *Store) SetMarks(ctx context.Context, preset string, list []Mark) error {
	err := s.marksTx(ctx, preset, list)
	if err != nil {
		return fmt.Errorf("store marks of %s: %w", preset, err)
	}
	return nil
}

func (s *Store) marksTx(ctx context.Context, preset string, list []Mark) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "DELETE FROM conversation_mark WHERE preset = ?", preset); err != nil {
		return err
	}
	for _, m := range list {
		if _, err := tx.ExecContext(ctx, "INSERT INTO conversation_mark (preset, kind, name, ts) VALUES (?, ?, ?, ?)",
			preset, m.Kind, m.Name, m.At.UnixMilli()); err != nil {
			return err
		}
	}
	return tx.Commit()
}
