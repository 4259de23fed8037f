package app

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"yui/avatar/motion"
	"yui/chat"
	"yui/cmd/yui/settings"
	"yui/internal/protocol"
	"yui/tools"
)

// queryWait bounds a question to the main thread.
const queryWait = 2 * time.Second

// toolbox is one pet's tools as its conversation wants them. Safe from any goroutine.
type toolbox struct {
	pet     *pet
	express tools.Tool

	mu    sync.Mutex
	with  *gear           // what the tools of its own were made with
	all   []tools.Tool    // of the main pet
	bound []tools.Tool    // of the others
	now   *tools.Registry // with the tools of MCP servers, which come and go
	main  bool            // whose it is
	as    uint64          // the version of the servers' tools in it
}

func newToolbox(p *pet) (*toolbox, error) {
	t := &toolbox{pet: p, express: tools.NewExpress(vocabulary{p.app})}
	t.equip(p.app.equip.gear.Load())
	_, err := tools.NewRegistry(t.express, t.all...)
	return t, err
}

// equip makes the tools that a config declares. The caller holds the mutex, or is the only one.
func (t *toolbox) equip(g *gear) {
	p := t.pet
	shared := append([]tools.Tool{tools.NewRateRelation(feelings{p, p.company}), tools.NewAddressCharacter(p.company)}, p.app.equip.own(p, g)...)
	look := p.taint.Watched(tools.NewLook(p.senses), tools.FromScreen, tools.HasImages)
	t.with, t.all, t.bound, t.now = g, append([]tools.Tool{tools.NewBodyAction(p.senses), look}, shared...), shared, nil
}

// registry is what the window declares at this moment: the config may have changed, servers come and go, and the main
// pet's tools pass on when it closes.
func (t *toolbox) registry() *tools.Registry {
	t.mu.Lock()
	defer t.mu.Unlock()
	if g := t.pet.app.equip.gear.Load(); g != t.with {
		t.equip(g)
	}
	main, as := t.pet.isMain(), t.pet.app.equip.servers.Version()
	if t.now != nil && t.main == main && t.as == as {
		return t.now
	}
	own := t.bound
	if main {
		own = t.all
	}
	t.now = declare(t.express, own, t.pet.app.equip.foreign(t.pet), func(server string, err error) {
		t.pet.app.log.Error("declare tools of an MCP server", "switch", server, "error", err)
	})
	t.main, t.as = main, as
	return t.now
}

// declare makes the registry of a window's own tools, which newToolbox has tried, and those of MCP servers, whose names are
// made so that none is given twice. Should one be, it costs its server alone, which leftOut is told.
func declare(express tools.Tool, own, foreign []tools.Tool, leftOut func(server string, err error)) *tools.Registry {
	r, _ := tools.NewRegistry(express, own...)
	list := own
	for len(foreign) > 0 {
		server := foreign[0].Switch
		end := slices.IndexFunc(foreign, func(t tools.Tool) bool { return t.Switch != server })
		if end < 0 {
			end = len(foreign)
		}
		more := append(slices.Clone(list), foreign[:end]...)
		if with, err := tools.NewRegistry(express, more...); err != nil {
			leftOut(server, err)
		} else {
			r, list = with, more
		}
		foreign = foreign[end:]
	}
	return r
}

// Declared implements chat.Toolbox.
func (t *toolbox) Declared() []chat.Tool {
	var list []chat.Tool
	for _, tool := range t.registry().Tools() {
		def := tool.Define()
		list = append(list, chat.Tool{
			Name: tool.Name, Description: def.Description, Parameters: def.Parameters, OneWay: tool.OneWay, Shows: tool.Shows, Switch: tool.Switch, Failed: tool.Failed,
			Run: func(ctx context.Context, c chat.Call) chat.Result {
				r := tool.Run(ctx, tools.Call{Turn: c.Turn, Args: c.Args, Names: def.Names})
				return chat.Result{Text: r.Text, Images: r.Images}
			},
		})
	}
	return list
}

// Switches implements chat.Toolbox: the switches of the declared tools only.
func (t *toolbox) Switches() []chat.SwitchState {
	var list []chat.SwitchState
	for _, tool := range t.registry().Tools() {
		if key, ok := t.pet.app.settings.SwitchKey(tool.Switch); ok && !slices.ContainsFunc(list, func(s chat.SwitchState) bool { return s.ID == tool.Switch }) {
			list = append(list, chat.SwitchState{ID: tool.Switch, On: t.pet.app.settings.Enabled(key)})
		}
	}
	return list
}

// call runs one call for the command line, as a model's would.
func (t *toolbox) call(ctx context.Context, turn, name string, args json.RawMessage) tools.Result {
	r := t.registry().Run(tools.Unasked(ctx), name, tools.Call{Turn: turn, Args: args})
	if protocol.IsExpress(name) { // whichever side has registered it
		cue := protocol.ParseCue(args)
		t.pet.app.loop.Do(func() { t.pet.expressFor(cue, 4*time.Second) })
	}
	return r
}

// vocabulary is what pets can express.
type vocabulary struct{ app *App }

func (v vocabulary) EmotionIDs() []string { return motion.Emotions() }

func (v vocabulary) MotionIDs() []string {
	off := v.app.settings.Strings(settings.KeyMotions)
	var ids []string
	for _, id := range v.app.clips.Selectable() {
		if !slices.Contains(off, string(id)) {
			ids = append(ids, string(id))
		}
	}
	return ids
}

func (v vocabulary) VoiceTags() map[string]string { return v.app.equip.gear.Load().voice }

// marshal encodes values of our own, which cannot fail but for a NaN; that becomes null.
func marshal(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}
