package vrm

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Load reads a character: VRM 1.0, VRM 0.x, or a plain glTF binary whose humanoid bones have usual names. It may be
// called from any goroutine; the model keeps nothing of data. What a file leaves out (chest, neck, eyes, springs,
// expressions …) is left out of the model; what is odd is noted in Model.Warnings. The error of a refused file says
// what part is wrong, why, and, if it helps, what to do, in words to show to people; it has no file name in it.
func Load(data []byte) (*Model, error) {
	m, err := read(data)
	if err == nil && m.empty() {
		return nil, errors.New("there is nothing to see in it: the file has bones, but no meshes that are shown")
	}
	return m, err
}

// read is Load for models with nothing to see, too.
func read(data []byte) (*Model, error) {
	f, err := open(data)
	if err != nil {
		return nil, err
	}
	switch {
	case len(f.Extensions.VRM1) > 0:
		return f.load(kindVRM1)
	case len(f.Extensions.VRM0) > 0:
		return f.load(kindVRM0)
	case len(f.Extensions.Animation) > 0:
		return nil, errors.New("file is a VRM animation, not a character")
	case len(f.Nodes) == 0:
		return nil, errors.New("file has nothing in it: no nodes, no character")
	}
	return f.load(kindPlain)
}

// LoadProp reads a plain glTF binary that is no character (a piece of furniture): all of Humanoid is -1, every morph
// target is kept. Errors are as Load's.
func LoadProp(data []byte) (*Model, error) {
	f, err := open(data)
	if err != nil {
		return nil, err
	}
	return f.load(kindProp)
}

// LoadFile reads a character from a file; its errors begin with the file's name. See Load.
func LoadFile(path string) (*Model, error) { return fromFile(path, Load) }

// LoadMetaFile reads only what a character's maker says of it: cheap, for lists. It may be called from any goroutine; the
// rest of the file may still be broken. Errors are as LoadFile's.
func LoadMetaFile(path string) (Meta, error) { return fromFile(path, loadMeta) }

func loadMeta(data []byte) (Meta, error) {
	f, err := open(data)
	if err != nil {
		return Meta{}, err
	}
	switch {
	case len(f.Extensions.VRM1) > 0:
		var j jsonVRM1
		f.extension("VRMC_vrm", f.Extensions.VRM1, &j)
		return f.meta1(&j), nil
	case len(f.Extensions.VRM0) > 0:
		var j jsonVRM0
		f.extension("VRM", f.Extensions.VRM0, &j)
		return file0{f}.meta0(&j), nil
	}
	return f.meta("", "", "", "", nil), nil
}

// LoadAnimationFile reads a VRM animation from a file; its errors begin with the file's name. See LoadAnimation.
func LoadAnimationFile(path string) (*Animation, error) { return fromFile(path, LoadAnimation) }

func fromFile[T any](path string, load func([]byte) (T, error)) (T, error) {
	data, err := readFile(path)
	if err == nil {
		var out T
		if out, err = load(data); err == nil {
			return out, nil
		}
	}
	var none T
	return none, fmt.Errorf("load %q: %w", clip(filepath.Base(path), maxName), err)
}

// readFile reads an ordinary file of bearable size. A pipe or a device, which could keep a reader forever, is refused.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not an ordinary file")
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("it has %d MB, more than the %d MB that YUI reads", info.Size()>>20, maxFile>>20)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer file.Close()
	data := make([]byte, info.Size())
	n, err := io.ReadFull(file, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, withoutPath(err)
	}
	return data[:n], nil
}

func withoutPath(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// empty reports whether nothing of the model is shown.
func (m *Model) empty() bool {
	for _, n := range m.Nodes {
		if n.Mesh < 0 {
			continue
		}
		for _, p := range m.Meshes[n.Mesh].Primitives {
			if len(p.Indices) > 0 {
				return false
			}
		}
	}
	return true
}

type kind int

const (
	kindVRM1 kind = iota
	kindVRM0
	kindPlain
	kindProp
)

// load builds the model. What is cheap to check comes first, so that a file that will be refused costs little.
func (f *file) load(k kind) (*Model, error) {
	m := &Model{Humanoid: noBones()}
	f.turn = k == kindVRM0
	if err := f.loadNodes(m); err != nil {
		return nil, err
	}
	f.hideUnused(m)
	if err := f.loadSkins(m); err != nil {
		return nil, err
	}
	var old jsonVRM0
	switch k {
	case kindVRM1:
		f.loadVRM1(m)
		f.loadSprings(m)
		f.loadConstraints(m)
	case kindVRM0:
		f.extension("VRM", f.Extensions.VRM0, &old)
		f0 := file0{f}
		f0.loadVRM0(m, &old)
		f0.springs0(m, &old)
	case kindPlain:
		p := newPlainFile(f)
		p.bones(m)
		m.faceFront()
		p.expressions(m)
	}
	if k != kindProp {
		if err := m.checkBones(); err != nil {
			return nil, err
		}
	}
	if k == kindPlain {
		m.straighten()
	}
	if err := f.loadShape(m, &old, k); err != nil {
		return nil, err
	}
	return m, nil
}

// loadShape reads materials, geometry and textures.
func (f *file) loadShape(m *Model, old *jsonVRM0, k kind) error {
	f.loadMaterials(m, old.Materials)
	var use morphUse
	if k != kindProp {
		use = m.moved()
	}
	if err := f.loadMeshes(m, use); err != nil {
		return err
	}
	m.letExpressionsWin()
	if err := f.measure(m); err != nil {
		return err
	}
	if err := f.loadTextures(m); err != nil {
		return err
	}
	if f.cleaned > 0 {
		f.warn("%d broken numbers were set to zero", f.cleaned)
	}
	m.Extras = asExtras(f.Extras, f.Asset.Extras, f.sceneExtras())
	m.Warnings = f.warnings
	return nil
}

func (f *file) sceneExtras() []byte {
	if len(f.Scenes) == 0 {
		return nil
	}
	return f.Scenes[0].Extras
}
