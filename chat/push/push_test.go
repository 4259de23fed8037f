package push

import (
	"context"
	"strings"
	"testing"

	"yui/chat"
)

// "turn {type,turn_id,client_context,text}"; "render …; speech …; turn_end" (docs/rules/chat.md#push-frames, 4.3).
func TestTurn(t *testing.T) {
	r := newRig(t, nil, nil)
	r.push.Open(r.Session)
	w := r.wire(t)
	hello := w.next("hello")
	if hello.Key != "secret-key-1" || hello.ChatID != "yui-3f9a2c1d" || hello.Vocabulary["emotion_text_mode"] != "free" {
		t.Errorf("hello %+v", hello)
	}
	w.ready()
	await(t, "ready", func() bool { return r.push.State() == State{Phase: Ready, ChatID: "yui-3f9a2c1d"} })
	turn := r.Say(context.Background(), "Good morning", nil)
	f := w.next("turn")
	if f.TurnID != turn.ID() || f.Text != "Good morning" || !strings.Contains(f.Context, "\ntrigger: user message") || strings.Contains(f.Context, "<client_context>") {
		t.Errorf("turn frame %+v", f)
	}
	w.put(`{"type":"reasoning","turn_id":%q,"delta":"hm"}`, f.TurnID)
	w.put(`{"type":"tool_status","turn_id":%q,"state":"running","tool_id":"weather"}`, f.TurnID)
	w.put(`{"type":"tool_status","turn_id":%q,"state":"done","tool_id":"weather"}`, f.TurnID)
	w.put(`{"type":"render","turn_id":%q,"source":"x","reasoning":"hm","segments":[{"cues":[{"emotion_id":"joy"}],"speech":"Good morning."},{"cues":[],"speech":"It is warm."}]}`, f.TurnID)
	w.render(f.TurnID, "Take a hat.")
	w.end(f.TurnID)
	d := r.done(t)
	if d.Outcome != chat.OK || d.Text != "Good morning. It is warm. Take a hat." || d.Cut {
		t.Errorf("done %+v", d)
	}
	w.quiet()
}

// A reply without a request reaches the session, behind what runs.
func TestUnasked(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	w.render("hermes-1", "The cake is done.")
	w.end("hermes-1")
	started := until[chat.TurnStarted](t, r)
	d := r.done(t)
	if started.User || wireID(started.Turn) != "hermes-1" || started.Name != "push.render" || d.Text != "The cake is done." || d.Outcome != chat.OK {
		t.Errorf("%+v %+v", started, d)
	}
}
