package plugin

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"
)

// Where a server may send us. The first address is the person's and may be anywhere; it may be a secret as well, so no
// Referer tells it. Whoever runs that server must not lead us to other servers of this computer or its network: another
// host has to be in the public internet, and so had the first.

const maxRedirects = 4

// errInside is told of redirects that are not followed.
var errInside = errors.New("a redirect leads to another server that is not a public one")

// lookup finds the addresses of a host.
type lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)

// outside marks the context of a request that may only reach public addresses.
type outside struct{}

// redirect is the CheckRedirect of a client that looks names up by find.
func redirect(find lookup) func(r *http.Request, via []*http.Request) error {
	return func(r *http.Request, via []*http.Request) error {
		r.Header.Del("Referer")
		first := via[0].URL
		switch {
		case len(via) >= maxRedirects:
			return errors.New("too many redirects")
		case first.Scheme == "https" && r.URL.Scheme != "https":
			return errors.New("a redirect leaves https")
		case r.URL.Scheme != "https" && r.URL.Scheme != "http":
			return errors.New("a redirect leaves the web: unsupported protocol")
		case sameServer(first, r.URL):
			return nil
		}
		for _, u := range []*url.URL{first, r.URL} {
			all, err := find(r.Context(), "ip", u.Hostname())
			if err != nil {
				return err
			}
			if len(all) == 0 || slices.ContainsFunc(all, inside) {
				return errInside
			}
		}
		if through, err := http.ProxyFromEnvironment(r); err != nil || through == nil { // a proxy dials by itself
			*r = *r.WithContext(context.WithValue(r.Context(), outside{}, true))
		}
		return nil
	}
}

// sameServer compares host and port; from http to https of one host the usual ports count as one.
func sameServer(a, b *url.URL) bool {
	if a.Hostname() != b.Hostname() {
		return false
	}
	return a.Host == b.Host || port(a) == port(b) || a.Scheme == "http" && port(a) == "80" && port(b) == "443"
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme]
}

// dial connects; where a name has got another address since it was looked up, that one counts.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: requestTimeout, KeepAlive: 30 * time.Second}
	if ctx.Value(outside{}) != nil {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			if at, err := netip.ParseAddrPort(address); err != nil || inside(at.Addr()) {
				return errInside
			}
			return nil
		}
	}
	return d.DialContext(ctx, network, address)
}

// notPublic are ranges that package netip takes for global.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("fec0::/10"),
	netip.MustParsePrefix("64:ff9b::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("2001::/32"), // IPv4 in disguise
}

// inside says whether an address belongs to this computer or its network.
func inside(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return !a.IsGlobalUnicast() || a.IsPrivate() || slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(a) })
}
