package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"yui/assets/lang"
	"yui/internal/web"
)

// Secret is a key or an address that must not be seen: whatever prints it prints a mask.
type Secret string

// String returns the mask, as all that prints does.
func (Secret) String() string { return "[secret]" }

// GoString is for %#v.
func (Secret) GoString() string { return "[secret]" }

// LogValue is for logs.
func (Secret) LogValue() slog.Value { return slog.StringValue("[secret]") }

// MarshalText is for JSON and TOML.
func (Secret) MarshalText() ([]byte, error) { return []byte("[secret]"), nil }

type failureKind int

const (
	failStatus      failureKind = iota // a status that says nothing more
	failRefused                        // 401, 403
	failMissing                        // 404, 410
	failBusy                           // 429
	failServer                         // 5xx
	failTimeout                        // no answer in time
	failUnreachable                    // no connection, or it broke
	failAnswer                         // HTML, cut short, another shape
	failTooLarge                       // more than we read
	failRedirect                       // sent elsewhere
)

// webFailure is why a service gave no answer. It holds nothing of address, key or body, so that it may be shown.
type webFailure struct {
	kind   failureKind
	status int
	wait   time.Duration // of failBusy: what the service asked for, 0 where it did not say
	sent   bool          // of failTimeout and failUnreachable: the request had gone out, and may have been heard
}

var kindWords = [...]string{"unexpected status", "refused", "not found", "too many requests", "server failure", "timeout",
	"no connection", "malformed answer", "answer too large", "redirect refused"}

func (f *webFailure) Error() string {
	if f.status != 0 {
		return fmt.Sprintf("ask web service: %s (status %d)", kindWords[f.kind], f.status)
	}
	return "ask web service: " + kindWords[f.kind]
}

// failureKeys say each kind to the model.
var failureKeys = [...]lang.Key{
	failStatus: "tool.web.not_accepted", failRefused: "tool.web.refused", failMissing: "tool.web.missing", failBusy: "tool.web.busy", failServer: "tool.web.server",
	failTimeout: "tool.web.late", failUnreachable: "tool.web.unreachable", failAnswer: "tool.web.unreadable", failTooLarge: "tool.web.too_large", failRedirect: "tool.web.redirect",
}

// tell writes the failure for the model, with the service's name in the language.
func (f *webFailure) tell(w *lang.Words, service string) string {
	if f.kind == failBusy && f.wait > 0 {
		return "error: " + w.Text("tool.web.busy_wait", lang.Args{"service": service, lang.Count: int64((f.wait + time.Second - 1) / time.Second)})
	}
	text := "error: " + w.Text(failureKeys[f.kind], lang.Args{"service": service})
	switch f.kind {
	case failStatus, failRefused, failMissing, failServer:
		text += fmt.Sprintf(" (%d)", f.status)
	}
	return text
}

// tellFailure is tell for any error of a service; what is no webFailure is a bad answer.
func tellFailure(w *lang.Words, service string, err error) string {
	var f *webFailure
	if !errors.As(err, &f) {
		f = &webFailure{kind: failAnswer}
	}
	return f.tell(w, service)
}

// webRequest is one request to a service.
type webRequest struct {
	method string
	url    string // may be a secret
	bearer Secret // "" for none
	body   any    // sent as JSON; nil for none
	limit  int64  // how much of the answer is read at most, in bytes
}

// askWeb sends a request and returns the body of its 2xx answer. The error is always a *webFailure. The answer of any
// other status comes along, for services that say more in it.
func askWeb(ctx context.Context, r webRequest) ([]byte, error) {
	var body io.Reader
	if r.body != nil {
		b, err := json.Marshal(r.body)
		if err != nil {
			return nil, &webFailure{kind: failAnswer}
		}
		body = bytes.NewReader(b)
	}
	var wrote atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(i httptrace.WroteRequestInfo) { wrote.Store(i.Err == nil) }})
	req, err := http.NewRequestWithContext(traced, r.method, r.url, body)
	if err != nil {
		return nil, &webFailure{kind: failUnreachable} // the cause would hold the address
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "YUI")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.bearer != "" {
		req.Header.Set("Authorization", "Bearer "+string(r.bearer))
	}
	res, err := newWebClient().Do(req)
	if err != nil {
		f := connectionFailure(ctx, res, err)
		f.sent = wrote.Load()
		return nil, f
	}
	defer res.Body.Close()
	b, cause := readLimited(ctx, res.Body, r.limit)
	if bad := statusFailure(res); bad != nil {
		return b, bad
	}
	if cause != nil {
		cause.status = res.StatusCode
		return nil, cause
	}
	return b, nil
}

// newWebClient makes a client for one request. Requests are rare: a kept connection would only wait to be closed.
func newWebClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, ForceAttemptHTTP2: true,
			DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: followsHome,
	}
}

var errRedirect = errors.New("redirect refused")

// followsHome lets a redirect pass only to the same host, and never from https to anything less: what we send (a key, a
// picture, the person's words) was meant for that host alone.
func followsHome(to *http.Request, via []*http.Request) error {
	from := via[len(via)-1].URL
	upgrade := from.Scheme == "http" && to.URL.Scheme == "https" && to.URL.Hostname() == from.Hostname()
	if len(via) > 3 || (!upgrade && (to.URL.Scheme != from.Scheme || to.URL.Host != from.Host)) {
		return errRedirect
	}
	return nil
}

func connectionFailure(ctx context.Context, res *http.Response, err error) *webFailure {
	var n net.Error
	switch {
	case errors.Is(err, errRedirect), res != nil && res.StatusCode/100 == 3:
		return &webFailure{kind: failRedirect}
	case ctx.Err() != nil, errors.As(err, &n) && n.Timeout():
		return &webFailure{kind: failTimeout}
	}
	return &webFailure{kind: failUnreachable}
}

func readLimited(ctx context.Context, r io.Reader, limit int64) ([]byte, *webFailure) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case int64(len(b)) > limit:
		return nil, &webFailure{kind: failTooLarge}
	case err != nil && ctx.Err() != nil:
		return nil, &webFailure{kind: failTimeout}
	case err != nil:
		return nil, &webFailure{kind: failAnswer} // cut short
	}
	return b, nil
}

func statusFailure(res *http.Response) *webFailure {
	f := &webFailure{status: res.StatusCode}
	switch {
	case res.StatusCode/100 == 2:
		return nil
	case res.StatusCode == http.StatusUnauthorized, res.StatusCode == http.StatusForbidden:
		f.kind = failRefused
	case res.StatusCode == http.StatusNotFound, res.StatusCode == http.StatusGone:
		f.kind = failMissing
	case res.StatusCode == http.StatusTooManyRequests:
		f.kind, f.wait = failBusy, web.RetryAfter(res.Header, time.Now())
	case res.StatusCode/100 == 5:
		f.kind = failServer
	}
	return f
}

// webAddress checks an address of the config. Without its reason in the error: the address may be a secret.
func webAddress(s string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		return nil, errors.New("read address: it must begin with http:// or https:// and name a host")
	}
	u.Fragment = ""
	return u, nil
}
