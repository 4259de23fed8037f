package store

import (
	"context"
	"fmt"
)

// Pet is where a preset's pet stood last and whether it was open.
type Pet struct {
	Preset string
	X, Y   float64 // the feet, in pixels of the root window
	Placed bool    // X and Y were ever stored
	Opened int64   // order of opening, 0 for closed: the smallest is the main pet
}

// Pets returns all pets that were ever open, in the order of opening.
func (s *Store) Pets(ctx context.Context) ([]Pet, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT preset, x, y, placed, opened FROM pet ORDER BY opened = 0, opened, preset")
	if err != nil {
		return nil, fmt.Errorf("read pets: %w", err)
	}
	defer rows.Close()
	var pets []Pet
	for rows.Next() {
		var p Pet
		if err := rows.Scan(&p.Preset, &p.X, &p.Y, &p.Placed, &p.Opened); err != nil {
			return nil, fmt.Errorf("read pets: %w", err)
		}
		pets = append(pets, p)
	}
	return pets, rows.Err()
}

// SavePlace keeps where a pet stands.
func (s *Store) SavePlace(ctx context.Context, preset string, x, y float64) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO pet (preset, x, y, placed) VALUES (?, ?, ?, 1)
		ON CONFLICT (preset) DO UPDATE SET x = excluded.x, y = excluded.y, placed = 1`, preset, x, y)
	if err != nil {
		return fmt.Errorf("store place of %s: %w", preset, err)
	}
	return nil
}

// SetOpen marks a preset as open (after those that already are) or closed.
func (s *Store) SetOpen(ctx context.Context, preset string, open bool) error {
	q := "INSERT INTO pet (preset, opened) VALUES (?, 0) ON CONFLICT (preset) DO UPDATE SET opened = 0"
	if open {
		q = `INSERT INTO pet (preset, opened) VALUES (?, (SELECT coalesce(max(opened), 0) + 1 FROM pet))
			ON CONFLICT (preset) DO UPDATE SET opened = excluded.opened WHERE opened = 0`
	}
	if _, err := s.db.ExecContext(ctx, q, preset); err != nil {
		return fmt.Errorf("store open state of %s: %w", preset, err)
	}
	return nil
}
