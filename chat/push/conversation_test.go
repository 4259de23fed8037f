package push

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"yui/chat"
	"yui/internal/fuzzmem"
)

// FuzzConversation plays any frames through a Transport and a Session: nothing may panic, hang or stay behind.
func FuzzConversation(f *testing.F) {
	f.Add("render 1\nspeech 2\nend 1\ncall 2\nsay\nrender 9\nlose\nend 9")
	f.Add("call 1\ncall 1\nrender 1\ncall 1\nend 1\nstop\nsay\nstop\nend 9")
	f.Add("speech 1\nspeech 2\nspeech 1\nspeech 2\nend 1\nend 2\nrender 3\nsay\nlose\nrender 3")
	f.Fuzz(func(t *testing.T, script string) {
		fuzzmem.Watch(t)
		converse(t, strings.Split(script, "\n"))
	})
}

// Any conversation: as FuzzConversation, but of whole words.
func TestAnyConversation(t *testing.T) {
	verbs := []string{"render", "render", "speech", "end", "end", "call", "status", "say", "stop", "cut", "lose"}
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) string {
			return rapid.SampledFrom(verbs).Draw(rt, "verb") + " " + rapid.SampledFrom([]string{"1", "2", "3", "9"}).Draw(rt, "turn")
		}), 0, 40).Draw(rt, "script")
		converse(rt, lines)
	})
}

// converse gives the frames of a script to a Transport over a Session, without a socket. Turn 9 is our newest one.
func converse(t interface{ Fatalf(string, ...any) }, script []string) {
	tool := chat.Tool{Name: "echo", Run: func(context.Context, chat.Call) chat.Result { return chat.Result{Text: "ok"} }}
	r := &rig{fast: true}
	p, err := New(Config{BaseURL: "h", Tools: box{tool}, Waits: Waits{Calls: time.Millisecond, Frame: 30 * time.Millisecond}})
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	s := chat.NewSession(chat.Config{Backend: chat.Backend{Transport: p}, Tools: box{tool}, Now: r.now})
	p.receiver = s // no connection: the frames are given by hand
	up := func() *link {
		ctx, cancel := context.WithCancelCause(context.Background())
		return &link{ctx: ctx, drop: cancel, out: make(chan []byte, mostOut), up: true}
	}
	l := up()
	p.link = l
	last := "9"
	for i, line := range script[:min(len(script), 60)] {
		verb, id, _ := strings.Cut(line, " ")
		id = firstOf(id, 8)
		if id == "9" || id == "" {
			id = last
		}
		f := frame{turn: id}
		switch verb {
		case "render", "speech":
			f.kind, f.segments = verb, []segment{{cue: chat.Cue{EmotionID: "joy"}, speech: "Hi."}}
		case "end":
			f.kind = "turn_end"
		case "call":
			f.kind, f.call, f.tool, f.args = "tool_call", fmt.Sprint(i%7), "echo", json.RawMessage("{}")
		case "status":
			f.kind, f.tool = "tool_status", "x"
		case "say":
			last = s.Say(context.Background(), "hm", nil).ID()
			continue
		case "stop":
			s.Stop()
			continue
		case "cut":
			p.Cut()
			continue
		case "lose":
			p.mu.Lock()
			p.link = nil
			p.mu.Unlock()
			l.drop(errSettings)
			p.lose()
			l = up()
			p.mu.Lock()
			p.link = l
			p.mu.Unlock()
			continue
		default:
			continue
		}
		p.dispatch(l, f)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Fatalf("close: %v", err)
	}
	p.Close()
	l.drop(nil)
	if err := s.Close(ctx); err != nil {
		t.Fatalf("close: %v", err)
	}
	if len(p.queue)+len(p.live) != 0 {
		t.Fatalf("left behind %+v", p.turns)
	}
}

func firstOf(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}
