package render

import (
	"errors"
	"math"
	"slices"

	"yui/avatar/vrm"
)

// Delivery brings a model to where it is drawn from in pieces, so that the main thread draws frames between them. Make
// and Send take turns; they never run at the same time.
type Delivery struct {
	scene *Scene
	model *vrm.Model
	need  map[int]float32
	todo  []textureKey // textures still to be painted
}

// Deliver begins to upload a model, with what Prepare has made of it or nil. For any goroutine. An error names the part
// of the model that cannot be drawn.
func (r *Renderer) Deliver(m *vrm.Model, p *Prepared) (*Delivery, error) {
	if r.released {
		return nil, errors.New("upload model: the renderer is released")
	}
	if m == nil || p == nil || p.exact != r.opt.Exact {
		var err error
		if p, err = prepare(m, r.opt.Exact); err != nil {
			return nil, err
		}
	}
	s := &Scene{r: r, mesh: p.mesh, hulls: p.hulls}
	s.collectTints(m)
	wanted := s.choose(m)
	s.stock = r.back.stock(s, wanted)
	d := &Delivery{scene: s, model: m, need: s.textureNeed(m)}
	for _, keys := range wanted {
		for _, k := range keys {
			if k != nil && !slices.Contains(d.todo, *k) {
				d.todo = append(d.todo, *k)
			}
		}
	}
	return d, nil
}

// Make makes the next piece ready, one texture at a time, and reports whether there is one for Send. For any goroutine.
func (d *Delivery) Make() bool {
	for s := d.scene; !s.stock.waits(); {
		if len(d.todo) == 0 {
			return false
		}
		key := d.todo[0]
		d.todo = d.todo[1:]
		n, known := d.need[key.index]
		if !known || key.whole {
			n = math.MaxInt32
		}
		s.stock.take(key, paint(d.model, key, n, s.r.largest))
	}
	return true
}

// Send brings one piece of bounded size to where it is drawn from. On the thread that draws.
func (d *Delivery) Send() error { return d.scene.stock.send() }

// Scene is the model, once Make has reported that nothing is left to send.
func (d *Delivery) Scene() *Scene { return d.scene }

// Drop frees what was delivered so far, in place of Scene. On the thread that draws.
func (d *Delivery) Drop() { d.scene.Release() }
