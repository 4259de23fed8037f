package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// createPreset makes a new character in the clothes of a bundled one ("" for Yui's). Not for the main thread.
func (a *App) createPreset(ctx context.Context, name, wears string) (Preset, error) {
	if name = plainName(name); name == "" {
		return Preset{}, errors.New("create preset: the name is empty")
	}
	if wears == "" {
		wears = "yui"
	}
	if !slices.ContainsFunc(bundled, func(p Preset) bool { return p.ID == wears }) {
		return Preset{}, fmt.Errorf("create preset: there is no bundled character %q", wears)
	}
	p := Preset{Name: name, Wears: wears, Persona: "You are {{char}}, a small character who lives on the desktop of the person you talk to." + manners}
	p, err := a.addPreset(ctx, p, nil)
	if err != nil {
		return Preset{}, fmt.Errorf("create preset: %w", err)
	}
	return p, nil
}

// duplicatePreset copies a preset, all but its feelings and its place, under a new name. Not for the main thread.
func (a *App) duplicatePreset(ctx context.Context, p Preset, name string) (Preset, error) {
	if name = plainName(name); name == "" {
		name = a.freeName(ctx, p.Name)
	}
	q := p
	q.Name = name
	var fill func(tmp string) error
	if p.Model == "" {
		q.Wears = p.worn()
	} else {
		fill = func(tmp string) error { return copyFile(filepath.Join(p.folder, p.Model), filepath.Join(tmp, p.Model)) }
	}
	q, err := a.addPreset(ctx, q, fill)
	if err != nil {
		return Preset{}, fmt.Errorf("duplicate preset: %w", err)
	}
	return q, nil
}

// freeName is a name that nobody has: the given one, with the first number from 2 up behind it where it is taken.
func (a *App) freeName(ctx context.Context, name string) string {
	taken := map[string]bool{}
	if err := a.loop.Call(ctx, func() {
		for _, p := range a.presets {
			taken[p.Name] = true
		}
	}); err != nil {
		return name
	}
	free := name
	for n := 2; taken[free]; n++ {
		free = plainName(fmt.Sprint(clipRunes(name, nameLimit-6), " ", n))
	}
	return free
}

func clipRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

// addPreset puts a new preset into a folder of its own and into the list.
func (a *App) addPreset(ctx context.Context, p Preset, fill func(tmp string) error) (Preset, error) {
	id, err := a.freeID(ctx, p.Name)
	if err != nil {
		return Preset{}, err
	}
	if err := a.writePreset(filepath.Join(a.paths.Presets, id), p, fill); err != nil {
		return Preset{}, err
	}
	return a.reloadPreset(ctx, id)
}

// freeID makes a folder name of a character's name: small letters, digits and dashes, with a number where it is taken.
// An id that somebody felt something toward stays taken when its preset is deleted: a newcomer must not inherit it. Only
// a character of the same name gets it again, with all that was felt: the one that was gone is back.
func (a *App) freeID(ctx context.Context, name string) (string, error) {
	related, err := a.store.RelatedPresets(ctx)
	if err != nil {
		return "", err
	}
	var taken []string
	if err := a.loop.Call(ctx, func() {
		for _, p := range a.presets {
			taken = append(taken, p.ID)
		}
	}); err != nil {
		return "", err
	}
	base := idOf(name)
	id := base
	for n := 2; ; n++ {
		_, err := os.Stat(filepath.Join(a.paths.Presets, id))
		if free := !slices.Contains(taken, id) && errors.Is(err, fs.ErrNotExist); free {
			if !slices.Contains(related, id) || a.nameOfGone(ctx, id) == name {
				return id, nil
			}
		}
		id = fmt.Sprintf("%s-%d", base, n)
	}
}

// idOf is a name as an id.
func idOf(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if b.Len() >= 40 {
			break
		}
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if id := strings.Trim(b.String(), "-"); id != "" {
		return id
	}
	return "character"
}

// goneKey is where the name of a deleted preset is kept, so that it can be shown where others still feel for it.
func goneKey(id string) string { return "preset.gone." + id }

// nameOfGone is the name that a deleted preset had, "" where it is not known.
func (a *App) nameOfGone(ctx context.Context, id string) string {
	raw, ok, err := a.store.Get(ctx, goneKey(id))
	var name string
	if err != nil || !ok || json.Unmarshal(raw, &name) != nil {
		return ""
	}
	return plainName(name)
}

// goneName is how a deleted preset is shown.
func (a *App) goneName(ctx context.Context, id string) string {
	name := a.nameOfGone(ctx, id)
	if name == "" {
		name = id
	}
	return name + " " + a.words.gone
}

// writePreset fills a new folder beside its place and moves it there whole, so that nobody ever sees half a preset.
func (a *App) writePreset(dir string, p Preset, fill func(tmp string) error) error {
	if err := os.MkdirAll(a.paths.Presets, 0o700); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(a.paths.Presets, ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	text, err := toml.Marshal(p)
	if err == nil {
		err = os.WriteFile(filepath.Join(tmp, "preset.toml"), text, 0o600)
	}
	if err == nil && fill != nil {
		err = fill(tmp)
	}
	if err == nil {
		err = os.Rename(tmp, dir)
	}
	return err
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, modelLimit))
	return errors.Join(err, out.Close())
}

// reloadPreset reads one preset's folder again and puts it into the list. Not for the main thread.
func (a *App) reloadPreset(ctx context.Context, id string) (Preset, error) {
	list, err := LoadPresets(a.paths.Presets)
	i := slices.IndexFunc(list, func(p Preset) bool { return p.ID == id })
	if i < 0 {
		return Preset{}, errors.Join(fmt.Errorf("there is no preset %q", id), err)
	}
	p := list[i]
	return p, a.loop.Call(ctx, func() {
		if j := slices.IndexFunc(a.presets, func(q Preset) bool { return q.ID == id }); j >= 0 {
			a.presets[j] = p
		} else {
			a.presets = append(a.presets, p)
		}
		if q := a.petOf(id); q != nil {
			q.become(p)
			a.noteOpen()
		}
		a.presetsChanged()
	})
}

// become carries a changed preset to its open pet; a changed model is another matter. Main thread.
func (p *pet) become(now Preset) {
	was := p.preset
	p.preset = now
	if !reflect.DeepEqual(was.Chat, now.Chat) {
		p.connect()
	} else if p.push == nil {
		p.session.SetBackend(p.app.backendFor(now))
	}
	p.fig.SetName(now.Name)
	if p.talk != nil {
		p.talk.SetName(now.Name)
	}
	if p.app.heightOf(was) != p.app.heightOf(now) {
		p.fig.SetHeight(float64(p.app.heightOf(now)))
	}
}

// presetsChanged shows the list of presets anew wherever it is seen. Main thread.
func (a *App) presetsChanged() {
	a.updateTray()
	a.refreshPanel()
}

// renamePreset gives a preset another name. Not for the main thread.
func (a *App) renamePreset(ctx context.Context, p Preset, name string) error {
	if name = plainName(name); name == "" {
		return errors.New("rename preset: the name is empty")
	}
	if err := a.changePreset(ctx, p, func(own *Preset) { own.Name = name }); err != nil {
		return fmt.Errorf("rename preset: %w", err)
	}
	return nil
}

// changePreset changes what a preset's folder says; a bundled one without a folder gets one. Not for the main thread.
func (a *App) changePreset(ctx context.Context, p Preset, change func(own *Preset)) error {
	dir := filepath.Join(a.paths.Presets, p.ID)
	var own Preset
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		change(&own)
		if err := a.writePreset(dir, own, nil); err != nil {
			return err
		}
	} else {
		if own, err = readPreset(dir); err != nil {
			return err
		}
		change(&own)
		text, err := toml.Marshal(own)
		if err != nil {
			return err
		}
		tmp := filepath.Join(dir, ".preset.toml")
		if err := errors.Join(os.WriteFile(tmp, text, 0o600), os.Rename(tmp, filepath.Join(dir, "preset.toml"))); err != nil {
			return err
		}
	}
	now, err := a.reloadPreset(ctx, p.ID)
	if err == nil && a.dressedAnew(p, now) {
		a.redress(now)
	}
	return err
}

// deletePreset removes a preset's folder. A bundled one only loses its changes. What others felt toward it is kept.
func (a *App) deletePreset(ctx context.Context, p Preset) error {
	dir := filepath.Join(a.paths.Presets, p.ID)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete preset: %s is bundled; close her instead", p.Name)
	}
	gone := filepath.Join(a.paths.Presets, ".gone-"+p.ID+"-"+fmt.Sprint(time.Now().UnixNano()))
	err := os.Rename(dir, gone)
	if err == nil {
		err = errors.Join(a.presetGone(ctx, p), os.RemoveAll(gone))
	}
	if err != nil {
		return fmt.Errorf("delete preset: %w", err)
	}
	return nil
}

// presetGone takes a preset without a folder out of the list and keeps its name for those who still feel for it. A
// bundled one is what it was shipped as. Not for the main thread.
func (a *App) presetGone(ctx context.Context, p Preset) error {
	if p.Bundled {
		now, err := a.reloadPreset(ctx, p.ID)
		if err == nil && a.dressedAnew(p, now) {
			a.redress(now)
		}
		return err
	}
	if p.ID == "" {
		return nil // it is out of the list already
	}
	if err := a.store.Set(ctx, goneKey(p.ID), marshal(p.Name)); err != nil {
		return err
	}
	return a.loop.Call(ctx, func() {
		if q := a.petOf(p.ID); q != nil {
			a.closePet(q)
		}
		a.presets = slices.DeleteFunc(a.presets, func(q Preset) bool { return q.ID == p.ID })
		a.presetsChanged()
	})
}
