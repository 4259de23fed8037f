package api

import (
	"bytes"
	"errors"
	"io"
)

// MaxEvent bounds one event of a stream. A picture in a call's arguments may take megabytes (docs/rules/servers.md#a26).
const MaxEvent = 64 << 20

// ErrTooLong is returned for an event above MaxEvent.
var ErrTooLong = errors.New("read event: longer than 64 MiB")

// Frame is one server-sent event. Its slices are valid until the next call of Next.
type Frame struct {
	// Event is the event's name, empty for an ordinary message.
	Event []byte
	// Data is the data lines, joined by line feeds.
	Data []byte
	// Cut says that the stream ended before the event's blank line: it may be a part of one.
	Cut bool
}

// Framer takes server-sent events off a stream: any line ends, a byte order mark, comments, data over several lines,
// lines of any length up to MaxEvent, a last line without a line feed, a reader that gives its last bytes together
// with its end. A line that begins with { is taken as data, because some servers send errors bare. In the steady
// state it allocates nothing. It is not safe for use by several goroutines.
type Framer struct {
	r        io.Reader
	most     int // MaxEvent
	buf      []byte
	from, to int   // the unread part of buf
	seen     int   // up to here buf holds no line end
	err      error // what the reader ended with
	skipLF   bool  // the last line ended in CR: a LF that follows belongs to it
	began    bool
	event    []byte
	data     []byte
	some     bool // a data line was read
	strange  bool // a line was no field at all
}

// NewFramer reads events from r.
func NewFramer(r io.Reader) *Framer { return &Framer{r: r, most: MaxEvent, buf: make([]byte, 16<<10)} }

// Next gives the next event that has data. At the end of the stream an event without its blank line still counts.
// The error is io.EOF or what the reader gave.
func (f *Framer) Next() (Frame, error) {
	f.event, f.data, f.some = f.event[:0], f.data[:0], false
	for {
		line, err := f.line()
		if err != nil {
			if f.some && errors.Is(err, io.EOF) {
				return Frame{f.event, f.data, true}, nil
			}
			return Frame{}, err
		}
		if len(line) == 0 {
			if f.some {
				return Frame{f.event, f.data, false}, nil
			}
			f.event = f.event[:0]
			continue
		}
		if err := f.field(line); err != nil {
			return Frame{}, err
		}
	}
}

// Strange says whether a line so far was none of an event stream: no field of the standard and no comment.
func (f *Framer) Strange() bool { return f.strange }

// field takes one line into the event.
func (f *Framer) field(line []byte) error {
	name, value := line, []byte(nil)
	if line[0] == '{' {
		name, value = dataName, line
	} else if i := bytes.IndexByte(line, ':'); i >= 0 {
		name, value = line[:i], line[i+1:]
		if len(value) > 0 && value[0] == ' ' {
			value = value[1:]
		}
	}
	switch {
	case bytes.Equal(name, dataName):
	case bytes.Equal(name, eventName):
		f.event = append(f.event[:0], value...)
		return nil
	case bytes.Equal(name, errorName) && len(value) > 0: // "error: {…}", no field of the standard
		f.event = append(f.event[:0], errorName...)
	default:
		f.strange = f.strange || len(name) > 0 && string(name) != "id" && string(name) != "retry"
		return nil
	}
	if len(f.data)+len(value) > f.most {
		return ErrTooLong
	}
	if f.some {
		f.data = append(f.data, '\n')
	}
	f.data, f.some = append(f.data, value...), true
	return nil
}

var (
	dataName  = []byte("data")
	eventName = []byte("event")
	errorName = []byte("error")
	mark      = []byte("\xef\xbb\xbf")
)

// line gives the next line without its end.
func (f *Framer) line() ([]byte, error) {
	for {
		if f.skipLF && f.from < f.to {
			if f.buf[f.from] == '\n' {
				f.from++
			}
			f.skipLF = false
			f.seen = f.from
		}
		if i := lineEnd(f.buf[f.seen:f.to]); i >= 0 {
			end := f.seen + i
			line := f.buf[f.from:end]
			f.skipLF = f.buf[end] == '\r'
			f.from = end + 1
			f.seen = f.from
			return f.first(line), nil
		}
		f.seen = f.to
		if f.err != nil {
			if f.from < f.to {
				line := f.buf[f.from:f.to]
				f.from = f.to
				return f.first(line), nil
			}
			return nil, f.err
		}
		if err := f.fill(); err != nil {
			return nil, err
		}
	}
}

// first takes a byte order mark off the very first line.
func (f *Framer) first(line []byte) []byte {
	if !f.began {
		f.began = true
		line = bytes.TrimPrefix(line, mark)
	}
	return line
}

// lineEnd is the place of the first CR or LF.
func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	if lf < 0 {
		return bytes.IndexByte(b, '\r')
	}
	if cr := bytes.IndexByte(b[:lf], '\r'); cr >= 0 {
		return cr
	}
	return lf
}

// fill reads more, making room first.
func (f *Framer) fill() error {
	if f.from > 0 {
		copy(f.buf, f.buf[f.from:f.to])
		f.to -= f.from
		f.seen -= f.from
		f.from = 0
	}
	if f.to == len(f.buf) {
		if len(f.buf) > f.most {
			return ErrTooLong
		}
		f.buf = append(f.buf, make([]byte, len(f.buf))...)
	}
	const patience = 100 // a reader that gives nothing and no error for ever
	for range patience {
		n, err := f.r.Read(f.buf[f.to:])
		f.to += n
		f.err = err
		if n > 0 || err != nil {
			return nil
		}
	}
	return io.ErrNoProgress
}
