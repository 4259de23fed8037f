package app

import "yui/chat"

// propose wants a turn that nobody typed, of the main pet. source is who asks, by the names of the guardrails
// (spec/avatar.md 3.4): "os_event_watcher", "backend_push_source" and so on. It may be called from any goroutine.
func (a *App) propose(source string, t chat.Trigger) {
	p := a.mainPet.Load()
	if p == nil || a.ctx.Err() != nil {
		return
	}
	a.log.Debug("turn proposed", "source", source, "event", t.Event)
	p.session.Background(a.ctx, t)
}
