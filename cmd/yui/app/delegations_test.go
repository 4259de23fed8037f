package app

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yui/chat/push"
	"yui/overlay"
)

// "done item in chip 30 min" (spec/chat.md 4.1): running tasks first, done ones for half an hour.
func TestSeenTasks(t *testing.T) {
	now := time.Date(2026, 3, 2, 21, 5, 0, 0, time.UTC)
	ago := func(m int) time.Time { return now.Add(-time.Duration(m) * time.Minute) }
	rows, next := seenTasks([]push.Delegation{
		{ID: "a", Title: "Old", Ended: ago(30), Status: "ok"},
		{ID: "b", Title: "Done", Ended: ago(29), Status: "ok"},
		{ID: "c", Title: "Broken", Ended: ago(5), Status: "error"},
		{ID: "d", Running: true},
	}, now)
	want := []overlay.Task{{Text: "d"}, {Text: "Done", Done: true}, {Text: "Broken", Done: true, Failed: true}}
	if diff := cmp.Diff(want, rows); diff != "" || next != time.Minute {
		t.Errorf("next %v\n%s", next, diff)
	}
	if rows, next := seenTasks(nil, now); len(rows) != 0 || next != 0 {
		t.Errorf("nothing gives %v, %v", rows, next)
	}
}
