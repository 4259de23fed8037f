package ingress

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// Everybody on this computer can reach 127.0.0.1, and not everybody on it can read the person's files. So a peer has to
// be a program of the same user: the kernel lists every socket with its user. Over the Unix socket the file's own rights
// have said so already.

// sockets are the kernel's lists; a client of an IPv6 socket that came to 127.0.0.1 stands in the second.
var sockets = []string{"net/tcp", "net/tcp6"}

// ours says whether the socket of a peer belongs to the user of this process. proc is /proc. A peer that has closed its
// socket already belongs to nobody.
func ours(proc fs.FS, peer, here netip.AddrPort) bool {
	for _, list := range sockets {
		if uid, ok := ownerIn(proc, list, peer, here); ok {
			return uid == os.Getuid()
		}
	}
	return false
}

// ownerIn looks for the socket that is bound to peer and connected to here, and gives its user.
func ownerIn(proc fs.FS, list string, peer, here netip.AddrPort) (uid int, ok bool) {
	f, err := proc.Open(list)
	if err != nil {
		return 0, false // no IPv6, or no /proc: nobody is known, and so nobody is let in
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		// number, local address, remote address, state, queues, timers, retransmits, user, timeout, inode
		field := strings.Fields(lines.Text())
		if len(field) < 10 || !isAddress(field[1], peer) || !isAddress(field[2], here) || field[9] == "0" { // 0: closed by its owner
			continue
		}
		uid, err := strconv.Atoi(field[7])
		return uid, err == nil
	}
	return 0, false
}

// isAddress compares with the kernel's spelling: the address in words of 32 bits as they lie in memory, and the port.
func isAddress(text string, a netip.AddrPort) bool {
	ip4 := a.Addr().Unmap()
	if !ip4.Is4() {
		return text == spell(a.Addr().As16(), a.Port())
	}
	b := ip4.As4()
	return text == fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(b[:]), a.Port()) ||
		text == spell(netip.AddrFrom4(b).As16(), a.Port())
}

func spell(ip [16]byte, port uint16) string {
	var b strings.Builder
	for i := 0; i < len(ip); i += 4 {
		fmt.Fprintf(&b, "%08X", binary.NativeEndian.Uint32(ip[i:]))
	}
	return fmt.Sprintf("%s:%04X", b.String(), port)
}

type peerKey struct{}

// known notes with a connection's requests who is at the other end.
func known(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, peerKey{}, c)
}

// trusted says whether a request comes from a program of the same user on this computer.
func (s *Server) trusted(ctx context.Context) bool {
	p, ok := ctx.Value(peerKey{}).(*peer)
	return ok && p.trusted(s.proc)
}

// trusted is looked up once a connection, when its first request has come.
func (p *peer) trusted(proc fs.FS) bool {
	p.asked.Do(func() {
		if _, ok := p.Conn.(*handedConn); ok {
			p.ours = true
			return
		}
		there, err1 := netip.ParseAddrPort(p.RemoteAddr().String())
		here, err2 := netip.ParseAddrPort(p.LocalAddr().String())
		p.ours = err1 == nil && err2 == nil && there.Addr().Unmap().IsLoopback() && ours(proc, there, here)
	})
	return p.ours
}
