// Package store is the one SQLite file in which YUI keeps what must last: switches and settings, the transcript,
// where each pet stood, and relations. All methods may be called from any goroutine; writes go one at a time.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"
	"github.com/pressly/goose/v3"

	"yui/internal/private"
)

//go:embed migrations/*.sql
var migrations embed.FS

const (
	// busyTimeout is how long a write waits for another program (a backup tool, a reader) that holds the file.
	busyTimeout = 5 * time.Second
	// checkLimit is the size up to which the whole file is checked when it is opened; larger ones would delay the
	// start, and their damage is still found by the query that meets it.
	checkLimit = 64 << 20
)

// Store is an open database file.
type Store struct {
	db *sql.DB
	// Aside is where a damaged file was moved when this one was begun afresh, "" if none was.
	Aside string
}

// Open opens the file at path, makes it if it is missing, keeps it from other users, and brings its tables up to date. A
// damaged file is moved aside (Store.Aside names it) and a new one begun, so that nothing of it is ever overwritten. A locked file is
// ErrLocked after the busy timeout of five seconds; Cause tells it from a file that a newer YUI has written, one that
// cannot be written, and a full disk. Those are left as they are.
func Open(ctx context.Context, path string) (*Store, error) {
	dir := filepath.Dir(path)
	if err := private.Folder(dir); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	private.Files(dir, filepath.Base(path)) // its journals and damaged forerunners as well
	s, err := open(ctx, path)
	if err == nil || !damaged(err) {
		return s, err
	}
	aside, mvErr := moveAside(path)
	if mvErr != nil {
		return nil, fmt.Errorf("open store %s: it is damaged (%w) and cannot be kept aside: %w", path, err, mvErr)
	}
	if s, err = open(ctx, path); err != nil {
		return nil, err
	}
	s.Aside = aside
	return s, nil
}

func open(ctx context.Context, path string) (*Store, error) {
	private.Touch(path) // SQLite would make it readable by all, and gives its rights to the journals
	// What was said to be kept outlasts a power cut, not only the end of the process: each commit waits for the disk.
	dsn := "file:" + escape(path) + fmt.Sprintf("?_journal_mode=WAL&_busy_timeout=%d&_txlock=immediate&_foreign_keys=1&_synchronous=FULL",
		busyTimeout.Milliseconds())
	db, err := sql.Open("sqlite3", dsn)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	// One connection is the one writer; readers of a desktop pet never wait long enough to need a second.
	db.SetMaxOpenConns(1)
	s := &Store{db: db}
	if err := s.prepare(ctx, path, "wal"); err != nil {
		db.Close()
		if isCode(err, sqlite3.ErrBusy, sqlite3.ErrLocked) {
			err = ErrLocked
		}
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	return s, nil
}

// Forgetful is a store of nothing but memory, for a program whose file cannot be opened: it begins empty, and what it
// holds ends with it.
func Forgetful(ctx context.Context) (*Store, error) {
	db, err := sql.Open("sqlite3", fmt.Sprintf("file::memory:?_busy_timeout=%d&_txlock=immediate&_foreign_keys=1&_synchronous=FULL", busyTimeout.Milliseconds()))
	if err != nil {
		return nil, fmt.Errorf("open store in memory: %w", err)
	}
	db.SetMaxOpenConns(1) // each connection would have a store of its own
	s := &Store{db: db}
	if err := s.prepare(ctx, "", "memory"); err != nil {
		db.Close()
		return nil, fmt.Errorf("open store in memory: %w", err)
	}
	return s, nil
}

// Check says what Open would say of the file at path, and leaves it as it is: a damaged one is not moved, tables are not
// changed. A missing file is fs.ErrNotExist. It waits for a lock no longer than Open does.
func Check(ctx context.Context, path string) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("check store: %w", err)
	}
	db, err := sql.Open("sqlite3", "file:"+escape(path)+fmt.Sprintf("?mode=rw&_busy_timeout=%d&_txlock=immediate", busyTimeout.Milliseconds()))
	if err != nil {
		return fmt.Errorf("check store: %w", err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	s := &Store{db: db}
	if err = s.check(ctx, path); err == nil {
		err = s.writable(ctx)
	}
	if err == nil {
		var p *goose.Provider
		if p, err = s.migrations(); err == nil {
			err = known(ctx, p)
		}
	}
	if err != nil {
		return fmt.Errorf("check store %s: %w", path, err)
	}
	return nil
}

// prepare brings a new connection's tables up to date. path is "" for a store in memory.
func (s *Store) prepare(ctx context.Context, path, journal string) error {
	// The driver ignores keys that it does not know in silence, so what matters is asked back (docs/rules/desktop.md#store).
	for _, want := range []struct{ pragma, value string }{
		{"journal_mode", journal}, {"busy_timeout", fmt.Sprint(busyTimeout.Milliseconds())}, {"foreign_keys", "1"}, {"synchronous", "2"},
	} {
		var got string
		if err := s.db.QueryRowContext(ctx, "PRAGMA "+want.pragma).Scan(&got); err != nil {
			return err
		}
		if got != want.value {
			return fmt.Errorf("PRAGMA %s is %q where %q was asked for", want.pragma, got, want.value)
		}
	}
	if err := s.check(ctx, path); err != nil {
		return err
	}
	var fts int
	if err := s.db.QueryRowContext(ctx, "SELECT sqlite_compileoption_used('ENABLE_FTS5')").Scan(&fts); err != nil {
		return err
	}
	if fts == 0 {
		return errors.New("the program was built without full-text search: build it with -tags sqlite_fts5 (make build does)")
	}
	if err := s.writable(ctx); err != nil {
		return err
	}
	return s.migrate(ctx)
}

// writable begins to write, and takes it back. A file that can only be read would fail with the first thing that is to be
// kept; beginning alone does not tell, since SQLite then begins to read.
func (s *Store) writable(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "CREATE TABLE written (x)")
	return errors.Join(err, tx.Rollback())
}

func (s *Store) migrate(ctx context.Context) error {
	p, err := s.migrations()
	if err != nil {
		return err
	}
	if err := known(ctx, p); err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("bring its tables up to date: %w", err)
	}
	return nil
}

func (s *Store) migrations() (*goose.Provider, error) {
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, s.db, dir, goose.WithLogger(goose.NopLogger()))
}

// known fails for tables that a newer YUI has made. They are left alone: what it means by them is not known here.
func known(ctx context.Context, p *goose.Provider) error {
	have, want, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the version of its tables: %w", err)
	}
	if have > want {
		return ErrNewer
	}
	return nil
}

func (s *Store) check(ctx context.Context, path string) error {
	if st, err := os.Stat(path); err == nil && st.Size() > checkLimit {
		return nil
	}
	var verdict string
	if err := s.db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, verdict)
	}
	return nil
}

// moveAside renames the file and its journals; the new name carries the time.
func moveAside(path string) (string, error) {
	aside := path + ".damaged-" + time.Now().Format("20060102-150405.000")
	if err := os.Rename(path, aside); err != nil {
		return "", err
	}
	for _, tail := range []string{"-wal", "-shm"} {
		if err := os.Rename(path+tail, aside+tail); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return aside, nil
}

// escape keeps the characters that end the path part of an SQLite URI.
func escape(path string) string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
}

// Close writes the journal into the file and closes it.
func (s *Store) Close() error { return s.db.Close() }
