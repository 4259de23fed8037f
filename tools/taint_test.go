package tools

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"yui/assets/lang"
)

// book is a Ledger.
type book struct {
	kept   Marks
	broken error
	writes int
}

func (b *book) LoadMarks() (Marks, error) { return b.kept, b.broken }
func (b *book) SaveMarks(m Marks)         { b.kept = m; b.writes++ }

// The marks outlast the Taint: closing, opening and a restart read them again. Only the person's words and a new
// conversation clear them.
func TestTaintIsKept(t *testing.T) {
	b := &book{}
	sees := func(when string, want ...string) {
		t.Helper()
		if got := NewTaint(b).Sources(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	NewTaint(b).Mark(FromSearch)
	sees("opened again", FromSearch)
	NewTaint(b).Turn(false, FromProgram)
	sees("after a turn that nobody typed", FromSearch, FromProgram)
	before := b.writes
	NewTaint(b).Turn(false, FromProgram)
	NewTaint(b).Mark(FromSearch)
	if b.writes != before {
		t.Error("what is known is written again")
	}
	NewTaint(b).Turn(true, FromCard)
	sees("after the person's words", FromCard)

	taint := NewTaint(b)
	taint.Grant("x", 0).Give()
	taint.NewConversation()
	if got := taint.Sources(); !slices.Equal(got, []string{FromCard}) {
		t.Errorf("a turn that still runs: %v", got)
	}
	sees("a new conversation, after a restart")
	taint.Turn(false)
	if len(taint.Sources()) != 0 || taint.Grant("x", 0).Given() {
		t.Error("a new conversation is as the old one")
	}
	b.broken = errors.New("locked")
	if got := NewTaint(b).Sources(); !slices.Equal(got, []string{FromUnknown}) {
		t.Errorf("marks that cannot be read: %v", got)
	}
}

// A signal that was offered before the person spoke marks the turn in which it is told.
func TestTaintOfATurnThatWaited(t *testing.T) {
	var taint Taint
	taint.Turn(true)
	taint.Turn(false, FromProgram)
	if !taint.Tainted(Call{}) {
		t.Error("the signal's turn is not marked")
	}
}

func TestGrant(t *testing.T) {
	b := &book{}
	now := time.Unix(1000, 0)
	of := func(rest time.Duration) *grant {
		g := NewTaint(b).Grant("browser", rest).(*grant)
		g.now = func() time.Time { return now }
		return g
	}
	if of(0).Given() {
		t.Error("given at first")
	}
	g := of(time.Hour)
	g.Give()
	for range 3 { // used again and again it goes on
		now = now.Add(50 * time.Minute)
		if !g.Given() {
			t.Fatal("it ended while it was needed")
		}
	}
	now = now.Add(2 * time.Hour)
	if g.Given() || of(time.Hour).Given() || !of(0).Given() {
		t.Error("after a rest")
	}
}

// What browser itself has read asks once in a conversation; anything else before each script.
func TestBrowserGoesOn(t *testing.T) {
	var taint Taint
	runs, p := 0, &person{allows: true}
	on := func() bool { return true }
	page := taint.Watched(probe(&runs), FromPages, Anything)
	tool := Guard{Asker: p}.GuardedBy(page, BrowserRules(lang.In("en"), on, &taint)...)
	asked := func(when string, want int) {
		t.Helper()
		before := len(p.questions())
		tool.Run(context.Background(), Call{Args: json.RawMessage(`{"code":"a()"}`)})
		if got := len(p.questions()) - before; got != want {
			t.Errorf("%s: asked %d times, want %d", when, got, want)
		}
	}
	asked("the first script", 0)
	asked("after a page", 1)
	asked("and on", 0)
	taint.Mark(FromSearch)
	asked("after a search", 1)
	asked("and again", 1)
	taint.Turn(true)
	asked("the person's words", 0)
	asked("pages again, the same conversation", 0)
	taint.NewConversation()
	taint.Turn(true)
	asked("a new one", 0)
	asked("its first page", 1)
	p.allows = false
	taint.NewConversation()
	taint.Turn(true, FromCard)
	asked("a card", 1)
}

func TestAlsoMarked(t *testing.T) {
	var taint Taint
	once := &memory{}
	c := taint.AlsoMarked(once, "camera")
	if c.Given() {
		t.Error("given at first")
	}
	c.Give()
	taint.Mark(FromSearch)
	if !c.Given() {
		t.Error("asked twice for one thing")
	}
	taint.NewConversation()
	taint.Turn(false)
	if !c.Given() {
		t.Error("allowed for good, and nothing has entered")
	}
	taint.Mark(FromSearch)
	if c.Given() {
		t.Error("not asked in another conversation that is marked")
	}
}
