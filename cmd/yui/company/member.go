package company

import (
	"slices"
	"strings"
	"sync"

	"yui/chat"
	"yui/tools"
)

// Member is one open character in a Circle. Main thread, but for Others, IDs, Addressed and Holds, which are safe from any
// goroutine.
type Member struct {
	circle *Circle
	id     string
	begin  func(t chat.Trigger)

	turn    string   // the newest
	running bool     // its end has not been told
	last    Reply    // how it ended
	heard   bool     // its playback is over, and that was taken
	early   string   // a turn whose playback was over before its end was told
	now     exchange // of the newest turn
	next    *exchange
	spoken  uint64 // Circle.spoke when the person last spoke to her

	mu sync.Mutex
	to []*addressed // the newest turns only, oldest first
}

// Reply is what a turn came to.
type Reply struct {
	Words string
	OK    bool // it ended well
	More  bool // it goes on in a further turn
}

// exchange is where a turn stands in what characters say to each other.
type exchange struct {
	depth int    // addressed turns that led to this one
	since uint64 // Circle.spoke when its first turn began
	ended bool   // the person stopped it
}

// addressed is what is known of a turn's reply until it can be handed over. Its later fields are the main thread's.
type addressed struct {
	turn, to string   // to is the preset id it is for, "" for none
	words    []string // of the parts that have been played
	from     exchange // that the first of them belongs to
	ended    bool     // no further part comes
	marks    []string // the sources of strangers' words in her conversation, when the turn ended
}

// mostAddressed is how many replies are kept: more than a push backend may have open at a time.
const mostAddressed = 32

// Others are the other open characters.
func (m *Member) Others() []tools.Named {
	return slices.DeleteFunc(slices.Clone(m.circle.open()), func(n tools.Named) bool { return n.ID == m.id })
}

// IDs are those of the other open characters, sorted.
func (m *Member) IDs() []string {
	list := []string{}
	for _, n := range m.Others() {
		list = append(list, n.ID)
	}
	slices.Sort(list)
	return list
}

// Addressed implements tools.Company: it notes whom a turn's reply is for.
func (m *Member) Addressed(turn, presetID string) {
	n := m.note(turn)
	m.mu.Lock()
	defer m.mu.Unlock()
	n.to = presetID
}

// Holds notes what strangers' words a conversation held at the end of a turn, where its reply is for somebody.
func (m *Member) Holds(turn string, sources []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.to, func(n *addressed) bool { return n.turn == turn }); i >= 0 {
		m.to[i].marks = sources
	}
}

// note finds or begins the note of a turn.
func (m *Member) note(turn string) *addressed {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.to, func(n *addressed) bool { return n.turn == turn }); i >= 0 {
		return m.to[i]
	}
	n := &addressed{turn: turn}
	m.to = append(m.to, n)
	if len(m.to) > mostAddressed {
		m.to = m.to[1:]
	}
	return n
}

// recipient takes a note away and says whom its reply is for, "" for none, and what its conversation held.
func (m *Member) recipient(n *addressed) (to string, marks []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.to = slices.DeleteFunc(m.to, func(o *addressed) bool { return o == n })
	return n.to, n.marks
}

// Began takes the start of a turn, and finds the exchange that it belongs to.
func (m *Member) Began(e chat.TurnStarted) {
	m.turn, m.running, m.heard = e.Turn, true, false
	m.now = exchange{since: m.circle.spoke}
	switch {
	case e.User:
		m.next = nil
	case e.Name != chat.EventAddressed:
	case m.next != nil:
		m.now, m.next = *m.next, nil
	default:
		m.now.ended = true // nobody knows how long it is already
	}
}

// SpokenTo notes that the person speaks to this character.
func (m *Member) SpokenTo() {
	m.circle.spoke++
	m.spoken = m.circle.spoke
}

// Stopped notes that the person stopped the newest turn: nothing follows from it.
func (m *Member) Stopped() { m.now.ended = true }

// Ended takes how a turn ended. It reports whether the turn has been heard out with that, as HeardOut does.
func (m *Member) Ended(turn string, r Reply) (out bool) {
	m.running, m.last = false, r
	return m.early == turn && m.HeardOut(turn)
}

// HeardOut takes the end of a turn's playback: the reply goes to whom it is for, unless parts of it are still to come. It
// reports whether that is the end of the newest turn, once.
func (m *Member) HeardOut(turn string) (out bool) {
	if turn != m.turn || m.running { // the end came before the word of how the turn ended
		m.early = turn
		return false
	}
	if m.heard {
		return false
	}
	m.heard = true
	n := m.note(turn)
	if len(n.words) == 0 {
		n.from = m.now
	}
	if words := strings.TrimSpace(m.last.Words); words != "" {
		n.words = append(n.words, words)
	}
	if !m.last.OK {
		m.recipient(n)
	} else if !m.last.More || n.ended {
		m.passOn(n)
	}
	return true
}

// ReplyOver takes the end of a reply whose last part was heard before, or is being heard now.
func (m *Member) ReplyOver(turn string) {
	n := m.note(turn)
	n.ended = true
	if turn != m.turn || m.heard {
		m.passOn(n)
	}
}

// passOn gives an addressed reply to the character that it is for, whole and once, after its playback
// (docs/rules/tools.md#address_character). The person always wins: an exchange among characters ends as soon as the person
// speaks to anybody, and a reply to the person's own words is not passed to one with whom the person talks by now.
func (m *Member) passOn(n *addressed) {
	id, marks := m.recipient(n)
	words, x := chat.Joined(n.words), n.from
	if id == "" || words == "" {
		return
	}
	x.ended = x.ended || m.turn == n.turn && m.now.ended
	to := m.circle.members[id]
	if to == nil || x.ended || x.depth >= m.circle.chain() || to.spoken > x.since || x.depth > 0 && m.circle.spoke != x.since {
		return
	}
	to.next = &exchange{depth: x.depth + 1, since: x.since}
	t := chat.Addressed(to.entryOf(m.id), words)
	t.Marks = marks // what she has read comes along with her words
	to.begin(t)
}

// entryOf is the name by which this character's tools know another one: no name alone tells two of one name apart, or a
// character called user from the person.
func (m *Member) entryOf(id string) string {
	for _, n := range tools.ListNames(m.Others()) {
		if n.ID == id {
			return n.Name
		}
	}
	return id
}
