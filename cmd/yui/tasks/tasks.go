// Package tasks is what others do for a pet, as her push backend says: what stands in her bubble, and the history of what is
// done.
package tasks

import (
	"time"

	"yui/chat/push"
	"yui/overlay/ui"
)

// doneTask is how long what is done stays in sight (docs/rules/chat.md#push-turns).
const doneTask = 30 * time.Minute

// Board is the tasks of one pet. Main thread.
type Board struct {
	do      func(f func()) // runs on the main thread
	show    func(rows []ui.Task)
	history *History
	items   []push.Delegation
	due     *time.Timer // for the next of them to be forgotten
	closed  bool
}

// NewBoard makes an empty one. do runs a function on the main thread, show is told the rows whenever they have changed.
func NewBoard(do func(f func()), show func(rows []ui.Task), h *History) *Board {
	return &Board{do: do, show: show, history: h}
}

// Take takes the backend's list, which replaces the one before.
func (b *Board) Take(items []push.Delegation) {
	now := time.Now()
	for i := range items {
		if !items[i].Running && items[i].Ended.IsZero() {
			items[i].Ended = now // nobody said when
		}
	}
	b.items = items
	b.Show()
	b.history.keep(items)
}

// Show shows what is still of interest, and again when the next task is to be forgotten.
func (b *Board) Show() {
	if b.closed {
		return
	}
	b.stop()
	rows, next := seen(b.items, time.Now())
	if next > 0 {
		b.due = time.AfterFunc(next, func() { b.do(b.Show) })
	}
	b.show(rows)
}

func (b *Board) stop() {
	if b.due != nil {
		b.due.Stop()
		b.due = nil
	}
}

// Close forgets the tasks.
func (b *Board) Close() {
	b.closed = true
	b.stop()
}

// seen gives the rows, running ones first, and how long until one of them goes; 0 for never.
func seen(items []push.Delegation, now time.Time) (rows []ui.Task, next time.Duration) {
	var done []ui.Task
	for _, d := range items {
		text := d.Title
		if text == "" {
			text = d.ID
		}
		if d.Running {
			rows = append(rows, ui.Task{Text: text})
			continue
		}
		left := d.Ended.Add(doneTask).Sub(now)
		if left <= 0 {
			continue
		}
		if next == 0 || left < next {
			next = left
		}
		done = append(done, ui.Task{Text: text, Done: true, Failed: d.Status == "error"})
	}
	return append(rows, done...), next
}
