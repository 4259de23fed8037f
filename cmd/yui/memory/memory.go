// Package memory is the database as the program uses it: what is written beside the main thread, the conversation of each
// preset with what has entered it, and the models whose opening a run has not outlived.
package memory

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"yui/store"
)

// Wait bounds one access to the database.
const Wait = 10 * time.Second

// Memory is the open database. Safe from any goroutine.
type Memory struct {
	*store.Store
	// Closed is why the database is not open and a forgetful one stands in for it, nil where it is open.
	Closed error

	log     *slog.Logger
	full    func(err error)
	unsaved atomic.Bool // it takes nothing, and that was told
	tasks   sync.WaitGroup
}

// Open opens the database, or a forgetful one where it cannot be opened. full is told once that it takes nothing any more,
// and again after it has taken something.
func Open(ctx context.Context, file string, log *slog.Logger, full func(err error)) (*Memory, error) {
	m := &Memory{log: log, full: full}
	var err error
	if m.Store, m.Closed = store.Open(ctx, file); m.Closed != nil {
		log.Warn("nothing is kept: the database stays closed", "error", m.Closed)
		if m.Store, err = store.Forgetful(ctx); err != nil {
			return nil, errors.Join(m.Closed, err)
		}
	}
	return m, nil
}

// Save writes beside the main thread. what is named in the log where that fails.
func (m *Memory) Save(what string, f func(ctx context.Context) error) {
	m.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), Wait)
		defer cancel()
		err := f(ctx)
		if err == nil {
			m.unsaved.Store(false)
			return
		}
		m.log.Error("save "+what, "error", err)
		if !m.unsaved.Swap(true) { // once: each step of hers would be told
			m.full(err)
		}
	})
}

// Go runs a task beside the main thread; Close waits for it.
func (m *Memory) Go(task func()) { m.tasks.Go(task) }

// Close waits for what is being written, and closes the database.
func (m *Memory) Close() error {
	m.tasks.Wait()
	return m.Store.Close()
}
