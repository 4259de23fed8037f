package plugin

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// A calendar's server learns nobody else's address, and leads to no other server of this computer.
func TestRedirectKeepsInside(t *testing.T) {
	asked := make(chan string, 10)
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	defer other.Close()
	var to string
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved/me.ics" {
			asked <- "Referer:" + r.Header.Get("Referer")
			return
		}
		http.Redirect(w, r, to, http.StatusFound)
	}))
	defer first.Close()
	secret := first.URL + "/private-KEY/me.ics?token=T"
	c := newClient()
	defer c.CloseIdleConnections()
	for _, to = range []string{other.URL + "/admin", strings.Replace(other.URL, "127.0.0.1", "localhost", 1) + "/admin",
		strings.Replace(first.URL, "127.0.0.1", "localhost", 1) + "/admin", "http://[::1]:80/admin", "http://0/", "http://169.254.169.254/latest"} {
		if _, err := get(t.Context(), c, want{service: "calendar", url: secret, limit: 100}); !errors.Is(err, errInside) || strings.Contains(err.Error(), "KEY") {
			t.Errorf("%s: %v", to, err)
		}
	}
	to = "/moved/me.ics"
	if _, err := get(t.Context(), c, want{service: "calendar", url: secret, limit: 100}); err != nil {
		t.Error(err)
	}
	if got := <-asked; got != "Referer:" {
		t.Error("the first thing that was asked:", got)
	}
}

func TestRedirectRules(t *testing.T) {
	names := map[string]string{"a.example": "93.184.216.34", "b.example": "2606:2800:220:1::1", "nas.example": "192.168.1.4", "mixed.example": "93.184.216.34,10.0.0.1"}
	find := func(_ context.Context, _, host string) ([]netip.Addr, error) {
		if a, err := netip.ParseAddr(host); err == nil {
			return []netip.Addr{a}, nil
		}
		var all []netip.Addr
		for a := range strings.SplitSeq(names[host], ",") {
			if at, err := netip.ParseAddr(a); err == nil {
				all = append(all, at)
			}
		}
		return all, nil
	}
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"https://a.example/x", "https://b.example/y", true},
		{"http://a.example/x", "https://a.example/x", true},
		{"http://a.example/x", "https://b.example/x", true},
		{"https://a.example/x", "http://a.example/x", false},
		{"https://a.example/x", "https://nas.example/x", false},
		{"https://a.example/x", "https://mixed.example/x", false},
		{"https://a.example/x", "https://unknown.example/x", false},
		{"http://nas.example/x", "http://b.example/x", false},
		{"http://nas.example/x", "http://nas.example/y", true},
		{"http://nas.example/x", "https://nas.example/x", true},
		{"http://nas.example:80/x", "http://nas.example/y", true},
		{"http://nas.example/x", "http://nas.example:8080/x", false},
		{"http://nas.example:8080/x", "https://nas.example/x", false},
	} {
		from, _ := url.Parse(c.from)
		to, _ := url.Parse(c.to)
		r := (&http.Request{URL: to, Header: http.Header{"Referer": {c.from}}}).WithContext(t.Context())
		err := redirect(find)(r, []*http.Request{{URL: from}})
		if (err == nil) != c.ok || r.Header.Get("Referer") != "" {
			t.Errorf("%s to %s: %v, %v", c.from, c.to, err, r.Header)
		}
	}
}

func TestInside(t *testing.T) {
	for text, want := range map[string]bool{
		"127.0.0.1": true, "10.1.2.3": true, "172.16.0.1": true, "192.168.0.1": true, "169.254.169.254": true, "0.0.0.0": true,
		"100.64.0.1": true, "255.255.255.255": true, "224.0.0.1": true, "::1": true, "::": true, "fe80::1%eth0": true, "fd00::1": true,
		"::ffff:127.0.0.1": true, "::ffff:93.184.216.34": false, "64:ff9b::7f00:1": true, "2002:7f00:1::": true,
		"93.184.216.34": false, "2606:2800:220:1::1": false, "172.32.0.1": false,
	} {
		if got := inside(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// A name that was public when it was looked up, and is not any more.
func TestDialChecksAgain(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := dial(context.WithValue(t.Context(), outside{}, true), "tcp", l.Addr().String()); !errors.Is(err, errInside) {
		t.Error(err)
	}
	c, err := dial(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}
