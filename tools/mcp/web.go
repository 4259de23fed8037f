package mcp

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// web sends the requests of one connection to a server: with its headers, to its host alone, and taking no more in than
// it should.
type web struct {
	target target
	base   *http.Transport
	ctx    context.Context // ends with the connection
}

var errRedirect = errors.New("it wanted to send the request elsewhere")

// newWeb makes the client of a connection, which ends with ctx.
func newWeb(ctx context.Context, t target) (client *http.Client, closing func()) {
	w := &web{target: t, ctx: ctx, base: &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: 64 << 10, IdleConnTimeout: 30 * time.Second,
	}}
	client = &http.Client{Transport: w, CheckRedirect: func(to *http.Request, via []*http.Request) error {
		from := via[0].URL
		// The headers are for this host alone, and so is what the model says.
		if len(via) > 3 || to.URL.Scheme != from.Scheme || to.URL.Host != from.Host {
			return errRedirect
		}
		return nil
	}}
	return client, w.base.CloseIdleConnections
}

// RoundTrip implements http.RoundTripper.
func (w *web) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	stop := context.AfterFunc(w.ctx, cancel)
	end := func() { stop(); cancel() }
	req = req.Clone(ctx)
	for name, value := range w.target.headers {
		req.Header.Set(name, string(value))
	}
	req.Header.Set("User-Agent", "YUI")
	res, err := w.base.RoundTrip(req)
	if err != nil {
		end()
		return nil, err
	}
	b := &body{ReadCloser: res.Body, end: end, ctx: ctx, speed: pace{perSecond: 10 * paceMessages, bytes: paceBytes}}
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		b.most = frameMost // events have a limit of their own, and their stream has no end
	}
	res.Body = newMended(b, b.most == 0)
	return res, nil
}

// body is the answer to a request.
type body struct {
	io.ReadCloser
	end   func()
	once  sync.Once
	ctx   context.Context
	most  int64 // in all; 0 where there is no limit
	read  int64
	speed pace // by lines
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), 64<<10)])
	b.read += int64(n)
	if b.most > 0 && b.read > b.most {
		return 0, errTooLong
	}
	lines := 0
	for _, c := range p[:n] {
		if c == '\n' {
			lines++
		}
	}
	if wait := b.speed.took(lines, n, time.Now()); wait > 0 {
		select {
		case <-time.After(wait):
		case <-b.ctx.Done():
		}
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error {
	b.once.Do(b.end)
	return b.ReadCloser.Close()
}
