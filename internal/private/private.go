// Package private keeps the person's files from the other users of the computer: folders are 0700 and files 0600, also
// those that were there before. A library that makes files of its own knows nothing of that, and a mask for the whole
// process would reach the programs that it starts.
package private

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// others are the rights of everybody but the owner.
const others fs.FileMode = 0o077

// Folder makes dir, and takes from one that is there what others may do in it; see Exposed for those that stay open. Its
// error says that the folder cannot be made.
func Folder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if st, err := os.Stat(dir); err == nil && st.Mode()&others != 0 && !shared(dir, st) {
		_ = os.Chmod(dir, st.Mode().Perm()&^others) // a file system without rights, or another's folder: Exposed tells
	}
	return nil
}

// shared reports whether a folder is not only ours to close: another user's, one for everybody as /tmp is, or the home folder,
// which the person may have opened on purpose.
func shared(dir string, st fs.FileInfo) bool {
	if home, err := os.UserHomeDir(); err == nil {
		if h, err := os.Stat(home); err == nil && os.SameFile(h, st) {
			return true
		}
	}
	return !mine(st) || st.Mode()&(fs.ModeSticky|fs.ModeSetgid) != 0 || filepath.Dir(dir) == dir
}

// Files takes from the files in dir whose names begin with one of the prefixes what others may do with them. A folder that
// cannot be read has none.
func Files(dir string, prefixes ...string) {
	for _, file := range named(dir, prefixes) {
		if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() && st.Mode()&others != 0 {
			_ = os.Chmod(file, st.Mode().Perm()&^others) // as in Folder
		}
	}
}

// Touch makes an empty file for its owner alone if there is none yet. What goes wrong is left to whoever opens it next.
func Touch(file string) {
	if f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		_ = f.Close() // nothing was written
	}
}

// Write puts a whole file, for its owner alone, in the place of another, or leaves that one as it is: a disk that is full, or
// a power cut, must not cost the person what they wrote. A symlink stays one.
func Write(file string, b []byte) error {
	if behind, err := filepath.EvalSymlinks(file); err == nil {
		file = behind
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-") // 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(b)
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // it takes up room, if anything
	}
	return err
}

// Exposed lists what others may reach: dir, if it is open to them, and its files that begin with one of the prefixes,
// if they may be read too.
func Exposed(dir string, prefixes ...string) []string {
	st, err := os.Stat(dir)
	if err != nil || st.Mode()&others == 0 {
		return nil
	}
	open := []string{dir}
	for _, file := range named(dir, prefixes) {
		if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() && st.Mode()&others != 0 {
			open = append(open, file)
		}
	}
	return open
}

func named(dir string, prefixes []string) []string {
	entries, _ := os.ReadDir(dir) // what cannot be read by its owner is no concern of others
	var files []string
	for _, e := range entries {
		for _, p := range prefixes {
			if strings.HasPrefix(e.Name(), p) {
				files = append(files, filepath.Join(dir, e.Name()))
				break
			}
		}
	}
	return files
}
