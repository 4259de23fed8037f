package motion

import (
	"fmt"
	"slices"
	"time"

	"yui/avatar/clips"
	"yui/avatar/vrm"
)

// Library holds the loaded clips. Fill it, then share it: Players only read it. It is not safe to Add while a Player
// steps on another goroutine.
type Library struct {
	clips map[clips.ID]*clip
	faces []string
}

// NewLibrary returns an empty Library.
func NewLibrary() *Library { return &Library{clips: map[clips.ID]*clip{}} }

// Add makes an animation known by the name of its clip ("idle_breathe", "sit_legs", …), replacing one of that name.
// It copies what it needs. The error names what cannot be read; the Library is then unchanged.
func (l *Library) Add(id clips.ID, a *vrm.Animation) error {
	if id == "" {
		return fmt.Errorf("add clip: no name")
	}
	c, err := newClip(id, a, l.faceOf)
	if err != nil {
		return fmt.Errorf("add clip %s: %w", id, err)
	}
	l.clips[id] = c
	return nil
}

func (l *Library) faceOf(name string) int {
	if i := slices.Index(l.faces, name); i >= 0 {
		return i
	}
	l.faces = append(l.faces, name)
	return len(l.faces) - 1
}

// IDs returns the names of all loaded clips, sorted.
func (l *Library) IDs() []clips.ID {
	ids := make([]clips.ID, 0, len(l.clips))
	for id := range l.clips {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Info tells of one clip, or of the first clip of a pool.
func (l *Library) Info(id clips.ID) (Info, bool) {
	if c := l.first(id); c != nil {
		return c.info, true
	}
	return Info{}, false
}

// Duration returns how long one cycle of a clip lasts.
func (l *Library) Duration(id clips.ID) (time.Duration, bool) {
	i, ok := l.Info(id)
	return i.Duration, ok
}

// Selectable returns the motions that generate_express offers, in the vocabulary's order: only those whose clip is
// loaded (docs/rules/tools.md#vocabulary).
func (l *Library) Selectable() []clips.ID {
	var ids []clips.ID
	for _, r := range vocabulary() {
		if r.selectable && l.first(r.id) != nil {
			ids = append(ids, r.id)
		}
	}
	return ids
}

// first returns the clip of that name, or the first of the pool of that name.
func (l *Library) first(id clips.ID) *clip {
	if c := l.clips[id]; c != nil {
		return c
	}
	for _, v := range clips.Pool(id) {
		if c := l.clips[v]; c != nil {
			return c
		}
	}
	return nil
}
