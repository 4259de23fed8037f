package mcp

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"yui/assets/lang"
	"yui/tools"
	"yui/tools/internal/output"
)

// server keeps one server as its switch says. run is the only one that starts and ends it.
type server struct {
	target
	m     *Manager
	wake  chan struct{} // the switch has changed, or somebody wants another look at the list
	ctx   context.Context
	end   context.CancelFunc // for good: the config has it no more, or otherwise
	over  chan struct{}      // closed when it has ended for good
	after <-chan struct{}    // over of the one in whose place it comes, nil where there was none

	mu       sync.Mutex
	accepted []offer // what the person stands for, and the model is told of
	known    bool    // there was a list before
	fresh    bool    // the switch has just been turned on: the next list is accepted by that
	pending  difference
	asking   bool
	asked    int       // questions since the switch was turned on that were not allowed
	askedAt  time.Time // the end of the last one
	ready    *session
	news     chan struct{} // closed and made anew whenever ready or trouble changes
	trouble  error         // why it is not ready
	nextTry  time.Time     // when it is started again; zero while that is being done
	silent   int           // calls in a row that were not answered
	cancel   context.CancelFunc
}

// say is a sentence about the server.
func (s *server) say(key lang.Key) string {
	return s.m.o.Words.Text(key, lang.Args{"server": s.name})
}

func (s *server) on() bool { return s.m.o.Enabled(s.name) }

// switched is told that the switch may have changed.
func (s *server) switched() {
	on := s.on()
	s.mu.Lock()
	if on {
		s.fresh, s.asked, s.pending = true, 0, difference{}
	} else if s.cancel != nil {
		s.cancel()
	}
	s.mu.Unlock()
	s.poke()
}

func (s *server) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// live is the server's life until it ends for good. One that was there under its name before has ended by then.
func (s *server) live(context.Context) {
	defer close(s.over)
	if s.after != nil {
		select {
		case <-s.after:
		case <-s.ctx.Done():
		}
	}
	s.run(s.ctx)
}

// run starts the server while its switch is on, and again with longer and longer pauses where it dies.
func (s *server) run(ctx context.Context) {
	pause := s.m.firstPause
	for try := 0; ctx.Err() == nil; {
		if !s.on() {
			s.note(nil, nil, time.Time{})
			select {
			case <-s.wake:
			case <-ctx.Done():
			}
			pause, try = s.m.firstPause, 0
			continue
		}
		began := time.Now()
		err := s.serve(ctx, versions[try%len(versions)])
		if !s.on() || ctx.Err() != nil || errors.Is(err, context.Canceled) { // off, and maybe on again
			continue
		}
		if time.Since(began) > s.m.steady {
			pause, try = s.m.firstPause, 0
		} else {
			try++
		}
		s.m.o.Log.Warn("MCP server ended", "server", s.name, "error", err, "again_in", pause)
		s.mu.Lock()
		announce := s.fresh
		s.mu.Unlock()
		if announce && try == 1 {
			s.m.o.Person.Tell(s.m.o.Words.Text("tool.mcp.broken", lang.Args{"server": s.name, "cause": err}), "")
		}
		s.note(nil, err, time.Now().Add(pause))
		s.rest(ctx, pause)
		pause = min(2*pause, s.m.lastPause)
	}
	s.note(nil, nil, time.Time{})
}

// rest waits before the next start, unless the switch is turned off meanwhile.
func (s *server) rest(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for s.on() {
		select {
		case <-timer.C:
			return
		case <-s.wake:
			if s.isFresh() { // off and on again: the person does not want to wait
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// note sets what calls see.
func (s *server) note(ready *session, trouble error, next time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready, s.trouble, s.nextTry = ready, trouble, next
	close(s.news)
	s.news = make(chan struct{})
}

// serve is one life of the server. It returns why that ended, context.Canceled where we ended it.
func (s *server) serve(ctx context.Context, version string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	s.cancel = cancel
	s.mu.Unlock()
	if !s.on() { // it was turned off before there was something to cancel
		return context.Canceled
	}
	s.note(nil, nil, time.Time{})
	sess, err := connect(ctx, s.target, version, s.m.o.Version)
	if err == nil {
		defer sess.end()
		err = s.look(ctx, sess)
	}
	if err == nil {
		s.mu.Lock()
		s.silent = 0
		s.mu.Unlock()
		s.note(sess, nil, time.Time{})
		defer s.note(nil, errors.New("it has just ended"), time.Time{})
		s.m.o.Log.Info("MCP server runs", "server", s.name)
		err = s.attend(ctx, sess)
	}
	if ctx.Err() != nil {
		return context.Canceled
	}
	return err
}

// attend waits for what happens to a server that runs. A list that changes is read again after a pause, which grows while
// it goes on changing.
func (s *server) attend(ctx context.Context, sess *session) error {
	most := 60 * s.m.settle
	pause, looked := s.m.settle, time.Now()
	var due <-chan time.Time
	for {
		look := false
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-sess.broken:
			return sess.why(sess.cause)
		case <-s.wake:
			look = s.isFresh() // off and on again before it had ended
		case <-sess.changed:
			if due == nil {
				if time.Since(looked) > most {
					pause = s.m.settle
				}
				due = time.After(pause)
				pause = min(2*pause, most)
			}
		case <-due:
			look, due, looked = true, nil, time.Now()
		}
		if !s.on() {
			return context.Canceled
		}
		if look {
			if err := s.look(ctx, sess); err != nil {
				return err
			}
		}
	}
}

func (s *server) isFresh() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fresh
}

// look reads the list of tools and compares it with what the person stands for.
func (s *server) look(ctx context.Context, sess *session) error {
	raw, err := sess.list(ctx)
	if err != nil {
		return err
	}
	list, left := offers(s.name, s.ambiguous, raw)
	if left > 0 {
		s.m.o.Log.Warn("MCP tools left out", "server", s.name, "tools", left)
	}
	s.mu.Lock()
	s.accepted = opened(s.accepted, list)
	d := compare(s.accepted, list)
	first := !s.known
	accept := s.fresh || first
	switch {
	case accept:
		s.accepted, s.known, s.fresh, s.pending = list, true, false, difference{}
	case len(d.removed) > 0: // what is gone can do no harm
		s.accepted = difference{removed: d.removed}.apply(s.accepted)
		fallthrough
	default:
		d.removed = nil
		s.pending = d
	}
	s.mu.Unlock()
	if accept || !d.none() {
		s.keep()
	}
	if accept {
		s.m.o.Person.Tell(s.sentence(list, left, d, first), descriptions(list))
	}
	s.propose()
	return nil
}

// keep stores the accepted list.
func (s *server) keep() {
	s.mu.Lock()
	list := s.accepted
	s.mu.Unlock()
	s.m.changed()
	if err := s.m.o.Store.SaveTools(s.name, encode(list)); err != nil {
		s.m.o.Log.Error("store MCP tools", "server", s.name, "error", err)
	}
}

// sentence tells the person what turning the switch on has brought.
func (s *server) sentence(list []offer, left int, d difference, first bool) string {
	names := make([]string, 0, len(list))
	for _, o := range list {
		names = append(names, output.Line(o.Raw, 40))
	}
	say := s.m.o.Words.Text
	text := say("tool.mcp.on", lang.Args{"server": s.name, lang.Count: len(list), "tools": strings.Join(names, ", ")})
	if left > 0 {
		text = say("tool.mcp.on_left", lang.Args{"on": text, lang.Count: left})
	}
	if !first && d.asks() {
		var names []string
		for _, c := range d.changed {
			names = append(names, output.Line(c[1].Raw, 40))
		}
		for _, o := range d.added {
			names = append(names, output.Line(o.Raw, 40))
		}
		text = say("tool.mcp.on_changed", lang.Args{"on": text, "tools": strings.Join(names, ", ")})
	}
	return output.Short(text, 1200)
}

// descriptions is what a list says of its tools, for a person to read.
func descriptions(list []offer) string {
	said := make([]string, len(list))
	for i, o := range list {
		said[i] = output.Line(o.Raw, 80) + "\n" + o.Description
	}
	return strings.Join(said, "\n\n")
}

// propose asks the person about what has changed, beside everything else, one question at a time and not without end.
func (s *server) propose() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asking || !s.pending.asks() || s.asked >= questionsMost || time.Since(s.askedAt) < s.m.gap {
		return
	}
	s.asking = s.m.goes(func(ctx context.Context) {
		allowed := true
		for allowed && ctx.Err() == nil {
			allowed = s.question(ctx)
		}
		s.mu.Lock()
		s.asking, s.askedAt = false, time.Now()
		s.mu.Unlock()
	})
}

// questionsMost is how often a person who does not allow something is asked until the switch is turned on anew.
const questionsMost = 3

// question shows a part of what has changed, and uses it where the person allows it. It tells whether there may be more.
func (s *server) question(ctx context.Context) bool {
	s.mu.Lock()
	part, text := s.pending.portion(s.m.o.Words)
	s.mu.Unlock()
	if !part.asks() || !s.on() {
		return false
	}
	q := tools.Question{Tool: Switch(s.name), Body: text, Wait: s.m.questionWait,
		Title: s.say("tool.mcp.changes"),
		Allow: s.m.o.Words.Text("ask.allow"), Deny: s.m.o.Words.Text("ask.deny")}
	ctx, cancel := context.WithTimeout(ctx, s.m.questionWait)
	allowed := s.m.o.Person.Ask(ctx, q)
	cancel()
	s.mu.Lock()
	if !allowed {
		s.asked++
		s.mu.Unlock()
		return false
	}
	// The list may have changed under the question: only what was shown is used.
	seen := s.pending.only(part)
	s.accepted = seen.apply(s.accepted)
	s.pending = s.pending.without(seen)
	s.mu.Unlock()
	if !seen.none() {
		s.keep()
	}
	return true
}
