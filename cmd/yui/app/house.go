package app

import (
	"sync/atomic"

	"yui/cmd/yui/company"
	"yui/cmd/yui/presets"
	"yui/tools"
)

// household is which pets are open. Main thread, but for what says otherwise.
type household struct {
	pets    []*pet // in the order of opening
	circle  *company.Circle
	mainPet atomic.Pointer[pet] // the one that has been open longest. Safe from any goroutine
	opened  atomic.Pointer[[]presets.Preset]
}

// petOf is the open pet of a preset, nil where there is none.
func (h *household) petOf(id string) *pet {
	for _, p := range h.pets {
		if p.preset.ID == id {
			return p
		}
	}
	return nil
}

// each does something with every pet.
func (h *household) each(do func(p *pet)) {
	for _, p := range h.pets {
		do(p)
	}
}

// openPresets are the presets with an open pet, in the order of opening. Safe from any goroutine.
func (h *household) openPresets() []presets.Preset {
	if list := h.opened.Load(); list != nil {
		return *list
	}
	return nil
}

// noteOpen keeps openPresets and the main pet true.
func (h *household) noteOpen() {
	list := make([]presets.Preset, len(h.pets))
	for i, p := range h.pets {
		list[i] = p.preset
	}
	h.opened.Store(&list)
	if len(h.pets) > 0 {
		h.mainPet.Store(h.pets[0])
	} else {
		h.mainPet.Store(nil)
	}
}

// openNames are the ids and names of the open characters, in the order of opening. Safe from any goroutine.
func (h *household) openNames() []tools.Named {
	list := make([]tools.Named, 0, 4)
	for _, p := range h.openPresets() {
		list = append(list, tools.Named{ID: p.ID, Name: p.Name})
	}
	return list
}
