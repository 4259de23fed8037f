package doctor

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

	"yui/assets/lang"
	"yui/cmd/yui/logs"
	"yui/cmd/yui/memory"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/settings"
	"yui/internal/private"
	"yui/platform"
	"yui/store"
)

// files looks at the database and at the folders that YUI writes into.
func (c *checkup) files(ctx context.Context, paths settings.Paths) {
	switch err := store.Check(ctx, paths.Store); {
	case errors.Is(err, fs.ErrNotExist):
		c.ok("database", c.say("doctor.file_none", lang.Args{"file": paths.Store}))
	case err != nil:
		c.fail("database", err.Error(), memory.Cause(c.words, err))
	default:
		c.ok("database", paths.Store)
	}
	for _, f := range []struct{ what, dir string }{
		{"settings", filepath.Dir(paths.Config)}, {"data", filepath.Dir(paths.Store)}, {"logs", paths.Logs}, {"socket", filepath.Dir(paths.Socket)},
	} {
		if err := takesFiles(f.dir); err != nil {
			c.fail("folder", fmt.Sprintf("%s (%s): %v", f.dir, f.what, settings.Cause(err)), c.say("doctor.folder_mend"))
		}
	}
	c.crashes(paths.Logs)
	c.private(paths)
	if _, err := presets.Load(paths.Presets); err != nil {
		c.fail("presets", err.Error(), c.say("doctor.presets_mend"))
	}
}

// crashes tells of runs that ended by a fault.
func (c *checkup) crashes(dir string) {
	reports := logs.Reports(dir)
	if len(reports) == 0 {
		c.ok("crashes", c.say("doctor.no_crashes"))
		return
	}
	c.warn("crashes", c.say("doctor.crashes", lang.Args{lang.Count: len(reports), "last": reports[0]}),
		c.say("doctor.crashes_mend"))
}

// private names what other users of the computer can reach; the next start closes most of it.
func (c *checkup) private(paths settings.Paths) {
	places := paths.Guarded()
	if cfg, _ := settings.ReadConfig(paths.Config); cfg.Chat.APIKey != "" || cfg.Vision.Key != "" { // a mistake has a line of its own
		places = append(places, settings.Guarded{Dir: filepath.Dir(paths.Config), Names: []string{filepath.Base(paths.Config)}})
	}
	open := map[string]bool{}
	for _, g := range places {
		for _, path := range private.Exposed(g.Dir, g.Names...) {
			open[path] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(open)) {
		st, err := os.Stat(path)
		if err != nil {
			continue // gone meanwhile
		}
		mend := "chmod 600 " + path
		if st.IsDir() {
			mend = "chmod 700 " + path
		}
		c.warn("private", c.say("doctor.exposed", lang.Args{"file": path, "mode": fmt.Sprintf("%04o", st.Mode().Perm())}), mend)
	}
	if len(open) == 0 {
		c.ok("private", c.say("doctor.private"))
	}
}

// takesFiles reports whether a file can be made in dir, which need not exist yet.
func takesFiles(dir string) error {
	for {
		if st, err := os.Stat(dir); err == nil && st.IsDir() {
			break
		} else if !errors.Is(err, fs.ErrNotExist) {
			return cmp.Or(err, error(fs.ErrInvalid))
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.CreateTemp(dir, ".yui-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 4096)) // a full disk still makes empty files
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// notifications reports whether a start that fails can be told on the screen.
func (c *checkup) notifications(ctx context.Context) {
	if err := platform.CanNotify(ctx); err != nil {
		c.warn("notifications", err.Error(), c.say("doctor.no_notifications"))
		return
	}
	c.ok("notifications", c.say("doctor.notifications"))
}
