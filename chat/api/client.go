// Package api is what the transports of OpenAI's shape share: the root of the API, authentication, errors as plain
// Failures, the event stream's framing, and the list of models. It stands on go-openai's client configuration
// (docs/rules/chat.md#requests).
package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	openai "github.com/sashabaranov/go-openai"

	"yui/chat"
)

// Config says where a server is and who asks.
type Config struct {
	// BaseURL is the root of the API, with or without /v1, trailing slashes or a path prefix.
	BaseURL string
	// Key is sent as a bearer token; "" sends no Authorization header.
	Key string
	// Model is the model asked for; it is only named in failures here.
	Model string
	// HTTP replaces the client, in tests; nil makes one that heeds the proxy environment.
	HTTP *http.Client
}

// Client talks to one server. It is safe for use by several goroutines.
type Client struct {
	cfg   openai.ClientConfig
	key   string
	model string
	http  *http.Client
	host  string
	roots []string     // the likely root first
	root  atomic.Int32 // the one that has answered
	found atomic.Bool  // one has
}

var version = regexp.MustCompile(`^v\d+([a-z]+\d*)?$`)

// New reads the address. A failure to do so is a *chat.Failure of BadAddress.
func New(cfg Config) (*Client, error) {
	roots, host, err := Roots(cfg.BaseURL)
	if err != nil {
		return nil, &chat.Failure{Outcome: chat.NotConfigured, Reason: chat.BadAddress, Detail: err.Error(), Err: err}
	}
	cfg.Key = strings.TrimSpace(cfg.Key) // a file's last line feed is no part of it
	c := &Client{cfg: openai.DefaultConfig(cfg.Key), key: cfg.Key, model: cfg.Model, http: cfg.HTTP, host: host, roots: roots}
	if c.http == nil {
		c.http = &http.Client{Transport: newTransport()}
	}
	if c.http.CheckRedirect == nil {
		c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	c.cfg.HTTPClient = bounded{c.http}
	c.cfg.BaseURL = roots[0]
	return c, nil
}

// newTransport is the default one with connections that do not outlive a short rest.
func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.IdleConnTimeout = 30 * time.Second
	t.MaxResponseHeaderBytes = 1 << 20
	return t
}

// Roots gives the possible roots of an API, the likely one first, and the host. An address without a path gets /v1,
// one with a version in its path is taken as it is, and any other prefix may or may not want /v1 behind it.
func Roots(base string) (roots []string, host string, err error) {
	base = strings.TrimSpace(base)
	if base == "" {
		return nil, "", fmt.Errorf("read base_url: it is empty")
	}
	if !strings.Contains(base, "://") {
		base = "http://" + base
	}
	u, err := url.Parse(base)
	if err != nil {
		return nil, "", fmt.Errorf("read base_url: it is no address")
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, "", fmt.Errorf("read base_url: it must begin with http:// or https:// and name a host")
	}
	if err := CheckPort(u); err != nil {
		return nil, "", err
	}
	u.Fragment = ""
	path := strings.TrimRight(u.Path, "/")
	for _, endpoint := range []string{"/chat/completions", "/responses", "/models"} {
		path = strings.TrimRight(strings.TrimSuffix(path, endpoint), "/")
	}
	with := func(path string) string {
		v := *u
		v.Path, v.RawPath = path, ""
		return v.String()
	}
	if path == "" {
		return []string{with("/v1"), with("")}, u.Host, nil
	}
	for _, segment := range strings.Split(path, "/") {
		if version.MatchString(segment) {
			return []string{with(path)}, u.Host, nil
		}
	}
	return []string{with(path), with(path + "/v1")}, u.Host, nil
}

// CheckPort says whether an address names a port that there is, or none.
func CheckPort(u *url.URL) error {
	if p := u.Port(); p != "" {
		if _, err := strconv.ParseUint(p, 10, 16); err != nil {
			return fmt.Errorf("read base_url: its port must be a number up to 65535")
		}
	}
	return nil
}

// Shown is an address fit to be shown: without the password and the query, either of which may hold a key.
func Shown(base string) string {
	if base = strings.TrimSpace(base); base == "" {
		return ""
	}
	plain := !strings.Contains(base, "://")
	if plain {
		base = "http://" + base
	}
	u, err := url.Parse(base)
	if err != nil {
		return "…"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	if plain {
		return strings.TrimPrefix(u.String(), "http://")
	}
	return u.String()
}

// Host is the server's host and port.
func (c *Client) Host() string { return c.host }

// address puts an endpoint behind a root, before the query where there is one.
func address(root, endpoint string) string {
	path, query, found := strings.Cut(root, "?")
	path = strings.TrimRight(path, "/") + endpoint
	if found {
		path += "?" + query
	}
	return path
}

// Send writes a request as JSON and posts it; see Post.
func (c *Client) Send(ctx context.Context, endpoint string, body any) (*http.Response, error) {
	raw, err := c.encode(body)
	if err != nil {
		return nil, err
	}
	return c.Post(ctx, endpoint, raw)
}

// SendHere is Send to the root that is in use, without a look at the other place.
func (c *Client) SendHere(ctx context.Context, endpoint string, body any) (*http.Response, error) {
	raw, err := c.encode(body)
	if err != nil {
		return nil, err
	}
	return c.post(ctx, c.roots[c.root.Load()], endpoint, raw)
}

// Root says which of the possible roots is in use, for StartAt of a later process.
func (c *Client) Root() int { return int(c.root.Load()) }

// StartAt begins with the root that was in use before, as long as none has answered.
func (c *Client) StartAt(root int) {
	if !c.found.Load() && root >= 0 && root < len(c.roots) {
		c.root.Store(int32(root))
	}
}

// encode writes a request as JSON.
func (c *Client) encode(body any) ([]byte, error) {
	raw, err := Encode(body)
	if err == nil {
		return raw, nil
	}
	err = fmt.Errorf("encode request: %w", err)
	f := c.failure(chat.Other, chat.ParseError, err)
	f.Detail = c.words(err.Error())
	return nil, f
}

// Post sends a JSON body to an endpoint ("/chat/completions") and gives a good answer, whose body the caller closes,
// or a *chat.Failure. Where the address leaves it open whether /v1 belongs to it, an answer that knows no such page
// makes it look at the other place once.
func (c *Client) Post(ctx context.Context, endpoint string, body []byte) (*http.Response, error) {
	first := c.root.Load()
	resp, err := c.post(ctx, c.roots[first], endpoint, body)
	var f *chat.Failure
	if !errors.As(err, &f) {
		c.found.Store(true)
		return resp, err
	}
	if f.Reason != chat.NotFound || len(c.roots) == 1 || c.found.Load() {
		return resp, err
	}
	other := 1 - first
	resp, again := c.post(ctx, c.roots[other], endpoint, body)
	if errors.As(again, &f) && f.Reason == chat.NotFound {
		return nil, err
	}
	c.root.Store(other)
	c.found.Store(again == nil)
	return resp, again
}

func (c *Client) post(ctx context.Context, root, endpoint string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address(root, endpoint), bytes.NewReader(body))
	if err != nil {
		return nil, c.failure(chat.BadAddress, chat.NotConfigured, err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream, application/json")
	req.Header.Set("Cache-Control", "no-cache")
	req.Header.Set("Accept-Encoding", "identity") // a compressing proxy would hold tokens back
	if f := c.badKey(); f != nil {
		return nil, f
	}
	c.authorize(req)
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.Broken(err)
	}
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 256<<10))
	return nil, c.Status(resp, text)
}

// badKey is the failure of a key that no header can carry; nil for any other.
func (c *Client) badKey() *chat.Failure {
	if !strings.ContainsFunc(c.key, unicode.IsControl) {
		return nil
	}
	f := c.failure(chat.WrongKey, chat.NotConfigured, nil)
	f.Detail = "it holds a control character"
	return f
}

func (c *Client) authorize(req *http.Request) {
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	if c.cfg.OrgID != "" {
		req.Header.Set("OpenAI-Organization", c.cfg.OrgID)
	}
}

// Rest closes connections that nobody uses: a turn at rest holds no goroutine.
func (c *Client) Rest() { c.http.CloseIdleConnections() }
