package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/fsnotify/fsnotify"
	"github.com/pelletier/go-toml/v2"

	"yui/avatar/vrm"
)

const (
	modelLimit   = 512 << 20 // bytes of a model file
	nameLimit    = 60        // code points of a character's name
	presetSettle = 700 * time.Millisecond
)

// importModel makes a preset of a model file: the file is read and judged first, copied into a folder of its own then.
// It returns the new preset. Not for the main thread.
func (a *App) importModel(ctx context.Context, file, name string) (Preset, error) {
	st, err := os.Stat(file)
	if err != nil {
		return Preset{}, fmt.Errorf("import %s: %w", filepath.Base(file), errors.Unwrap(err))
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
	if name == "" {
		name = model.Meta.Name
	}
	if name = plainName(name); name == "" {
		name = plainName(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	}
	if name == "" {
		name = "Character"
	}
	id, err := a.freeID(ctx, name)
	if err != nil {
		return Preset{}, err
	}
	dir := filepath.Join(a.paths.Presets, id)
	p := Preset{Name: name, Model: "model" + strings.ToLower(filepath.Ext(file))}
	if err := a.writePreset(dir, p, func(tmp string) error { return copyFile(file, filepath.Join(tmp, p.Model)) }); err != nil {
		return Preset{}, fmt.Errorf("import %s: %w", filepath.Base(file), err)
	}
	return a.reloadPreset(ctx, id)
}

// importCard makes a preset of a character card, in Yui's clothes.
func (a *App) importCard(ctx context.Context, file, name string) (Preset, error) {
	c, err := readCard(file)
	if err != nil {
		return Preset{}, fmt.Errorf("import %s: %w", filepath.Base(file), err)
	}
	if name = plainName(name); name == "" {
		name = plainName(c.Name)
	}
	id, err := a.freeID(ctx, name)
	if err != nil {
		return Preset{}, err
	}
	p := Preset{Name: name, Persona: c.persona(name), Wears: "yui"}
	if err := a.writePreset(filepath.Join(a.paths.Presets, id), p, nil); err != nil {
		return Preset{}, fmt.Errorf("import %s: %w", filepath.Base(file), err)
	}
	return a.reloadPreset(ctx, id)
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

// freeID makes a folder name of a character's name: small letters, digits and dashes, with a number where it is taken.
// An id that somebody felt something toward is taken for ever: a newcomer must not inherit it.
func (a *App) freeID(ctx context.Context, name string) (string, error) {
	taken, err := a.store.RelatedPresets(ctx)
	if err != nil {
		return "", err
	}
	if err := a.loop.Call(ctx, func() {
		for _, p := range a.presets {
			taken = append(taken, p.ID)
		}
	}); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 40 {
			break
		}
	}
	base := strings.Trim(b.String(), "-")
	if base == "" {
		base = "character"
	}
	id := base
	for n := 2; ; n++ {
		_, err := os.Stat(filepath.Join(a.paths.Presets, id))
		if !slices.Contains(taken, id) && errors.Is(err, fs.ErrNotExist) {
			return id, nil
		}
		id = fmt.Sprintf("%s-%d", base, n)
	}
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
			q.preset = p
			q.session.SetBackend(a.backendFor(p))
			a.noteOpen()
		}
		a.updateTray()
	})
}

// renamePreset gives a preset another name. Not for the main thread.
func (a *App) renamePreset(ctx context.Context, p Preset, name string) error {
	if name = plainName(name); name == "" {
		return errors.New("rename preset: the name is empty")
	}
	p.Name = name
	dir := filepath.Join(a.paths.Presets, p.ID)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		q := Preset{Name: name} // a bundled one: the folder changes its name only
		if err := a.writePreset(dir, q, nil); err != nil {
			return fmt.Errorf("rename preset: %w", err)
		}
	} else {
		own, err := readPreset(dir)
		if err != nil {
			return err
		}
		own.Name = name
		text, err := toml.Marshal(own)
		if err != nil {
			return fmt.Errorf("rename preset: %w", err)
		}
		tmp := filepath.Join(dir, ".preset.toml")
		if err := errors.Join(os.WriteFile(tmp, text, 0o600), os.Rename(tmp, filepath.Join(dir, "preset.toml"))); err != nil {
			return fmt.Errorf("rename preset: %w", err)
		}
	}
	_, err := a.reloadPreset(ctx, p.ID)
	return err
}

// deletePreset removes a preset's folder. A bundled one only loses its changes. What others felt toward it is kept.
func (a *App) deletePreset(ctx context.Context, p Preset) error {
	dir := filepath.Join(a.paths.Presets, p.ID)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete preset: %s is bundled; close her instead", p.Name)
	}
	if err := a.loop.Call(ctx, func() {
		if q := a.petOf(p.ID); q != nil && !p.Bundled {
			a.closePet(q)
		}
	}); err != nil {
		return err
	}
	gone := filepath.Join(a.paths.Presets, ".gone-"+p.ID+"-"+fmt.Sprint(time.Now().UnixNano()))
	if err := errors.Join(os.Rename(dir, gone), os.RemoveAll(gone)); err != nil {
		return fmt.Errorf("delete preset: %w", err)
	}
	if p.Bundled {
		_, err := a.reloadPreset(ctx, p.ID)
		return err
	}
	return a.loop.Call(ctx, func() {
		a.presets = slices.DeleteFunc(a.presets, func(q Preset) bool { return q.ID == p.ID })
		a.updateTray()
	})
}

// duplicatePreset copies a preset under a new name. Not for the main thread.
func (a *App) duplicatePreset(ctx context.Context, p Preset, name string) (Preset, error) {
	if name = plainName(name); name == "" {
		name = plainName(p.Name + " 2")
	}
	bytes, err := p.ReadModel(a.heightOf(p))
	if err != nil {
		return Preset{}, err
	}
	id, err := a.freeID(ctx, name)
	if err != nil {
		return Preset{}, err
	}
	q := Preset{Name: name, Model: "model.vrm", Persona: p.Persona, Height: p.Height}
	err = a.writePreset(filepath.Join(a.paths.Presets, id), q, func(tmp string) error {
		return os.WriteFile(filepath.Join(tmp, q.Model), bytes, 0o600)
	})
	if err != nil {
		return Preset{}, fmt.Errorf("duplicate preset: %w", err)
	}
	return a.reloadPreset(ctx, id)
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
		if err := w.Add(dir); err != nil {
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
	changed := map[string]time.Time{}
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
			if !presetID.MatchString(id) {
				continue
			}
			if e.Has(fsnotify.Create) && filepath.Dir(e.Name) == filepath.Clean(a.paths.Presets) {
				add(e.Name)
			}
			changed[id] = time.Now()
			tick.Reset(presetSettle) // an exporter writes for a while
		case err := <-w.Errors:
			a.log.Warn("watch presets", "error", err)
		case <-tick.C:
			for id := range changed {
				delete(changed, id)
				a.presetChanged(id)
			}
		}
	}
}

func presetOf(dir, file string) string {
	rel, err := filepath.Rel(dir, file)
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	return first
}

// presetChanged reloads a preset, and her model where she is open.
func (a *App) presetChanged(id string) {
	ctx, cancel := context.WithTimeout(a.ctx, commandWait)
	defer cancel()
	if _, err := os.Stat(filepath.Join(a.paths.Presets, id)); err != nil {
		return // deleted: the command that did it has told the list
	}
	p, err := a.reloadPreset(ctx, id)
	if err != nil {
		a.tellTrouble(err)
		return
	}
	model, err := a.loadModel(p)
	if err != nil {
		a.tellTrouble(err)
		return
	}
	a.loop.Do(func() {
		if q := a.petOf(id); q != nil {
			if err := q.fig.Wear(model); err != nil {
				q.tell(err.Error())
			}
		}
	})
}

// tellTrouble says in the main pet's bubble what went wrong, and keeps it in the log.
func (a *App) tellTrouble(err error) {
	a.log.Error("told the person", "error", err)
	a.loop.Do(func() {
		if len(a.pets) > 0 {
			a.pets[0].tell(err.Error())
		}
	})
}
