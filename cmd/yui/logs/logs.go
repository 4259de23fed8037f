// Package logs keeps what YUI writes about itself: a log file a day, and a report where a run ended by a fault. Neither
// holds a key or what was said (docs/rules/desktop.md#logs).
package logs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"yui/internal/private"
)

// Keep is how long a file stays in the folder of logs after its last line.
const Keep = 14 * 24 * time.Hour

// mostADay bounds a day's file, in bytes: what comes after it on that day is not written.
const mostADay = 8 << 20

// day is how a day stands in a file's name.
const day = "2006-01-02"

// Prefixes are the beginnings of the names of all files that belong into the folder of logs.
var Prefixes = [...]string{"yui", "turns_", "crash_"}

// File is an io.Writer of log lines into a file a day, DIR/yui_YYYY-MM-DD.log. Its methods may be called from any
// goroutine. A line that cannot be written is lost without an error: a full disk must not end what only wanted to tell.
type File struct {
	dir string
	now func() time.Time

	mu   sync.Mutex
	file *os.File
	name string // of file, or of the one that could not be opened
	size int64
}

// Open returns the log in dir, and removes files of the log, of turns and of crashes that are older than Keep. It makes
// dir and the day's file with the first line.
func Open(dir string) *File { return open(dir, time.Now) }

func open(dir string, now func() time.Time) *File {
	prune(dir, now())
	return &File{dir: dir, now: now}
}

// Write implements io.Writer. p is one line or more, each whole.
func (f *File) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if name := "yui_" + now.Format(day) + ".log"; name != f.name {
		f.turn(name, now)
	}
	if f.file == nil || f.size+int64(len(p)) > mostADay {
		return len(p), nil
	}
	n, _ := f.file.Write(p)
	f.size += int64(n)
	return len(p), nil
}

// turn goes on to the file of another day.
func (f *File) turn(name string, now time.Time) {
	if f.file != nil {
		_ = f.file.Close() // its lines were written; there is nobody to tell
		prune(f.dir, now)
	}
	f.file, f.name, f.size = nil, name, 0
	if private.Folder(f.dir) != nil {
		return
	}
	file, err := os.OpenFile(filepath.Join(f.dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	if st, err := file.Stat(); err == nil {
		f.size = st.Size()
	}
	f.file = file
}

// Close closes the file of the day. A later line opens it again.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file, f.name = nil, ""
	if err != nil {
		return fmt.Errorf("close log: %w", err)
	}
	return nil
}

// prune removes what is older than Keep among the files that belong to the folder. What cannot be removed stays.
func prune(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if st, err := e.Info(); err == nil && st.Mode().IsRegular() && ours(e.Name()) && now.Sub(st.ModTime()) > Keep {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// ours reports whether a file's name is one of the log's, of the records of turns, or of a crash. With YUI_HOME the
// database and the socket lie one folder above, never here; the extension is asked all the same.
func ours(name string) bool {
	switch filepath.Ext(name) {
	case ".log", ".jsonl", ".txt", ".gz":
	default:
		return false
	}
	for _, p := range Prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
