//go:build !windows && !darwin

package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"yui/platform/desktoptest"
)

// TestPushCompany has characters of a push backend speak to each other and feel something: what the lists of hello mean,
// what is allowed once a turn, and when a reply is handed over.
func TestPushCompany(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	backend := &puppets{links: make(chan *puppet, 20)}
	server := httptest.NewServer(backend)
	defer server.Close()
	y := prepare(t, desk)
	y.config("language = \"en\"\n[chat]\napi = \"push\"\nbase_url = \"" + server.URL + "\"\n")
	y.start()
	first := backend.next(t)
	y.must("open", "momo")
	if other := backend.next(t); !slices.Equal(other.lists["address_character"], []string{"Yui"}) {
		t.Errorf("Momo may speak to %q", other.lists["address_character"])
	}
	if got := first.call("t1", "rate_relation", `{"toward":"Momo","delta":1,"why":"x"}`); got != "error: unknown target" {
		t.Errorf("one who was opened after hello: %q", got)
	}
	first.end("t1")
	y.quit()

	y.start() // both of them from the start: hello waits for the pets
	pair := []*puppet{backend.next(t), backend.next(t)}
	slices.SortFunc(pair, func(a, b *puppet) int {
		return strings.Compare(a.lists["address_character"][0], b.lists["address_character"][0])
	})
	yui, momo := pair[0], pair[1] // by whom they may speak to: Momo, Yui
	t.Run("once a turn, by the turn", func(t *testing.T) {
		for range 2 { // a backend that counts from 1 again
			if got := yui.call("hermes-1", "rate_relation", `{"toward":"user","delta":1,"why":"x"}`); got != "neutral" {
				t.Errorf("%q", got)
			}
			if got := yui.call("hermes-1", "rate_relation", `{"toward":"user","delta":1,"why":"y"}`); got != "ignored: already rated user this turn" {
				t.Errorf("%q", got)
			}
			yui.say("hermes-1", "Yes.")
			yui.end("hermes-1")
		}
	})
	t.Run("whatever waits behind it", func(t *testing.T) {
		for i := range 3 {
			id := fmt.Sprint("s", i)
			if got := yui.call(id, "address_character", `{"to":"Momo"}`); got != "ok" {
				t.Fatal(got)
			}
			yui.say(id, "Momo, tea.")
			yui.end(id)
			yui.say("t", "By the way.")
			yui.end("t")
			if f := momo.turn(t); f.Text != "(Yui says to you) Momo, tea." {
				t.Errorf("Momo was told %q", f.Text)
			} else {
				momo.end(f.TurnID)
			}
		}
	})
	t.Run("whole", func(t *testing.T) {
		if got := yui.call("h9", "address_character", `{"to":"Momo"}`); got != "ok" {
			t.Fatal(got)
		}
		yui.say("h9", "Momo, part one.")
		yui.say("h10", "A letter came.")
		yui.end("h10")
		y.wait(settleWait, "the letter", func(p pet) bool { return p.Talk.Bubble == "A letter came." })
		yui.say("h9", "And part two.")
		yui.end("h9")
		f := momo.turn(t)
		if f.Text != "(Yui says to you) Momo, part one. And part two." {
			t.Errorf("Momo was told %q", f.Text)
		}
		momo.end(f.TurnID)
	})
	t.Run("an exchange ends at the cap", func(t *testing.T) { testPushCap(t, y.as(t), yui, momo) })
	t.Run("voice tags", func(t *testing.T) { testPushVoiceTags(t, y.as(t), yui, momo) })
	t.Run("a new name is no new meaning", func(t *testing.T) {
		y.must("rename", "momo", "Mimi")
		if got := yui.call("n", "rate_relation", `{"toward":"Momo","delta":1,"why":"x"}`); got != "neutral" {
			t.Errorf("%q", got)
		}
		if got := yui.call("n", "rate_relation", `{"toward":"Mimi","delta":1,"why":"x"}`); got != "error: unknown target" {
			t.Errorf("%q", got)
		}
		yui.end("n")
	})
	t.Run("closed", func(t *testing.T) {
		y.must("close", "momo")
		if got := yui.call("c", "rate_relation", `{"toward":"Momo","delta":1,"why":"x"}`); got != "error: unknown target" {
			t.Errorf("%q", got)
		}
		yui.say("c", "Gone.")
		yui.end("c")
		y.wait(settleWait, "the reply", func(p pet) bool { return p.Talk.Bubble == "Gone." })
		told := make(chan result, 1)
		go func() { told <- y.run("say", "hello") }()
		alone := backend.next(t) // the turn after that greets anew
		if len(alone.lists["address_character"]) != 0 {
			t.Errorf("alone she may speak to %q", alone.lists["address_character"])
		}
		f := alone.turn(t)
		alone.say(f.TurnID, "Hello you.")
		alone.end(f.TurnID)
		if r := <-told; r.out != "Hello you." {
			t.Errorf("%+v", r)
		}
	})
}

// testPushCap has two who would never stop, from the person's words on.
func testPushCap(t *testing.T, y *instance, yui, momo *puppet) {
	said := y.later("talk to Momo for ever")
	speaker, other, to := yui, momo, "Momo"
	for addressed := range 5 { // the person's turn and four addressed ones
		f := speaker.turn(t)
		if words := "says to you) On."; addressed > 0 != strings.HasSuffix(f.Text, words) {
			t.Fatalf("turn %d: %q", addressed, f.Text)
		}
		if got := speaker.call(f.TurnID, "address_character", `{"to":"`+to+`"}`); got != "ok" {
			t.Fatal(got)
		}
		speaker.say(f.TurnID, "On.")
		speaker.end(f.TurnID)
		speaker, other = other, speaker
		to = map[string]string{"Momo": "Yui", "Yui": "Momo"}[to]
	}
	y.end(said)
	// A letter behind the last reply is heard once its playback is over, and with that it has been handed over or not.
	other.say("letter", "A letter came.")
	other.end("letter")
	y.wait(settleWait, "the letter", func(p pet) bool { return p.Talk.Bubble == "A letter came." })
	said = y.later("-p", "momo", "hello")
	f := speaker.turn(t)
	if f.Text != "hello" {
		t.Fatalf("a fifth one was told %q", f.Text)
	}
	speaker.say(f.TurnID, "Hello you.")
	speaker.end(f.TurnID)
	y.end(said)
}

// testPushVoiceTags: tags that the config gains, and loses, reach every backend at once, without a turn.
func testPushVoiceTags(t *testing.T, y *instance, all ...*puppet) {
	file := filepath.Join(y.home, "config.toml")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ config, mode, tags string }{
		{string(before) + "[voice]\ntags = {\"soft\" = \"a whisper\"}\n", "enum", "map[soft:a whisper]"},
		{string(before) + "[voice]\ntags = {\"loud\" = \"a shout\"}\n", "enum", "map[loud:a shout]"},
		{string(before), "free", "map[]"},
	} {
		y.config(step.config)
		for _, p := range all {
			if v := await(t, p.vocabularies, "the vocabulary"); v.Mode != step.mode || fmt.Sprint(v.Tags) != step.tags {
				t.Errorf("%+v, want %+v", v, step)
			}
		}
	}
}

// puppets is a push backend whose every word the test says.
type puppets struct{ links chan *puppet }

// puppet is one connection.
type puppet struct {
	t     *testing.T
	conn  *websocket.Conn
	lists map[string][]string // the entries of hello by tool
	tools string              // the bytes of hello's tools
	turns chan pushFrame
	calls chan string

	vocabularies chan vocabulary
}

// vocabulary is what this test reads of a vocabulary frame.
type vocabulary struct {
	Mode string            `json:"emotion_text_mode"`
	Tags map[string]string `json:"emotion_text_map"`
}

func (s *puppets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer c.CloseNow()
	c.SetReadLimit(-1)
	p := &puppet{conn: c, lists: map[string][]string{}, turns: make(chan pushFrame, 100), calls: make(chan string, 100), vocabularies: make(chan vocabulary, 100)}
	for {
		_, raw, err := c.Read(context.Background())
		if err != nil {
			return
		}
		var f struct {
			pushFrame
			Result     string     `json:"result"`
			Vocabulary vocabulary `json:"vocabulary"`
		}
		var bytes struct{ Tools json.RawMessage }
		if json.Unmarshal(raw, &f) != nil || json.Unmarshal(raw, &bytes) != nil {
			continue
		}
		switch f.Type {
		case "hello":
			p.tools = string(bytes.Tools)
			for _, tool := range f.Tools {
				for _, field := range []string{"to", "toward"} {
					list, _ := tool.Function.Parameters.Properties[field]["enum"].([]any)
					for _, entry := range list {
						p.lists[tool.Function.Name] = append(p.lists[tool.Function.Name], fmt.Sprint(entry))
					}
				}
			}
			p.send(pushFrame{Type: "ready", ChatID: f.ChatID})
			s.links <- p
		case "turn":
			if f.Text == "" { // something of her own accord, which these tests are not about
				p.end(f.TurnID)
			} else {
				p.turns <- f.pushFrame
			}
		case "tool_result":
			p.calls <- f.Result
		case "vocabulary":
			p.vocabularies <- f.Vocabulary
		}
	}
}

// next waits for the next connection.
func (s *puppets) next(t *testing.T) *puppet {
	t.Helper()
	return await(t, s.links, "a connection").of(t)
}

func (p *puppet) of(t *testing.T) *puppet {
	p.t = t
	return p
}

func (p *puppet) send(f any) {
	raw, err := json.Marshal(f)
	if err == nil {
		err = p.conn.Write(context.Background(), websocket.MessageText, raw)
	}
	if err != nil && p.t != nil {
		p.t.Errorf("send frame: %v", err)
	}
}

func (p *puppet) say(turn, words string) {
	p.send(pushFrame{Type: "render", TurnID: turn, Source: "test", Segments: []pushSegment{{Cues: []map[string]string{}, Speech: words}}})
}

func (p *puppet) end(turn string) { p.send(pushFrame{Type: "turn_end", TurnID: turn}) }

// call calls a tool and waits for its result.
func (p *puppet) call(turn, tool, args string) string {
	p.t.Helper()
	p.send(map[string]any{"type": "tool_call", "turn_id": turn, "call_id": fmt.Sprint(turn, tool, len(args), args), "name": tool, "arguments": json.RawMessage(args)})
	return await(p.t, p.calls, "the result of "+tool)
}

// turn waits for the next turn of the window.
func (p *puppet) turn(t *testing.T) pushFrame {
	t.Helper()
	return await(t, p.turns, "a turn")
}

func await[T any](t *testing.T, c <-chan T, what string) (v T) {
	t.Helper()
	desktoptest.WaitFor(t, settleWait, what, func() bool {
		select {
		case v = <-c:
			return true
		default:
			return false
		}
	})
	return v
}
