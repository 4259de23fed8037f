package app

import (
	"context"
	"encoding/json"
	"image"
	"slices"
	"sync"
	"time"

	"yui/avatar/body"
	"yui/avatar/motion"
	"yui/chat"
	"yui/cmd/yui/settings"
	"yui/internal/protocol"
	"yui/tools"
)

// queryWait bounds a question to the main thread, actWait a command of the body, which has its own deadline of 15 s.
const (
	queryWait = 2 * time.Second
	actWait   = 16 * time.Second
)

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
	look := p.taint.Watched(tools.NewLook(sight{p}), tools.FromScreen, tools.HasImages)
	t.with, t.all, t.bound, t.now = g, append([]tools.Tool{tools.NewBodyAction(limbs{p}), look}, shared...), shared, nil
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

// limbs is tools.Body over the pet's body on the main thread.
type limbs struct{ pet *pet }

func (l limbs) Act(ctx context.Context, args json.RawMessage) string {
	cmd, ok := body.ParseCommand(args)
	if !ok {
		return string(body.Unsupported)
	}
	ctx, cancel := context.WithTimeout(ctx, actWait)
	defer cancel()
	result := make(chan body.Result, 1)
	l.pet.app.loop.Do(func() {
		if ctx.Err() == nil {
			l.pet.fig.Do(cmd, func(r body.Result) { result <- r })
		}
	})
	select {
	case r := <-result:
		return string(r)
	case <-ctx.Done():
		return string(body.Timeout)
	}
}

// sight is tools.Sight.
type sight struct{ pet *pet }

func (s sight) ask(f func()) bool {
	ctx, cancel := context.WithTimeout(s.pet.app.ctx, queryWait)
	defer cancel()
	return s.pet.app.loop.Call(ctx, f) == nil
}

// BodyState implements tools.Sight (docs/rules/body.md#state).
func (s sight) BodyState() (json.RawMessage, bool) {
	type place struct {
		X       int  `json:"x"`
		Y       int  `json:"y"`
		Monitor *int `json:"monitor"`
	}
	type model struct {
		ID    string `json:"id"`
		Label string `json:"label"`
	}
	var v struct {
		Position *place      `json:"position"`
		Posture  postureJSON `json:"posture"`
		VRM      *model      `json:"vrm"`
		Moving   bool        `json:"moving"`
	}
	ok := s.ask(func() {
		p := s.pet
		r := p.fig.Rect()
		snap := p.app.desk.Snapshot()
		v.Position = &place{X: r.Min.X, Y: r.Min.Y}
		feet := p.fig.Feet()
		i := monitorIndex(snap, feet)
		if i < len(snap.Monitors) {
			v.Position.Monitor = &i
		}
		st := p.fig.Body().State(time.Now())
		v.Posture, v.Moving = postureOf(st), st.Moving
		v.VRM = &model{p.preset.ID, p.preset.Name}
	})
	if !ok {
		return nil, false
	}
	return marshal(v), true
}

// PerchTargets implements tools.Sight (docs/rules/body.md#perch-targets), with the programs' categories as a help.
func (s sight) PerchTargets() (json.RawMessage, bool) {
	type rectangle struct {
		X      int `json:"x"`
		Y      int `json:"y"`
		Width  int `json:"width"`
		Height int `json:"height"`
	}
	type target struct {
		App        *string   `json:"app"`
		Title      *string   `json:"title"`
		Rect       rectangle `json:"rect"`
		Categories []string  `json:"categories,omitempty"`
	}
	list := []target{}
	for _, w := range s.pet.app.desk.Snapshot().Windows {
		list = append(list, target{App: orNull(w.App), Title: orNull(w.Title), Categories: w.Categories,
			Rect: rectangle{w.Frame.X, w.Frame.Y, w.Frame.W, w.Frame.H}})
	}
	return marshal(map[string]any{"windows": list, "edges": []string{"left", "right"}}), true
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// ScreenAllowed implements tools.Sight.
func (s sight) ScreenAllowed() bool { return s.pet.app.settings.Enabled(settings.KeyLook) }

// Monitors implements tools.Sight.
func (s sight) Monitors() (count, here int) {
	snap := s.pet.app.desk.Snapshot()
	s.ask(func() { here = monitorIndex(snap, s.pet.fig.Feet()) })
	return len(snap.Monitors), here
}

// Capture implements tools.Sight.
func (s sight) Capture(ctx context.Context, monitor int) (image.Image, error) {
	return s.pet.app.desk.Capture(ctx, monitor)
}

// postureJSON is a posture as `yui state` and look tell it.
type postureJSON struct {
	State   string      `json:"state"`
	Perched *body.Perch `json:"perched_on,omitempty"`
}

func postureOf(s body.State) postureJSON { return postureJSON{string(s.Posture), s.Perch} }

// marshal encodes values of our own, which cannot fail but for a NaN; that becomes null.
func marshal(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}
