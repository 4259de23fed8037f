// Command build makes YUI's characters, motions, props and icons from numbers alone, and the names of the motions for the
// rest of the program; go generate runs it in assets/. The same program always makes the same bytes. It is never linked
// into yui.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

func main() {
	files, err := build()
	if err == nil {
		err = write(files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// file is one made file; name is relative to assets/.
type file struct {
	name string
	data []byte
}

// build makes every file in memory.
func build() ([]file, error) {
	all := []*character{yui(), momo(), sora()}
	out := make([]file, 2*len(all))
	errs := make([]error, len(out))
	var wg sync.WaitGroup
	for i, c := range all {
		wg.Go(func() { // one after the other: they share the shapes of their parts
			for k, v := range []*character{c, small(c)} {
				n := i + k*len(all)
				out[n].name = "characters/" + v.id + ".vrm"
				out[n].data, errs[n] = v.vrm()
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	motions, err := buildMotions()
	if err != nil {
		return nil, err
	}
	b, err := bed()
	if err != nil {
		return nil, err
	}
	out = append(append(out, motions...), file{"props/bed.glb", b})
	names, err := clipNames()
	if err != nil {
		return nil, err
	}
	return append(append(out, icons()...), names), nil
}

// write stores the files under the present folder, unchanged ones untouched.
func write(files []file) error {
	for _, f := range files {
		path := filepath.FromSlash(f.name)
		if old, err := os.ReadFile(path); err == nil && string(old) == string(f.data) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make folder: %w", err)
		}
		if err := os.WriteFile(path, f.data, 0o644); err != nil {
			return fmt.Errorf("write file: %w", err)
		}
	}
	return nil
}
