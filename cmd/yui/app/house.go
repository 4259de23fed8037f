package app

import (
	"yui/cmd/yui/presets"
	"yui/tools"
)

// openPresets are the presets with an open pet, in the order of opening. Safe from any goroutine.
func (a *App) openPresets() []presets.Preset {
	if list := a.opened.Load(); list != nil {
		return *list
	}
	return nil
}

// noteOpen keeps openPresets and the main pet true. Main thread.
func (a *App) noteOpen() {
	list := make([]presets.Preset, len(a.pets))
	for i, p := range a.pets {
		list[i] = p.preset
	}
	a.opened.Store(&list)
	if len(a.pets) > 0 {
		a.mainPet.Store(a.pets[0])
	} else {
		a.mainPet.Store(nil)
	}
}

// openNames are the ids and names of the open characters, in the order of opening. Safe from any goroutine.
func (a *App) openNames() []tools.Named {
	list := make([]tools.Named, 0, 4)
	for _, p := range a.openPresets() {
		list = append(list, tools.Named{ID: p.ID, Name: p.Name})
	}
	return list
}
