// Package company is what open characters say to each other: whom a reply is for, when it is handed over, and when such an
// exchange ends.
package company

import (
	"yui/chat"
	"yui/tools"
)

// Circle is all open characters. Main thread.
type Circle struct {
	open    func() []tools.Named
	chain   func() int
	members map[string]*Member // by preset
	spoke   uint64             // how often the person has spoken, to whomever
}

// NewCircle makes an empty one. open lists the open characters, from any goroutine; chain is how many addressed turns may
// follow on each other.
func NewCircle(open func() []tools.Named, chain func() int) *Circle {
	return &Circle{open: open, chain: chain, members: map[string]*Member{}}
}

// Join adds the character of a preset. begin gives her a turn that nobody has asked for.
func (c *Circle) Join(id string, begin func(t chat.Trigger)) *Member {
	m := &Member{circle: c, id: id, begin: begin}
	c.members[id] = m
	return m
}

// Leave takes a character away: nothing is passed on to her any more.
func (c *Circle) Leave(id string) { delete(c.members, id) }
