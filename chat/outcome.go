package chat

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"yui/internal/readable"
)

// Outcome is how a turn ended, in the words of docs/rules/chat.md#outcomes.
type Outcome string

// The outcomes.
const (
	OK             Outcome = "ok"
	NotConfigured  Outcome = "not_configured"
	ParseError     Outcome = "parse_error"
	NetworkDrop    Outcome = "network_drop"
	NetworkStall   Outcome = "network_stall"
	HTTPDrop       Outcome = "http_4xx_drop" // 401 and 403 only; every other status is NetworkDrop
	Superseded     Outcome = "superseded_by_user"
	StalePending   Outcome = "stale_pending"
	DegradedDrop   Outcome = "degraded_drop"
	stageSpeech            = "speech_idle_timeout"
	stagePreSpeech         = "pre_speech_timeout"
)

// Reason is the cause of a Failure, fine enough to choose a sentence in any language.
type Reason string

// The reasons.
const (
	NoServer       Reason = "no_server"       // nothing is configured
	BadAddress     Reason = "bad_address"     // base_url does not read as an address
	Unreachable    Reason = "unreachable"     // nobody listens, no route
	UnknownHost    Reason = "unknown_host"    // DNS
	BadCertificate Reason = "bad_certificate" // TLS
	NotTLS         Reason = "not_tls"         // https where the server speaks http
	WantsTLS       Reason = "wants_tls"       // http where the server speaks https
	WrongKey       Reason = "wrong_key"       // 401
	Forbidden      Reason = "forbidden"       // 403
	NotFound       Reason = "not_found"       // 404, no such address
	NoSocket       Reason = "no_socket"       // the same of a Push backend
	UnknownModel   Reason = "unknown_model"   // 404 or 400 about the model
	TooLong        Reason = "too_long"        // the conversation is longer than the model's window
	NoImages       Reason = "no_images"       // the model takes no pictures
	SettingRefused Reason = "setting_refused" // the server does not take a setting of the person's
	RateLimited    Reason = "rate_limited"    // 429
	Refused        Reason = "refused"         // any other 4xx
	ServerFailed   Reason = "server_failed"   // 5xx
	Redirected     Reason = "redirected"      // 3xx
	NotAnAPI       Reason = "not_an_api"      // HTML or another body that is no answer
	Garbled        Reason = "garbled"         // an answer that does not decode
	CutOff         Reason = "cut_off"         // the stream ended before the answer did
	Stalled        Reason = "stalled"         // silence
	ProviderError  Reason = "provider_error"  // an error inside a good stream
	Other          Reason = "other"
)

// Failure is why a turn did not end well. No key is ever in it: who makes one removes it.
type Failure struct {
	Outcome Outcome
	Reason  Reason
	// Status is the HTTP status, 0 where there was none.
	Status int
	// Host is the server's host and port.
	Host string
	// Model is the model that was asked for.
	Model string
	// Detail is the provider's own words, one line, cleaned and shortened.
	Detail string
	// Code is the provider's own name for the error, "" where it gave none that is a word.
	Code string
	// Setting is the setting of the person's that was refused, where Reason is SettingRefused.
	Setting string
	// RetryAfter is what a 429 or 503 asked for, 0 where it did not.
	RetryAfter time.Duration
	// Err is the cause, for the log.
	Err error
}

// Error gives the form of a terminal: `stream answer: cause`. A log gets LogValue.
func (f *Failure) Error() string {
	cause := f.Detail
	if cause == "" && f.Err != nil {
		cause = f.Err.Error()
	}
	if f.Status != 0 {
		return fmt.Sprintf("stream answer: %s (%s, HTTP %d): %s", f.Outcome, f.Reason, f.Status, cause)
	}
	return fmt.Sprintf("stream answer: %s (%s): %s", f.Outcome, f.Reason, cause)
}

// LogValue implements slog.LogValuer: what kind of failure it is, without the provider's words, for they may repeat what
// was said. The causes that are kept are the network's and our own.
func (f *Failure) LogValue() slog.Value {
	kind := []slog.Attr{slog.String("outcome", string(f.Outcome)), slog.String("reason", string(f.Reason)), slog.String("host", f.Host)}
	if f.Status != 0 {
		kind = append(kind, slog.Int("status", f.Status))
	}
	if f.Err != nil && f.Reason != Garbled && f.Reason != CutOff { // which may quote a body, or why a backend hung up
		kind = append(kind, slog.String("cause", readable.Line(f.Err.Error(), 300)))
	}
	return slog.GroupValue(kind...)
}

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

// asFailure gives any error the form of a Failure.
func asFailure(err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	return &Failure{Outcome: NetworkDrop, Reason: Other, Detail: readable.Line(err.Error(), 300), Err: err}
}
