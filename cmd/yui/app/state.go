package app

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"time"

	"yui/assets/lang"
	"yui/avatar/body"
	"yui/chat/api"
	"yui/cmd/yui/backend"
	"yui/cmd/yui/doorway"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/senses"
	"yui/overlay/window"
	"yui/platform"
	"yui/store"
	"yui/tools"
)

// The JSON of `yui state` (docs/rules/desktop.md#command-line). Positions are physical pixels of the root window.
type (
	stateJSON struct {
		Version  string          `json:"version"`
		Presets  []petJSON       `json:"presets"`
		Switches map[string]bool `json:"switches"`
		Backend  backendJSON     `json:"backend"`
		Tray     trayJSON        `json:"tray"`
		Ingress  doorway.State   `json:"ingress"`
		Store    storeJSON       `json:"store"`
		Desktop  desktopJSON     `json:"desktop"`
		Effects  effectsJSON     `json:"effects"`
	}
	effectsJSON struct {
		Running int    `json:"running"`
		Frames  uint64 `json:"frames"`
	}
	petJSON struct {
		ID        string                  `json:"id"`
		Name      string                  `json:"name"`
		Open      bool                    `json:"open"`
		Main      bool                    `json:"main"`
		Window    windowJSON              `json:"window"`
		Feet      pointJSON               `json:"feet"`
		Seat      pointJSON               `json:"seat"`
		Posture   senses.Posture          `json:"posture"`
		Moving    bool                    `json:"moving"`
		Emotion   string                  `json:"emotion"`
		Motion    string                  `json:"motion"`
		FPS       int                     `json:"fps"`
		Frames    uint64                  `json:"frames"`
		Talk      talkJSON                `json:"talk"`
		Turn      turnJSON                `json:"turn"`
		Relations map[string]relationJSON `json:"relations"`
	}
	windowJSON struct {
		X       int  `json:"x"`
		Y       int  `json:"y"`
		Width   int  `json:"width"`
		Height  int  `json:"height"`
		Monitor int  `json:"monitor"`
		Visible bool `json:"visible"`
	}
	pointJSON struct {
		X float64 `json:"x"`
		Y float64 `json:"y"`
	}
	talkJSON struct {
		Bubble    string `json:"bubble"`
		InputOpen bool   `json:"input_open"`
		Status    string `json:"status"`
	}
	turnJSON struct {
		Running bool   `json:"running"`
		Outcome string `json:"outcome"`
		Error   string `json:"error,omitempty"`
	}
	relationJSON struct {
		Value int    `json:"value"`
		Band  string `json:"band"`
	}
	backendJSON struct {
		API     string `json:"api"`
		BaseURL string `json:"base_url"`
		Model   string `json:"model"`
		Ready   bool   `json:"ready"`
		Error   string `json:"error"`
	}
	storeJSON struct {
		Error string `json:"error"` // why nothing is kept
	}
	trayJSON struct {
		Registered bool   `json:"registered"`
		Error      string `json:"error"`
	}
	desktopJSON struct {
		System        string        `json:"system"`
		WindowManager string        `json:"window_manager"`
		Compositor    bool          `json:"compositor"`
		Monitors      []monitorJSON `json:"monitors"`
	}
	monitorJSON struct {
		X        int      `json:"x"`
		Y        int      `json:"y"`
		Width    int      `json:"width"`
		Height   int      `json:"height"`
		WorkArea areaJSON `json:"work_area"`
		Scale    float64  `json:"scale"`
	}
	areaJSON struct {
		X      int `json:"x"`
		Y      int `json:"y"`
		Width  int `json:"width"`
		Height int `json:"height"`
	}
)

func point(p body.Point) pointJSON { return pointJSON{hundredths(p.X), hundredths(p.Y)} }

// hundredths keeps JSON readable, and numbers that are none out of it.
func hundredths(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return math.Round(f*100) / 100
}

// State implements remote.House: it collects everything.
func (h steward) State(ctx context.Context) (json.RawMessage, error) {
	a := h.app
	s := stateJSON{Version: a.version, Presets: []petJSON{}, Switches: map[string]bool{}}
	for _, row := range a.settings.Switches() {
		s.Switches[row.Switch] = a.settings.Enabled(row.Key)
	}
	s.Tray.Registered, s.Tray.Error = a.panels.TrayState()
	s.Ingress = a.door.State()
	b := a.backends.Load().Shared
	s.Backend = backendJSON{API: b.API, BaseURL: api.Shown(b.BaseURL), Model: b.Model, Ready: b.Err == nil}
	if b.Err != nil {
		s.Backend.Error = backend.Plain(a.words, b.Err)
	}
	if a.memory.Closed != nil {
		s.Store.Error = a.memory.Closed.Error()
	}
	snap := a.desk.Snapshot()
	s.Desktop = desktop(a.desk, snap)
	if err := a.loop.Call(ctx, func() {
		s.Effects.Running, s.Effects.Frames = a.theatre.playing()
		for i, p := range a.pets {
			s.Presets = append(s.Presets, p.json(i == 0, snap))
		}
	}); err != nil {
		return nil, err
	}
	for i := range s.Presets {
		values, err := a.memory.Relations(ctx, s.Presets[i].ID)
		if err != nil {
			return nil, err
		}
		v := values[store.UserTarget]
		s.Presets[i].Relations = map[string]relationJSON{"user": {v, tools.Band(v)}}
	}
	return json.Marshal(s)
}

// json tells what one pet does. Main thread.
func (p *pet) json(main bool, snap *platform.Snapshot) petJSON {
	now := time.Now()
	st, r := p.fig.Body().State(now), p.fig.Rect()
	j := petJSON{
		ID: p.preset.ID, Name: p.preset.Name, Open: true, Main: main,
		Window: windowJSON{X: r.Min.X, Y: r.Min.Y, Width: r.Dx(), Height: r.Dy(), Monitor: snap.MonitorAt(p.fig.Feet().X, p.fig.Feet().Y), Visible: p.fig.Visible()},
		Feet:   point(p.fig.Feet()), Seat: point(p.fig.Seat()), Posture: senses.PostureOf(st), Moving: st.Moving,
		Emotion: p.fig.Emotion(), Motion: string(p.fig.Motion()), FPS: p.fig.FPS(now), Frames: p.fig.Frames(),
		Turn: turnJSON{Running: p.running, Outcome: string(p.outcome), Error: p.failure},
	}
	if p.talk != nil {
		j.Talk = talkJSON{Bubble: p.talk.Text(), InputOpen: p.talk.InputOpen(), Status: p.talk.Status()}
	}
	return j
}

func desktop(d *platform.Desktop, s *platform.Snapshot) desktopJSON {
	j := desktopJSON{System: d.System(), WindowManager: s.WindowManager, Compositor: s.Compositor, Monitors: []monitorJSON{}}
	for _, m := range s.Monitors {
		w := m.WorkArea
		j.Monitors = append(j.Monitors, monitorJSON{m.Rect.X, m.Rect.Y, m.Rect.W, m.Rect.H, areaJSON{w.X, w.Y, w.W, w.H}, m.Scale})
	}
	return j
}

// presetsJSON lists all saved presets. Main thread.
func (h steward) presetsJSON() json.RawMessage {
	a := h.app
	type row struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		Open  bool   `json:"open"`
		Main  bool   `json:"main"`
		Model string `json:"model"`
	}
	rows := []row{}
	for _, p := range a.presets.All() {
		q := a.petOf(p.ID)
		rows = append(rows, row{p.ID, p.Name, q != nil, q != nil && q == a.pets[0], p.ModelName()})
	}
	return marshal(rows)
}

// Relations implements remote.House.
func (h steward) Relations(ctx context.Context, p presets.Preset, withLog bool) (json.RawMessage, error) {
	a := h.app
	type target struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		Value int    `json:"value"`
		Band  string `json:"band"`
	}
	type change struct {
		TS     string `json:"ts"`
		Target string `json:"target"`
		Delta  int    `json:"delta"`
		Value  int    `json:"value"`
		Why    string `json:"why"`
		Source string `json:"source"`
	}
	values, err := a.memory.Relations(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	out := struct {
		Preset  string    `json:"preset"`
		Targets []target  `json:"targets"`
		Log     *[]change `json:"log,omitempty"` // only where it was asked for, then empty too
	}{Preset: p.ID, Targets: []target{{"user", "user", values[store.UserTarget], tools.Band(values[store.UserTarget])}}}
	if err := a.loop.Call(ctx, func() {
		for _, q := range a.presets.All() {
			v, known := values[store.TargetOf(q.ID)]
			if q.ID != p.ID && (known || a.petOf(q.ID) != nil) {
				out.Targets = append(out.Targets, target{q.ID, q.Name, v, tools.Band(v)})
			}
		}
	}); err != nil {
		return nil, err
	}
	for _, t := range slices.Sorted(maps.Keys(values)) {
		id, isPreset := store.PresetOf(t)
		if isPreset && !slices.ContainsFunc(out.Targets[1:], func(o target) bool { return o.ID == id }) {
			out.Targets = append(out.Targets, target{id, h.goneName(ctx, id), values[t], tools.Band(values[t])})
		}
	}
	if withLog {
		log, err := a.memory.RelationLog(ctx, p.ID, 10000)
		if err != nil {
			return nil, err
		}
		rows := []change{}
		for _, c := range log {
			rows = append(rows, change{c.Time.Format(time.RFC3339), c.Target, c.Delta, c.Value, c.Why, c.Source})
		}
		out.Log = &rows
	}
	return json.Marshal(out)
}

// goneName is how a deleted preset is shown.
func (h steward) goneName(ctx context.Context, id string) string {
	name := h.app.presets.NameOfGone(ctx, id)
	if name == "" {
		name = id
	}
	return h.app.words.Text("relations.name_gone", lang.Args{"name": name})
}

var _ window.Ticker = (*pet)(nil)

// marshal encodes values of our own, which cannot fail but for a NaN; that becomes null.
func marshal(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}
