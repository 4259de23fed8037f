package app

import (
	"context"
	"time"

	"yui/chat/rules"
)

// How often reminders are looked at, and how long one may wait for the end of a turn before it is looked at again.
const (
	remindEvery = 15 * time.Second
	remindWait  = 2 * time.Minute
)

// remind speaks the calendar's reminders when the person is there and the pet is free; until then they are kept, over a
// restart too. They are fixed lines: no backend is needed, and quiet hours do not hold what the person has asked for.
func (a *App) remind(ctx context.Context) {
	r := a.know.reminders
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
			a.log.Warn("keep reminders", "error", err)
		}
		for _, one := range due {
			p := a.mainPet.Load()
			if p == nil || !a.canRemind(ctx, p) {
				break
			}
			if !a.speak(ctx, p, one.Text(a.lang, time.Now())) {
				break
			}
			if err := r.Done(ctx, one); err != nil {
				a.log.Warn("keep reminders", "error", err)
			}
		}
		wait := remindEvery
		if next := r.Next(); len(due) == 0 && !next.IsZero() {
			wait = max(time.Second, min(wait, time.Until(next)))
		}
		timer.Reset(wait)
	}
}

// canRemind says whether somebody would see it.
func (a *App) canRemind(ctx context.Context, p *pet) bool {
	if left(a.desk, a.presence()) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, queryWait)
	defer cancel()
	b, err := speaker{p}.Bearing(ctx)
	return err == nil && !b.Hidden
}

// speak says a fixed line, behind what is being said.
func (a *App) speak(ctx context.Context, p *pet, text string) bool {
	ctx, cancel := context.WithTimeout(ctx, remindWait)
	defer cancel()
	if !p.session.Speak(ctx, "schedule.reminder", text) {
		return false
	}
	a.first.Spoke(time.Now(), rules.SourceSystem)
	return true
}
