package push

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/coder/websocket"

	"yui/chat/api"
	"yui/internal/readable"
)

// hello introduces the pet.
func (t *Transport) hello(l *link, s server) error {
	l.told = t.cfg.Vocabulary()
	l.greeting = t.greets()
	t.mu.Lock()
	t.link = l
	t.mu.Unlock()
	return t.send(l, helloFrame{"hello", s.key, t.cfg.ChatID, toolSpecs(l.greeting.tools), l.told}, MaxFrame)
}

// begin is what follows ready.
func (t *Transport) begin(l *link, chatID string) {
	if chatID != t.cfg.ChatID {
		t.log.Warn("push ready names another chat", "chat_id", readable.Line(chatID, maxID))
	}
	for t.owesReset(l) {
		if err := t.send(l, resetFrame{"reset"}, MaxFrame); err != nil {
			t.log.Warn("push reset", "err", err)
		}
	}
	t.tellVocabulary(l)
	t.setState(State{Phase: Ready, ChatID: chatID})
}

// owesReset says whether a reset goes before everything else; once none does, turns may be sent.
func (t *Transport) owesReset(l *link) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.resets {
		t.resets = false
		return true
	}
	l.up = true
	return false
}

// unlink ends everything that hangs on the connection.
func (t *Transport) unlink(l *link) {
	t.mu.Lock()
	t.link, l.up = nil, false
	t.mu.Unlock()
	t.lose()
}

// tellVocabulary sends the vocabulary where it has changed.
func (t *Transport) tellVocabulary(l *link) {
	t.vocabulary.Lock()
	defer t.vocabulary.Unlock()
	now := t.cfg.Vocabulary()
	if reflect.DeepEqual(now.frame(), l.told.frame()) {
		return
	}
	if t.send(l, vocabularyChange{"vocabulary", now}, MaxFrame) == nil {
		l.told = now
	}
}

// errOversize says that a frame was not sent because it is too large.
var errOversize = errors.New("the frame is too large")

// errClogged is the cause where a peer does not take what it is sent.
var errClogged = errors.New("the backend takes no frames")

// send queues a frame of at most limit bytes; it does not wait. An error means that the frame will not be sent.
func (t *Transport) send(l *link, frame any, limit int) error {
	raw, err := api.Encode(frame)
	if err != nil {
		return fmt.Errorf("encode frame: %w", err)
	}
	if len(raw) > limit {
		t.log.Warn("frame_oversize", "direction", "out", "bytes", len(raw), "limit", limit)
		return errOversize
	}
	if err := l.ctx.Err(); err != nil {
		return context.Cause(l.ctx)
	}
	if l.waiting.Add(int64(len(raw))) <= mostOutBytes {
		select {
		case l.out <- raw:
			return nil
		default:
		}
	}
	l.drop(errClogged)
	return errClogged
}

// read takes frames until the connection ends. onReady is called with the first ready; nothing else counts before it.
func (t *Transport) read(l *link, onReady func(chatID string)) error {
	var buffer bytes.Buffer
	up := false
	for {
		kind, r, err := l.conn.Reader(l.ctx)
		if err != nil {
			return err
		}
		l.heard.Add(1)
		buffer.Reset()
		n, err := buffer.ReadFrom(io.LimitReader(r, MaxFrame+1))
		if err != nil {
			return err
		}
		if n > MaxFrame {
			rest, err := io.Copy(io.Discard, r)
			l.complain(t, "frame_oversize", "direction", "in", "bytes", n+rest, "limit", MaxFrame)
			if err != nil {
				return err
			}
			continue
		}
		if kind != websocket.MessageText {
			l.complain(t, "frame_malformed", "field", "frame")
			continue
		}
		f, err := decode(buffer.Bytes())
		var bad malformed
		switch {
		case errors.As(err, &bad):
			l.complain(t, "frame_malformed", "field", readable.Line(bad.field, maxID), "type", f.kind)
		case f.kind == "":
			t.log.Debug("push frame of an unknown type")
		case f.kind == "ready":
			if !up {
				up = true
				onReady(f.chatID)
			}
		case !up:
			l.complain(t, "push frame before ready", "type", f.kind)
		case f.kind == "delegations":
			if t.cfg.OnDelegations != nil {
				t.cfg.OnDelegations(f.items)
			}
		default:
			t.dispatch(l, f)
		}
	}
}

// mostComplaints about frames are logged for one connection: a backend must not fill the disk.
const mostComplaints = 1000

// complain logs a frame that counts for nothing. It is called from the reading goroutine alone.
func (l *link) complain(t *Transport, words string, args ...any) {
	l.complaints++
	switch {
	case l.complaints < mostComplaints:
		t.log.Warn(words, args...)
	case l.complaints == mostComplaints:
		t.log.Warn("push frames are bad again and again: the others of this connection are not logged")
	}
}

// mostMissed pings without a pong in a row, a connection is dead.
const mostMissed = 3

// errDead is the cause where a peer answers no pings.
var errDead = errors.New("the backend answers no pings")

// ping keeps a quiet connection open and finds a dead one: after a sleep of the computer the kernel would take a
// quarter of an hour. While a turn is being played its own wait counts, so that a stall is called a stall.
func (t *Transport) ping(ctx context.Context, l *link) {
	tick := time.NewTicker(t.waits.Ping)
	defer tick.Stop()
	for missed := 0; ; {
		heard := l.heard.Load()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		once, cancel := context.WithTimeout(ctx, t.waits.Ping)
		if err := l.conn.Ping(once); err == nil || l.heard.Load() != heard { // a pong may be stuck behind much else
			missed = 0
		} else {
			missed++
		}
		cancel()
		if missed >= mostMissed && !t.playing() {
			l.drop(errDead)
			return
		}
	}
}

// playing says whether any turn is being played.
func (t *Transport) playing() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.live) > 0
}

// write is the goroutine that sends what is in out.
func (t *Transport) write(l *link) {
	defer close(l.flushed)
	for {
		select {
		case raw := <-l.out:
			if !t.writeOne(l, raw) {
				return
			}
			continue
		case <-l.ctx.Done():
			return
		case <-l.last:
		}
		select {
		case raw := <-l.out:
			if !t.writeOne(l, raw) {
				return
			}
		default:
			return
		}
	}
}

func (t *Transport) writeOne(l *link, raw []byte) bool {
	l.waiting.Add(-int64(len(raw)))
	ctx, cancel := context.WithTimeout(l.ctx, t.waits.Write)
	defer cancel()
	if err := l.conn.Write(ctx, websocket.MessageText, raw); err != nil {
		l.drop(fmt.Errorf("send frame: %w", err))
		return false
	}
	return true
}
