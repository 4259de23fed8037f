package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"yui/chat"
	"yui/cmd/yui/control"
	"yui/cmd/yui/presets"
	"yui/internal/protocol"
	"yui/tools"
)

// lodge is a House with one pet, and her.
type lodge struct {
	House
	Pet
	busy    bool
	recited string
	closed  bool
	pet     bool // one is open
}

var errNobody = errors.New("nobody is open")

func (l *lodge) Preset(context.Context, string) (presets.Preset, error) {
	return presets.Preset{ID: "kuro"}, nil
}
func (l *lodge) State(context.Context) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }
func (l *lodge) Close(context.Context) error                    { l.closed = true; return nil }
func (l *lodge) Picture(context.Context) (image.Image, error) {
	return image.NewNRGBA(image.Rect(0, 0, 3, 2)), nil
}
func (l *lodge) Recite(_ context.Context, text string) (busy bool, err error) {
	if !l.busy {
		l.recited = text
	}
	return l.busy, nil
}
func (l *lodge) Tools() []chat.Tool {
	return []chat.Tool{{Name: "look", Description: "d", Parameters: json.RawMessage(`{}`)}}
}
func (l *lodge) Call(_ context.Context, _, tool string, args json.RawMessage) tools.Result {
	if tool != "look" {
		return tools.Result{Text: protocol.UnknownTool}
	}
	return tools.Result{Text: "saw " + string(args), Images: []string{"data:"}}
}
func (l *lodge) Said() []chat.Item {
	at := time.Date(2026, 3, 2, 21, 5, 0, 0, time.UTC)
	return []chat.Item{{Role: "user", Text: "Hi\nthere", At: at, NotSent: true}, {Role: "assistant", Text: "Hm", At: at, Cut: true}, {Role: "user", Text: "patted", At: at, Guide: true}}
}
func (l *lodge) Search(context.Context, string, int) ([]chat.Item, error) {
	said := l.Said()
	return said[:2], nil // newest first
}

// doors makes the two interfaces of a lodge apart, which share method names.
type doors struct{ *lodge }

func (d doors) Pet(context.Context, string) (Pet, error) {
	if !d.pet {
		return nil, errNobody
	}
	return d.lodge, nil
}
func (d doors) Open(context.Context, presets.Preset) error { return nil }
func (d doors) Show(context.Context) error                 { return nil }
func (d doors) Quit()                                      {}
func (d doors) Presets(context.Context) (json.RawMessage, error) {
	return json.RawMessage(`[]`), nil
}
func (d doors) Relations(_ context.Context, p presets.Preset, log bool) (json.RawMessage, error) {
	return json.RawMessage(fmt.Sprintf(`["%s",%v]`, p.ID, log)), nil
}

// What each command prints, and how it ends, over the socket as the command line asks.
func TestCommands(t *testing.T) {
	l := &lodge{pet: true}
	m := &Remote{House: doors{l}, Rules: func() (json.RawMessage, error) { return json.RawMessage(`"rules"`), nil }}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	socket := filepath.Join(t.TempDir(), "yui.sock")
	s, err := control.Listen(socket, m.Handlers(), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(ctx)
	const history = "2026-03-02 21:05 user (not sent): Hi there\n2026-03-02 21:05 assistant (cut): Hm\n2026-03-02 21:05 event: patted\n"
	for _, c := range []struct {
		req       control.Request
		out, err  string
		fails     bool
		set, then func()
	}{
		{req: control.Request{Command: "state"}, out: "{}\n"},
		{req: control.Request{Command: "rules"}, out: "\"rules\"\n"},
		{req: control.Request{Command: "relations", Log: true}, out: "[\"kuro\",true]\n"},
		{req: control.Request{Command: "tools"}, out: `[{"type":"function","function":{"name":"look","description":"d","parameters":{}}}]` + "\n"},
		{req: control.Request{Command: "history"}, out: history},
		{req: control.Request{Command: "history", Args: []string{"h"}}, out: "2026-03-02 21:05 assistant (cut): Hm\n2026-03-02 21:05 user (not sent): Hi there\n"},
		{req: control.Request{Command: "call", Args: []string{"look", " ", "look", "{"}}, out: "saw {}\nerror: arguments JSON parse failed: unexpected end of JSON input\n", err: "1 image(s)\n"},
		{req: control.Request{Command: "call", Args: []string{"fly", "{}", "look", "{}"}}, out: protocol.UnknownTool + "\nsaw {}\n", err: "1 image(s)\n", fails: true},
		{req: control.Request{Command: "speak", Args: []string{" \u202e "}}, err: "say: there are no words\n", fails: true},
		{req: control.Request{Command: "speak", Args: []string{"Done."}}, set: func() { l.busy = true }, err: "say: busy: she is talking with the person\n", fails: true},
		{req: control.Request{Command: "speak", Args: []string{"Done."}}, set: func() { l.busy = false }, then: func() {
			if l.recited != "Done." {
				t.Errorf("she said %q", l.recited)
			}
		}},
		{req: control.Request{Command: "close"}, then: func() {
			if !l.closed {
				t.Error("she is still there")
			}
		}},
		{req: control.Request{Command: "tools"}, set: func() { l.pet = false }, err: errNobody.Error() + "\n", fails: true},
	} {
		if c.set != nil {
			c.set()
		}
		var out, errs bytes.Buffer
		err := control.Ask(ctx, socket, c.req, &out, &errs)
		if (err != nil) != c.fails || out.String() != c.out || errs.String() != c.err {
			t.Errorf("%+v: %v\n%q, want %q\n%q, want %q", c.req, err, out.String(), c.out, errs.String(), c.err)
		}
		if c.then != nil {
			c.then()
		}
	}
}

// A snapshot is a whole PNG that others may read, or no file at all.
func TestSnapshot(t *testing.T) {
	m, dir := &Remote{House: doors{&lodge{pet: true}}}, t.TempDir()
	file := filepath.Join(dir, "pet.png")
	if err := m.snapshotCommand(t.Context(), control.Request{Args: []string{file}}, nil); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if img, err := png.Decode(f); err != nil || img.Bounds() != image.Rect(0, 0, 3, 2) {
		t.Errorf("%v, %v", img, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := m.snapshotCommand(t.Context(), control.Request{Args: []string{filepath.Join(dir, "folder")}}, nil); err == nil {
		t.Error("a folder was overwritten")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
