package presets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pelletier/go-toml/v2"

	"yui/assets/lang"
	"yui/internal/private"
)

// Create makes a new character in the clothes of a bundled one ("" for Yui's).
func (f *Folder) Create(ctx context.Context, name, wears string) (Preset, error) {
	if name = PlainName(name); name == "" {
		return Preset{}, errors.New("create preset: the name is empty")
	}
	if wears == "" {
		wears = "yui"
	}
	if !slices.ContainsFunc(bundled, func(p Preset) bool { return p.ID == wears }) {
		return Preset{}, fmt.Errorf("create preset: there is no bundled character %q", wears)
	}
	p := Preset{Name: name, Wears: wears, Persona: "You are {{char}}, a small character who lives on the desktop of the person you talk to." + manners}
	p, err := f.add(ctx, p, nil)
	if err != nil {
		return Preset{}, fmt.Errorf("create preset: %w", err)
	}
	return p, nil
}

// Duplicate copies a preset, all but its feelings and its place, under a new name ("" for one that nobody has).
func (f *Folder) Duplicate(ctx context.Context, p Preset, name string) (Preset, error) {
	if name = PlainName(name); name == "" {
		name = f.FreeName(p.Name)
	}
	q := p
	q.Name = name
	var fill func(tmp string) error
	if p.Model == "" {
		q.Wears = p.Worn()
	} else {
		fill = func(tmp string) error { return copyFile(filepath.Join(p.folder, p.Model), filepath.Join(tmp, p.Model)) }
	}
	q, err := f.add(ctx, q, fill)
	if err != nil {
		return Preset{}, fmt.Errorf("duplicate preset: %w", err)
	}
	return q, nil
}

// add puts a new preset into a folder of its own and into the list.
func (f *Folder) add(ctx context.Context, p Preset, fill func(tmp string) error) (Preset, error) {
	if err := f.changing.enter(ctx); err != nil {
		return Preset{}, err
	}
	defer f.changing.leave()
	id, err := f.freeID(ctx, p.Name)
	if err != nil {
		return Preset{}, err
	}
	if err := f.write(filepath.Join(f.dir, id), p, fill); err != nil {
		return Preset{}, err
	}
	return f.reload(ctx, id, false)
}

// freeID makes a folder name of a character's name: small letters, digits and dashes, with a number where it is taken.
// An id that somebody felt something toward stays taken when its preset is deleted: a newcomer must not inherit it. Only
// a character of the same name gets it again, with all that was felt: the one that was gone is back.
func (f *Folder) freeID(ctx context.Context, name string) (string, error) {
	related, err := f.o.Memory.RelatedPresets(ctx)
	if err != nil {
		return "", err
	}
	base := idOf(name)
	id := base
	for n := 2; ; n++ {
		_, taken := f.Get(id)
		_, err := os.Stat(filepath.Join(f.dir, id))
		if free := !taken && errors.Is(err, fs.ErrNotExist); free {
			if !slices.Contains(related, id) || f.NameOfGone(ctx, id) == name {
				return id, nil
			}
		}
		id = fmt.Sprintf("%s-%d", base, n)
	}
}

// write fills a new folder beside its place and moves it there whole, so that nobody ever sees half a preset.
func (f *Folder) write(dir string, p Preset, fill func(tmp string) error) error {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(f.dir, ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	text, err := toml.Marshal(p)
	if err == nil {
		err = os.WriteFile(filepath.Join(tmp, fileName), text, 0o600)
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

// reload reads one preset's folder again, puts it into the list and tells of it. The caller is in the gate.
func (f *Folder) reload(ctx context.Context, id string, files bool) (Preset, error) {
	list, err := Load(f.dir)
	i := slices.IndexFunc(list, func(p Preset) bool { return p.ID == id })
	if i < 0 {
		return Preset{}, errors.Join(fmt.Errorf("there is no preset %q", id), err)
	}
	was := f.put(id, list[i])
	return list[i], f.o.Changed(ctx, Change{Was: was, Now: list[i], Files: files})
}

// Rename gives a preset another name.
func (f *Folder) Rename(ctx context.Context, p Preset, name string) error {
	if name = PlainName(name); name == "" {
		return errors.New("rename preset: the name is empty")
	}
	if err := f.change(ctx, p, func(own *Preset) { own.Name = name }); err != nil {
		return fmt.Errorf("rename preset: %w", err)
	}
	return nil
}

// SetHeight makes a preset's pet as tall as the person wants, in logical pixels.
func (f *Folder) SetHeight(ctx context.Context, p Preset, height int) error {
	if err := f.change(ctx, p, func(own *Preset) { own.Height = height }); err != nil {
		return fmt.Errorf("size preset: %w", err)
	}
	return nil
}

// change changes what a preset's folder says; a bundled one without a folder gets one.
func (f *Folder) change(ctx context.Context, p Preset, change func(own *Preset)) error {
	if err := f.changing.enter(ctx); err != nil {
		return err
	}
	defer f.changing.leave()
	dir := filepath.Join(f.dir, p.ID)
	var own Preset
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		change(&own)
		if err := f.write(dir, own, nil); err != nil {
			return err
		}
	} else {
		if own, err = read(dir); err != nil {
			return err
		}
		change(&own)
		text, err := toml.Marshal(own)
		if err != nil {
			return err
		}
		if err := private.Write(filepath.Join(dir, fileName), text); err != nil {
			return err
		}
	}
	_, err := f.reload(ctx, p.ID, false)
	return err
}

// Delete removes a preset's folder. A bundled one only loses its changes. What others felt toward it is kept.
func (f *Folder) Delete(ctx context.Context, p Preset) error {
	if err := f.delete(ctx, p); err != nil {
		return fmt.Errorf("delete preset: %w", err)
	}
	return nil
}

func (f *Folder) delete(ctx context.Context, p Preset) error {
	if err := f.changing.enter(ctx); err != nil {
		return err
	}
	defer f.changing.leave()
	dir := filepath.Join(f.dir, p.ID)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return &lang.Fault{Key: "characters.bundled_stays", Args: lang.Args{"name": p.Name}}
	}
	aside := filepath.Join(f.dir, ".gone-"+p.ID+"-"+fmt.Sprint(time.Now().UnixNano()))
	if err := os.Rename(dir, aside); err != nil {
		return err
	}
	return errors.Join(f.gone(ctx, p.ID), os.RemoveAll(aside))
}

// gone takes a preset without a folder out of the list and keeps its name for those who still feel for it. A bundled one
// is what it was shipped as. The caller is in the gate.
func (f *Folder) gone(ctx context.Context, id string) error {
	p, listed := f.Get(id)
	switch {
	case !listed:
		return nil
	case p.Bundled:
		_, err := f.reload(ctx, id, false)
		return err
	}
	name, err := json.Marshal(p.Name)
	if err == nil {
		err = f.o.Memory.Set(ctx, goneKey(id), name)
	}
	if err != nil {
		return err
	}
	f.put(id, Preset{})
	return f.o.Changed(ctx, Change{Was: p})
}
