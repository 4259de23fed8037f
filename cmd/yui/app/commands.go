package app

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

	"yui/cmd/yui/control"
	"yui/cmd/yui/presets"
)

// commandWait bounds what no person or model is waited for.
const commandWait = 20 * time.Second

// commands are what the control socket answers, by the names that the command line sends. A turn and the calls of `yui
// call` take as long as they take, everything else has commandWait.
func (a *App) commands() control.Handlers {
	handlers := control.Handlers{
		"state":     a.stateCommand,
		"get":       a.getCommand,
		"set":       a.setCommand,
		"tools":     a.toolsCommand,
		"relations": a.relationsCommand,
		"rules":     a.rulesCommand,
		"history":   a.historyCommand,
		"snapshot":  a.snapshotCommand,
		"servers":   a.serversCommand, // for yui doctor
		"speak":     a.speakCommand,   // for yui mcp
		"presets":   a.presetsCommand,
		"open":      a.openCommand,
		"close":     a.closeCommand,
		"import":    a.importCommand,
		"create":    a.createCommand,
		"duplicate": a.duplicateCommand,
		"rename":    a.renameCommand,
		"delete":    a.deleteCommand,
		"show":      a.showCommand, // for a second start
		"quit":      a.quitCommand,
	}
	for name, handler := range handlers {
		handlers[name] = func(ctx context.Context, req control.Request, r *control.Reply) error {
			ctx, cancel := context.WithTimeout(ctx, commandWait)
			defer cancel()
			return handler(ctx, req, r)
		}
	}
	handlers["say"], handlers["call"] = a.sayCommand, a.callCommand
	return handlers
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

func (a *App) stateCommand(ctx context.Context, _ control.Request, r *control.Reply) error {
	return r.Value(a.state(ctx))
}

func (a *App) getCommand(_ context.Context, req control.Request, r *control.Reply) error {
	return r.Value(a.settings.Get(req.Arg(0)))
}

func (a *App) setCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	return a.settings.Set(ctx, req.Arg(0), json.RawMessage(req.Arg(1)))
}

func (a *App) toolsCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	p, err := a.pet(ctx, req.Preset)
	if err != nil {
		return err
	}
	return r.Value(declared(p.tools.Declared()), nil)
}

func (a *App) relationsCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	preset, err := a.presetFor(ctx, req.Preset)
	if err != nil {
		return err
	}
	return r.Value(a.relations(ctx, preset, req.Log))
}

func (a *App) serversCommand(_ context.Context, _ control.Request, r *control.Reply) error {
	return r.Value(marshal(a.equip.servers.States()), nil)
}

func (a *App) rulesCommand(_ context.Context, _ control.Request, r *control.Reply) error {
	return r.Value(a.first.JSON())
}

func (a *App) showCommand(ctx context.Context, _ control.Request, _ *control.Reply) error {
	return a.loop.Call(ctx, func() {
		for _, p := range a.pets {
			p.fig.Show()
		}
		if len(a.pets) == 0 {
			a.openCast() // without a pet and a tray there would be no way back
		}
		a.updateTray()
	})
}

func (a *App) quitCommand(context.Context, control.Request, *control.Reply) error {
	a.quit()
	return nil
}

// snapshotCommand writes the present frame as a PNG.
func (a *App) snapshotCommand(ctx context.Context, req control.Request, _ *control.Reply) error {
	file := req.Arg(0)
	p, err := a.pet(ctx, req.Preset)
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

// foundRows is the most that a search of the history prints.
const foundRows = 500

// historyCommand prints what was said, oldest first: this session, or what holds the words in all of them.
func (a *App) historyCommand(ctx context.Context, req control.Request, r *control.Reply) error {
	p, err := a.pet(ctx, req.Preset)
	if err != nil {
		return err
	}
	items := p.session.Transcript()
	if words := req.Arg(0); words != "" {
		found, err := p.session.Search(ctx, words, foundRows)
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
