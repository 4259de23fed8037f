package api

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"yui/chat"
	"yui/internal/readable"
	"yui/internal/web"
)

// failure is a Failure of this client.
func (c *Client) failure(reason chat.Reason, outcome chat.Outcome, err error) *chat.Failure {
	return &chat.Failure{Outcome: outcome, Reason: reason, Host: c.host, Model: c.model, Err: c.hide(err)}
}

// Broken says why a request got no answer at all.
func (c *Client) Broken(err error) *chat.Failure {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // the address may hold a password or a key
	}
	reason := chat.Unreachable
	var dns *net.DNSError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &dns):
		reason = chat.UnknownHost
	case errors.As(err, &unknown), errors.As(err, &host), errors.As(err, &invalid), errors.As(err, &verify):
		reason = chat.BadCertificate
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		reason = chat.NotTLS
	case errors.Is(err, context.DeadlineExceeded):
		reason = chat.Stalled
	case errors.Is(err, context.Canceled):
		reason = chat.Other
	}
	f := c.failure(reason, chat.NetworkDrop, err)
	var op *net.OpError
	for reason == chat.Unreachable && errors.As(err, &op) && op.Err != nil {
		err = op.Err // the rest is addresses, which the sentence has
	}
	f.Detail = c.words(err.Error())
	return f
}

// Garbled says that an answer does not decode.
func (c *Client) Garbled(err error) *chat.Failure {
	return c.failure(chat.Garbled, chat.ParseError, err)
}

// CutOff says that a stream ended before its answer did. err may be nil.
func (c *Client) CutOff(err error) *chat.Failure {
	f := c.failure(chat.CutOff, chat.ParseError, err)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) { // which says no more than the sentence does
		f.Detail = c.words(err.Error())
	}
	return f
}

// NotAnAPI says that the answer is a page or another body that is no answer.
func (c *Client) NotAnAPI(body []byte) *chat.Failure {
	f := c.failure(chat.NotAnAPI, chat.ParseError, nil)
	f.Detail = c.words(pageText(body))
	return f
}

// Provider says what an error inside a good answer said.
func (c *Client) Provider(raw []byte) *chat.Failure {
	f := c.failure(chat.ProviderError, chat.NetworkDrop, nil)
	message, code := providerError(raw)
	f.Detail = c.words(message)
	if f.Detail == "" {
		f.Detail = c.words(string(raw))
	}
	switch {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		f.Outcome = chat.HTTPDrop
	case tooLong.MatchString(f.Detail), bytes.Contains(raw, []byte("context_length_exceeded")):
		f.Reason = chat.TooLong
	case code == http.StatusTooManyRequests, bytes.Contains(raw, []byte("rate_limit_exceeded")):
		f.Reason = chat.RateLimited
	}
	return f
}

// Status says what an answer with a bad status means. The key is never in it.
func (c *Client) Status(resp *http.Response, body []byte) *chat.Failure {
	f := c.failure(chat.Refused, chat.NetworkDrop, nil)
	f.Status = resp.StatusCode
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	page := kind == "text/html" || strings.HasPrefix(strings.TrimSpace(string(body)), "<")
	message := ""
	if page {
		f.Detail = c.words(pageText(body))
	} else {
		message, _ = providerError(body)
		if m := textCode.FindSubmatch(body); m != nil {
			f.Code = string(m[1])
		}
		if message == "" && len(bytes.Trim(body, " \t\r\n{}[]")) > 0 {
			message = string(body)
		}
		f.Detail = c.words(message)
	}
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized:
		f.Reason, f.Outcome = chat.WrongKey, chat.HTTPDrop
	case code == http.StatusForbidden:
		f.Reason, f.Outcome = chat.Forbidden, chat.HTTPDrop
	case tooLong.MatchString(message) && code >= 400:
		f.Reason = chat.TooLong
	case wantsTLS.Match(body) && code == http.StatusBadRequest:
		f.Reason = chat.WantsTLS
	case noModel.MatchString(message) && (code == http.StatusNotFound || code == http.StatusBadRequest):
		f.Reason = chat.UnknownModel
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed:
		f.Reason = chat.NotFound
	case code == http.StatusTooManyRequests:
		f.Reason, f.RetryAfter = chat.RateLimited, web.RetryAfter(resp.Header, time.Now())
	case code >= 500:
		f.Reason, f.RetryAfter = chat.ServerFailed, web.RetryAfter(resp.Header, time.Now())
	case code >= 300 && code < 400:
		f.Reason = chat.Redirected
		if to, err := location(resp); err == nil && to.Host != "" {
			f.Detail = c.words((&url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}).String())
		}
	}
	return f
}

// tooLong matches what servers say where the request does not fit into the model's window.
var tooLong = regexp.MustCompile(`(?i)context[ _-]?(length|size|window)|maximum context|context_length_exceeded|prompt is too long|too many tokens|exceeds? .{0,30}(token limit|context)`)

// noModel matches what servers say where the model is missing or unknown.
var noModel = regexp.MustCompile(`(?i)model.{0,80}(not found|does ?n[o']t exist|not exist|is required|unknown|not available|not loaded|not a valid)|(unknown|invalid|no such|missing|not a valid) model|model_not_found|no models? loaded`)

// location is where a redirect points, made whole where it only gives a path.
func location(resp *http.Response) (*url.URL, error) {
	if resp.Request != nil {
		return resp.Location()
	}
	return url.Parse(resp.Header.Get("Location"))
}

// wantsTLS matches what servers say to http at their port for https.
var wantsTLS = regexp.MustCompile(`(?i)HTTP request (was sent )?to (an )?HTTPS|plain HTTP to an SSL`)

// providerError reads the error forms that are in use: {"error":{"message","code"}}, {"error":"…"}, {"message"},
// {"detail"}, the inner object alone, and a list of one of them.
func providerError(raw []byte) (message string, code int) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
		return listed(list)
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, 0
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return "", 0
	}
	code = numeric(fields["code"])
	for _, name := range []string{"error", "message", "detail", "msg"} {
		inner, ok := fields[name]
		if !ok || string(inner) == "null" {
			continue
		}
		found, innerCode := providerError(inner)
		if innerCode != 0 {
			code = innerCode
		}
		if found != "" {
			return withField(found, fields), code
		}
	}
	return "", code
}

// listed reads a list of errors: the first code, and the messages of the first few.
func listed(list []json.RawMessage) (message string, code int) {
	const most = 4
	var all []string
	for _, one := range list[:min(len(list), most)] {
		found, itsCode := providerError(one)
		if found != "" {
			all = append(all, found)
		}
		if code == 0 {
			code = itsCode
		}
	}
	return strings.Join(all, "; "), code
}

// withField puts the field that an error is about (loc, param) behind a message that does not name it.
func withField(message string, fields map[string]json.RawMessage) string {
	var path []any
	var name string
	if json.Unmarshal(fields["loc"], &path) == nil && len(path) > 1 { // ["body"] is all of it
		parts := make([]string, len(path))
		for i, p := range path {
			parts[i] = fmt.Sprint(p)
		}
		name = strings.Join(parts, ".")
	} else if json.Unmarshal(fields["param"], &name) != nil {
		return message
	}
	if name == "" || strings.Contains(message, name) {
		return message
	}
	return message + " (" + name + ")"
}

// textCode is a code that is a word.
var textCode = regexp.MustCompile(`"code"\s*:\s*"([a-z_]{1,64})"`)

func numeric(raw json.RawMessage) int {
	n, _ := strconv.Atoi(strings.Trim(string(raw), `"`))
	return n
}

var (
	pageTitle = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	tag       = regexp.MustCompile(`(?s)<[^>]*>`)
)

// pageText is what an HTML page is called, for the person to recognise it.
func pageText(body []byte) string {
	if m := pageTitle.FindSubmatch(body); m != nil {
		return tag.ReplaceAllString(string(m[1]), "")
	}
	return ""
}

// secretLike matches keys that a provider repeats in part ("sk-ab***yz").
var secretLike = regexp.MustCompile(`\b(sk|pk|gsk|xai|hf|key|api)[-_][A-Za-z0-9*_.\-…]{6,}`)

// words makes a provider's message fit to show: one line, at most 300 characters, without the key.
func (c *Client) words(s string) string {
	if len(s) > 4096 {
		s = s[:4096]
	}
	return readable.Line(c.withoutKey(s), 300)
}

func (c *Client) withoutKey(s string) string {
	const mask = "[key]"
	if c.key != "" {
		s = strings.ReplaceAll(s, c.key, mask)
		s = strings.ReplaceAll(s, url.QueryEscape(c.key), mask)
	}
	return secretLike.ReplaceAllString(s, mask)
}

// hide gives an error whose text does not hold the key.
func (c *Client) hide(err error) error {
	if err == nil {
		return nil
	}
	if text := err.Error(); c.withoutKey(text) != text {
		return errors.New(c.withoutKey(text))
	}
	return err
}

// isDecoding says whether an error comes from a body that is no JSON of the expected kind.
func isDecoding(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	return errors.As(err, &syntax) || errors.As(err, &kind) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
