package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"
)

func TestCause(t *testing.T) {
	for _, c := range []struct {
		err, want error
	}{
		{nil, nil}, {errors.New("x"), nil}, {sqlite3.Error{Code: sqlite3.ErrConstraint}, nil},
		{fmt.Errorf("append: %w", sqlite3.Error{Code: sqlite3.ErrBusy}), ErrLocked}, {context.DeadlineExceeded, ErrLocked},
		{context.Canceled, nil}, {sqlite3.Error{Code: sqlite3.ErrFull}, ErrFull}, {&os.PathError{Err: syscall.ENOSPC}, ErrFull},
		{sqlite3.Error{Code: sqlite3.ErrReadonly}, ErrReadOnly}, {sqlite3.Error{Code: sqlite3.ErrCantOpen}, ErrReadOnly},
		{&os.PathError{Err: syscall.EACCES}, ErrReadOnly}, {&os.PathError{Err: syscall.EROFS}, ErrReadOnly},
		{sqlite3.Error{Code: sqlite3.ErrNotADB}, ErrDamaged}, {fmt.Errorf("open: %w", ErrNewer), ErrNewer},
	} {
		if got := Cause(c.err); !errors.Is(got, c.want) {
			t.Errorf("cause of %v: %v, want %v", c.err, got, c.want)
		}
	}
}

// A file of a later version is told and left as it is.
func TestNewerFile(t *testing.T) {
	ctx := context.Background()
	s, path := openNew(t)
	if err := s.Set(ctx, "k", []byte(`"before"`)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if err := Check(ctx, path); !errors.Is(err, ErrNewer) {
		t.Errorf("a check says %v", err)
	}
	again, err := Open(ctx, path)
	if !errors.Is(err, ErrNewer) {
		if again != nil {
			again.Close()
		}
		t.Fatalf("err %v, want ErrNewer", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("the file was taken away:", err)
	}
	if m, _ := filepath.Glob(path + ".damaged*"); len(m) > 0 {
		t.Error("it counts as damaged")
	}
}

// A file that opens but takes nothing is found when it is opened, not with the first words that are to be kept.
func TestFileThatTakesNothing(t *testing.T) {
	ctx := context.Background()
	s, path := openNew(t)
	if err := Check(ctx, path); err != nil {
		t.Error("a check beside an open store:", err)
	}
	s.Close()
	if err := Check(ctx, path+"2"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a check of no file:", err)
	}
	db, err := sql.Open("sqlite3", "file:"+escape(path)+"?mode=ro&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := (&Store{db: db}).writable(ctx); !errors.Is(Cause(err), ErrReadOnly) {
		t.Errorf("%v, want ErrReadOnly", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, filepath.Join(file, "yui.db")); !errors.Is(Cause(err), ErrReadOnly) {
		t.Errorf("below a file: %v, want ErrReadOnly", err)
	}
}

func TestForgetful(t *testing.T) {
	ctx := context.Background()
	for _, want := range []int{1, 1} { // the second knows nothing of the first
		s, err := Forgetful(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := s.Append(gone, Line{Preset: "yui", Role: "user", Text: "given up", Time: time.Now()}); err == nil {
			t.Error("a write that was given up was done")
		}
		if _, err := s.Append(ctx, Line{Preset: "yui", Role: "user", Text: "hello", Time: time.Now()}); err != nil {
			t.Fatal(err)
		}
		if lines, err := s.Session(ctx, "yui", 10); err != nil || len(lines) != want {
			t.Errorf("%d lines, %v", len(lines), err)
		}
	}
}
