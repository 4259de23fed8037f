package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"yui/assets/lang"
	"yui/internal/protocol"
)

// response is the Sink of one request: it turns what a backend sends into speech, cues and executed calls.
type response struct {
	t       *Turn
	mute    bool // calls of this answer are neither run nor sent (docs/rules/chat.md#round-trips)
	filter  filter
	gate    silence
	start   int             // length of the turn's text before this response
	spoken  strings.Builder // what this response said
	hasText bool            // it wrote something that is no thought, the silence token included
	calls   []*execution
	unrun   []Answer // of a mute response
	acts    int      // calls that are no expression
	cues    int
	noticed bool
}

// execution is one call of a tool that is ours, running or done.
type execution struct {
	call      Call
	tool      Tool
	arguments string
	stopped   context.Context
	done      chan struct{}
	result    Result
}

func newResponse(t *Turn, mute bool) *response {
	names := make(map[string]bool, len(t.tools))
	for name := range t.tools {
		names[name] = true
	}
	return &response{t: t, mute: mute, filter: filter{tools: names}, start: t.said.Len()}
}

// What one turn may say and one answer may ask for. A model in a loop ends at these, and the turn goes on.
const (
	maxSpeech = 64 << 10 // bytes of a turn's speech; the stream is cancelled there, the answer counts as cut
	maxActs   = 16       // calls of an answer that are not generate_express; the rest are answered, not run
	maxCues   = 64       // cues of an answer; the rest are dropped
)

// Alive implements Sink.
func (r *response) Alive() { r.t.watch.beat(false) }

// Notice implements Sink.
func (r *response) Notice(key lang.Key) {
	r.t.watch.beat(false)
	r.t.notify(r.t.s.cfg.Words.Text(key))
}

// Status implements Sink.
func (r *response) Status(tool string, running bool) {
	r.t.watch.beat(false)
	r.t.emit(ToolStatus{Turn: r.t.id, Tool: tool, Running: running})
}

// Thought implements Thinker.
func (r *response) Thought(text string) {
	r.t.watch.beat(false)
	if text = printable(text); text != "" {
		r.t.thought = true
		r.t.emit(Thought{r.t.id, text})
	}
}

// Speech implements Sink.
func (r *response) Speech(text string) {
	r.t.watch.beat(true)
	if r.t.ctx.Err() != nil { // stopped: the transport has not noticed yet
		return
	}
	r.pass(r.filter.write(text))
}

// end lets through what was held back.
func (r *response) end() {
	r.pass(r.filter.close())
	rest, silent := r.gate.close()
	r.say(rest)
	r.t.silent = r.t.silent || silent && r.hasText
	r.t.thought = r.t.thought || r.filter.hid
	r.t.mu.Lock()
	r.t.play.Flush(r.t.s.cfg.Now())
	r.t.mu.Unlock()
	if r.filter.sawCall && !r.noticed {
		r.noticed = true
		r.t.s.cfg.Log.Warn("the model wrote a tool call as text", "turn", r.t.id)
		if r.spoken.Len() == 0 && len(r.calls) == 0 {
			r.Notice(NoticeCallText)
		}
	}
}

// pass takes text that the filter let through.
func (r *response) pass(text string) {
	if r.filter.retract {
		r.filter.retract = false
		r.retract()
	}
	if text == "" {
		return
	}
	r.hasText = r.hasText || strings.TrimSpace(text) != ""
	r.say(r.gate.write(text))
}

// say speaks.
func (r *response) say(text string) {
	text = printable(text)
	if r.t.said.Len() == 0 { // templates like to begin with empty lines
		text = strings.TrimLeft(text, " \t\n")
	}
	if text == "" || r.t.full {
		return
	}
	t := r.t
	gap := ""
	if r.spoken.Len() == 0 {
		gap = Joint(t.said.String(), text)
	}
	if room := maxSpeech - t.said.Len() - len(gap); len(text) > room {
		t.full = true
		text = strings.ToValidUTF8(text[:max(0, room)], "") // a rune may be cut in two
		defer t.enough()
	}
	r.spoken.WriteString(text)
	text = gap + text
	t.mu.Lock()
	t.said.WriteString(text)
	t.play.Write(t.s.cfg.Now(), text)
	t.mu.Unlock()
	t.emit(Speech{t.id, text})
}

// retract takes back what this response has said: it was a thought whose beginning the template had swallowed.
func (r *response) retract() {
	r.hasText, r.gate = false, silence{}
	if r.spoken.Len() == 0 {
		return
	}
	t := r.t
	r.spoken.Reset()
	t.mu.Lock()
	text := t.said.String()[:r.start]
	t.said.Reset()
	t.said.WriteString(text)
	t.play.Truncate(t.s.cfg.Now(), r.start)
	t.mu.Unlock()
	t.emit(Rewritten{t.id, text})
}

// Call implements Sink: the cue first, then the run, which does not hold up the stream.
func (r *response) Call(c ToolCall) {
	t := r.t
	t.watch.beat(false)
	if t.ctx.Err() != nil {
		return
	}
	c.Name = ToolName(c.Name)
	tool, ours := t.tools[c.Name]
	if c.Declared != nil {
		tool, ours = toolNamed(c.Declared, c.Name)
	}
	ours = ours && !c.Foreign
	if r.mute {
		if ours {
			r.unrun = append(r.unrun, Answer{c.ID, c.Name, "{}", notRunResult})
		}
		return
	}
	args, err := normalArguments(c.Arguments)
	if err == nil && protocol.IsExpress(c.Name) {
		r.cue(protocol.ParseCue(args), c.AfterText)
	}
	if !ours {
		if c.Answer != nil {
			c.Answer(Result{Text: protocol.UnknownTool})
		} else if !protocol.IsExpress(c.Name) {
			t.unknown = c.Name
			t.emit(ToolStatus{Turn: t.id, Tool: c.Name})
		}
		return
	}
	if !protocol.IsExpress(c.Name) {
		r.acts++
	}
	e := &execution{
		call: Call{Turn: t.id, ID: c.ID, Name: c.Name, Args: args}, tool: tool, arguments: string(args),
		stopped: t.ctx, done: make(chan struct{}),
	}
	var before *execution
	if n := len(r.calls); n > 0 {
		before = r.calls[n-1]
	}
	r.calls = append(r.calls, e)
	t.executed = append(t.executed, e)
	if err != nil || r.acts > maxActs && !protocol.IsExpress(c.Name) {
		e.result = tooManyResult
		if err != nil {
			e.result = Result{Text: "error: arguments JSON parse failed: " + err.Error()}
		}
		close(e.done)
		r.answer(c, e)
		return
	}
	go func() {
		t.execute(e, before)
		r.answer(c, e)
	}()
}

func (r *response) answer(c ToolCall, e *execution) {
	if c.Answer != nil {
		c.Answer(e.outcome())
	}
}

// cue places a cue on the speech around it.
func (r *response) cue(cue Cue, afterText bool) {
	if cue.Empty() || r.cues == maxCues {
		return
	}
	r.cues++
	t := r.t
	t.played = true
	t.mu.Lock()
	t.play.Cue(t.s.cfg.Now(), cue, afterText)
	t.mu.Unlock()
	t.emit(CueReleased{t.id, cue})
}

// execute runs a call after the one before it.
func (t *Turn) execute(e, before *execution) {
	defer close(e.done)
	if before != nil {
		select {
		case <-before.done:
		case <-t.ctx.Done():
		}
	}
	if t.ctx.Err() != nil {
		e.result = stoppedResult
		return
	}
	shown := !protocol.IsExpress(e.call.Name)
	if shown {
		t.emit(ToolStatus{Turn: t.id, Tool: e.call.Name, Running: true})
	}
	e.result = e.run(t.ctx)
	if shown {
		t.emit(ToolStatus{Turn: t.id, Tool: e.call.Name, Failed: e.tool.failed(e.result.Text)})
	}
}

var (
	stoppedResult = Result{Text: protocol.TurnStopped}
	tooManyResult = Result{Text: "error: too many calls"}
	notRunResult  = Result{Text: "error: not run: this turn has no round trips left"} // ours
)

// run calls the tool; what it throws is its result.
func (e *execution) run(ctx context.Context) (result Result) {
	defer func() {
		if p := recover(); p != nil {
			result = Result{Text: fmt.Sprintf("error: %v", p)}
		}
	}()
	if e.tool.Run == nil {
		return Result{Text: protocol.Unable}
	}
	return e.tool.Run(ctx, e.call)
}

// outcome is the result, or that of a stopped turn where the tool has not come back.
func (e *execution) outcome() Result {
	select {
	case <-e.done:
		return e.result
	default:
	}
	select {
	case <-e.done:
		return e.result
	case <-e.stopped.Done():
		return stoppedResult
	}
}

// wait waits for the calls, but not beyond the turn.
func (r *response) wait() error {
	for _, e := range r.calls {
		select {
		case <-e.done:
		case <-r.t.ctx.Done():
			return context.Cause(r.t.ctx)
		}
	}
	return nil
}

// answered is the rule on when results go back (docs/rules/chat.md#answer-or-not): a tool that answers a question ran, or only cue-only tools ran
// and the model stopped to wait for them.
func (r *response) answered(reply *Reply) bool {
	if len(r.calls) == 0 {
		return false
	}
	for _, e := range r.calls {
		if !e.tool.OneWay {
			return true
		}
	}
	return reply.Waits && !r.hasText
}

// answers gives the calls with their results. What a tool says is cleaned here: it may come from a page or a file, and
// a server may keep it for the whole conversation.
func (r *response) answers() []Answer {
	out := make([]Answer, len(r.calls), len(r.calls)+len(r.unrun))
	for i, e := range r.calls {
		result := e.outcome()
		result.Text = printable(result.Text)
		out[i] = Answer{e.call.ID, e.call.Name, e.arguments, result}
	}
	return append(out, r.unrun...)
}

// normalArguments checks the arguments of a call. None at all, and null, are {}.
func normalArguments(raw string) (json.RawMessage, error) {
	text := strings.TrimSpace(raw)
	if text == "" || text == "null" {
		return json.RawMessage("{}"), nil
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return json.RawMessage("{}"), err
	}
	return json.RawMessage(text), nil
}
