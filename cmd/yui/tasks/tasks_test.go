package tasks

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yui/chat/push"
	"yui/overlay/ui"
)

// "done item in chip 30 min" (docs/rules/chat.md#push-turns): running tasks first, done ones for half an hour.
func TestSeenTasks(t *testing.T) {
	now := time.Date(2026, 3, 2, 21, 5, 0, 0, time.UTC)
	ago := func(m int) time.Time { return now.Add(-time.Duration(m) * time.Minute) }
	rows, next := seen([]push.Delegation{
		{ID: "a", Title: "Old", Ended: ago(30), Status: "ok"},
		{ID: "b", Title: "Done", Ended: ago(29), Status: "ok"},
		{ID: "c", Title: "Broken", Ended: ago(5), Status: "error"},
		{ID: "d", Running: true},
	}, now)
	want := []ui.Task{{Text: "d"}, {Text: "Done", Done: true}, {Text: "Broken", Done: true, Failed: true}}
	if diff := cmp.Diff(want, rows); diff != "" || next != time.Minute {
		t.Errorf("next %v\n%s", next, diff)
	}
	if rows, next := seen(nil, now); len(rows) != 0 || next != 0 {
		t.Errorf("nothing gives %v, %v", rows, next)
	}
}

// "history 200" (docs/rules/chat.md#push-turns): each done task once, the newest first.
func TestDelegationHistory(t *testing.T) {
	now := time.Date(2026, 3, 2, 21, 5, 0, 0, time.UTC)
	items := []push.Delegation{{ID: "run", Running: true, Started: now}, {ID: "a", Title: "Tea", Started: now, Ended: now.Add(time.Minute), Status: "ok", Summary: "hot"}}
	list, grown := withDone(nil, items)
	want := []done{{"a", "Tea", now, now.Add(time.Minute), "ok", "hot"}}
	if diff := cmp.Diff(want, list); diff != "" || !grown {
		t.Errorf("grown %v\n%s", grown, diff)
	}
	if again, grown := withDone(list, items); grown || len(again) != 1 {
		t.Errorf("a task that is listed again: %v", again)
	}
	for i := range 2 * mostTasks {
		list, _ = withDone(list, []push.Delegation{{ID: "a", Started: now.Add(time.Duration(i+1) * time.Hour)}})
	}
	if len(list) != mostTasks || !list[0].Started.Equal(now.Add(2*mostTasks*time.Hour)) || list[0].Status != "unknown" {
		t.Errorf("%d kept, the first %+v", len(list), list[0])
	}
}

// shelf is Settings, and keeps what is written.
type shelf struct{ raw json.RawMessage }

func (s *shelf) Get(string) (json.RawMessage, error) { return s.raw, nil }
func (s *shelf) Set(_ context.Context, _ string, v json.RawMessage) error {
	s.raw = v
	return nil
}

// A list replaces the one before, in the bubble and, once each, in the history; a pet that is closed shows nothing more.
func TestBoard(t *testing.T) {
	kept := &shelf{raw: json.RawMessage(`[{"id":"old","started_at":"2026-03-02T21:05:00Z"}]`)}
	h := NewHistory(kept, func(_ string, f func(context.Context) error) {
		if err := f(t.Context()); err != nil {
			t.Error(err)
		}
	}, slog.New(slog.DiscardHandler))
	var shown []ui.Task
	b := NewBoard(func(f func()) { f() }, func(rows []ui.Task) { shown = rows }, h)
	for _, c := range []struct {
		items []push.Delegation
		shown []ui.Task
		kept  int
	}{
		{[]push.Delegation{{ID: "a", Title: "Tea", Running: true}}, []ui.Task{{Text: "Tea"}}, 1},
		{[]push.Delegation{{ID: "a", Title: "Tea", Status: "ok"}}, []ui.Task{{Text: "Tea", Done: true}}, 2}, // nobody said when: now
		{[]push.Delegation{{ID: "a", Title: "Tea", Status: "ok"}}, []ui.Task{{Text: "Tea", Done: true}}, 2},
		{nil, nil, 2},
	} {
		b.Take(c.items)
		var list []done
		if err := json.Unmarshal(kept.raw, &list); err != nil || len(list) != c.kept {
			t.Errorf("%+v: %d kept, %v", c.items, len(list), err)
		}
		if diff := cmp.Diff(c.shown, shown); diff != "" {
			t.Errorf("%+v: %s", c.items, diff)
		}
	}
	kept.raw = json.RawMessage("[]") // the person has emptied it
	b.Take([]push.Delegation{{ID: "c", Title: "Cake", Status: "ok"}})
	var list []done
	if err := json.Unmarshal(kept.raw, &list); err != nil || len(list) != 1 || list[0].ID != "c" {
		t.Errorf("after it was emptied: %+v, %v", list, err)
	}
	b.Take(nil)
	b.Close()
	if b.Take([]push.Delegation{{ID: "b", Running: true}}); shown != nil || b.due != nil {
		t.Errorf("closed, and shows %+v", shown)
	}
}
