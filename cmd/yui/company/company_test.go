package company

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"yui/chat"
	"yui/tools"
)

// room is a circle of three; what is passed on is kept as "to: words".
type room struct {
	*Circle
	yui, momo, sora *Member
	passed          []string
	marks           []string
	turns           int
}

func newRoom(chain int) *room {
	r := &room{}
	open := []tools.Named{{ID: "yui", Name: "Yui"}, {ID: "momo", Name: "Momo"}, {ID: "sora", Name: "Sora"}}
	r.Circle = NewCircle(func() []tools.Named { return open }, func() int { return chain })
	join := func(id string) *Member {
		return r.Join(id, func(t chat.Trigger) {
			r.passed, r.marks = append(r.passed, id+": "+t.Text), t.Marks
		})
	}
	r.yui, r.momo, r.sora = join("yui"), join("momo"), join("sora")
	return r
}

// begins starts a turn and returns its id.
func (r *room) begins(m *Member, e chat.TurnStarted) string {
	r.turns++
	e.Turn = fmt.Sprint("t", r.turns)
	m.Began(e)
	return e.Turn
}

// user starts a turn of the person's, addressed one that another character's words began.
func (r *room) user(m *Member) string {
	m.SpokenTo()
	return r.begins(m, chat.TurnStarted{User: true})
}
func (r *room) addressed(m *Member) string {
	return r.begins(m, chat.TurnStarted{Name: chat.EventAddressed})
}

// answers ends a turn with words for somebody, played to the end.
func (r *room) answers(m *Member, turn, to, words string) {
	m.Addressed(turn, to)
	m.Ended(turn, Reply{Words: words, OK: true})
	m.HeardOut(turn)
}

// What is passed on, and what is not (docs/rules/tools.md#address_character).
func TestReplies(t *testing.T) {
	for _, c := range []struct {
		name string
		play func(r *room)
		want []string
	}{
		{"after its playback", func(r *room) { r.answers(r.yui, r.user(r.yui), "momo", "Hi.") }, []string{"momo: (Yui says to you) Hi."}},
		{"not before its playback", func(r *room) {
			turn := r.user(r.yui)
			r.yui.Addressed(turn, "momo")
			r.yui.Ended(turn, Reply{Words: "Hi.", OK: true})
		}, nil},
		{"once, whichever end comes first", func(r *room) {
			turn := r.user(r.yui)
			r.yui.Addressed(turn, "momo")
			r.yui.HeardOut(turn)
			r.yui.Ended(turn, Reply{Words: "Hi.", OK: true})
			r.yui.HeardOut(turn)
		}, []string{"momo: (Yui says to you) Hi."}},
		{"whole, where it goes on", func(r *room) {
			turn := r.user(r.yui)
			r.yui.Addressed(turn, "momo")
			r.yui.Ended(turn, Reply{Words: "One.", OK: true, More: true})
			r.yui.HeardOut(turn)
			r.yui.Began(chat.TurnStarted{Turn: turn})
			r.yui.Ended(turn, Reply{Words: "Two.", OK: true, More: true})
			r.yui.ReplyOver(turn)
			r.yui.HeardOut(turn)
		}, []string{"momo: (Yui says to you) " + chat.Joined([]string{"One.", "Two."})}},
		{"not where it failed", func(r *room) {
			turn := r.user(r.yui)
			r.yui.Addressed(turn, "momo")
			r.yui.Ended(turn, Reply{Words: "Hi."})
			r.yui.HeardOut(turn)
		}, nil},
		{"not where the person stopped it", func(r *room) {
			turn := r.user(r.yui)
			r.yui.Stopped()
			r.answers(r.yui, turn, "momo", "Hi.")
		}, nil},
		{"not where the person stopped a later part of it", func(r *room) {
			turn := r.user(r.yui)
			r.yui.Addressed(turn, "momo")
			r.yui.Ended(turn, Reply{Words: "One.", OK: true, More: true})
			r.yui.HeardOut(turn)
			r.yui.Began(chat.TurnStarted{Turn: turn})
			r.yui.Stopped()
			r.yui.Ended(turn, Reply{Words: "Two.", OK: true})
			r.yui.HeardOut(turn)
		}, nil},
		{"not without words", func(r *room) { r.answers(r.yui, r.user(r.yui), "momo", " ") }, nil},
		{"not to one who has left", func(r *room) {
			turn := r.user(r.yui)
			r.Leave("momo")
			r.answers(r.yui, turn, "momo", "Hi.")
		}, nil},
		{"no longer than the chain", func(r *room) {
			r.answers(r.yui, r.user(r.yui), "momo", "1")
			r.answers(r.momo, r.addressed(r.momo), "yui", "2")
			r.answers(r.yui, r.addressed(r.yui), "momo", "3")
		}, []string{"momo: (Yui says to you) 1", "yui: (Momo says to you) 2"}},
		{"not on, once the person speaks to anybody", func(r *room) {
			r.answers(r.yui, r.user(r.yui), "momo", "1")
			turn := r.addressed(r.momo)
			r.sora.SpokenTo()
			r.answers(r.momo, turn, "yui", "2")
		}, []string{"momo: (Yui says to you) 1"}},
		{"what answers the person, though they speak to a third", func(r *room) {
			turn := r.user(r.yui)
			r.sora.SpokenTo()
			r.answers(r.yui, turn, "momo", "Hi.")
		}, []string{"momo: (Yui says to you) Hi."}},
		{"not to one with whom the person talks by now", func(r *room) {
			turn := r.user(r.yui)
			r.momo.SpokenTo()
			r.answers(r.yui, turn, "momo", "Hi.")
		}, nil},
		{"not from a turn of before this start", func(r *room) { r.answers(r.yui, r.addressed(r.yui), "momo", "Hi.") }, nil},
	} {
		r := newRoom(2)
		if c.play(r); !slices.Equal(r.passed, c.want) {
			t.Errorf("%s: %q, want %q", c.name, r.passed, c.want)
		}
	}
}

// What strangers wrote in a conversation comes along with the words that were said there.
func TestMarksComeAlong(t *testing.T) {
	r := newRoom(2)
	turn := r.user(r.yui)
	r.yui.Addressed(turn, "momo")
	r.yui.Holds(turn, []string{"web pages"})
	r.answers(r.yui, turn, "momo", "Hi.")
	if !slices.Equal(r.marks, []string{"web pages"}) {
		t.Errorf("%q", r.marks)
	}
}

// Two of one name are told apart, and nobody passes for the person.
func TestNamesOfSpeakers(t *testing.T) {
	r := &room{}
	open := []tools.Named{{ID: "a", Name: "Kuro"}, {ID: "b", Name: "Kuro"}, {ID: "c", Name: "user"}, {ID: "momo", Name: "Momo"}}
	r.Circle = NewCircle(func() []tools.Named { return open }, func() int { return 1 })
	r.Join("momo", func(t chat.Trigger) { r.passed = append(r.passed, t.Text) })
	for _, n := range open[:3] {
		m := r.Join(n.ID, nil)
		r.answers(m, r.user(m), "momo", "Hi.")
	}
	if len(r.passed) != 3 || r.passed[0] == r.passed[1] || strings.HasPrefix(r.passed[2], "(user says") {
		t.Errorf("%q", r.passed)
	}
	if got := r.members["a"].IDs(); !slices.Equal(got, []string{"b", "c", "momo"}) {
		t.Errorf("the others of a: %q", got)
	}
}

// However many replies are never heard out, few are kept.
func TestNotesAreBounded(t *testing.T) {
	r := newRoom(2)
	for i := range 3 * mostAddressed {
		r.yui.Addressed(fmt.Sprint("lost", i), "momo")
	}
	if len(r.yui.to) != mostAddressed || r.yui.to[0].turn != fmt.Sprint("lost", 2*mostAddressed) {
		t.Errorf("%d kept, the oldest %s", len(r.yui.to), r.yui.to[0].turn)
	}
}
