package senses

import (
	"context"
	"encoding/json"
	"image"
	"time"

	"yui/avatar/body"
	"yui/cmd/yui/settings"
)

// BodyState implements tools.Sight (docs/rules/body.md#state).
func (s *Senses) BodyState() (json.RawMessage, bool) {
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
		Position *place  `json:"position"`
		Posture  Posture `json:"posture"`
		VRM      *model  `json:"vrm"`
		Moving   bool    `json:"moving"`
	}
	err := s.ask(func() {
		fig, snap := s.o.Figure, s.o.Desktop.Snapshot()
		v.Position = &place{X: fig.Rect().Min.X, Y: fig.Rect().Min.Y}
		feet := fig.Feet()
		if i := snap.MonitorAt(feet.X, feet.Y); i < len(snap.Monitors) {
			v.Position.Monitor = &i
		}
		st := fig.Body().State(time.Now())
		v.Posture, v.Moving = PostureOf(st), st.Moving
		v.VRM = &model{s.o.Preset, s.o.Name()}
	})
	if err != nil {
		return nil, false
	}
	text, err := json.Marshal(v)
	return text, err == nil
}

// PerchTargets implements tools.Sight (docs/rules/body.md#perch-targets), with the programs' categories as a help.
func (s *Senses) PerchTargets() (json.RawMessage, bool) {
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
	for _, w := range s.o.Desktop.Snapshot().Windows {
		list = append(list, target{App: orNull(w.App), Title: orNull(w.Title), Categories: w.Categories,
			Rect: rectangle{w.Frame.X, w.Frame.Y, w.Frame.W, w.Frame.H}})
	}
	text, err := json.Marshal(map[string]any{"windows": list, "edges": []string{"left", "right"}})
	return text, err == nil
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// ScreenAllowed implements tools.Sight.
func (s *Senses) ScreenAllowed() bool { return s.o.Enabled(settings.KeyLook) }

// Monitors implements tools.Sight.
func (s *Senses) Monitors() (count, here int) {
	snap := s.o.Desktop.Snapshot()
	_ = s.ask(func() { // where nobody answers she counts as on the first
		feet := s.o.Figure.Feet()
		here = snap.MonitorAt(feet.X, feet.Y)
	})
	return len(snap.Monitors), here
}

// Capture implements tools.Sight.
func (s *Senses) Capture(ctx context.Context, monitor int) (image.Image, error) {
	return s.o.Desktop.Capture(ctx, monitor)
}

// Posture is a posture as `yui state` and look tell it.
type Posture struct {
	State   string      `json:"state"`
	Perched *body.Perch `json:"perched_on,omitempty"`
}

// PostureOf puts a body's state into those words.
func PostureOf(s body.State) Posture { return Posture{string(s.Posture), s.Perch} }
