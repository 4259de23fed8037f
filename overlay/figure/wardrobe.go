package figure

import (
	"context"
	"encoding/json"
	"errors"

	"yui/avatar/motion"
	"yui/avatar/render"
	"yui/avatar/vrm"
	"yui/overlay/window"
)

// Wardrobe is what all pets share: the programs, the clips, the bed, and each model's buffers and textures.
type Wardrobe struct {
	loop     *window.Loop
	renderer *render.Renderer
	clips    *motion.Library
	bedModel *vrm.Model
	bedTop   float32       // where one lies on it, in its own metres
	bed      *render.Scene // made when the first pet goes to bed
	scenes   map[*vrm.Model]*worn
}

type worn struct {
	scene *render.Scene
	users int
}

// NewWardrobe compiles the programs. The library must hold all clips already. bed may be nil: then she has none.
func NewWardrobe(l *window.Loop, clips *motion.Library, bed *vrm.Model, opt render.Options) (*Wardrobe, error) {
	made := render.NewSoft
	if l.GL() {
		l.Shared()
		made = render.New
	}
	r, err := made(opt)
	if err != nil {
		return nil, err
	}
	return &Wardrobe{loop: l, renderer: r, clips: clips, bedModel: bed, bedTop: topOf(bed), scenes: map[*vrm.Model]*worn{}}, nil
}

// topOf is how high one lies on a bed, as its file says; zero where it does not.
func topOf(bed *vrm.Model) float32 {
	var extras struct{ Top float32 }
	if bed == nil || json.Unmarshal(bed.Extras, &extras) != nil {
		return 0
	}
	return extras.Top
}

// bedScene uploads the bed at its first use. Nil where there is none.
func (w *Wardrobe) bedScene() *render.Scene {
	if w.bed == nil && w.bedModel != nil {
		w.loop.Shared()
		var err error
		if w.bed, err = w.renderer.Upload(w.bedModel); err != nil {
			w.loop.Log().Error("draw the bed", "error", err)
			w.bedModel = nil
		}
	}
	return w.bed
}

// SetTexturePixels changes how many pixels tall a model is at most shown, for models that are brought from now on.
func (w *Wardrobe) SetTexturePixels(pixels float32) { w.renderer.SetTexturePixels(pixels) }

// wear uploads a model, once however many pets wear it.
func (w *Wardrobe) wear(m *vrm.Model, ready *render.Prepared) (*render.Scene, error) {
	if s, ok := w.scenes[m]; ok {
		s.users++
		return s.scene, nil
	}
	w.loop.Shared()
	s, err := w.renderer.UploadPrepared(m, ready)
	if err != nil {
		return nil, err
	}
	w.scenes[m] = &worn{s, 1}
	return s, nil
}

// Bring uploads a model piece by piece, so that no frame of other pets waits for it, and keeps it until Leave, for the pet
// that is to wear it. Not for the main thread.
func (w *Wardrobe) Bring(ctx context.Context, m *vrm.Model) error {
	d, err := w.renderer.Deliver(m, nil)
	if err != nil {
		return err
	}
	for err == nil && d.Make() {
		var sent error
		err = w.loop.Call(ctx, func() {
			w.loop.Shared()
			sent = d.Send()
		})
		err = errors.Join(err, sent)
	}
	if err != nil {
		w.loop.Do(func() { w.loop.Shared(); d.Drop() })
		return err
	}
	w.loop.Do(func() {
		if s, ok := w.scenes[m]; ok {
			s.users++
			w.loop.Shared()
			d.Drop()
			return
		}
		w.scenes[m] = &worn{d.Scene(), 1}
	})
	return nil
}

// Leave ends what Bring keeps. Main thread.
func (w *Wardrobe) Leave(m *vrm.Model) { w.takeOff(m) }

func (w *Wardrobe) takeOff(m *vrm.Model) {
	s, ok := w.scenes[m]
	if !ok {
		return
	}
	if s.users--; s.users == 0 {
		w.loop.Shared()
		s.scene.Release()
		delete(w.scenes, m)
	}
}

// Close frees everything.
func (w *Wardrobe) Close() {
	w.loop.Shared()
	for _, s := range w.scenes {
		s.scene.Release()
	}
	if w.bed != nil {
		w.bed.Release()
	}
	w.renderer.Release()
}
