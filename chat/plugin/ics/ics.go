// Package ics reads calendars (RFC 5545) as exporters write them and as attackers might, and tells what happens between
// two instants. Time and memory are bounded whatever the file says: the size, the lines, the depth, the number of events
// and the work that recurrence rules may cost.
package ics

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-ical"
)

// What one calendar may have; more is left out and told.
const (
	MaxSize      = 8 << 20 // bytes of the file: some ten years of a busy person
	maxEvents    = 20_000
	maxZones     = 200
	maxLine      = 32 << 10 // bytes of an unfolded line: a long list of EXDATEs
	maxParams    = 512      // bytes before the colon: the decoder's time grows with their square
	maxDepth     = 4        // VCALENDAR, VEVENT, VALARM and one to spare
	maxAlarms    = 8        // of one event
	maxTroubles  = 8
	maxComponent = 512 << 10 // bytes of one event, without what is not read
)

// ErrTooLarge is returned for a file of more than MaxSize bytes.
var ErrTooLarge = fmt.Errorf("read calendar: more than %d MiB", MaxSize>>20)

// ErrNoCalendar is returned for bytes that hold no VCALENDAR: a login page, for example.
var ErrNoCalendar = errors.New("read calendar: this is no iCalendar file")

// Calendar is what a file says. It is not changed after Read, and safe from any goroutine.
type Calendar struct {
	events   []event
	troubles []error
	lost     int
}

// Events is how many events the file has, a series counted once.
func (c *Calendar) Events() int { return len(c.events) }

// Troubles tells what could not be read, a few examples and a count.
func (c *Calendar) Troubles() []error {
	if c.lost > len(c.troubles) {
		return append(c.troubles[:len(c.troubles):len(c.troubles)], fmt.Errorf("read calendar: %d troubles in all", c.lost))
	}
	return c.troubles
}

func (c *Calendar) trouble(err error) {
	c.lost++
	if len(c.troubles) < maxTroubles {
		c.troubles = append(c.troubles, err)
	}
}

// read are the properties that matter; the rest (descriptions, attachments) is dropped line by line.
var read = map[string]bool{
	"UID": true, "SUMMARY": true, "DTSTART": true, "DTEND": true, "DURATION": true, "RRULE": true, "EXDATE": true, "RDATE": true,
	"RECURRENCE-ID": true, "STATUS": true, "SEQUENCE": true,
	"ACTION": true, "TRIGGER": true,
	"TZID": true, "X-LIC-LOCATION": true, "TZOFFSETFROM": true, "TZOFFSETTO": true,
}

// bare are properties that matter too, and not so much that one whose parameters are malformed may cost its event: they are
// read without any.
var bare = map[string]bool{"DTSTAMP": true, "X-MICROSOFT-CDO-ALLDAYEVENT": true, "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT": true}

// Read reads one file, of one or several VCALENDARs. Events that cannot be read are left out and told by Troubles.
func Read(r io.Reader) (*Calendar, error) {
	p := reader{cal: &Calendar{}, zones: &zones{defined: map[string]definition{}}}
	counted := &io.LimitedReader{R: r, N: MaxSize + 1}
	lines := unfolder{r: bufio.NewReaderSize(counted, 16<<10)}
	for {
		line, err := lines.next()
		if counted.N <= 0 {
			return nil, ErrTooLarge
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read calendar: %w", err)
		}
		p.line(line)
	}
	if !p.found {
		return nil, ErrNoCalendar
	}
	if len(p.stack) > 0 {
		p.cal.trouble(errors.New("read calendar: the file is cut short"))
	}
	p.cal.finish(p.zones)
	return p.cal, nil
}

// unfolder gives content lines: a line that begins with white space continues the one before.
type unfolder struct {
	r    *bufio.Reader
	line []byte
}

// next returns the next line without its end; what is over maxLine is cut away. The bytes hold until the next call.
func (u *unfolder) next() ([]byte, error) {
	u.line = u.line[:0]
	for {
		if err := u.physical(); err != nil {
			return nil, err
		}
		c, err := u.r.Peek(1)
		if err == nil && (c[0] == ' ' || c[0] == '\t') {
			if _, err := u.r.Discard(1); err != nil {
				return nil, err
			}
			continue
		}
		if len(bytes.TrimSpace(u.line)) > 0 {
			return u.line, nil
		}
		if err != nil {
			return nil, err
		}
		u.line = u.line[:0]
	}
}

// physical appends one line of the file; io.EOF only where there is nothing more.
func (u *unfolder) physical() error {
	some := false
	for {
		part, err := u.r.ReadSlice('\n')
		some = some || len(part) > 0
		part = bytes.TrimRight(part, "\r\n")
		u.line = append(u.line, part[:min(len(part), maxLine-min(len(u.line), maxLine))]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && some:
			return nil
		default:
			return err
		}
	}
}

// reader collects the lines of one component at a time and hands them to the decoder.
type reader struct {
	cal   *Calendar
	zones *zones
	found bool     // a VCALENDAR
	stack []string // open components
	deep  int      // open components below maxDepth, which are skipped
	text  bytes.Buffer
	// Components of interest, and time zones among them, so far.
	seen, defined int
}

func (p *reader) line(b []byte) {
	if len(p.stack) == 0 && !p.found {
		b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	}
	name, colon := property(b)
	if colon < 0 {
		return // no content line
	}
	switch name {
	case "BEGIN":
		p.begin(strings.ToUpper(strings.TrimSpace(string(b[colon+1:]))))
	case "END":
		p.end(strings.ToUpper(strings.TrimSpace(string(b[colon+1:]))))
	default:
		if p.deep > 0 || len(p.stack) < 2 || p.text.Len() >= maxComponent {
			return
		}
		switch {
		case read[name]:
			p.write(b)
		case bare[name]:
			p.write(slices.Concat([]byte(name), b[colon:]))
		}
	}
}

// property gives a line's name in capitals and where its value's colon is, -1 where there is none that counts.
func property(b []byte) (name string, colon int) {
	quoted, end := false, -1
	for i, c := range b[:min(len(b), maxParams)] {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ';' && end < 0:
			end = i
		case c == ':':
			if end < 0 {
				end = i
			}
			return strings.ToUpper(string(b[:end])), i
		}
	}
	return "", -1
}

func (p *reader) write(b []byte) {
	if utf8.Valid(b) {
		p.text.Write(b)
	} else {
		p.text.Write(bytes.ToValidUTF8(b, []byte("\uFFFD")))
	}
	p.text.WriteString("\r\n")
}

func (p *reader) begin(name string) {
	switch {
	case p.deep > 0 || len(p.stack) >= maxDepth:
		p.deep++
		return
	case len(p.stack) == 0 && name != ical.CompCalendar:
		return // outside of any calendar
	case len(p.stack) == 0:
		p.found = true
	case len(p.stack) == 1:
		p.text.Reset()
	}
	if len(p.stack) > 0 {
		p.write([]byte("BEGIN:" + name))
	}
	p.stack = append(p.stack, name)
}

func (p *reader) end(name string) {
	switch {
	case p.deep > 0:
		p.deep--
		return
	case len(p.stack) == 0 || p.stack[len(p.stack)-1] != name:
		return // a stray END
	}
	p.stack = p.stack[:len(p.stack)-1]
	if len(p.stack) == 0 {
		return
	}
	p.write([]byte("END:" + name))
	if len(p.stack) == 1 && (name == ical.CompEvent || name == ical.CompTimezone) {
		p.component(name)
	}
}

// component decodes what was collected.
func (p *reader) component(name string) {
	p.seen++
	switch {
	case name == ical.CompEvent && len(p.cal.events) >= maxEvents:
		if len(p.cal.events) == maxEvents && p.cal.lost < maxTroubles {
			p.cal.trouble(fmt.Errorf("read calendar: more than %d events", maxEvents))
		}
		return
	case name == ical.CompTimezone:
		if p.defined++; p.defined > maxZones {
			return
		}
	}
	comp, err := decode(p.text.Bytes())
	if err == nil && name == ical.CompTimezone {
		p.zones.define(comp)
		return
	}
	var e event
	if err == nil {
		e, err = readEvent(comp)
	}
	if err != nil {
		p.cal.trouble(fmt.Errorf("read event %d: %w", p.seen, err))
		return
	}
	p.cal.events = append(p.cal.events, e)
}

// decode gives one component to the decoder, which panics on some broken lines.
func decode(text []byte) (c *ical.Component, err error) {
	defer func() {
		if r := recover(); r != nil {
			c, err = nil, errors.New("a line is malformed")
		}
	}()
	cal, err := ical.NewDecoder(io.MultiReader(strings.NewReader("BEGIN:VCALENDAR\r\n"), bytes.NewReader(text), strings.NewReader("END:VCALENDAR\r\n"))).Decode()
	if err != nil {
		return nil, err
	}
	if len(cal.Children) != 1 {
		return nil, errors.New("no component")
	}
	return cal.Children[0], nil
}
