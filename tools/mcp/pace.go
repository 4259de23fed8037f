package mcp

import "time"

// pace holds a reader back that gets more than a server has any reason to send: the rest waits in the pipe or socket, so
// that an endless flood costs neither memory nor more than a sliver of a core.
type pace struct {
	perSecond int // messages
	bytes     int // a second
	began     time.Time
	messages  int
	size      int
}

// The most that is taken in of one server in a second.
const (
	paceMessages = 300
	paceBytes    = 16 << 20
)

// took counts a message and tells how long to wait before the next.
func (p *pace) took(messages, size int, now time.Time) time.Duration {
	if now.Sub(p.began) >= time.Second || now.Before(p.began) {
		p.began, p.messages, p.size = now, 0, 0
	}
	p.messages += messages
	p.size += size
	if p.messages < p.perSecond && p.size < p.bytes {
		return 0
	}
	return p.began.Add(time.Second).Sub(now)
}
