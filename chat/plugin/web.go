package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"yui/internal/web"
)

const (
	requestTimeout = 12 * time.Second
	userAgent      = "YUI (desktop pet)"
)

// fetched is an answer of a server.
type fetched struct {
	body     []byte
	etag     string
	modified string
	same     bool // 304: as it was
}

// want is one GET. Its address may be a secret (a calendar's private link): no error shows more of it than the host.
type want struct {
	service  string // "weather", for errors
	url      string
	limit    int64 // bytes of the answer
	etag     string
	modified string
}

// newClient makes a client that follows a few redirects and keeps no cookies. It is used by one plugin and rests between
// fetches.
func newClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.IdleConnTimeout, t.ResponseHeaderTimeout = 2, 20*time.Second, requestTimeout
	t.DialContext = dial
	return &http.Client{Transport: t, Timeout: requestTimeout, CheckRedirect: redirect(net.DefaultResolver.LookupNetIP)}
}

// get asks a server. Errors read "ask SERVICE at HOST: cause"; a *pause among them names how long to leave it alone.
func get(ctx context.Context, c *http.Client, w want) (fetched, error) {
	fail := func(host string, cause error) (fetched, error) {
		return fetched{}, fmt.Errorf("ask %s at %s: %w", w.service, host, cause)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url, nil)
	if err != nil {
		return fail("its address", errors.New("the address is malformed"))
	}
	r.Header.Set("User-Agent", userAgent)
	for key, v := range map[string]string{"If-None-Match": w.etag, "If-Modified-Since": w.modified} {
		if v != "" {
			r.Header.Set(key, v)
		}
	}
	resp, err := c.Do(r)
	if err != nil {
		return fail(r.URL.Host, webCause(err))
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNotModified && (w.etag != "" || w.modified != ""):
		return fetched{same: true, etag: w.etag, modified: w.modified}, nil
	case resp.StatusCode != http.StatusOK:
		cause := fmt.Errorf("it answers %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
		if wait := web.RetryAfter(resp.Header, time.Now()); wait > 0 {
			return fail(r.URL.Host, &pause{cause, wait})
		}
		return fail(r.URL.Host, cause)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, w.limit+1))
	if err != nil {
		return fail(r.URL.Host, webCause(err))
	}
	if int64(len(body)) > w.limit {
		return fail(r.URL.Host, errors.New("the answer is too large"))
	}
	return fetched{body: body, etag: short(resp.Header.Get("ETag")), modified: short(resp.Header.Get("Last-Modified"))}, nil
}

// short keeps a header that is worth sending back.
func short(v string) string {
	if len(v) > 256 {
		return ""
	}
	return v
}

// webCause says why a request failed, without the address that http puts into its errors.
func webCause(err error) error {
	var dns *net.DNSError
	var u *url.Error
	switch {
	case errors.As(err, &dns):
		return errors.New("its name is not known; is there a network?")
	case errors.Is(err, context.DeadlineExceeded) || isTimeout(err):
		return errors.New("no answer in time")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the answer is cut short")
	case errors.As(err, &u):
		return u.Err
	}
	return err
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}
