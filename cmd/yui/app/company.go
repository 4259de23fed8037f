package app

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"yui/chat"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/settings"
	"yui/store"
	"yui/tools"
)

// company is what one pet's tools know of the others: tools.Relations and tools.Company. Safe from any goroutine.
type company struct {
	pet *pet

	mu sync.Mutex
	to []*addressed // the newest turns only, oldest first
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

// Others are the other open presets.
func (c *company) Others() []tools.Named {
	var list []tools.Named
	for _, p := range c.pet.app.openPresets() {
		if p.ID != c.pet.id {
			list = append(list, tools.Named{ID: p.ID, Name: p.Name})
		}
	}
	return list
}

// ids are those of the other open presets, sorted.
func (c *company) ids() []string {
	list := []string{}
	for _, n := range c.Others() {
		list = append(list, n.ID)
	}
	slices.Sort(list)
	return list
}

// RelationsOn reads the switch.
func (c *company) RelationsOn() bool { return c.pet.app.switches.Enabled(settings.KeyRelations) }

// Rate keeps a change.
func (c *company) Rate(ctx context.Context, toward string, delta int, why string) (value int, clamped bool, err error) {
	target := store.UserTarget
	if toward != "" {
		target = store.TargetOf(toward)
	}
	r, err := c.pet.app.store.Rate(ctx, store.RelationCall{Preset: c.pet.id, Target: target, Delta: delta, Why: why, Now: time.Now()})
	if err == nil && r.Delta != 0 {
		c.pet.app.changed()
		c.pet.showBand(target, r.Value-r.Delta, r.Value)
	}
	return r.Value, r.Clamped, err
}

// showBand lets a new band be seen on her: a few hearts where she warms to the person, else her face for a moment.
// Not for the main thread.
func (p *pet) showBand(target string, was, now int) {
	band := tools.Band(now)
	switch {
	case band == tools.Band(was):
		return
	case now > was && now > 0 && target == store.UserTarget:
		if err := (fireworks{p}).Show(tools.EffectHearts); err != nil {
			p.app.log.Debug("show a new band", "error", err)
		}
		return
	}
	face := "sad"
	if now > was {
		face = "happy"
	}
	p.app.loop.Do(func() {
		p.fig.Express(face, "")
		p.faceEndsIn(4 * time.Second)
	})
}

// Addressed notes whom a turn's reply is for.
func (c *company) Addressed(turn, presetID string) {
	n := c.note(turn)
	c.mu.Lock()
	defer c.mu.Unlock()
	n.to = presetID
}

// holds notes what strangers' words a conversation held at the end of a turn, where its reply is for somebody. Safe from
// any goroutine.
func (c *company) holds(turn string, sources []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(c.to, func(n *addressed) bool { return n.turn == turn }); i >= 0 {
		c.to[i].marks = sources
	}
}

// note finds or begins the note of a turn.
func (c *company) note(turn string) *addressed {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(c.to, func(n *addressed) bool { return n.turn == turn }); i >= 0 {
		return c.to[i]
	}
	n := &addressed{turn: turn}
	c.to = append(c.to, n)
	if len(c.to) > mostAddressed {
		c.to = c.to[1:]
	}
	return n
}

// recipient takes a note away and says whom its reply is for, "" for none.
func (c *company) recipient(n *addressed) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.to = slices.DeleteFunc(c.to, func(m *addressed) bool { return m == n })
	return n.to
}

// openPresets are the presets with an open pet, in the order of opening. Safe from any goroutine.
func (a *App) openPresets() []presets.Preset {
	if list := a.opened.Load(); list != nil {
		return *list
	}
	return nil
}

// noteOpen keeps openPresets and the main pet true. Main thread.
func (a *App) noteOpen() {
	list := make([]presets.Preset, len(a.pets))
	for i, p := range a.pets {
		list[i] = p.preset
	}
	a.opened.Store(&list)
	if len(a.pets) > 0 {
		a.mainPet.Store(a.pets[0])
	} else {
		a.mainPet.Store(nil)
	}
}

// exchange is where a turn stands in what characters say to each other.
type exchange struct {
	depth int    // addressed turns that led to this one
	since uint64 // App.spoke when its first turn began
	ended bool   // the person stopped it
}

// enter finds the exchange that a turn which starts now belongs to. Main thread.
func (p *pet) enter(e chat.TurnStarted) {
	p.exchange, p.heard = exchange{since: p.app.spoke}, false
	switch {
	case e.User:
		p.next = nil
	case e.Name != chat.EventAddressed:
	case p.next != nil:
		p.exchange, p.next = *p.next, nil
	default:
		p.exchange.ended = true // nobody knows how long it is already
	}
}

// spokenTo notes that the person speaks to this pet. Main thread.
func (p *pet) spokenTo() {
	p.app.spoke++
	p.spoken = p.app.spoke
}

// heardOut takes the end of a turn's playback: the reply goes to whom it is for, unless parts of it are still to come.
// Main thread.
func (p *pet) heardOut(turn string) {
	if turn != p.turn || p.running { // the end came before the word of how the turn ended
		p.heardEarly = turn
		return
	}
	if p.heard {
		return
	}
	p.heard = true
	p.fig.Neutral()
	n := p.company.note(turn)
	if len(n.words) == 0 {
		n.from = p.exchange
	}
	if words := strings.TrimSpace(p.text.String()); words != "" {
		n.words = append(n.words, words)
	}
	if p.outcome != chat.OK {
		p.company.recipient(n)
	} else if !p.more || n.ended {
		p.passOn(n)
	}
}

// replyOver takes the end of a reply whose last part was heard before, or is being heard now. Main thread.
func (p *pet) replyOver(turn string) {
	n := p.company.note(turn)
	n.ended = true
	if turn != p.turn || p.heard {
		p.passOn(n)
	}
}

// passOn gives an addressed reply to the pet that it is for, whole and once, after its playback (docs/rules/tools.md#address_character,
// address_character). The person always wins: an exchange among characters ends as soon as the person speaks to anybody,
// and a reply to the person's own words is not passed to one with whom the person talks by now. Main thread.
func (p *pet) passOn(n *addressed) {
	id, words, x := p.company.recipient(n), chat.Joined(n.words), n.from
	if id == "" || words == "" {
		return
	}
	x.ended = x.ended || p.turn == n.turn && p.exchange.ended
	to := p.app.petOf(id)
	if to == nil || x.ended || x.depth >= p.app.first.gate.Chain() || to.spoken > x.since || x.depth > 0 && p.app.spoke != x.since {
		return
	}
	to.next = &exchange{depth: x.depth + 1, since: x.since}
	t := chat.Addressed(to.company.entryOf(p.id), words)
	t.Marks = n.marks // what she has read comes along with her words
	to.session.Background(p.app.ctx, t)
}

// entryOf is the name by which this pet's tools know another one: no name alone tells two of one name apart, or a
// character called user from the person.
func (c *company) entryOf(id string) string {
	for _, n := range tools.ListNames(c.Others()) {
		if n.ID == id {
			return n.Name
		}
	}
	return id
}
