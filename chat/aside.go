package chat

import (
	"encoding/json"
	"fmt"
)

// Keeper is a Transport whose server keeps the conversation and is not sent the transcript. It has to be told what was
// said without it: the fixed lines of rules and reminders.
type Keeper interface{ KeepsConversation() }

// keyAside keeps what such a server has not been told yet over a restart.
const keyAside = "aside"

// mostAside bounds what one turn tells of it; the oldest goes first.
const mostAside = 8

// aside is the line that tells of a turn whose words were fixed, "" where it said nothing.
func (t *Turn) aside(said string) string {
	switch {
	case said == "":
		return ""
	case t.user:
		return fmt.Sprintf(`meanwhile: the user said "%s", you said "%s"`, clean(t.text), clean(said))
	}
	return fmt.Sprintf(`meanwhile: you said "%s"`, clean(said))
}

// untold is what the turn's server has to be told of, oldest first.
func (t *Turn) untold() []string {
	if _, keeps := t.backend.Transport.(Keeper); !keeps {
		return nil
	}
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.told = len(t.s.history.aside)
	return append([]string(nil), t.s.history.aside...)
}

// stepAside notes what a turn that is over leaves to be told, and says whether that has changed. s.mu is held.
func (t *Turn) stepAside(done TurnDone) (changed bool) {
	h := &t.s.history
	_, keeps := t.backend.Transport.(Keeper)
	_, unasked := t.backend.Transport.(*unaskedTransport)
	switch line := t.aside(done.Text); {
	case t.fixed && line != "":
		h.aside = append(h.aside, line)
		h.aside = h.aside[max(0, len(h.aside)-mostAside):]
	case t.fixed, unasked, done.Outcome != OK, len(h.aside) == 0: // nothing was said, or nothing told
		return false
	case keeps:
		h.aside = h.aside[t.told:]
	default: // a server that is sent the transcript has it from there
		h.aside = nil
	}
	return true
}

// saveAside keeps it over a restart. s.store is held.
func (s *Session) saveAside(lines []string) {
	var raw json.RawMessage
	if len(lines) > 0 {
		raw, _ = json.Marshal(lines) // strings always encode
	}
	s.warn("save what was said aside", s.cfg.Store.SetValue(keyAside, raw))
}
