package push

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"yui/chat"
	"yui/chat/api"
)

// KeepsConversation implements chat.Keeper: the backend keeps what was said.
func (t *Transport) KeepsConversation() {}

// Stream implements chat.Transport: it sends the turn frame and plays what comes for the turn up to its turn_end. A
// person's turn cuts everything else that the backend says (docs/rules/chat.md#push-turns). The history and the instructions are
// the backend's own business on push. Before ready it fails at once.
func (t *Transport) Stream(ctx context.Context, req *chat.Request, sink chat.Sink) (*chat.Reply, error) {
	if len(req.Rounds) > 0 || req.NoCalls { // calls are answered inside the stream: nothing goes back behind it
		reply := &chat.Reply{}
		if n := len(req.Rounds); n > 0 {
			reply.Short, _ = req.Rounds[n-1].Extra.(string)
		}
		return reply, nil
	}
	text, user := req.Utterance()
	if user {
		t.Cut()
	}
	t.refresh(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	u, l := t.begins(req.Turn)
	if u == nil {
		return nil, t.notReady()
	}
	t.tellVocabulary(l)
	whole, err := t.sendTurn(l, turnFrame{Type: "turn", TurnID: req.Turn, Context: req.Context, Text: text}, req.Images)
	if err != nil {
		t.leave(u, true)
		return nil, t.unsent(err)
	}
	if !whole {
		sink.Notice(chat.NoticeNoRoom)
	}
	return t.serve(ctx, u, sink)
}

// sendTurn sends a turn frame with the person's pictures, scaled until all of them fit; whole is false where they do not,
// and the words go without them.
func (t *Transport) sendTurn(l *link, f turnFrame, pictures []string) (whole bool, err error) {
	bare, err := api.Encode(f)
	if err != nil || len(bare) > MaxFrame || len(pictures) == 0 {
		return true, t.send(l, f, MaxFrame)
	}
	f.Images = fitted(pictures, MaxPictures-len(bare)-len(`,"images":[]`))
	return f.Images != nil, t.send(l, f, MaxPictures)
}

// refresh greets the backend anew where the window declares other tools than hello has, or where other characters are
// open: a pet that has become the main one takes its tools with the next turn, as does one whose config or MCP servers
// have changed, and the lists of hello hold for as long as the connection does. A new name alone changes nothing, and
// nothing that the backend still says is cut off for it.
func (t *Transport) refresh(ctx context.Context) {
	now := t.greets()
	t.mu.Lock()
	old := t.ready()
	stays := old == nil || t.closed || len(t.open)+len(t.queue)+len(t.live) > 0 || old.greeting.same(now)
	if !stays {
		t.anew()
	}
	t.mu.Unlock()
	for !stays && ctx.Err() == nil {
		t.mu.Lock()
		l, moved := t.ready(), t.moved
		stays = l != nil && l != old || t.state.Phase == Reconnecting || t.state.Phase == Failed
		t.mu.Unlock()
		if stays {
			return
		}
		select {
		case <-moved:
		case <-ctx.Done():
		case <-t.ctx.Done():
			return
		}
	}
}

// notReady says why no turn can be sent.
func (t *Transport) notReady() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := chat.Failure{Reason: chat.Unreachable, Detail: "not connected yet"}
	if t.state.Err != nil {
		f = *t.state.Err
	}
	f.Outcome, f.Host = chat.NetworkDrop, t.server.client.Host()
	return &f
}

// unsent says why a turn frame did not go.
func (t *Transport) unsent(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.server.client.CutOff(err)
	f.Outcome = chat.NetworkDrop
	if errors.Is(err, errOversize) {
		f.Reason, f.Detail = chat.Other, "the message and its context are longer than the 256 KiB of a frame"
	}
	return f
}

// The words of Reply.Short, where a reply ended well but not whole.
const (
	shortStall = "frame_wait"
	shortDrop  = "network_drop"
	shortStop  = "stopped"
)

// serve plays a turn until it ends: by turn_end, by the frame wait, with the connection, with ctx, or because another
// reply's time has come.
func (t *Transport) serve(ctx context.Context, u *turn, sink chat.Sink) (*chat.Reply, error) {
	p := player{t: t, u: u, sink: sink}
	wait := time.NewTimer(t.waits.Frame)
	defer wait.Stop()
	for ctx.Err() == nil {
		e, found, yields := t.next(u)
		if found {
			wait.Reset(t.waits.Frame)
			if e.kind == "turn_end" || e.lost {
				p.hush()
				t.leave(u, true)
				if e.lost {
					return t.ended(u, shortDrop)
				}
				return &chat.Reply{}, nil
			}
			p.play(e)
			continue
		}
		if yields {
			p.hush()
			t.leave(u, false)
			return &chat.Reply{More: true}, nil
		}
		select {
		case <-u.wake:
		case <-ctx.Done():
		case <-u.gone: // cut, and its session goes on
			return &chat.Reply{Short: shortStop, Extra: shortStop}, nil
		case <-wait.C:
			p.hush()
			t.leave(u, true)
			return t.ended(u, shortStall)
		}
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, chat.ErrStalled) { // the session's own count was the shorter one
		p.hush()
		t.leave(u, true)
		return t.ended(u, shortStall)
	}
	t.Cut()
	t.leave(u, true)
	return nil, cause
}

// next gives the turn's next event. yields says that a reply which nobody asked for has nothing to say now while
// another one waits: it makes room, and comes back with its next frame.
func (t *Transport) next(u *turn) (e event, found, yields bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, found = u.take()
	if found {
		u.rendered = u.rendered || e.kind == "render" || e.kind == "speech"
		return e, true, false
	}
	return event{}, false, !u.own && u.rendered && !u.over && u.owed == 0 && len(t.queue) > 0
}

// leave ends the playing of a turn; for good where it is over.
func (t *Transport) leave(u *turn, over bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	u.played = false
	delete(t.live, u)
	if over {
		t.forget(u)
	}
}

// ended says how a turn ended that its backend has not: well where it has shown something (docs/rules/chat.md#push-turns).
func (t *Transport) ended(u *turn, short string) (*chat.Reply, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if short == shortStall { // a lost connection takes its turns along
		t.stray(u.id)
	}
	if u.rendered {
		t.log.Info("push turn ended without its turn_end", "turn", u.id, "reason", short)
		return &chat.Reply{Short: short, Extra: short}, nil
	}
	f := t.server.client.CutOff(nil)
	f.Outcome = chat.NetworkDrop
	if short == shortStall {
		f.Outcome, f.Reason, f.Err = chat.NetworkStall, chat.Stalled, chat.ErrStalled
	}
	return nil, f
}

// RenderRecord is a line of the turn record log (docs/rules/chat.md#turn-records).
type RenderRecord struct {
	Type      string          `json:"type"` // "turn"
	At        time.Time       `json:"ts"`
	Event     string          `json:"event_name"`   // "push.render"
	Trigger   string          `json:"trigger_kind"` // "push"
	Source    string          `json:"source"`
	TurnID    string          `json:"turn_id"`
	Segments  []RecordSegment `json:"segments"`
	SpokeText string          `json:"spoke_text"`
	// QueuedBehind is how many other replies were played or waited when it came.
	QueuedBehind int `json:"queued_behind"`
}

// RecordSegment is a segment in a RenderRecord; its cues are those of the segment in one.
type RecordSegment struct {
	Cues   []json.RawMessage `json:"cues"`
	Speech string            `json:"speech"`
}

func (e event) record(behind int) RenderRecord {
	r := RenderRecord{
		Type: "turn", At: time.Now(), Event: "push.render", Trigger: "push", Source: e.source, TurnID: e.turn,
		Segments: []RecordSegment{}, QueuedBehind: behind,
	}
	var said utterance
	for _, s := range e.segments {
		seg := RecordSegment{Cues: []json.RawMessage{}, Speech: s.speech}
		if !s.cue.Empty() {
			seg.Cues = append(seg.Cues, cueArguments(s.cue))
		}
		r.Segments = append(r.Segments, seg)
		if !silent(e.segments) {
			r.SpokeText += said.add(s.speech, false)
		}
	}
	return r
}
