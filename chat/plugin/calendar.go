package plugin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"yui/assets/lang"
	"yui/chat"
	"yui/chat/plugin/ics"
	"yui/internal/readable"
)

const (
	calendarLasts = 15 * time.Minute // of an address; a server may be asked that often
	fileLasts     = 2 * time.Second  // of a file: looking at its time is cheap
	// The window of what is kept: missed reminders look back, the next event may be weeks away.
	calendarBack, calendarAhead = 8 * 24 * time.Hour, 62 * 24 * time.Hour
)

// CalendarConfig says where the calendar is: a file or an address.
type CalendarConfig struct {
	File string // absolute, or below "~/"
	URL  string // http, https or webcal
}

// Check tells what is wrong with the config, in words for the person; the key is "file" or "url".
func (c CalendarConfig) Check() (key string, err error) {
	switch {
	case c.File == "" && c.URL == "":
		return "file", errors.New("is missing; name a calendar file, or an address in url")
	case c.File != "" && c.URL != "":
		return "url", errors.New("must not be set beside file; there is one calendar")
	case c.File != "" && !filepath.IsAbs(c.File) && !strings.HasPrefix(c.File, "~/"):
		return "file", fmt.Errorf("is %q; it must be a whole path, /… or ~/…", c.File)
	case c.URL != "":
		if _, err := calendarAddress(c.URL); err != nil {
			return "url", err
		}
	}
	return "", nil
}

// calendarAddress takes webcal as https. The error does not show the address: its path may be a secret.
func calendarAddress(s string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Host == "" {
		return "", errors.New("must look like https://calendar.example.org/me.ics")
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
	case "webcal", "webcals":
		u.Scheme = "https"
	default:
		return "", errors.New("must begin with https://, http:// or webcal://")
	}
	return u.String(), nil
}

// Calendar tells what is left of today, what comes next and, where the day is late, what tomorrow brings. Safe from any
// goroutine.
type Calendar struct {
	words   *lang.Words
	file    string
	address string
	client  *http.Client

	mu       sync.Mutex
	parsed   *ics.Calendar // nil before the first success
	stat     fileID
	etag     string
	modified string
	list     []ics.Occurrence
	spread   time.Time // the now that list was made for
	troubles []error
}

// fileID tells whether a file changed.
type fileID struct {
	at   time.Time
	size int64
}

// NewCalendar makes the plugin "calendar".
func NewCalendar(words *lang.Words, c CalendarConfig) (*Calendar, error) {
	if key, err := c.Check(); err != nil {
		return nil, fmt.Errorf("set up calendar: %s %w", key, err)
	}
	cal := &Calendar{words: words, file: c.File}
	if rest, ok := strings.CutPrefix(c.File, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("set up calendar: find home: %w", err)
		}
		cal.file = filepath.Join(home, rest)
	}
	if c.URL != "" {
		cal.address, _ = calendarAddress(c.URL) // Check has read it
		cal.client = newClient()
	}
	return cal, nil
}

// Name is "calendar".
func (c *Calendar) Name() string { return "calendar" }

// Lasts is 15 minutes for an address, 2 seconds for a file.
func (c *Calendar) Lasts() time.Duration {
	if c.address != "" {
		return calendarLasts
	}
	return fileLasts
}

// Fetch reads the calendar again where it changed.
func (c *Calendar) Fetch(ctx context.Context, now time.Time) error {
	var fresh *ics.Calendar // nil where nothing changed
	var err error
	if c.address != "" {
		fresh, err = c.download(ctx)
	} else {
		fresh, err = c.readFile()
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	old := c.parsed == fresh || fresh == nil
	if fresh != nil {
		c.parsed = fresh
	}
	parsed, spread := c.parsed, c.spread
	c.mu.Unlock()
	if old && dayStart(now, 0).Equal(dayStart(spread.In(now.Location()), 0)) && spread.Location() == now.Location() {
		return nil
	}
	list, errs := parsed.Between(now.Add(-calendarBack), now.Add(calendarAhead), now.Location())
	for i := range list {
		list[i].Title = cleanTitle(list[i].Title)
	}
	c.mu.Lock()
	c.list, c.spread, c.troubles = list, now, append(slices.Clip(parsed.Troubles()), errs...)
	c.mu.Unlock()
	return nil
}

// readFile returns nil, nil where the file is as it was.
func (c *Calendar) readFile() (*ics.Calendar, error) {
	st, err := os.Stat(c.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read calendar %s: there is no such file", c.file)
	}
	if err != nil {
		return nil, fmt.Errorf("read calendar: %w", err)
	}
	if !st.Mode().IsRegular() { // a pipe or a device would never end
		return nil, fmt.Errorf("read calendar %s: this is no plain file", c.file)
	}
	id := fileID{st.ModTime(), st.Size()}
	c.mu.Lock()
	same := c.parsed != nil && id == c.stat
	c.mu.Unlock()
	if same {
		return nil, nil
	}
	f, err := os.Open(c.file)
	if err != nil {
		return nil, fmt.Errorf("read calendar: %w", err)
	}
	defer f.Close()
	parsed, err := ics.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, c.file)
	}
	c.mu.Lock()
	c.stat = id
	c.mu.Unlock()
	return parsed, nil
}

// download returns nil, nil where the server says that nothing changed.
func (c *Calendar) download(ctx context.Context) (*ics.Calendar, error) {
	defer c.client.CloseIdleConnections()
	c.mu.Lock()
	w := want{service: "calendar", url: c.address, limit: ics.MaxSize}
	if c.parsed != nil {
		w.etag, w.modified = c.etag, c.modified
	}
	c.mu.Unlock()
	got, err := get(ctx, c.client, w)
	if err != nil || got.same {
		return nil, err
	}
	parsed, err := ics.Read(bytes.NewReader(got.body))
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.etag, c.modified = got.etag, got.modified
	c.mu.Unlock()
	return parsed, nil
}

// Troubles tells what could not be read of the calendar.
func (c *Calendar) Troubles() []error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.troubles)
}

// Occurrences lists what happens from eight days ago to two months ahead; ok is false before the first success.
func (c *Calendar) Occurrences() (list []ics.Occurrence, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.list, c.parsed != nil && !c.spread.IsZero()
}

// maxTitle is how much of a title is shown, in characters.
const maxTitle = 60

// cleanTitle makes a foreign title fit between quotation marks.
func cleanTitle(s string) string {
	return readable.Line(chat.Unquoted(s), maxTitle)
}
