package toolbox

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"yui/assets/lang"
	"yui/avatar/motion"
	"yui/chat"
	"yui/cmd/yui/settings"
	"yui/internal/protocol"
	"yui/tools"
)

// Senses are what a pet's tools see and move.
type Senses interface {
	tools.Body
	tools.Sight
	tools.Effects
	tools.Camera
}

// Pet is whose tools they are. All of it is safe from any goroutine.
type Pet struct {
	Preset    string
	Main      func() bool // she is the main pet
	Words     *lang.Words // the language in which her conversation began, which its tools keep (docs/rules/tools.md#language)
	Taint     *tools.Taint
	Senses    Senses
	Asker     tools.Asker
	Relations tools.Relations
	Company   tools.Company
	Found     func(turn, query string, sources []tools.Source) // told what is searched for, and found
	Express   func(c protocol.Cue)                             // shows a cue that no turn brought
}

// Box is one pet's tools as its conversation wants them: chat.Toolbox. Safe from any goroutine.
type Box struct {
	e       *Equipment
	pet     Pet
	express tools.Tool

	mu    sync.Mutex
	with  *gear           // what the tools of its own were made with
	all   []tools.Tool    // of the main pet
	bound []tools.Tool    // of the others
	now   *tools.Registry // with the tools of MCP servers, which come and go
	main  bool            // whose it is
	as    uint64          // the version of the servers' tools in it
}

// Box makes the tools of a pet.
func (e *Equipment) Box(p Pet) (*Box, error) {
	b := &Box{e: e, pet: p, express: tools.NewExpress(vocabulary{e})}
	b.equip(e.gear.Load())
	_, err := tools.NewRegistry(b.express, b.all...)
	return b, err
}

// equip makes the tools that a config declares. The caller holds the mutex, or is the only one.
func (b *Box) equip(g *gear) {
	p := b.pet
	shared := append([]tools.Tool{tools.NewRateRelation(p.Relations), tools.NewAddressCharacter(p.Company)}, b.e.own(p, g)...)
	look := p.Taint.Watched(tools.NewLook(p.Senses), tools.FromScreen, tools.HasImages)
	b.with, b.all, b.bound, b.now = g, append([]tools.Tool{tools.NewBodyAction(p.Senses), look}, shared...), shared, nil
}

// Registry is what the window declares at this moment: the config may have changed, servers come and go, and the main
// pet's tools pass on when it closes.
func (b *Box) Registry() *tools.Registry {
	b.mu.Lock()
	defer b.mu.Unlock()
	if g := b.e.gear.Load(); g != b.with {
		b.equip(g)
	}
	main, as := b.pet.Main(), b.e.servers.Version()
	if b.now != nil && b.main == main && b.as == as {
		return b.now
	}
	own := b.bound
	if main {
		own = b.all
	}
	b.now = declare(b.express, own, b.e.foreign(b.pet), func(server string, err error) {
		b.e.Log.Error("declare tools of an MCP server", "switch", server, "error", err)
	})
	b.main, b.as = main, as
	return b.now
}

// declare makes the registry of a window's own tools, which Equipment.Box has tried, and those of MCP servers, whose names are
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
func (b *Box) Declared() []chat.Tool {
	var list []chat.Tool
	for _, tool := range b.Registry().Tools() {
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
func (b *Box) Switches() []chat.SwitchState {
	var list []chat.SwitchState
	for _, tool := range b.Registry().Tools() {
		if key, ok := b.e.Settings.SwitchKey(tool.Switch); ok && !slices.ContainsFunc(list, func(s chat.SwitchState) bool { return s.ID == tool.Switch }) {
			list = append(list, chat.SwitchState{ID: tool.Switch, On: b.e.Settings.Enabled(key)})
		}
	}
	return list
}

// Call runs one call for the command line, as a model's would.
func (b *Box) Call(ctx context.Context, turn, name string, args json.RawMessage) tools.Result {
	r := b.Registry().Run(tools.Unasked(ctx), name, tools.Call{Turn: turn, Args: args})
	if protocol.IsExpress(name) { // whichever side has registered it
		b.pet.Express(protocol.ParseCue(args))
	}
	return r
}

// vocabulary is what pets can express.
type vocabulary struct{ e *Equipment }

func (v vocabulary) EmotionIDs() []string { return motion.Emotions() }

func (v vocabulary) MotionIDs() []string {
	off := v.e.Settings.Strings(settings.KeyMotions)
	var ids []string
	for _, id := range v.e.Clips.Selectable() {
		if !slices.Contains(off, string(id)) {
			ids = append(ids, string(id))
		}
	}
	return ids
}

func (v vocabulary) VoiceTags() map[string]string { return v.e.gear.Load().voice }
