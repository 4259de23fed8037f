package ingress

import (
	"bufio"
	"net"
	"sync"
)

// handed is a listener whose connections somebody else has accepted.
type handed struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newHanded() *handed {
	return &handed{conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept implements net.Listener.
func (h *handed) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (h *handed) Close() error {
	h.once.Do(func() { close(h.closed) })
	return nil
}

// Addr implements net.Listener.
func (h *handed) Addr() net.Addr { return &net.UnixAddr{Net: "unix"} }

// handedConn is a connection of which something was read already.
type handedConn struct {
	*net.UnixConn
	in *bufio.Reader
}

// Read implements net.Conn.
func (c *handedConn) Read(b []byte) (int, error) { return c.in.Read(b) }

// Take serves a connection to a Unix socket that only this user can reach; in is what reads it, with what has come so
// far. It returns once the connection is being served, or was closed because the server has ended.
func (s *Server) Take(c *net.UnixConn, in *bufio.Reader) {
	select {
	case s.handed.conns <- &handedConn{c, in}:
	case <-s.handed.closed:
		c.Close()
	}
}
