//go:build !windows && !darwin

package platform

import (
	"bufio"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// entryIndex finds a program's categories by the .desktop files of the XDG data folders. The files are read in a
// goroutine of its own: hundreds of them take longer than a frame.
type entryIndex struct {
	loaded func() // called after each reading

	mu      sync.Mutex
	byName  map[string][]string // lower-case name -> categories
	reading bool
	closed  bool
	readAt  time.Time
}

// rereadAfter is how soon an unknown program makes the files be read again: it may have been installed just now.
const rereadAfter = time.Minute

func newEntryIndex(loaded func()) *entryIndex {
	index := &entryIndex{loaded: loaded}
	index.mu.Lock()
	index.reload()
	index.mu.Unlock()
	return index
}

// categories looks the names up in turn. Nothing is found before the first reading has ended.
func (e *entryIndex) categories(names []string) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, name := range names {
		if found := e.byName[strings.ToLower(name)]; found != nil {
			return found
		}
	}
	if len(names) > 0 && time.Since(e.readAt) > rereadAfter {
		e.reload()
	}
	return nil
}

func (e *entryIndex) reload() {
	if e.reading || e.closed {
		return
	}
	e.reading = true
	go func() {
		found := readEntries(dataDirs())
		e.mu.Lock()
		e.byName, e.reading, e.readAt = found, false, time.Now()
		closed := e.closed
		e.mu.Unlock()
		if !closed {
			e.loaded()
		}
	}()
}

func (e *entryIndex) close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
}

// dataDirs are the XDG data folders, the person's own first, with the defaults of the base directory specification.
func dataDirs() []string {
	home := os.Getenv("XDG_DATA_HOME")
	if home == "" {
		home = filepath.Join(os.Getenv("HOME"), ".local", "share")
	}
	rest := os.Getenv("XDG_DATA_DIRS")
	if rest == "" {
		rest = "/usr/local/share:/usr/share"
	}
	return append([]string{home}, filepath.SplitList(rest)...)
}

// readEntries reads all files. A name that several files claim belongs to the first: own folder before the system's,
// and StartupWMClass before file name before command.
func readEntries(dirs []string) map[string][]string {
	claims := [3]map[string][]string{{}, {}, {}}
	claim := func(rank int, name string, categories []string) {
		name = strings.ToLower(name)
		if name != "" && claims[rank][name] == nil {
			claims[rank][name] = categories
		}
	}
	for _, dir := range dirs {
		applications := filepath.Join(dir, "applications")
		// A folder that cannot be read holds no programs for us.
		_ = filepath.WalkDir(applications, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".desktop") {
				return nil
			}
			file, err := os.Open(path)
			if err != nil {
				return nil
			}
			defer file.Close()
			e := parseEntry(file)
			if len(e.categories) == 0 {
				return nil
			}
			id := strings.TrimSuffix(filepath.Base(path), ".desktop")
			claim(0, e.wmClass, e.categories)
			claim(1, id, e.categories)
			claim(2, id[strings.LastIndexByte(id, '.')+1:], e.categories) // org.gnome.Nautilus
			claim(2, e.program, e.categories)
			return nil
		})
	}
	all := claims[2]
	for _, better := range []map[string][]string{claims[1], claims[0]} {
		for name, categories := range better {
			all[name] = categories
		}
	}
	return all
}

type desktopEntry struct {
	wmClass, program string
	categories       []string
}

const (
	entryBytes = 256 << 10 // the largest .desktop files, in all languages, have some 60 kB
	execPrefix = "env"
)

// parseEntry reads the [Desktop Entry] group; other groups are actions of the same program.
func parseEntry(r io.Reader) desktopEntry {
	var e desktopEntry
	lines := bufio.NewScanner(io.LimitReader(r, entryBytes))
	lines.Buffer(nil, entryBytes)
	inside := false
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			inside = line == "[Desktop Entry]"
			continue
		}
		key, value, found := strings.Cut(line, "=")
		if !inside || !found {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "StartupWMClass":
			e.wmClass = value
		case "Exec":
			e.program = programOf(value)
		case "Categories":
			for _, category := range strings.Split(value, ";") {
				if category = strings.TrimSpace(category); category != "" {
					e.categories = append(e.categories, category)
				}
			}
		}
	}
	return e
}

// programOf is the base name of a command's program, after env and its assignments.
func programOf(exec string) string {
	for _, field := range strings.Fields(exec) {
		field = strings.Trim(field, `"'`)
		if name := filepath.Base(field); field != "" && name != execPrefix && !strings.Contains(field, "=") {
			return name
		}
	}
	return ""
}
