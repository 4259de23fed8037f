package ingress

import (
	"bytes"
	"net"
	"slices"
	"sync"
)

// gate is a listener that lets at most n peers in at a time; the others wait in the system's queue.
type gate struct {
	net.Listener
	room   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newGate(l net.Listener, n int) *gate {
	return &gate{Listener: l, room: make(chan struct{}, n), closed: make(chan struct{})}
}

// Accept implements net.Listener.
func (g *gate) Accept() (net.Conn, error) {
	select {
	case g.room <- struct{}{}:
	case <-g.closed:
		return nil, net.ErrClosed
	}
	c, err := g.Listener.Accept()
	if err != nil {
		<-g.room
		return nil, err
	}
	return &peer{Conn: c, leave: sync.OnceFunc(func() { <-g.room })}, nil
}

// Close implements net.Listener.
func (g *gate) Close() error {
	g.once.Do(func() { close(g.closed) })
	return g.Listener.Close()
}

// peer is one connection.
type peer struct {
	net.Conn
	leave func()

	asked sync.Once // guards ours
	ours  bool
}

// Close implements net.Conn.
func (p *peer) Close() error {
	defer p.leave()
	return p.Conn.Close()
}

// CloseWrite lets net/http end an answer while the peer is still sending.
func (p *peer) CloseWrite() error {
	if half, ok := p.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

var (
	badHead   = []byte("HTTP/1.1 400 ")
	badHosts  = [][]byte{[]byte(": missing required Host header"), []byte(": malformed Host header")}
	misdirect = []byte("HTTP/1.1 421 Misdirected Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
)

// Write implements net.Conn. net/http answers a request without a Host, or with one that cannot be, by itself with 400,
// before any handler and in one piece; docs/rules/chat.md#ingress wants 421 there.
func (p *peer) Write(b []byte) (int, error) {
	if len(b) < 512 && bytes.HasPrefix(b, badHead) && slices.ContainsFunc(badHosts, func(why []byte) bool { return bytes.HasSuffix(b, why) }) {
		if n, err := p.Conn.Write(misdirect); err != nil {
			return min(n, len(b)), err
		}
		return len(b), nil
	}
	return p.Conn.Write(b)
}
