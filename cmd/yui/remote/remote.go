// Package remote answers the command line: what the running instance does for each command of the control socket, over the
// pets that are open and the presets folder.
package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"yui/chat"
	"yui/cmd/yui/control"
	"yui/cmd/yui/presets"
	"yui/tools"
)

// Pet is an open pet. Not for the main thread.
type Pet interface {
	// Say begins a turn as if the person had typed the words.
	Say(ctx context.Context, text string) (*chat.Turn, error)
	Stop()
	// Recite shows words that are not her model's; busy where she is talking with the person.
	Recite(ctx context.Context, text string) (busy bool, err error)
	// Tools are those that her window declares, Call runs one as a model's call would.
	Tools() []chat.Tool
	Call(ctx context.Context, turn, tool string, args json.RawMessage) tools.Result
	// Said is this session, oldest first, Search what holds the words in all of them, newest first.
	Said() []chat.Item
	Search(ctx context.Context, words string, limit int) ([]chat.Item, error)
	// Picture is the present frame with its alpha.
	Picture(ctx context.Context) (image.Image, error)
	Close(ctx context.Context) error
}

// House is the running instance. Not for the main thread.
type House interface {
	// Pet finds an open pet by its preset's id or name, Preset a preset, open or not; "" is the main pet, or hers.
	Pet(ctx context.Context, word string) (Pet, error)
	Preset(ctx context.Context, word string) (presets.Preset, error)
	Open(ctx context.Context, p presets.Preset) error
	// Show brings every pet, or a way to them.
	Show(ctx context.Context) error
	Quit()
	// What `yui state`, `yui presets` and `yui relations` print.
	State(ctx context.Context) (json.RawMessage, error)
	Presets(ctx context.Context) (json.RawMessage, error)
	Relations(ctx context.Context, p presets.Preset, log bool) (json.RawMessage, error)
}

// Settings are what get and set reach.
type Settings interface {
	Get(key string) (json.RawMessage, error)
	Set(ctx context.Context, key string, value json.RawMessage) error
}

// Presets makes and changes characters.
type Presets interface {
	Import(ctx context.Context, file, name string) (presets.Preset, error)
	Create(ctx context.Context, name, wears string) (presets.Preset, error)
	Duplicate(ctx context.Context, p presets.Preset, name string) (presets.Preset, error)
	Rename(ctx context.Context, p presets.Preset, name string) error
	Delete(ctx context.Context, p presets.Preset) error
}

// Remote answers commands.
type Remote struct {
	House    House
	Settings Settings
	Presets  Presets
	Rules    func() (json.RawMessage, error) // what `yui rules` prints
	Servers  func() (json.RawMessage, error) // how MCP servers fare, for yui doctor
}

// commandWait bounds what no person or model is waited for.
const commandWait = 20 * time.Second

// Handlers are what the control socket answers, by the names that the command line sends. A turn and the calls of `yui
// call` take as long as they take, everything else has commandWait.
func (m *Remote) Handlers() control.Handlers {
	handlers := control.Handlers{
		"state":     m.stateCommand,
		"get":       m.getCommand,
		"set":       m.setCommand,
		"tools":     m.toolsCommand,
		"relations": m.relationsCommand,
		"rules":     m.rulesCommand,
		"history":   m.historyCommand,
		"snapshot":  m.snapshotCommand,
		"servers":   m.serversCommand, // for yui doctor
		"speak":     m.speakCommand,   // for yui mcp
		"presets":   m.presetsCommand,
		"open":      m.openCommand,
		"close":     m.closeCommand,
		"import":    m.importCommand,
		"create":    m.createCommand,
		"duplicate": m.duplicateCommand,
		"rename":    m.renameCommand,
		"delete":    m.deleteCommand,
		"show":      m.showCommand, // for a second start
		"quit":      m.quitCommand,
	}
	for name, handler := range handlers {
		handlers[name] = func(ctx context.Context, req control.Request, r *control.Reply) error {
			ctx, cancel := context.WithTimeout(ctx, commandWait)
			defer cancel()
			return handler(ctx, req, r)
		}
	}
	handlers["say"], handlers["call"] = m.sayCommand, m.callCommand
	return handlers
}

func (m *Remote) stateCommand(ctx context.Context, _ control.Request, r *control.Reply) error {
	return r.Value(m.House.State(ctx))
}

func (m *Remote) getCommand(_ context.Context, req control.Request, r *control.Reply) error {
	return r.Value(m.Settings.Get(req.Arg(0)))
}

func (m *Remote) setCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	return m.Settings.Set(ctx, req.Arg(0), json.RawMessage(req.Arg(1)))
}

func (m *Remote) toolsCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	p, err := m.House.Pet(ctx, req.Preset)
	if err != nil {
		return err
	}
	return r.Value(declared(p.Tools()))
}

func (m *Remote) relationsCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	preset, err := m.House.Preset(ctx, req.Preset)
	if err != nil {
		return err
	}
	return r.Value(m.House.Relations(ctx, preset, req.Log))
}

func (m *Remote) serversCommand(_ context.Context, _ control.Request, r *control.Reply) error {
	return r.Value(m.Servers())
}

func (m *Remote) rulesCommand(_ context.Context, _ control.Request, r *control.Reply) error {
	return r.Value(m.Rules())
}

func (m *Remote) showCommand(ctx context.Context, _ control.Request, _ *control.Reply) error {
	return m.House.Show(ctx)
}

func (m *Remote) quitCommand(context.Context, control.Request, *control.Reply) error {
	m.House.Quit()
	return nil
}

// snapshotCommand writes the present frame as a PNG.
func (m *Remote) snapshotCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	file := req.Arg(0)
	p, err := m.House.Pet(ctx, req.Preset)
	if err != nil {
		return err
	}
	img, err := p.Picture(ctx)
	if err != nil {
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

// foundRows is the most that a search of the history prints.
const foundRows = 500

// historyCommand prints what was said, oldest first: this session, or what holds the words in all of them.
func (m *Remote) historyCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	p, err := m.House.Pet(ctx, req.Preset)
	if err != nil {
		return err
	}
	items := p.Said()
	if words := req.Arg(0); words != "" {
		found, err := p.Search(ctx, words, foundRows)
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
