package tools

import (
	"context"
	"time"

	"yui/assets/lang"
	"yui/internal/protocol"
)

// Asker shows the person a question of a tool, in a bubble with Allow and Deny.
type Asker interface {
	// Ask tells whether the person allowed it. It returns false when ctx ends before there is an answer, and takes the
	// question away then. It is called from the goroutine of a call.
	Ask(ctx context.Context, q Question) bool
}

// Question is what the person reads. Every text is plain, never markup.
type Question struct {
	Tool        string // the tool that asks
	Title       string // one sentence, in the setting language
	Body        string // exactly what would be sent or run; several lines, maybe long
	Allow, Deny string // the words on the buttons
	// Wait is how long it stands from when it is shown; others may stand before it. AskWait where it is zero.
	Wait time.Duration
}

// Declined is the result of a call that the person did not allow, the same in every language (docs/rules/tools.md#asking).
const Declined = "error: declined by the user"

// AskWait is how long a question that is shown waits for its answer (docs/rules/tools.md#asking).
const AskWait = 20 * time.Second

// askWithin is how long a call without a wait of its own is held up by questions, those before its own included.
const askWithin = time.Minute

// Consent remembers an answer that holds from then on. Safe from any goroutine.
type Consent interface {
	Given() bool
	Give()
}

// Rule says when a tool asks, and what.
type Rule struct {
	// When tells whether this call has to be asked for. Nil: every call.
	When func(call Call) bool
	// Question writes the question of a call; the guard sets its tool and buttons. ok is false for a call that cannot
	// run anyway (its switch is off, its arguments make no sense): the tool then answers unasked.
	Question func(call Call) (q Question, ok bool)
	// Within is the tool's own wait for a call. The asking is part of it. Zero for a tool that has none.
	Within time.Duration
	// Once, where it is set, lets only calls ask before the first Allow.
	Once Consent
}

// Guard is the one way in which tools of a pet ask the person (docs/rules/tools.md#asking).
type Guard struct {
	// Asker shows the questions. With none nobody can allow anything: what has to ask is declined.
	Asker Asker
	// On is [tools] ask at this moment; while it is false nothing asks. Nil: always on.
	On func() bool
	// Words are those of the buttons.
	Words *lang.Words
	// wait is askWithin but in tests.
	wait time.Duration
}

// GuardedBy is Guarded with several rules: each asks where it has reason to.
func (g Guard) GuardedBy(tool Tool, rules ...Rule) Tool {
	for _, r := range rules {
		tool = g.Guarded(tool, r)
	}
	return tool
}

// Guarded returns the tool with a question before it where the rule says so. Nothing else of the tool changes; it reads
// its switch again when it runs, since the answer takes time.
func (g Guard) Guarded(tool Tool, rule Rule) Tool {
	run := tool.Run
	tool.Run = func(ctx context.Context, call Call) Result {
		ctx = began(ctx, time.Now())
		q, asks := g.question(ctx, tool.Name, rule, call)
		if !asks {
			return run(ctx, call)
		}
		allowed := g.ask(ctx, q, rule.Within)
		if ctx.Err() != nil {
			return Result{Text: protocol.TurnStopped}
		}
		if !allowed {
			return Result{Text: Declined}
		}
		if rule.Once != nil {
			rule.Once.Give()
		}
		return run(ctx, call)
	}
	return tool
}

func (g Guard) question(ctx context.Context, tool string, rule Rule, call Call) (Question, bool) {
	if IsUnasked(ctx) || (g.On != nil && !g.On()) {
		return Question{}, false
	}
	if (rule.Once != nil && rule.Once.Given()) || (rule.When != nil && !rule.When(call)) {
		return Question{}, false
	}
	q, ok := rule.Question(call)
	q.Tool = tool
	q.Allow = g.Words.Text("ask.allow")
	q.Deny = g.Words.Text("ask.deny")
	return q, ok
}

// ask waits for the answer, but not for an asker that does not come back in time.
func (g Guard) ask(ctx context.Context, q Question, within time.Duration) bool {
	if g.Asker == nil {
		return false
	}
	if within == 0 {
		within = askWithin
	}
	if g.wait != 0 {
		within = g.wait
	}
	ctx, cancel := context.WithDeadline(ctx, Began(ctx).Add(within))
	defer cancel()
	answer := make(chan bool, 1)
	go func() {
		allowed := false
		defer func() {
			if recover() != nil {
				allowed = false // a bubble that broke has allowed nothing
			}
			answer <- allowed
		}()
		allowed = g.Asker.Ask(ctx, q)
	}()
	select {
	case allowed := <-answer:
		return allowed
	case <-ctx.Done():
		return false
	}
}

type contextKey int

const (
	unaskedKey contextKey = iota
	beganKey
)

// Unasked returns a context whose calls never ask: those that the person types (`yui call`). What they read does not
// enter the conversation either.
func Unasked(ctx context.Context) context.Context { return context.WithValue(ctx, unaskedKey, true) }

// IsUnasked tells whether the context came from Unasked.
func IsUnasked(ctx context.Context) bool { return ctx.Value(unaskedKey) != nil }

// Began is when the guard took a call on. A tool with a wait of its own counts it from here, since the asking is part
// of that wait (docs/rules/tools.md#asking); for a call without a guard it is now.
func Began(ctx context.Context) time.Time {
	if t, ok := ctx.Value(beganKey).(time.Time); ok {
		return t
	}
	return time.Now()
}

func began(ctx context.Context, now time.Time) context.Context {
	if _, has := ctx.Value(beganKey).(time.Time); has {
		return ctx // a guard within a guard
	}
	return context.WithValue(ctx, beganKey, now)
}
