package ingress

import (
	"fmt"
	"slices"
	"time"

	"yui/chat"
)

// The sizes of the buffers: five of each tool and of each buffer (docs/rules/chat.md#ingress); how many there may be of
// those is ours, and so is how many reports may wait for the next look.
const (
	perTool    = 5
	perBuffer  = 5
	maxTools   = 8
	maxGroups  = 8
	maxArrived = 64
	maxIDs     = 256
)

// batchEvery is how often batched signals are told.
const batchEvery = 5 * time.Minute

// Turn is a turn that the ingress wants.
type Turn struct {
	// Source is who asks, by the names of the guardrails: "os_event_watcher" for agents, "backend_push_source" for
	// signals.
	Source  string
	Trigger chat.Trigger
}

// The sources, by the names of the guardrails (docs/rules/chat.md#guardrails).
const (
	sourceAgents  = "os_event_watcher"
	sourceSignals = "backend_push_source"
)

// tooled is one tool's reports, oldest first.
type tooled struct {
	tool   string
	events []AgentEvent
}

// group is the batched signals of one source, oldest first.
type group struct {
	source  string
	signals []Signal
}

// inbox keeps what has arrived until it may be told. It has no clock and no lock of its own.
type inbox struct {
	agents        []tooled
	agentsHeld    bool // something of them had to wait
	agentsDropped int

	signals        []Signal // immediate ones
	signalsHeld    bool
	signalsDropped int

	groups        []group
	groupsSince   time.Time // when the first batched signal came; zero while there is none
	groupsHeld    bool      // their time came while nobody could be told
	groupsDropped int

	seen   []string // the newest event IDs, in a ring
	seenAt int
}

// addAgent keeps a report; one of the same session and phase gives way to it.
func (b *inbox) addAgent(e AgentEvent) {
	i := slices.IndexFunc(b.agents, func(t tooled) bool { return t.tool == e.Tool })
	if i < 0 {
		if len(b.agents) == maxTools {
			b.agentsDropped++
			return
		}
		b.agents = append(b.agents, tooled{tool: e.Tool})
		i = len(b.agents) - 1
	}
	t := &b.agents[i]
	if e.Session != "" {
		t.events = slices.DeleteFunc(t.events, func(o AgentEvent) bool { return o.Session == e.Session && o.Phase == e.Phase })
	}
	var lost int
	t.events, lost = keep(append(t.events, e), perTool)
	b.agentsDropped += lost
}

// addSignal keeps a signal, unless its event was there before.
func (b *inbox) addSignal(s Signal, now time.Time) {
	var lost int
	if !s.Batched {
		b.signals, lost = keep(append(b.signals, s), perBuffer)
		b.signalsDropped += lost
		return
	}
	i := slices.IndexFunc(b.groups, func(g group) bool { return g.source == s.Source })
	if i < 0 {
		if len(b.groups) == maxGroups {
			b.groupsDropped++
			return
		}
		b.groups = append(b.groups, group{source: s.Source})
		i = len(b.groups) - 1
	}
	if b.groupsSince.IsZero() {
		b.groupsSince = now
	}
	b.groups[i].signals, lost = keep(append(b.groups[i].signals, s), perBuffer)
	b.groupsDropped += lost
}

// repeated says whether an event with this ID was there before, and remembers it. One request's signals share an ID:
// it is asked once for all of them.
func (b *inbox) repeated(source, id string) bool {
	if id == "" {
		return false
	}
	key := source + "\x00" + id
	if slices.Contains(b.seen, key) {
		return true
	}
	if len(b.seen) < maxIDs {
		b.seen = append(b.seen, key)
	} else {
		b.seen[b.seenAt] = key
		b.seenAt = (b.seenAt + 1) % maxIDs
	}
	return false
}

// keep leaves the newest n of a list, and says how many had to go.
func keep[T any](list []T, n int) ([]T, int) {
	if len(list) <= n {
		return list, 0
	}
	lost := len(list) - n
	return slices.Delete(list, 0, lost), lost // zeroes what went, so that nothing is kept alive
}

// empty says that nothing waits.
func (b *inbox) empty() bool { return len(b.agents) == 0 && len(b.signals) == 0 && len(b.groups) == 0 }

// next is when to look again although nothing arrives: soon while something may be told as soon as the person returns
// or the pet is idle, else when the batched signals are due; zero where nothing waits.
func (b *inbox) next(now time.Time, poll time.Duration) time.Time {
	if len(b.agents) > 0 || len(b.signals) > 0 || b.groupsHeld {
		return now.Add(poll)
	}
	if !b.groupsSince.IsZero() {
		return b.groupsSince.Add(batchEvery)
	}
	return time.Time{}
}

// take gives the next turn, where there is one to give: at most one, since it makes the pet busy. free says that the
// person is there and the pet has nothing to do.
func (b *inbox) take(now time.Time, free bool) (Turn, bool) {
	due := !b.groupsSince.IsZero() && !now.Before(b.groupsSince.Add(batchEvery))
	if !free {
		b.agentsHeld = b.agentsHeld || len(b.agents) > 0
		b.signalsHeld = b.signalsHeld || len(b.signals) > 0
		b.groupsHeld = b.groupsHeld || due
		return Turn{}, false
	}
	switch {
	case len(b.agents) > 0:
		b.signalsHeld, b.groupsHeld = len(b.signals) > 0, due // they wait for the end of this turn
		return Turn{sourceAgents, b.takeAgents(now)}, true
	case len(b.signals) > 0 || due:
		return Turn{sourceSignals, b.takeSignals(now, due)}, true
	}
	return Turn{}, false
}

func (b *inbox) takeAgents(now time.Time) chat.Trigger {
	var events []AgentEvent
	for _, t := range b.agents {
		events = append(events, t.events...)
	}
	held, dropped := b.agentsHeld, b.agentsDropped
	b.agents, b.agentsHeld, b.agentsDropped = nil, false, 0
	if len(events) == 1 && !held && dropped == 0 {
		return events[0].trigger(now)
	}
	t := chat.Trigger{Event: "agent.catchup", Line: "agent catchup (" + counted(len(events), "events", dropped) + ")"}
	for _, e := range events {
		t.Lines = append(t.Lines, e.caughtUp(now))
		if !slices.Contains(t.Names, e.Tool) {
			t.Names = append(t.Names, e.Tool)
		}
	}
	return t
}

// takeSignals gives the immediate signals, and the batched ones where they are due: all that is owed, in one turn.
func (b *inbox) takeSignals(now time.Time, due bool) chat.Trigger {
	list, dropped, event := b.signals, b.signalsDropped, "signals.push"
	held := b.signalsHeld
	b.signals, b.signalsHeld, b.signalsDropped = nil, false, 0
	if due {
		if len(list) == 0 {
			event = "signals.batch"
		}
		held = held || b.groupsHeld
		for _, g := range b.groups {
			list = append(list, g.signals...)
		}
		dropped += b.groupsDropped
		b.groups, b.groupsSince, b.groupsHeld, b.groupsDropped = nil, time.Time{}, false, 0
	}
	if held {
		event = "signals.catchup"
	}
	return chat.Trigger{Event: event, Line: "signals (" + counted(len(list), "signals", dropped) + ")", Lines: signalLines(list, now)}
}

// drain gives the lines of all signals that wait, and forgets them.
func (b *inbox) drain(now time.Time) []string {
	b.groupsHeld = true
	return b.takeSignals(now, true).Lines
}

func signalLines(list []Signal, now time.Time) []string {
	most := maxSignal
	if len(list) > perBuffer { // several buffers at once: a turn is not to be swamped
		most = maxNote
	}
	var lines []string
	for _, s := range list {
		lines = append(lines, s.line(now, most))
	}
	return lines
}

// counted is "5 events", or "5 events, 3 more dropped".
func counted(n int, what string, dropped int) string {
	if dropped > 0 {
		return fmt.Sprintf("%d %s, %d more dropped", n, what, dropped)
	}
	return fmt.Sprintf("%d %s", n, what)
}
