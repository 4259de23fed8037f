package api

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"yui/internal/fuzzmem"
)

type event struct{ Name, Data string }

func readAll(r io.Reader) ([]event, error) {
	f := NewFramer(r)
	var out []event
	for {
		frame, err := f.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, event{string(frame.Event), string(frame.Data)})
	}
}

var streams = []struct {
	name, in string
	want     []event
}{
	{"plain", "data: a\n\ndata: b\n\n", []event{{"", "a"}, {"", "b"}}},
	{"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", []event{{"", "a"}, {"", "b"}}},
	{"CR", "data: a\r\rdata: b\r\r", []event{{"", "a"}, {"", "b"}}},
	{"mixed ends", "data: a\r\n\ndata: b\r\r\ndata: c\n\r", []event{{"", "a"}, {"", "b"}, {"", "c"}}},
	{"byte order mark", "\xef\xbb\xbfdata: a\n\n", []event{{"", "a"}}},
	{"no space", "data:a\n\ndata:  b\n\n", []event{{"", "a"}, {"", " b"}}},
	{"several data lines", "data: a\ndata: b\ndata\ndata:\n\n", []event{{"", "a\nb\n\n"}}},
	{"comments (docs/rules/servers.md#a24)", ": OPENROUTER PROCESSING\n\n:comment\n: x\n\ndata: a\n: in between\n\n", []event{{"", "a"}}},
	{"other fields", "id: 1\nretry: 5\nevent: e\ndata: a\n\ndata: b\n\n", []event{{"e", "a"}, {"", "b"}}},
	{"an event without data leaves no name", "event: e\n\ndata: a\n\n", []event{{"", "a"}}},
	{"no blank line at the end", "data: a\n\ndata: b\n", []event{{"", "a"}, {"", "b"}}},
	{"no line feed at the end", "data: a\n\ndata: b", []event{{"", "a"}, {"", "b"}}},
	{"a bare object", "{\"error\":\"x\"}\n\n", []event{{"", `{"error":"x"}`}}},
	{"an error field", "error: {\"code\":500}\n\n", []event{{"error", `{"code":500}`}}},
	{"empty", "", nil},
	{"blank lines only", "\n\r\n\r\n", nil},
	{"no field", "nonsense\n\ndatax: a\n\n", nil},
}

func TestFramer(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	cases := append(streams[:len(streams):len(streams)], struct {
		name, in string
		want     []event
	}{"a line of 5 MB (docs/rules/servers.md#a26)", "data: a\n\ndata: " + long + "\n\ndata: b\n\n", []event{{"", "a"}, {"", long}, {"", "b"}}})
	readers := map[string]func(io.Reader) io.Reader{
		"whole":         func(r io.Reader) io.Reader { return r },
		"bytes":         iotest.OneByteReader,
		"halves":        iotest.HalfReader,
		"data with EOF": iotest.DataErrReader, // docs/rules/servers.md#a22
	}
	for _, c := range cases {
		for name, wrap := range readers {
			if len(c.in) > 1<<20 && name == "bytes" {
				continue
			}
			got, err := readAll(wrap(strings.NewReader(c.in)))
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
			}
			if !cmp.Equal(got, c.want) {
				t.Errorf("%s, %s: got %d events %.200q, want %.200q", c.name, name, len(got), got, c.want)
			}
		}
	}
}

func TestFramerErrors(t *testing.T) {
	broken := errors.New("broken")
	got, err := readAll(io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || !cmp.Equal(got, []event{{"", "a"}}) {
		t.Errorf("a broken stream gave %v, %v", got, err)
	}
	if _, err := readAll(stuck{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that gives nothing: %v", err)
	}
	f := NewFramer(io.MultiReader(strings.NewReader("data: "), endless{}))
	f.most = 1 << 20
	if _, err := f.Next(); !errors.Is(err, ErrTooLong) {
		t.Errorf("an endless line: %v", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// Any split of a stream into reads gives the same events.
func FuzzFramer(f *testing.F) {
	for _, s := range streams {
		f.Add([]byte(s.in), 3)
	}
	f.Fuzz(func(t *testing.T, in []byte, size int) {
		fuzzmem.Watch(t)
		whole, err := readAll(bytes.NewReader(in))
		if err != nil {
			t.Fatalf("read: %v", err)
		}
		size = max(1, size%17)
		parts, err := readAll(&pieces{in, size})
		if err != nil || !cmp.Equal(whole, parts) {
			t.Fatalf("whole %q, in pieces of %d %q, %v", whole, size, parts, err)
		}
	})
}

type pieces struct {
	rest []byte
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// cycle repeats a stream for as long as a benchmark wants.
type cycle struct {
	data []byte
	at   int
}

func (c *cycle) Read(p []byte) (int, error) {
	n := copy(p, c.data[c.at:])
	c.at = (c.at + n) % len(c.data)
	return n, nil
}

// "a 5 MB line without trouble".
func BenchmarkLongLine(b *testing.B) {
	const size = 5 << 20
	stream := []byte("data: " + strings.Repeat("x", size) + "\n\n")
	f := NewFramer(&cycle{data: stream})
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		frame, err := f.Next()
		if err != nil || len(frame.Data) != size {
			b.Fatal(len(frame.Data), err)
		}
	}
}

// "SSE framing at least 200 MB/s with under 1 allocation an event in the steady state".
func BenchmarkFramer(b *testing.B) {
	one := "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" word\"},\"finish_reason\":null}]}\n\n"
	f := NewFramer(&cycle{data: []byte(strings.Repeat(one, 1000))})
	b.SetBytes(int64(len(one)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Next(); err != nil {
			b.Fatal(err)
		}
	}
}
