package doorway

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"yui/cmd/yui/control"
)

// What speaks HTTP to the control socket while the ingress is off is told so, and its whole request is read first.
func TestVisitWithoutIngress(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	socket := filepath.Join(t.TempDir(), "yui.sock")
	c, err := control.Listen(socket, nil, New(nil, nil, nil, nil).Visit, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() { c.Serve(ctx); close(served) }()
	web := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	if r, err := web.Post("http://localhost/signals", "application/json", strings.NewReader(strings.Repeat("x", 1<<20))); err != nil || r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a request to the ingress, which is off: %v %v", r, err)
	} else {
		r.Body.Close()
	}
	cancel()
	<-served
}
