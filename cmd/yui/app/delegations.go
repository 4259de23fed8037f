package app

import (
	"time"

	"yui/chat/push"
	"yui/overlay"
)

// How long what is done stays in sight (spec/chat.md 4.1).
const (
	doneStatus = 1500 * time.Millisecond // a tool
	doneTask   = 30 * time.Minute        // a task of somebody else's
)

// delegated takes the backend's list of tasks that others do. A new list replaces the old one.
func (p *pet) delegated(items []push.Delegation) {
	now := time.Now()
	for i := range items {
		if !items[i].Running && items[i].Ended.IsZero() {
			items[i].Ended = now // nobody said when
		}
	}
	p.delegations = items
	p.showTasks()
}

// showTasks shows what is still of interest, and looks again when the next task is to be forgotten.
func (p *pet) showTasks() {
	if p.app.petOf(p.preset.ID) != p { // closed meanwhile
		return
	}
	if p.tasksDue != nil {
		p.tasksDue.Stop()
		p.tasksDue = nil
	}
	tasks, next := seenTasks(p.delegations, time.Now())
	if next > 0 {
		p.tasksDue = time.AfterFunc(next, func() { p.app.loop.Do(p.showTasks) })
	}
	if p.talk != nil {
		p.talk.SetTasks(tasks)
	}
}

// seenTasks gives the rows, running ones first, and how long until one of them goes; 0 for never.
func seenTasks(items []push.Delegation, now time.Time) (rows []overlay.Task, next time.Duration) {
	var done []overlay.Task
	for _, d := range items {
		text := d.Title
		if text == "" {
			text = d.ID
		}
		if d.Running {
			rows = append(rows, overlay.Task{Text: text})
			continue
		}
		left := d.Ended.Add(doneTask).Sub(now)
		if left <= 0 {
			continue
		}
		if next == 0 || left < next {
			next = left
		}
		done = append(done, overlay.Task{Text: text, Done: true, Failed: d.Status == "error"})
	}
	return append(rows, done...), next
}

// recordRender writes a render of a push backend into the turn record log (spec/chat.md 6.11), best effort.
func (a *App) recordRender(r push.RenderRecord) {
	go func() { // the connection does not wait for the disk
		if err := a.records.Line(r.At, r); err != nil {
			a.log.Warn("turn record", "error", err)
		}
	}()
}
