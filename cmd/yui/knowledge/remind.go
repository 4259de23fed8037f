package knowledge

import (
	"context"
	"time"

	"yui/chat/plugin"
)

// How often reminders are looked at, and how long one may wait for the end of a turn before it is looked at again.
const (
	remindEvery = 15 * time.Second
	remindWait  = 2 * time.Minute
)

// Herald says reminders. Safe from any goroutine.
type Herald interface {
	// Seen reports whether somebody would see one now.
	Seen(ctx context.Context) bool
	// Say says a fixed line after what is being said; false where that was not to be had before ctx ended.
	Say(ctx context.Context, text string) bool
}

// Remind has the calendar's reminders said when somebody sees it, until ctx ends; until then they are kept, over a restart
// too. They are fixed lines: no backend is needed, and quiet hours do not hold what the person has asked for.
func (k *Knowledge) Remind(ctx context.Context, h Herald) {
	r := k.reminders
	if r == nil {
		return
	}
	timer := time.NewTimer(remindEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		due, err := r.Due(ctx, time.Now())
		if err != nil {
			k.log.Warn("keep reminders", "error", err)
		}
		k.tell(ctx, h, due)
		wait := remindEvery
		if next := r.Next(); len(due) == 0 && !next.IsZero() {
			wait = max(time.Second, min(wait, time.Until(next)))
		}
		timer.Reset(wait)
	}
}

// tell has what is due said, one after the other, and notes what was; the rest is due again with the next look.
func (k *Knowledge) tell(ctx context.Context, h Herald, due []plugin.Reminder) {
	for _, one := range due {
		if !h.Seen(ctx) {
			return
		}
		wait, cancel := context.WithTimeout(ctx, remindWait)
		said := h.Say(wait, one.Text(k.words, time.Now()))
		cancel()
		if !said {
			return
		}
		if err := k.reminders.Done(ctx, one); err != nil {
			k.log.Warn("keep reminders", "error", err)
		}
	}
}
