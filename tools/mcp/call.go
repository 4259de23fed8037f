package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"yui/assets/lang"
	"yui/internal/protocol"
	"yui/tools"
)

// silentMost is how many calls in a row a server may leave unanswered before it is started anew.
const silentMost = 3

// tool is one accepted tool as the registry wants it.
func (s *server) tool(o offer) tools.Tool {
	def := tools.Definition{Description: "[MCP: " + s.name + "] " + o.Description, Parameters: o.Schema}
	return tools.Tool{Name: o.Name, Switch: Switch(s.name), Define: func() tools.Definition { return def },
		Run: func(ctx context.Context, call tools.Call) tools.Result { return s.call(ctx, o, call) }}
}

// rule asks a question with the arguments of a call, before each call.
func (s *server) rule(o offer, title lang.Key) tools.Rule {
	return tools.Rule{Within: s.deadline, Question: func(call tools.Call) (tools.Question, bool) {
		if s.refusal(o, call.Args) != "" {
			return tools.Question{}, false
		}
		return tools.Question{
			Title: s.say(title),
			Body:  o.Raw + "\n" + string(pretty(call.Args)),
		}, true
	}}
}

// pretty writes arguments for a person to read: what does not show is written out.
func pretty(args json.RawMessage) []byte {
	var v any
	if json.Unmarshal(args, &v) != nil {
		return args
	}
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return args
	}
	var out strings.Builder
	for _, r := range string(b) {
		if r != '\n' && !shows(string(r)) {
			fmt.Fprintf(&out, "\\u%04x", r)
			continue
		}
		out.WriteRune(r)
	}
	return []byte(out.String())
}

// refusal is the result of a call that cannot be made, "" where it can.
func (s *server) refusal(o offer, args json.RawMessage) string {
	if !s.on() {
		return "error: " + s.name + " is off" // the same in every language (docs/rules/tools.md#declaring)
	}
	s.mu.Lock()
	i := slices.IndexFunc(s.accepted, func(p offer) bool { return p.Raw == o.Raw })
	changed := slices.ContainsFunc(s.pending.changed, func(c [2]offer) bool { return c[0].Raw == o.Raw })
	if i >= 0 {
		o = s.accepted[i]
	}
	s.mu.Unlock()
	switch {
	case i < 0:
		return "error: " + s.say("tool.mcp.gone")
	case changed:
		s.propose()
		return "error: " + s.say("tool.mcp.changed")
	}
	schema, err := tools.CompileSchema(o.Schema)
	if err != nil {
		return "error: " + err.Error()
	}
	return schema.Check(args)
}

// call runs a call within the server's deadline, the asking and the start of the server included.
func (s *server) call(ctx context.Context, o offer, call tools.Call) tools.Result {
	if refusal := s.refusal(o, call.Args); refusal != "" {
		return tools.Result{Text: refusal}
	}
	s.mu.Lock()
	waiting := s.pending.asks()
	s.mu.Unlock()
	if waiting {
		s.propose() // somebody is there
	}
	limited, cancel := context.WithDeadline(ctx, tools.Began(ctx).Add(s.deadline))
	defer cancel()
	for try := 1; ; try++ {
		sess, failure := s.await(ctx, limited)
		if failure != "" {
			return tools.Result{Text: failure}
		}
		res, fate := s.once(ctx, limited, sess, o, call.Args)
		if fate != unsent || try == 2 {
			return res
		}
	}
}

// await waits until the server runs; failure is a result.
func (s *server) await(ctx, limited context.Context) (sess *session, failure string) {
	for {
		s.mu.Lock()
		sess, trouble, next, news := s.ready, s.trouble, s.nextTry, s.news
		s.mu.Unlock()
		deadline, _ := limited.Deadline()
		switch {
		case ctx.Err() != nil:
			return nil, protocol.TurnStopped
		case !s.on():
			return nil, "error: " + s.name + " is off"
		case sess != nil:
			return sess, ""
		case !next.IsZero() && next.After(deadline):
			return nil, s.downFor(trouble, next)
		}
		select {
		case <-news:
		case <-s.ctx.Done():
			return nil, protocol.TurnStopped
		case <-limited.Done():
			if ctx.Err() != nil {
				return nil, protocol.TurnStopped
			}
			return nil, s.downFor(trouble, next)
		}
	}
}

// downFor says that the server does not run, and why; the why is partly its own words.
func (s *server) downFor(trouble error, next time.Time) string {
	status := "error: " + s.say("tool.mcp.not_running")
	if wait := time.Until(next).Round(time.Second); wait > 0 {
		status += fmt.Sprintf(" (%s)", wait)
	}
	if trouble == nil {
		return status
	}
	return foreign(s.name, status, trouble.Error())
}

// once makes the call on a session.
func (s *server) once(ctx, limited context.Context, sess *session, o offer, args json.RawMessage) (tools.Result, fate) {
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	// The call ends with its session, so that nothing waits for a server that was turned off.
	calling, cancel := context.WithCancel(limited)
	defer cancel()
	watched := make(chan struct{})
	defer close(watched)
	go func() {
		select {
		case <-sess.broken:
			cancel()
		case <-watched:
		}
	}()
	var r *sdk.CallToolResult
	err := within(calling, func() error {
		answer, err := sess.cs.CallTool(calling, &sdk.CallToolParams{Name: o.Raw, Arguments: args})
		if err == nil {
			r = answer
		}
		return err
	})
	switch {
	case err == nil && r != nil:
		s.heard(true, sess)
		return s.result(r), answered
	case ctx.Err() != nil:
		return tools.Result{Text: protocol.TurnStopped}, died
	case !s.on():
		return tools.Result{Text: "error: " + s.name + " is off"}, died
	case limited.Err() != nil:
		s.heard(false, sess)
		return tools.Result{Text: "error: " + s.m.o.Words.Text("tool.mcp.late", lang.Args{"server": s.name, "wait": s.deadline})}, died
	}
	return s.failed(sess, err)
}

// failed makes a result of an error that neither the turn nor the clock is the cause of.
func (s *server) failed(sess *session, err error) (tools.Result, fate) {
	fate := sess.fateOf(err)
	switch fate {
	case refused:
		s.heard(true, sess)
		var wire *jsonrpc.Error
		if errors.As(err, &wire) {
			return tools.Result{Text: foreign(s.name, fmt.Sprintf("error: %s (%d)", s.say("tool.mcp.refused"), wire.Code), wire.Message)}, fate
		}
	case unread:
		s.heard(true, sess)
		return tools.Result{Text: "error: " + s.say("tool.mcp.unread")}, fate
	case unsent:
		sess.fail(err)
		s.awaitNews(sess)
		return tools.Result{Text: "error: " + s.say("tool.mcp.unreachable")}, fate
	case died:
		sess.fail(err)
		s.awaitNews(sess)
		return tools.Result{Text: "error: " + s.say("tool.mcp.ended")}, fate
	}
	return tools.Result{Text: foreign(s.name, "error: "+s.say("tool.mcp.not_accepted"), sess.hide(err.Error()))}, fate
}

// awaitNews waits until a session that is of no use any more is not offered to calls either; its end is under way.
func (s *server) awaitNews(gone *session) {
	for {
		s.mu.Lock()
		same, news := s.ready == gone, s.news
		s.mu.Unlock()
		if !same {
			return
		}
		select {
		case <-news:
		case <-s.ctx.Done():
			return
		}
	}
}

// heard counts what was not answered: a server that hangs is started anew.
func (s *server) heard(answer bool, sess *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer {
		s.silent = 0
		return
	}
	if s.silent++; s.silent >= silentMost {
		sess.fail(fmt.Errorf("it left %d calls unanswered", s.silent))
	}
}
