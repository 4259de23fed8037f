package push

import (
	"context"
	"slices"
	"time"

	"yui/chat"
)

// What a backend may make us keep. A frame counts with its text.
const (
	mostFrames  = 256     // of one turn, that wait
	mostBytes   = 4 << 20 // of one turn, that wait
	mostUnasked = 16      // replies without a request that are open at a time
	mostCut     = 256     // turns whose frames are dropped until their turn_end
	mostStrays  = 32      // turns that went on too long, and may come back
	mostCalls   = 64      // calls of one turn without an answer yet
)

// turns is what the backend is talking about. All of it is guarded by Transport.mu.
type turns struct {
	open    map[string]*turn // whose turn_end has not come
	queue   []*turn          // replies without a request that wait for their time, oldest first
	live    map[*turn]bool   // that are being played
	ushers  bool             // the goroutine that offers the queue runs
	cuts    map[string]bool  // whose frames are dropped
	cutList []string         // the same, oldest first
	strays  []string         // whose turn_end has not come although nobody plays them any more, oldest first
}

// turn is one turn on the wire. Its fields but the first group are guarded by Transport.mu.
type turn struct {
	id     string // on the wire, as whoever began it calls it
	name   string // the turn's identity here: new with each one that is opened
	own    bool   // asked for by us
	ctx    context.Context
	cancel context.CancelFunc
	wake   chan struct{} // holds one token: something has come
	room   chan struct{} // holds one token: something was taken
	gone   chan struct{} // closed when nobody will take anything any more

	inbox    []event
	bytes    int
	played   bool // it is being played
	queued   bool
	rendered bool // it has shown something
	speaking bool // an utterance of speech frames is open, by what has arrived
	over     bool // gone is closed
	flooded  bool // said so once
	direct   bool // its calls are being run outside of its time
	calls    map[string]bool
	owed     int // calls without an answer
}

// event is a frame on its way to whoever plays the turn.
type event struct {
	frame
	link *link
	lost bool // the connection is gone
	hush bool // another turn's frame has closed the utterance
	// answered is set on a call whose cue still has to play.
	answered bool
	size     int
	at       time.Time
}

// newTurn begins the books of a turn. A backend may count its turns from 1 again after a restart: what is allowed once a
// turn must not hang on the id that it gives.
func newTurn(id, name string, own bool) *turn {
	return &turn{id: id, name: name, own: own, wake: make(chan struct{}, 1), room: make(chan struct{}, 1), gone: make(chan struct{}), calls: map[string]bool{}}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// put appends an event; false means that there is no room. t.mu is held.
func (u *turn) put(e event) bool {
	if u.over {
		return true // nobody takes it
	}
	if len(u.inbox) >= mostFrames || u.bytes+e.size > mostBytes && len(u.inbox) > 0 {
		return false
	}
	u.inbox = append(u.inbox, e)
	u.bytes += e.size
	signal(u.wake)
	return true
}

// take gives the next event. t.mu is held.
func (u *turn) take() (e event, found bool) {
	if len(u.inbox) == 0 {
		return event{}, false
	}
	e = u.inbox[0]
	u.inbox[0] = event{}
	u.inbox = u.inbox[1:]
	u.bytes -= e.size
	signal(u.room)
	return e, true
}

// end says that nobody takes the turn's events any more. t.mu is held.
func (u *turn) end() {
	if !u.over {
		u.over = true
		close(u.gone)
		u.inbox, u.bytes = nil, 0
	}
}

// forget takes a turn out of the books. t.mu is held.
func (t *Transport) forget(u *turn) {
	u.end()
	if t.open[u.id] == u {
		delete(t.open, u.id)
	}
	delete(t.live, u)
	t.unqueue(u)
}

// unqueue takes a reply out of the queue. t.mu is held.
func (t *Transport) unqueue(u *turn) {
	u.queued = false
	if i := slices.Index(t.queue, u); i >= 0 {
		t.queue = slices.Delete(t.queue, i, i+1)
	}
}

// dispatch gives a frame to its turn. It waits while the turn has too much to play, but for turns that nobody plays
// yet: their frames beyond the limits are dropped, so that they do not hold up the others.
func (t *Transport) dispatch(l *link, f frame) {
	e := event{frame: f, link: l, size: f.size(), at: time.Now()}
	for {
		u, wait, behind := t.deliver(e)
		if !wait {
			if u != nil && e.kind == "render" && t.cfg.OnRender != nil {
				t.cfg.OnRender(e.record(behind))
			}
			return
		}
		select {
		case <-u.room:
		case <-u.gone:
		case <-l.ctx.Done():
			return
		case <-t.ctx.Done():
			return
		}
	}
}

func (f frame) size() int {
	n := 200 + len(f.args) + len(f.delta)
	for _, s := range f.segments {
		n += 100 + len(s.speech) + len(s.cue.EmotionID) + len(s.cue.MotionID) + len(s.cue.EmotionText) + len(s.cue.Caption)
	}
	return n
}

// deliver puts an event into its turn's inbox and gives the turn, nil where the event is dropped. wait says to try
// again once the turn has room; behind is how many other replies are played or wait.
func (t *Transport) deliver(e event) (u *turn, wait bool, behind int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cuts[e.turn] {
		if e.kind == "turn_end" {
			t.uncut(e.turn)
		}
		return nil, false, 0
	}
	if e.kind == "turn_end" {
		t.unstray(e.turn)
	}
	t.hush(e.turn)
	content := e.kind == "render" || e.kind == "speech" || e.kind == "tool_call"
	u = t.open[e.turn]
	if u == nil {
		if !content || !t.opens(e.turn) {
			return nil, false, 0
		}
		u = t.open[e.turn]
	}
	if !u.played && !u.queued && !content { // it has given way: only what can be played brings it back
		if e.kind == "turn_end" {
			t.finish(u)
		}
		return nil, false, 0
	}
	if e.kind == "tool_call" && !u.admits(e.call) {
		t.log.Warn("push tool call refused: repeated, or too many at a time", "turn", u.id)
		return nil, false, 0
	}
	switch {
	case u.put(e):
	case u.played:
		return u, true, 0
	case e.kind == "turn_end":
		u.inbox = append(u.inbox, e) // one more, so that the turn ends
	default:
		if !u.flooded {
			t.log.Warn("push frames dropped: more than can wait", "turn", u.id)
		}
		u.flooded = true
		return nil, false, 0
	}
	t.arrived(u, e)
	return u, false, t.behind(u)
}

// arrived notes what an event in the inbox means for its turn. t.mu is held.
func (t *Transport) arrived(u *turn, e event) {
	switch e.kind {
	case "tool_call":
		u.calls[e.call] = true
		u.owed++
	case "speech":
		u.speaking = true
	case "render":
		u.speaking = false
	case "turn_end":
		u.speaking = false
		delete(t.open, u.id)
	}
	if u.played {
		return
	}
	if !u.queued {
		t.enqueue(u)
	}
	if e.kind == "tool_call" {
		t.runLater(u)
	}
}

// behind counts the replies that come before a turn's: none where it is being played. t.mu is held.
func (t *Transport) behind(u *turn) int {
	if u.played {
		return 0
	}
	return len(t.live) + max(0, slices.Index(t.queue, u))
}

// admits says whether a call may be taken: each id once, and not too many at a time.
func (u *turn) admits(call string) bool {
	return !u.calls[call] && u.owed < mostCalls && len(u.calls) < 16*mostCalls
}

// hush closes the utterances that another turn's frame ends (docs/rules/chat.md#push-turns). t.mu is held.
func (t *Transport) hush(id string) {
	for _, u := range t.open {
		if u.id != id && u.speaking {
			u.speaking = false
			u.put(event{hush: true})
		}
	}
}

// opens begins the books of a reply that nobody asked for. t.mu is held.
func (t *Transport) opens(id string) bool {
	unasked := len(t.queue)
	for _, u := range t.open {
		if !u.own && !u.queued {
			unasked++
		}
	}
	if t.receiver == nil || t.closed || unasked >= mostUnasked {
		t.log.Warn("push reply dropped: nobody plays it, or too many wait", "turn", id)
		t.dropFrames(id)
		return false
	}
	if t.open == nil {
		t.open = map[string]*turn{}
	}
	t.unstray(id)
	u := newTurn(id, id+"-"+chat.NewCallID(), false)
	u.ctx, u.cancel = context.WithCancel(t.ctx)
	t.open[id] = u
	return true
}

// dropFrames makes a turn's frames count for nothing until its turn_end. t.mu is held.
func (t *Transport) dropFrames(id string) {
	if t.cuts == nil {
		t.cuts = map[string]bool{}
	}
	if t.cuts[id] {
		return
	}
	t.cuts[id] = true
	t.cutList = append(t.cutList, id)
	if len(t.cutList) > mostCut {
		delete(t.cuts, t.cutList[0])
		t.cutList = t.cutList[1:]
	}
}

func (t *Transport) uncut(id string) {
	delete(t.cuts, id)
	if i := slices.Index(t.cutList, id); i >= 0 {
		t.cutList = slices.Delete(t.cutList, i, i+1)
	}
}

// stray remembers a turn that was given up before its end. What still comes for it is heard as a reply, unless the
// person goes on: then it is cut like everything else. t.mu is held.
func (t *Transport) stray(id string) {
	t.unstray(id)
	t.strays = append(t.strays, id)
	if len(t.strays) > mostStrays {
		t.strays = t.strays[1:]
	}
}

func (t *Transport) unstray(id string) {
	t.strays = slices.DeleteFunc(t.strays, func(s string) bool { return s == id })
}

// Cut ends everything that the backend says or has queued, as the person's stop does: call it beside Session.Stop,
// which knows only of the turn that is running.
func (t *Transport) Cut() {
	t.mu.Lock()
	ids := t.strays
	t.strays = nil
	for _, id := range ids {
		t.dropFrames(id)
	}
	for id, u := range t.open {
		ids = append(ids, id)
		t.dropFrames(id)
		t.drop(u)
	}
	for _, u := range append([]*turn(nil), t.queue...) { // ended on the wire, but not played
		t.drop(u)
	}
	for u := range t.live {
		t.drop(u)
	}
	l := t.ready()
	t.mu.Unlock()
	if l == nil || len(ids) == 0 {
		return
	}
	if err := t.send(l, stopFrame{"stop", ids}, MaxFrame); err != nil {
		t.log.Warn("push stop", "err", err)
	}
}

// drop ends a turn at once. t.mu is held.
func (t *Transport) drop(u *turn) {
	if u.cancel != nil {
		u.cancel()
	}
	t.forget(u)
}

// finish puts a reply away whose turn_end has come while it was not being played, and tells of it where parts of it were:
// nothing follows them any more. t.mu is held.
func (t *Transport) finish(u *turn) {
	t.drop(u)
	if u.rendered && !t.closed && t.cfg.OnEnd != nil {
		t.work.Go(func() { t.cfg.OnEnd(u.name) })
	}
}

// lose tells every open turn that the connection is gone.
func (t *Transport) lose() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.strays = nil
	for id, u := range t.open {
		delete(t.open, id)
		u.speaking = false
		u.inbox = append(u.inbox, event{lost: true})
		signal(u.wake)
		if !u.played && !u.queued {
			t.drop(u)
		}
	}
}

// begins opens the books of a turn of ours.
func (t *Transport) begins(id string) (*turn, *link) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.ready()
	if l == nil || t.closed {
		return nil, nil
	}
	if t.open == nil {
		t.open = map[string]*turn{}
	}
	t.uncut(id)
	u := newTurn(id, id, true)
	u.played = true
	t.open[id] = u
	t.lives(u)
	return u, l
}

func (t *Transport) lives(u *turn) {
	if t.live == nil {
		t.live = map[*turn]bool{}
	}
	t.live[u] = true
}

var _ chat.Transport = (*Transport)(nil)
