package store

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"github.com/mattn/go-sqlite3"
)

// The causes that a person can do something about. Cause finds them in an error of any method.
var (
	ErrLocked   = errors.New("another program keeps it locked")
	ErrNewer    = errors.New("a newer YUI has written it")
	ErrReadOnly = errors.New("it cannot be written")
	ErrFull     = errors.New("the disk is full")
	ErrDamaged  = errors.New("damaged")
)

// Cause is which of the causes above is behind err, nil if it is none of them.
func Cause(err error) error {
	for _, known := range []error{ErrLocked, ErrNewer, ErrReadOnly, ErrFull, ErrDamaged} {
		if errors.Is(err, known) {
			return known
		}
	}
	switch {
	case isCode(err, sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrInterrupt), errors.Is(err, context.DeadlineExceeded):
		return ErrLocked // writes wait for each other: if one meets a lock, those after it run out of time
	case isCode(err, sqlite3.ErrFull), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ErrFull
	case isCode(err, sqlite3.ErrReadonly, sqlite3.ErrCantOpen, sqlite3.ErrPerm), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS),
		errors.Is(err, syscall.ENOTDIR):
		return ErrReadOnly
	case damaged(err):
		return ErrDamaged
	}
	return nil
}

func damaged(err error) bool {
	return errors.Is(err, ErrDamaged) || isCode(err, sqlite3.ErrCorrupt, sqlite3.ErrNotADB)
}

func isCode(err error, codes ...sqlite3.ErrNo) bool {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return false
	}
	for _, c := range codes {
		if e.Code == c {
			return true
		}
	}
	return false
}
