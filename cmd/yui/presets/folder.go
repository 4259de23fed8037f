package presets

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"
)

// Folder is the presets folder: the list of all presets, and the only one that writes there. Safe from any goroutine. What
// changes files goes one at a time, and must not be called on the main thread; the rest only reads memory.
type Folder struct {
	dir string
	o   Options

	changing  gate // of files and list together
	importing gate // one model is read at a time: each takes memory

	mu   sync.Mutex
	list []Preset // replaced, never written to
}

// Options say who a Folder works for.
type Options struct {
	Memory Memory
	Log    *slog.Logger
	// Changed is told of each change once the list holds it, on the goroutine that made it; the next change waits until
	// it returns. It must not change presets itself.
	Changed func(ctx context.Context, c Change) error
	// Trouble is told what somebody who put files into the folder should read.
	Trouble func(err error)
}

// Memory is what is known of presets that have been deleted. The store has it.
type Memory interface {
	// RelatedPresets are the ids that somebody feels something toward, or has.
	RelatedPresets(ctx context.Context) ([]string, error)
	Get(ctx context.Context, key string) (value json.RawMessage, ok bool, err error)
	Set(ctx context.Context, key string, value json.RawMessage) error
}

// Change is what became of one preset.
type Change struct {
	Was Preset // without an id: she is new
	Now Preset // without an id: she is gone
	// Files says that more than preset.toml was written: the model may be another one of the same name.
	Files bool
}

// Open reads the folder. The error says what was left out of the list; the Folder can be used whatever it says.
func Open(dir string, o Options) (*Folder, error) {
	list, err := Load(dir)
	return &Folder{dir: dir, o: o, changing: make(gate, 1), importing: make(gate, 1), list: list}, err
}

// All returns every preset. The list must not be written to.
func (f *Folder) All() []Preset {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list
}

// Get finds a preset by its id alone.
func (f *Folder) Get(id string) (p Preset, ok bool) {
	for _, p := range f.All() {
		if p.ID == id {
			return p, true
		}
	}
	return Preset{}, false
}

// Find finds a preset by id, or by name where that is unambiguous.
func (f *Folder) Find(word string) (Preset, error) { return Find(f.All(), word) }

// put replaces a preset in the list, adds it, or takes it out where now has no id.
func (f *Folder) put(id string, now Preset) (was Preset) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := slices.Clone(f.list)
	i := slices.IndexFunc(list, func(p Preset) bool { return p.ID == id })
	switch {
	case i < 0 && now.ID == "":
	case i < 0:
		list = append(list, now)
	case now.ID == "":
		was, list = list[i], slices.Delete(list, i, i+1)
	default:
		was, list[i] = list[i], now
	}
	f.list = list
	return was
}

// FreeName is a name that nobody has: the given one, with the first number from 2 up behind it where it is taken.
func (f *Folder) FreeName(name string) string {
	taken := map[string]bool{}
	for _, p := range f.All() {
		taken[p.Name] = true
	}
	free := name
	for n := 2; taken[free]; n++ {
		free = PlainName(fmt.Sprint(clipRunes(name, nameLimit-6), " ", n))
	}
	return free
}

// goneKey is where the name of a deleted preset is kept, so that it can be shown where others still feel for it.
func goneKey(id string) string { return "preset.gone." + id }

// NameOfGone is the name that a deleted preset had, "" where it is not known. It asks the database.
func (f *Folder) NameOfGone(ctx context.Context, id string) string {
	raw, ok, err := f.o.Memory.Get(ctx, goneKey(id))
	var name string
	if err != nil || !ok || json.Unmarshal(raw, &name) != nil {
		return ""
	}
	return PlainName(name)
}

// gate lets one through at a time, and nobody who has given up waiting.
type gate chan struct{}

func (g gate) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g gate) leave() { <-g }
