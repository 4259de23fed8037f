package presets

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"

	"yui/assets/lang"
	"yui/avatar/vrm"
)

// Import makes a preset of a model file or a character card: the file is read and judged first, copied into a folder of
// its own then. A name of "" is the file's own. Imports go one at a time.
func (f *Folder) Import(ctx context.Context, file, name string) (Preset, error) {
	if err := f.importing.enter(ctx); err != nil {
		return Preset{}, failed(file, err)
	}
	defer f.importing.leave()
	st, err := os.Stat(file)
	if err != nil {
		return Preset{}, failed(file, errors.Unwrap(err))
	}
	if !st.Mode().IsRegular() {
		return Preset{}, failed(file, &lang.Fault{Key: "import.no_file"}) // a pipe would be waited for
	}
	if st.Size() > modelLimit {
		return Preset{}, failed(file, &lang.Fault{Key: "import.too_large", Args: lang.Args{"megabytes": modelLimit >> 20}})
	}
	if isCard(file) {
		return f.importCard(ctx, file, name)
	}
	model, err := vrm.LoadFile(file)
	if err != nil {
		return Preset{}, &lang.Fault{Key: "import.no_model", Args: lang.Args{"file": filepath.Base(file), "cause": err}, Err: err}
	}
	p := presetOfModel(file, name, model)
	p, err = f.add(ctx, p, func(tmp string) error { return copyFile(file, filepath.Join(tmp, p.Model)) })
	if err != nil {
		return Preset{}, failed(file, err)
	}
	p.Odd = model.Warnings
	return p, nil
}

// failed is why a file was not taken in.
func failed(file string, err error) error {
	return &lang.Fault{Key: "import.failed", Args: lang.Args{"file": filepath.Base(file), "cause": err}, Err: err}
}

// importCard makes a preset of a character card, in Yui's clothes.
func (f *Folder) importCard(ctx context.Context, file, name string) (Preset, error) {
	c, err := readCard(ctx, file)
	if err != nil {
		return Preset{}, failed(file, err)
	}
	name = cmp.Or(PlainName(name), c.Name, nameOfFile(file))
	persona := c.persona(name)
	p, err := f.add(ctx, Preset{Name: name, Persona: persona, FromCard: fingerprint(persona), Wears: "yui"}, nil)
	if err != nil {
		return Preset{}, failed(file, err)
	}
	return p, nil
}

// adopt makes a preset of a model file that lies in the presets folder itself, in a folder of its own. A file that cannot
// be read stays where it is.
func (f *Folder) adopt(ctx context.Context, file string) error {
	if st, err := os.Stat(file); err != nil || !st.Mode().IsRegular() {
		return nil // it has gone again, or was moved into its folder
	}
	if err := f.importing.enter(ctx); err != nil {
		return failed(file, err)
	}
	defer f.importing.leave()
	m, err := vrm.LoadFile(file)
	if err != nil {
		return err
	}
	p := presetOfModel(file, "", m)
	_, err = f.add(ctx, p, func(tmp string) error { return os.Rename(file, filepath.Join(tmp, p.Model)) })
	return err
}
