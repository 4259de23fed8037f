package tasks

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"yui/chat/push"
	"yui/cmd/yui/settings"
)

// mostTasks is how many done tasks are kept (docs/rules/chat.md#push-turns, "history 200").
const mostTasks = 200

// Settings keeps the history, as yui.delegation_history.
type Settings interface {
	Get(key string) (json.RawMessage, error)
	Set(ctx context.Context, key string, value json.RawMessage) error
}

// done is a task in the history.
type done struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Started time.Time `json:"started_at"`
	Ended   time.Time `json:"ended_at"`
	Status  string    `json:"status"`
	Summary string    `json:"summary,omitempty"`
}

// History is the done tasks of all pets. Safe from any goroutine.
type History struct {
	settings Settings
	save     func(what string, f func(ctx context.Context) error) // beside the main thread
	log      *slog.Logger

	writing sync.Mutex // one change at a time
}

// NewHistory makes the history of the settings; save writes beside the main thread.
func NewHistory(s Settings, save func(what string, f func(ctx context.Context) error), log *slog.Logger) *History {
	return &History{settings: s, save: save, log: log}
}

// keep writes newly done tasks into the history, which is what the setting holds: the person may have emptied it.
func (h *History) keep(items []push.Delegation) {
	if _, grown := withDone(h.read(), items); !grown {
		return
	}
	h.save("history of tasks", func(ctx context.Context) error {
		h.writing.Lock()
		defer h.writing.Unlock()
		list, grown := withDone(h.read(), items)
		if !grown {
			return nil
		}
		raw, err := json.Marshal(list)
		if err != nil {
			return err
		}
		return h.settings.Set(ctx, settings.KeyTasks, raw)
	})
}

func (h *History) read() (list []done) {
	raw, err := h.settings.Get(settings.KeyTasks)
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	if err != nil {
		h.log.Warn("read the history of tasks", "error", err)
	}
	return list
}

// withDone puts done tasks that are not in a history yet in front of it. The same task, by id and beginning, is there
// once, however often the backend lists it.
func withDone(history []done, items []push.Delegation) (list []done, grown bool) {
	for _, d := range items {
		known := slices.ContainsFunc(history, func(h done) bool { return h.ID == d.ID && h.Started.Equal(d.Started) })
		if d.Running || known {
			continue
		}
		status := d.Status
		if status == "" {
			status = "unknown"
		}
		history = append([]done{{d.ID, d.Title, d.Started, d.Ended, status, d.Summary}}, history...)
		grown = true
	}
	return history[:min(len(history), mostTasks)], grown
}
