package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Line is one entry of a transcript (docs/rules/chat.md#transcript).
type Line struct {
	ID       int64
	Preset   string
	Boundary bool // the beginning of a new session; Role and Text are empty
	Role     string
	Text     string
	Time     time.Time
	Cut      bool // the answer broke off
	NotSent  bool // the turn failed before any speech: shown to the person, not sent again
	Guide    bool // user content that nobody typed
}

// Append adds lines in one transaction and returns the number of the last one.
func (s *Store) Append(ctx context.Context, lines ...Line) (int64, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, fmt.Errorf("append to transcript: %w", err)
	}
	defer tx.Rollback()
	var last int64
	for _, l := range lines {
		kind := "speech"
		if l.Boundary {
			kind = "boundary"
		}
		r, err := tx.ExecContext(ctx, "INSERT INTO transcript (preset, kind, role, text, ts, cut, not_sent, guide) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			l.Preset, kind, l.Role, strings.ToValidUTF8(l.Text, "\uFFFD"), l.Time.UnixMilli(), l.Cut, l.NotSent, l.Guide)
		if err != nil {
			return 0, fmt.Errorf("append to transcript: %w", err)
		}
		if last, err = r.LastInsertId(); err != nil {
			return 0, fmt.Errorf("append to transcript: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return 0, fmt.Errorf("append to transcript: %w", err)
	}
	return last, nil
}

// Session returns the newest lines of the preset's present session, oldest first: what follows its last boundary,
// at most limit lines.
func (s *Store) Session(ctx context.Context, preset string, limit int) ([]Line, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, preset, kind, role, text, ts, cut, not_sent, guide FROM transcript
		WHERE preset = ?1 AND id > coalesce((SELECT max(id) FROM transcript WHERE preset = ?1 AND kind = 'boundary'), 0)
		ORDER BY id DESC LIMIT ?2`, preset, limit)
	if err != nil {
		return nil, fmt.Errorf("read transcript: %w", err)
	}
	lines, err := scanLines(rows)
	slices.Reverse(lines)
	return lines, err
}

// Search finds lines that hold the words, newest first. Words of under three characters are found by their letters.
func (s *Store) Search(ctx context.Context, preset, words string, limit int) ([]Line, error) {
	const columns = "SELECT t.id, t.preset, t.kind, t.role, t.text, t.ts, t.cut, t.not_sent, t.guide FROM transcript t "
	var rows *sql.Rows
	var err error
	if utf8.RuneCountInString(words) < 3 {
		like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(words) + "%"
		rows, err = s.db.QueryContext(ctx, columns+`WHERE t.preset = ? AND t.text LIKE ? ESCAPE '\' ORDER BY t.id DESC LIMIT ?`, preset, like, limit)
	} else {
		phrase := `"` + strings.ReplaceAll(words, `"`, `""`) + `"`
		rows, err = s.db.QueryContext(ctx, columns+`JOIN transcript_search f ON f.rowid = t.id
			WHERE t.preset = ? AND transcript_search MATCH ? ORDER BY t.id DESC LIMIT ?`, preset, phrase, limit)
	}
	if err != nil {
		return nil, fmt.Errorf("search transcript: %w", err)
	}
	return scanLines(rows)
}

func scanLines(rows *sql.Rows) ([]Line, error) {
	defer rows.Close()
	var lines []Line
	for rows.Next() {
		var l Line
		var kind string
		var ms int64
		if err := rows.Scan(&l.ID, &l.Preset, &kind, &l.Role, &l.Text, &ms, &l.Cut, &l.NotSent, &l.Guide); err != nil {
			return nil, fmt.Errorf("read transcript: %w", err)
		}
		l.Boundary, l.Time = kind == "boundary", time.UnixMilli(ms)
		lines = append(lines, l)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read transcript: %w", err)
	}
	return lines, nil
}
