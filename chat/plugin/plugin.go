// Package plugin gathers what a pet should know before the model is called: the day, the weather, the calendar. A
// plugin writes one line of the client context; a Set asks all of them at once, within one deadline, and never lets one
// that is slow or dead cost more than its own line. Reminders come from the same calendar and outlive a restart.
package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// MaxLine is the longest line in characters; the Set cuts longer ones.
const MaxLine = 200

// A Plugin writes one line of context in the language that it was made with.
type Plugin interface {
	// Name is a short word by which rules and the config know the plugin: "weather".
	Name() string
	// Line writes what is known at now, from memory; "" where there is nothing to say. It begins with a label in the
	// person's language ("weather: …"). It is called from any goroutine, and must not wait: what has to be fetched is
	// fetched by a Fetcher. A line that is not there by the Set's deadline is left out.
	Line(now time.Time) string
}

// A Fetcher is a Plugin that must get its facts from a disk or a network first.
type Fetcher interface {
	Plugin
	// Fetch brings the facts up to date. The Set calls it from one goroutine at a time, when Lasts has passed since the
	// last success, and later after a failure. What was known before stays known when it fails.
	Fetch(ctx context.Context, now time.Time) error
	// Lasts is how long fetched facts are new enough. Older ones are still told while the next Fetch runs.
	Lasts() time.Duration
}

// A Troubled plugin knows of troubles that did not make Fetch fail, such as events that could not be read.
type Troubled interface {
	Troubles() []error
}

// Store keeps small values over a restart; the setting table of package store is one.
type Store interface {
	// Get returns the JSON value of a key; ok is false where it was never set.
	Get(ctx context.Context, key string) (value json.RawMessage, ok bool, err error)
	Set(ctx context.Context, key string, value json.RawMessage) error
}

// ErrUnknown is returned for a name that no plugin of the Set has.
var ErrUnknown = errors.New("there is no such plugin")

// A Problem is what is wrong with one plugin, for the log and `yui doctor`. Its text holds no secret.
type Problem struct {
	Plugin string
	Err    error
	Since  time.Time // of the first failure in a row; zero where it is not known
}

// String is "weather: ask for weather: …".
func (p Problem) String() string { return fmt.Sprintf("%s: %v", p.Plugin, p.Err) }

// pause is a failure after which the other side wants to be left alone for a while.
type pause struct {
	err error
	dur time.Duration
}

func (p *pause) Error() string { return p.err.Error() }
func (p *pause) Unwrap() error { return p.err }
