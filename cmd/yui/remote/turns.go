package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"yui/chat"
	"yui/cmd/yui/control"
	"yui/internal/protocol"
	"yui/tools"
)

// sayCommand is a turn as if typed. It ends with the turn; closing the connection stops it. What the bubble says beside the
// answer goes to the error stream; where it stands there alone, the command has failed.
func (m *Remote) sayCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	p, err := m.House.Pet(ctx, req.Preset)
	if err != nil {
		return err
	}
	turn, err := p.Say(ctx, req.Arg(0))
	if err != nil {
		return err
	}
	done, err := turn.Wait(ctx)
	if err != nil {
		if turn.ID() != "" {
			p.Stop()
		}
		return errors.New("the turn was stopped")
	}
	if done.Text != "" {
		r.Out(done.Text)
	}
	switch {
	case done.Error != "":
		return errors.New(done.Error)
	case done.Outcome != chat.OK:
		return fmt.Errorf("the turn ended: %s", done.Outcome)
	case done.Notice != "" && done.Text == "":
		return errors.New(done.Notice)
	case done.Notice != "":
		r.Err(done.Notice)
	}
	return nil
}

// callCommand runs pairs of tool and arguments as one turn (docs/rules/desktop.md#command-line).
func (m *Remote) callCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	p, err := m.House.Pet(ctx, req.Preset)
	if err != nil {
		return err
	}
	turn := "call-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	images, failed := 0, error(nil)
	for i := 0; i+1 < len(req.Args); i += 2 {
		name, args := req.Args[i], json.RawMessage(req.Args[i+1])
		if len(bytes.TrimSpace(args)) == 0 {
			args = json.RawMessage("{}")
		}
		var probe any
		if err := json.Unmarshal(args, &probe); err != nil {
			r.Out("error: arguments JSON parse failed: " + err.Error())
			continue
		}
		res := tools.Result{Text: protocol.TurnStopped}
		if ctx.Err() == nil {
			res = p.Call(ctx, turn, name, args)
		}
		if ctx.Err() != nil {
			res = tools.Result{Text: protocol.TurnStopped}
		}
		r.Out(res.Text)
		images += len(res.Images)
		if res.Text == protocol.UnknownTool {
			failed = control.Failed
		}
	}
	if images > 0 {
		r.Err(fmt.Sprintf("%d image(s)", images))
	}
	return failed
}

// speakLimit is how much a pet says for somebody else, in code points.
const speakLimit = 500

// speakCommand lets a pet say words that are not her model's: an agent's elsewhere. They enter no conversation.
func (m *Remote) speakCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	p, err := m.House.Pet(ctx, req.Preset)
	if err != nil {
		return err
	}
	text := tools.PlainText(req.Arg(0), speakLimit)
	if text == "" {
		return errors.New("say: there are no words")
	}
	busy, err := p.Recite(ctx, text)
	if busy {
		return errors.New("say: busy: she is talking with the person")
	}
	return err
}

// declared is the tools[] of a Chat Completions request.
func declared(list []chat.Tool) (json.RawMessage, error) {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	type entry struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	out := make([]entry, len(list))
	for i, t := range list {
		out[i] = entry{"function", function{t.Name, t.Description, t.Parameters}}
	}
	return json.Marshal(out)
}
