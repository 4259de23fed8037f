package app

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"yui/chat/push"
	"yui/cmd/yui/settings"
	"yui/overlay/ui"
)

// How long what is done stays in sight (docs/rules/chat.md#push-turns).
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
	p.app.keepTasks(items)
}

// mostTasks is how many done tasks are kept (docs/rules/chat.md#push-turns, "history 200").
const mostTasks = 200

// doneDelegation is a task in yui.delegation_history.
type doneDelegation struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Started time.Time `json:"started_at"`
	Ended   time.Time `json:"ended_at"`
	Status  string    `json:"status"`
	Summary string    `json:"summary,omitempty"`
}

// keepTasks writes newly done tasks into yui.delegation_history. Main thread.
func (a *App) keepTasks(items []push.Delegation) {
	if a.tasks == nil {
		a.tasks = []doneDelegation{}
		raw, err := a.settings.Get(settings.KeyTasks)
		if err == nil {
			err = json.Unmarshal(raw, &a.tasks)
		}
		if err != nil {
			a.log.Warn("read the history of tasks", "error", err)
		}
	}
	list, grown := withDone(a.tasks, items)
	if !grown {
		return
	}
	a.tasks = list
	raw := marshal(list)
	a.memory.Save("history of tasks", func(ctx context.Context) error { return a.settings.Set(ctx, settings.KeyTasks, raw) })
}

// withDone puts done tasks that are not in a history yet in front of it. The same task, by id and beginning, is there
// once, however often the backend lists it.
func withDone(history []doneDelegation, items []push.Delegation) (list []doneDelegation, grown bool) {
	for _, d := range items {
		known := slices.ContainsFunc(history, func(h doneDelegation) bool { return h.ID == d.ID && h.Started.Equal(d.Started) })
		if d.Running || known {
			continue
		}
		status := d.Status
		if status == "" {
			status = "unknown"
		}
		history = append([]doneDelegation{{d.ID, d.Title, d.Started, d.Ended, status, d.Summary}}, history...)
		grown = true
	}
	return history[:min(len(history), mostTasks)], grown
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
func seenTasks(items []push.Delegation, now time.Time) (rows []ui.Task, next time.Duration) {
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

// recordRender writes a render of a push backend into the turn record log (docs/rules/chat.md#turn-records), best effort.
func (a *App) recordRender(r push.RenderRecord) {
	go func() { // the connection does not wait for the disk
		if err := a.records.Line(r.At, r); err != nil {
			a.log.Warn("turn record", "error", err)
		}
	}()
}
