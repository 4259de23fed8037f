package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/fsnotify/fsnotify"

	"yui/avatar/vrm"
)

const (
	modelLimit   = 512 << 20 // bytes of a model file
	nameLimit    = 60        // code points of a character's name
	presetSettle = 700 * time.Millisecond
)

// importModel makes a preset of a model file: the file is read and judged first, copied into a folder of its own then.
// It returns the new preset. Imports go one at a time. Not for the main thread.
func (a *App) importModel(ctx context.Context, file, name string) (Preset, error) {
	a.importing.Lock()
	defer a.importing.Unlock()
	if err := ctx.Err(); err != nil { // given up while it waited
		return Preset{}, fmt.Errorf("import %s: %w", filepath.Base(file), err)
	}
	st, err := os.Stat(file)
	if err != nil {
		return Preset{}, fmt.Errorf("import %s: %w", filepath.Base(file), errors.Unwrap(err))
	}
	if !st.Mode().IsRegular() {
		return Preset{}, fmt.Errorf("import %s: it is no file", filepath.Base(file)) // a pipe would be waited for
	}
	if st.Size() > modelLimit {
		return Preset{}, fmt.Errorf("import %s: it is larger than %d MB", filepath.Base(file), modelLimit>>20)
	}
	if isCard(file) {
		return a.importCard(ctx, file, name)
	}
	model, err := vrm.LoadFile(file)
	if err != nil {
		return Preset{}, err
	}
	p := a.presetOfModel(file, name, model)
	p, err = a.addPreset(ctx, p, func(tmp string) error { return copyFile(file, filepath.Join(tmp, p.Model)) })
	if err != nil {
		return Preset{}, fmt.Errorf("import %s: %w", filepath.Base(file), err)
	}
	p.odd = model.Warnings
	return p, nil
}

// importCard makes a preset of a character card, in Yui's clothes.
func (a *App) importCard(ctx context.Context, file, name string) (Preset, error) {
	c, err := readCard(ctx, file)
	if err != nil {
		return Preset{}, fmt.Errorf("import %s: %w", filepath.Base(file), err)
	}
	name = cmp.Or(plainName(name), c.Name, nameOfFile(file))
	persona := c.persona(name)
	p, err := a.addPreset(ctx, Preset{Name: name, Persona: persona, FromCard: fingerprint(persona), Wears: "yui"}, nil)
	if err != nil {
		return Preset{}, fmt.Errorf("import %s: %w", filepath.Base(file), err)
	}
	return p, nil
}

// nameOfFile is what a character is called whom nobody has named.
func nameOfFile(file string) string {
	return cmp.Or(plainName(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))), "Character")
}

// plainName keeps one line of a name that anybody may have written.
func plainName(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > nameLimit {
		s = strings.TrimSpace(string([]rune(s)[:nameLimit]))
	}
	return s
}

// watchPresets reloads what changes in the presets folder: a model that was exported anew shows without a restart, and
// one that cannot be read leaves the old one where it is and says why.
func (a *App) watchPresets() {
	if err := os.MkdirAll(a.paths.Presets, 0o700); err != nil {
		a.log.Warn("watch presets", "error", err)
		return
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		a.log.Warn("watch presets", "error", err)
		return
	}
	defer w.Close()
	add := func(dir string) {
		if err := w.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			a.log.Warn("watch presets", "folder", filepath.Base(dir), "error", err)
		}
	}
	add(a.paths.Presets)
	entries, _ := os.ReadDir(a.paths.Presets) // just made or read: what cannot be read now is not watched
	for _, e := range entries {
		if e.IsDir() && presetID.MatchString(e.Name()) {
			add(filepath.Join(a.paths.Presets, e.Name()))
		}
	}
	loose := map[string]bool{} // models in the folder itself
	for _, e := range entries {
		if !e.IsDir() && isModel(e.Name()) {
			loose[filepath.Join(a.paths.Presets, e.Name())] = true
		}
	}
	a.adoptLoose(loose)
	changed := map[string]bool{} // whether more than the preset's words did
	tick := time.NewTimer(time.Hour)
	defer tick.Stop()
	for {
		select {
		case <-a.ctx.Done():
			return
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			id := presetOf(a.paths.Presets, e.Name)
			if filepath.Dir(e.Name) == filepath.Clean(a.paths.Presets) && isModel(e.Name) {
				loose[e.Name] = true
				tick.Reset(presetSettle)
				continue
			}
			if !presetID.MatchString(id) {
				a.tellOddFolder(e)
				continue
			}
			if e.Has(fsnotify.Create) && filepath.Dir(e.Name) == filepath.Clean(a.paths.Presets) {
				add(e.Name)
			}
			changed[id] = changed[id] || !strings.HasSuffix(e.Name, "preset.toml")
			tick.Reset(presetSettle) // an exporter writes for a while
		case err := <-w.Errors:
			if errors.Is(err, syscall.EINVAL) {
				continue // a folder went before its watch was taken back
			}
			a.log.Warn("watch presets", "error", err)
		case <-tick.C:
			a.adoptLoose(loose)
			for id, model := range changed {
				delete(changed, id)
				a.presetChanged(id, model)
			}
		}
	}
}

// tellOddFolder says why a new folder is no preset.
func (a *App) tellOddFolder(e fsnotify.Event) {
	name := filepath.Base(e.Name)
	if st, err := os.Stat(e.Name); err != nil || !st.IsDir() || !e.Has(fsnotify.Create) || strings.HasPrefix(name, ".") || filepath.Dir(e.Name) != filepath.Clean(a.paths.Presets) {
		return
	}
	_, err := readPreset(e.Name)
	a.tellTrouble(err)
}

// adoptLoose takes in the models that lie in the presets folder itself, and forgets them.
func (a *App) adoptLoose(files map[string]bool) {
	if len(files) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(a.ctx, commandWait)
	defer cancel()
	a.adoptModels(ctx, slices.Sorted(maps.Keys(files))...)
	clear(files)
}

func presetOf(dir, file string) string {
	rel, err := filepath.Rel(dir, file)
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	return first
}

// presetChanged reloads a preset, and her model where that is another one now.
func (a *App) presetChanged(id string, model bool) {
	ctx, cancel := context.WithTimeout(a.ctx, commandWait)
	defer cancel()
	var was Preset
	if err := a.loop.Call(ctx, func() { was, _ = a.presetByID(id) }); err != nil {
		return // quitting
	}
	if _, err := os.Stat(filepath.Join(a.paths.Presets, id)); errors.Is(err, fs.ErrNotExist) {
		if err := a.presetGone(ctx, was); err != nil {
			a.tellTrouble(err)
		}
		return
	}
	p, err := a.reloadPreset(ctx, id)
	if err != nil {
		if _, gone := os.Stat(filepath.Join(a.paths.Presets, id)); gone == nil { // else it goes while it is read
			a.tellTrouble(err)
		}
		return
	}
	if model || a.dressedAnew(was, p) {
		a.redress(p)
	}
}

// dressedAnew tells whether a changed preset wears another model.
func (a *App) dressedAnew(was, now Preset) bool {
	small := func(p Preset) bool { return a.heightOf(p) <= smallHeight }
	return now.ModelName() != was.ModelName() || small(now) != small(was)
}

// redress puts a preset's model on her open pet, and says where that is not possible. Not for the main thread.
func (a *App) redress(p Preset) {
	m, err := a.loadModel(p)
	if err != nil {
		a.tellTrouble(err)
		return
	}
	if err := a.dress.Bring(a.ctx, m); err != nil {
		a.tellTrouble(fmt.Errorf("draw %s: %w", p.Name, err))
		return
	}
	a.loop.Do(func() {
		defer a.dress.Leave(m)
		delete(a.credits, p.ID)
		a.refreshPresets()
		if q := a.petOf(p.ID); q != nil {
			if err := q.fig.Wear(m); err != nil {
				q.tell(err.Error())
			}
			a.presetsChanged() // her face in the panels
		}
	})
}

// tellTrouble says in the main pet's bubble what went wrong, and keeps it in the log.
func (a *App) tellTrouble(err error) {
	a.log.Warn("told the person", "error", err)
	a.say(err.Error())
}

// say shows a sentence of the program's own in the main pet's bubble, soon. Safe from any goroutine.
func (a *App) say(text string) {
	a.loop.Do(func() {
		switch {
		case a.look == nil: // with what else went wrong at the start
			a.warn(text)
			a.wantLook()
		case len(a.pets) > 0:
			a.pets[0].tell(text)
		}
	})
}
