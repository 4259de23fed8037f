package chat

import (
	"errors"
	"fmt"
	"time"
)

// Outcome is how a turn ended, in the words of spec/chat.md 6.7.
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
	WrongKey       Reason = "wrong_key"       // 401
	Forbidden      Reason = "forbidden"       // 403
	NotFound       Reason = "not_found"       // 404, no such address
	UnknownModel   Reason = "unknown_model"   // 404 or 400 about the model
	TooLong        Reason = "too_long"        // the conversation is longer than the model's window
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
	// RetryAfter is what a 429 or 503 asked for, 0 where it did not.
	RetryAfter time.Duration
	// Err is the cause, for the log.
	Err error
}

// Error gives the log's form: `stream answer: cause`.
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

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Plain says to the person, in one English sentence with the provider's words behind it, what happened and what to
// change.
func (f *Failure) Plain() string {
	sentence := f.sentence()
	if f.Detail == "" {
		return sentence
	}
	return sentence + " (" + f.Detail + ")"
}

func (f *Failure) sentence() string {
	host := f.Host
	if host == "" {
		host = "the chat server"
	}
	switch f.Reason {
	case NoServer:
		return "No chat server is set up: set base_url under [chat] in the config, or api = \"companion\"."
	case BadAddress:
		return "The address of the chat server does not read as one: correct base_url under [chat] in the config."
	case Unreachable:
		return fmt.Sprintf("Nobody answers at %s: check that the server runs, that base_url is right and that the network is up.", host)
	case UnknownHost:
		return fmt.Sprintf("The name %s is not known: check base_url for a typing mistake, or the network.", host)
	case BadCertificate:
		return fmt.Sprintf("The certificate of %s is not trusted: use the address that it was made for, or add its authority to the system.", host)
	case WrongKey:
		return fmt.Sprintf("%s did not accept the key: set a valid one (YUI_CHAT_KEY or api_key).", host)
	case Forbidden:
		return fmt.Sprintf("%s refuses this key: it may lack the right to this model or address.", host)
	case NotFound:
		return fmt.Sprintf("%s has no chat at this address: base_url should end where its /chat/completions begins, often in /v1.", host)
	case UnknownModel:
		if f.Model == "" {
			return fmt.Sprintf("%s wants a model: set model under [chat] in the config (yui doctor lists what it has).", host)
		}
		return fmt.Sprintf("%s does not have the model %q: set another model under [chat] (yui doctor lists what it has).", host, f.Model)
	case TooLong:
		return fmt.Sprintf("The conversation is longer than the model at %s can take: ask again, the oldest part is left out now.", host)
	case RateLimited:
		if f.RetryAfter > 0 {
			return fmt.Sprintf("%s asks for a pause: try again in %s.", host, f.RetryAfter.Round(time.Second))
		}
		return fmt.Sprintf("%s asks for a pause: try again later, or look at the limits of the account.", host)
	case Refused:
		return fmt.Sprintf("%s refused the request (HTTP %d): its words say what to change.", host, f.Status)
	case ServerFailed:
		if f.RetryAfter > 0 {
			return fmt.Sprintf("%s is in trouble (HTTP %d): try again in %s.", host, f.Status, f.RetryAfter.Round(time.Second))
		}
		return fmt.Sprintf("%s is in trouble (HTTP %d): try again, or look at its log.", host, f.Status)
	case Redirected:
		return fmt.Sprintf("%s sends requests elsewhere: set base_url to that address.", host)
	case NotAnAPI:
		return fmt.Sprintf("%s answered with something that is no chat answer: base_url seems to point at a web page.", host)
	case Garbled:
		return fmt.Sprintf("The answer of %s could not be read: it does not speak Chat Completions as expected.", host)
	case CutOff:
		return fmt.Sprintf("The connection to %s ended before the answer did: ask again.", host)
	case Stalled:
		return fmt.Sprintf("%s fell silent: ask again, or look whether the server is still working.", host)
	case ProviderError:
		return fmt.Sprintf("%s broke the answer off with an error: its words say what to change.", host)
	}
	return fmt.Sprintf("The turn with %s failed.", host)
}

// asFailure gives any error the form of a Failure.
func asFailure(err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	return &Failure{Outcome: NetworkDrop, Reason: Other, Detail: clip(oneLine(err.Error()), 300), Err: err}
}
