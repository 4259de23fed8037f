package ingress

import (
	"bytes"
	"encoding/json"
	"time"

	"yui/internal/readable"
)

// maxSignal is the cap of one signal's text, in bytes (ours).
const maxSignal = 2048

// The deliveries of a signal.
const (
	deliverNow     = "immediate"
	deliverBatched = "batched"
)

// Signal is one line that some program wants the pet to know, capped and cleaned.
type Signal struct {
	// Source and Type say who sent it and what it is; both are empty where it came without an envelope.
	Source, Type string
	// ID tells one event from another of its source; a second one with the same ID is dropped. It may be empty.
	ID string
	// Text has at most 2048 bytes.
	Text string
	// Batched ones are told every five minutes, the others at once.
	Batched bool
	// At is when it happened by the sender's clock, or when it arrived.
	At time.Time
}

// batch is what one request to /signals brought.
type batch struct {
	signals []Signal
	dropped int    // more than a buffer holds anyway
	warning string // why the envelope was left out
}

// parseSignals reads the body of /signals. An envelope that is not as it should be is left out, with a warning: the
// signals are delivered as if they had none.
func parseSignals(body []byte, now time.Time) (batch, error) {
	var raw struct {
		Signals  *[]json.RawMessage
		Envelope json.RawMessage
	}
	if err := decode(body, &raw); err != nil {
		return batch{}, err
	}
	if raw.Signals == nil {
		return batch{}, errBody("signals is missing")
	}
	texts := make([]string, len(*raw.Signals))
	for i, item := range *raw.Signals {
		text, ok := signalText(item)
		if !ok {
			return batch{}, errBody("signal %d is neither a text nor an object with a text", i)
		}
		texts[i] = text
	}
	var b batch
	var like Signal
	if like, b.warning = parseEnvelope(raw.Envelope, now); b.warning != "" {
		like = Signal{At: now}
	}
	if len(texts) > maxArrived {
		b.dropped = len(texts) - maxArrived
		texts = texts[b.dropped:]
	}
	for _, text := range texts {
		s := like
		if s.Text = capped(text, maxSignal); s.Text != "" {
			b.signals = append(b.signals, s)
		}
	}
	return b, nil
}

// signalText takes a signal's text: a string, or the text of an object.
func signalText(item json.RawMessage) (string, bool) {
	var text *string
	if json.Unmarshal(item, &text) == nil && text != nil {
		return *text, true
	}
	var object struct{ Text *string }
	if json.Unmarshal(item, &object) == nil && object.Text != nil {
		return *object.Text, true
	}
	return "", false
}

// parseEnvelope reads the envelope; warning says why it is no good.
func parseEnvelope(raw json.RawMessage, now time.Time) (like Signal, warning string) {
	like = Signal{At: now}
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return like, ""
	}
	var e struct {
		Source   *string
		Type     *string `json:"event_type"`
		Delivery *string
		ID       *string         `json:"event_id"`
		At       json.RawMessage `json:"occurred_at"`
	}
	if decode(raw, &e) != nil {
		return like, "it is no object of texts"
	}
	like.Source, like.Type, like.ID = name(value(e.Source)), name(value(e.Type)), name(value(e.ID))
	if like.Source == "" || like.Type == "" {
		return like, "source or event_type is missing"
	}
	switch value(e.Delivery) {
	case deliverNow:
	case deliverBatched:
		like.Batched = true
	default:
		return like, "delivery must be immediate or batched"
	}
	var ok bool
	if like.At, ok = occurredAt(e.At, now); !ok {
		return like, "occurred_at is no time"
	}
	return like, ""
}

// occurredAt takes epoch milliseconds or a text as of RFC 3339; absent is now.
func occurredAt(raw json.RawMessage, now time.Time) (time.Time, bool) {
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return now, true
	}
	var ms float64
	if json.Unmarshal(raw, &ms) == nil {
		return sentAt(ms, now), true
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return now, false
	}
	at, err := time.Parse(time.RFC3339, text)
	return sentAt(float64(at.UnixMilli()), now), err == nil
}

// line is the signal's line in a turn, its text cut to n bytes.
func (s Signal) line(now time.Time, n int) string {
	head := "signal: "
	if s.Source != "" {
		head += readable.Line(s.Source, maxMarked) + " " + s.Type
	} else {
		head += "someone"
	}
	return head + ago(s.At, now) + ": " + cut(s.Text, n)
}
