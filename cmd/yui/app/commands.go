package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"yui/chat"
	"yui/cmd/yui/presets"
	"yui/store"
	"yui/tools"
)

// commandWait bounds what no person or model is waited for.
const commandWait = 20 * time.Second

// handle is the Handler of the control socket.
func (a *App) handle(ctx context.Context, req Request, r *Reply) int {
	code, err := a.command(ctx, req, r)
	if err != nil {
		r.Err(err.Error())
		if code == ExitOK {
			code = ExitFailed
		}
	}
	return code
}

func (a *App) command(ctx context.Context, req Request, r *Reply) (int, error) {
	arg := func(i int) string {
		if i < len(req.Args) {
			return req.Args[i]
		}
		return ""
	}
	if req.Command == "say" {
		return a.sayCommand(ctx, req, r, arg(0))
	}
	if req.Command == "call" {
		return a.callCommand(ctx, req, r)
	}
	ctx, cancel := context.WithTimeout(ctx, commandWait)
	defer cancel()
	answer := func(v json.RawMessage, err error) (int, error) {
		if err == nil {
			r.Out(string(v))
		}
		return ExitOK, err
	}
	switch req.Command {
	case "state":
		return answer(a.state(ctx))
	case "presets":
		var v json.RawMessage
		err := a.loop.Call(ctx, func() { v = a.presetsJSON() })
		return answer(v, err)
	case "get":
		return answer(a.switches.Get(arg(0)))
	case "set":
		return ExitOK, a.switches.Set(ctx, arg(0), json.RawMessage(arg(1)))
	case "tools":
		p, err := a.pet(ctx, req.Preset)
		if err != nil {
			return ExitFailed, err
		}
		return answer(declared(p.tools.Declared()), nil)
	case "relations":
		preset, err := a.presetFor(ctx, req.Preset)
		if err != nil {
			return ExitFailed, err
		}
		return answer(a.relations(ctx, preset, req.Log))
	case "servers": // for yui doctor
		return answer(marshal(a.equip.servers.States()), nil)
	case "speak": // for yui mcp
		return ExitOK, a.speakCommand(ctx, req, arg(0))
	case "snapshot":
		return ExitOK, a.snapshot(ctx, req.Preset, arg(0))
	case "open":
		return ExitOK, a.openCommand(ctx, arg(0))
	case "close":
		return ExitOK, a.closeCommand(ctx, arg(0))
	case "rules":
		return answer(a.first.rulesJSON())
	case "history":
		p, err := a.pet(ctx, req.Preset)
		if err != nil {
			return ExitFailed, err
		}
		return ExitOK, history(ctx, p.session, arg(0), r)
	case "import":
		p, err := a.presets.Import(ctx, arg(0), arg(1))
		if err == nil {
			r.Out(p.ID)
			for _, odd := range p.Odd {
				r.Err(plainSentence(odd))
			}
		}
		return ExitOK, err
	case "create":
		p, err := a.presets.Create(ctx, arg(0), arg(1))
		if err == nil {
			r.Out(p.ID)
		}
		return ExitOK, err
	case "duplicate":
		preset, err := a.presetFor(ctx, arg(0))
		if err != nil {
			return ExitFailed, err
		}
		p, err := a.presets.Duplicate(ctx, preset, arg(1))
		if err == nil {
			r.Out(p.ID)
		}
		return ExitOK, err
	case "rename":
		preset, err := a.presetFor(ctx, arg(0))
		if err != nil {
			return ExitFailed, err
		}
		return ExitOK, a.presets.Rename(ctx, preset, arg(1))
	case "delete":
		preset, err := a.presetFor(ctx, arg(0))
		if err != nil {
			return ExitFailed, err
		}
		return ExitOK, a.presets.Delete(ctx, preset)
	case "show":
		return ExitOK, a.loop.Call(ctx, func() {
			for _, p := range a.pets {
				p.fig.Show()
			}
			if len(a.pets) == 0 {
				a.openCast() // without a pet and a tray there would be no way back
			}
			a.updateTray()
		})
	case "quit":
		a.quit()
		return ExitOK, nil
	}
	return ExitUsage, fmt.Errorf("there is no command %q", req.Command)
}

// pet finds an open pet; "" is the main one.
func (a *App) pet(ctx context.Context, word string) (*pet, error) {
	var p *pet
	var err error
	callErr := a.loop.Call(ctx, func() {
		if word == "" {
			if len(a.pets) > 0 {
				p = a.pets[0]
			} else {
				err = errNoPet
			}
			return
		}
		var preset presets.Preset
		if preset, err = a.presets.Find(word); err != nil {
			return
		}
		if p = a.petOf(preset.ID); p == nil {
			err = fmt.Errorf("%s is not open: yui open %s opens her", preset.Name, preset.ID)
		}
	})
	return p, errors.Join(callErr, err)
}

// presetFor finds a preset, open or not; "" is the main pet's.
func (a *App) presetFor(ctx context.Context, word string) (presets.Preset, error) {
	var preset presets.Preset
	var err error
	callErr := a.loop.Call(ctx, func() {
		switch {
		case word != "":
			preset, err = a.presets.Find(word)
		case len(a.pets) > 0:
			preset = a.pets[0].preset
		default:
			err = errNoPet
		}
	})
	return preset, errors.Join(callErr, err)
}

var errNoPet = errors.New("no pet is open: yui open PRESET opens one")

// sayCommand is a turn as if typed. It ends with the turn; closing the connection stops it.
func (a *App) sayCommand(ctx context.Context, req Request, r *Reply, text string) (int, error) {
	p, err := a.pet(ctx, req.Preset)
	if err != nil {
		return ExitFailed, err
	}
	var turn *chat.Turn
	if err := a.loop.Call(ctx, func() { turn = p.say(text) }); err != nil {
		return ExitFailed, err
	}
	done, err := turn.Wait(ctx)
	if err != nil {
		if turn.ID() != "" {
			p.session.Stop()
		}
		return ExitFailed, errors.New("the turn was stopped")
	}
	if done.Text != "" {
		r.Out(done.Text)
	}
	switch {
	case done.Error != "":
		return ExitFailed, errors.New(done.Error)
	case done.Outcome != chat.OK:
		return ExitFailed, fmt.Errorf("the turn ended: %s", done.Outcome)
	}
	return ExitOK, nil
}

// callCommand runs pairs of tool and arguments as one turn (docs/rules/desktop.md#command-line).
func (a *App) callCommand(ctx context.Context, req Request, r *Reply) (int, error) {
	p, err := a.pet(ctx, req.Preset)
	if err != nil {
		return ExitFailed, err
	}
	turn := "call-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	images, code := 0, ExitOK
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
		res := tools.Result{Text: "error: turn stopped"}
		if ctx.Err() == nil {
			res = p.tools.call(ctx, turn, name, args)
		}
		if ctx.Err() != nil {
			res = tools.Result{Text: "error: turn stopped"}
		}
		r.Out(res.Text)
		images += len(res.Images)
		if res.Text == "error: unknown tool" {
			code = ExitFailed
		}
	}
	if images > 0 {
		r.Err(fmt.Sprintf("%d image(s)", images))
	}
	return code, nil
}

// declared is the tools[] of a Chat Completions request.
func declared(list []chat.Tool) json.RawMessage {
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
	return marshal(out)
}

// snapshot writes the present frame as a PNG.
func (a *App) snapshot(ctx context.Context, word, file string) error {
	p, err := a.pet(ctx, word)
	if err != nil {
		return err
	}
	var img image.Image
	callErr := a.loop.Call(ctx, func() { img, err = p.fig.Snapshot() })
	if err := errors.Join(callErr, err); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".yui-*.png")
	if err != nil {
		return fmt.Errorf("write snapshot: %w", err)
	}
	defer os.Remove(f.Name()) // does nothing once it has its name
	err = errors.Join(png.Encode(f, img), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("write snapshot: %w", err)
	}
	return nil
}

func (a *App) openCommand(ctx context.Context, word string) error {
	preset, err := a.presetFor(ctx, word)
	if err != nil {
		return err
	}
	return a.open(ctx, preset)
}

// open loads a preset's model and puts her on the desktop; not for the main thread.
func (a *App) open(ctx context.Context, preset presets.Preset) error {
	model, err := a.loadModel(preset)
	if err != nil {
		return err
	}
	pets, err := a.store.Pets(ctx)
	if err != nil {
		return err
	}
	var at store.Pet
	for _, p := range pets {
		if p.Preset == preset.ID {
			at = p
		}
	}
	if err := a.dress.Bring(ctx, model); err != nil {
		return fmt.Errorf("draw %s: %w", preset.Name, err)
	}
	callErr := a.loop.Call(ctx, func() {
		err = a.openPet(preset, model, nil, at)
		a.dress.Leave(model)
		a.updateTray()
	})
	return errors.Join(callErr, err)
}

func (a *App) closeCommand(ctx context.Context, word string) error {
	p, err := a.pet(ctx, word)
	if err != nil {
		return err
	}
	return a.loop.Call(ctx, func() { a.closePet(p) })
}

// foundRows is the most that a search of the history prints.
const foundRows = 500

// history prints what was said, oldest first: this session, or what holds the words in all of them.
func history(ctx context.Context, s *chat.Session, words string, r *Reply) error {
	items := s.Transcript()
	if words != "" {
		found, err := s.Search(ctx, words, foundRows)
		if err != nil {
			return err
		}
		slices.Reverse(found)
		items = found
	}
	for _, it := range items {
		role, mark := it.Role, ""
		if it.Guide { // nobody typed it
			role = "event"
		}
		if it.Cut {
			mark = " (cut)"
		}
		if it.NotSent {
			mark = " (not sent)"
		}
		r.Out(it.At.Format("2006-01-02 15:04") + " " + role + mark + ": " + strings.ReplaceAll(it.Text, "\n", " "))
	}
	return nil
}
