package push

import (
	"context"
	"errors"
	"fmt"
	"time"

	"yui/chat"
	"yui/internal/protocol"
)

// enqueue lines a reply up for its time. t.mu is held.
func (t *Transport) enqueue(u *turn) {
	if t.closed {
		return
	}
	u.queued = true
	t.queue = append(t.queue, u)
	for other := range t.live {
		signal(other.wake) // one that has nothing to say now makes room
	}
	if !t.ushers {
		t.ushers = true
		t.work.Go(t.usher)
	}
}

// usher offers the replies that nobody asked for to the receiver, one after the other, while there are any.
func (t *Transport) usher() {
	for {
		u := t.head()
		if u == nil {
			return
		}
		begun := false
		err := t.receiver.Unasked(u.ctx, chat.Unasked{ID: u.name, Stream: func(ctx context.Context, sink chat.Sink) (*chat.Reply, error) {
			begun = t.plays(u)
			if !begun {
				return &chat.Reply{Short: shortStop}, nil
			}
			return t.serve(ctx, u, sink)
		}})
		if err != nil && t.ctx.Err() == nil {
			t.log.Info("push reply not played", "turn", u.id, "err", err)
		}
		t.offered(u, begun)
	}
}

// head gives the reply whose turn it is. One that has nothing left to play, because its calls were run before its
// time, need not be offered.
func (t *Transport) head() *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.queue) > 0 {
		u := t.queue[0]
		if u.shows() {
			return u
		}
		t.unqueue(u)
		if t.open[u.id] != u {
			t.finish(u)
		}
	}
	t.ushers = false
	return nil
}

// shows says whether something to be played waits. t.mu is held.
func (u *turn) shows() bool {
	for _, e := range u.inbox {
		if e.kind == "render" || e.kind == "speech" || e.kind == "tool_call" {
			return true
		}
	}
	return false
}

// plays takes a reply out of the queue, because its time has come; false where it was cut.
func (t *Transport) plays(u *turn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if u.over {
		return false
	}
	t.unqueue(u)
	u.played = true
	t.lives(u)
	return true
}

// offered puts a reply back where it only made room, and away where it is over or was not wanted.
func (t *Transport) offered(u *turn, begun bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case !begun || u.over:
		t.drop(u)
	case u.queued: // its next frame came meanwhile
	case u.shows():
		t.enqueue(u)
	case t.open[u.id] != u:
		t.finish(u)
	}
}

// runLater runs the calls of a reply that must wait for its time: the backend does not wait that long for results.
// t.mu is held.
func (t *Transport) runLater(u *turn) {
	if u.direct || t.closed {
		return
	}
	u.direct = true
	t.work.Go(func() {
		grace := time.NewTimer(t.waits.Calls)
		defer grace.Stop()
		select {
		case <-grace.C:
		case <-u.ctx.Done():
		}
		for {
			e, found := t.takeCall(u)
			if !found {
				return
			}
			ctx, cancel := u.ctx, context.CancelFunc(func() {})
			if e.wait > 0 {
				ctx, cancel = context.WithTimeout(ctx, e.wait)
			}
			t.answer(u, e)(chat.RunCall(ctx, u.name, e.toolCall()))
			cancel()
		}
	})
}

// takeCall takes the next call out of the inbox of a reply that is not played yet. One that carries a cue is answered
// now, too, but stays: "any tool name ending in generate_express plays its cue" (docs/rules/chat.md#calls-of-the-backend), in the reply's time.
func (t *Transport) takeCall(u *turn) (event, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !u.played && !u.over && u.ctx.Err() == nil {
		for i, e := range u.inbox {
			switch {
			case e.kind != "tool_call" || e.answered:
			case protocol.IsExpress(e.tool):
				u.inbox[i].answered = true
				return e, true
			default:
				u.inbox = append(u.inbox[:i:i], u.inbox[i+1:]...)
				u.bytes -= e.size
				return e, true
			}
		}
	}
	u.direct = false
	return event{}, false
}

// answer gives what sends a call's result, over the connection that the call came by: no other knows of it.
func (t *Transport) answer(u *turn, e event) func(chat.Result) {
	return func(r chat.Result) {
		t.mu.Lock()
		u.owed--
		signal(u.wake)
		t.mu.Unlock()
		if took := time.Since(e.at); e.wait > 0 && took > e.wait {
			t.log.Info("push tool result later than its backend waits", "turn", e.turn, "tool", e.tool, "wait_ms", e.wait.Milliseconds(), "took_ms", took.Milliseconds())
		}
		f := toolResultFrame{"tool_result", e.turn, e.call, r.Text, r.Images}
		err := t.send(e.link, f, MaxToolResult)
		if errors.Is(err, errOversize) { // silence would cost the backend its whole wait
			f.Result, f.Images = fmt.Sprintf("error: result too large: more than %d MiB", MaxToolResult>>20), nil
			err = t.send(e.link, f, MaxToolResult)
		}
		if err != nil {
			t.log.Warn("push tool result not sent", "turn", e.turn, "call", e.call, "err", err)
		}
	}
}
