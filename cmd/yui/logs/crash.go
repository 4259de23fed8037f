package logs

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"yui/internal/private"
)

const (
	pending    = "crash_pending.txt" // where the runtime writes its last words
	mostStack  = 256 << 10           // bytes of them that a report takes
	mostReason = 200                 // bytes of the line that says why
	lastLines  = 40                  // of the log
	lastBytes  = 64 << 10            // of the log, read for them
)

// Crash is what became of the run before this one.
type Crash struct {
	Report string // the file with the report; empty where that run ended in peace
}

// Watch has the runtime write into dir why it ends, should this run end by a fault, and makes a report of what the run
// before left there. Call it once, by the instance that holds the lock; stop says that the run ends in peace. Its error
// says that nothing will be written; crash holds all the same.
func Watch(dir, version string) (crash Crash, stop func(), err error) {
	stop = func() {}
	if err := private.Folder(dir); err != nil {
		return crash, stop, fmt.Errorf("make folder of logs: %w", err)
	}
	path := filepath.Join(dir, pending)
	crash.Report, err = report(dir, version, time.Now())
	if err != nil {
		return crash, stop, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return crash, stop, fmt.Errorf("open crash file: %w", err)
	}
	defer file.Close() // the runtime keeps a descriptor of its own
	// The header is for the next run, which may be of another version.
	if _, err := fmt.Fprintf(file, "%s%s\n", versionLine, version); err != nil {
		return crash, stop, fmt.Errorf("write crash file: %w", err)
	}
	if err := debug.SetCrashOutput(file, debug.CrashOptions{}); err != nil {
		return crash, stop, fmt.Errorf("set crash output: %w", err)
	}
	return crash, func() {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{}) // nothing can be wrong with none
		_ = os.Remove(path)
	}, nil
}

const versionLine = "yui "

// report turns what the run before left into a report, and returns its path, or "" where there is nothing to tell.
func report(dir, version string, now time.Time) (string, error) {
	path := filepath.Join(dir, pending)
	raw, err := readUpTo(path, mostStack)
	if err != nil {
		return "", nil //nolint:nilerr // none is there: the run before ended in peace
	}
	head, stack, _ := bytes.Cut(raw, []byte("\n"))
	if len(bytes.TrimSpace(stack)) == 0 {
		return "", nil // killed from outside, or the machine went down: no fault of ours
	}
	at := now
	if st, err := os.Stat(path); err == nil {
		at = st.ModTime()
	}
	if v, ok := strings.CutPrefix(string(head), versionLine); ok {
		version = v
	}
	var b strings.Builder
	fmt.Fprintf(&b, "YUI ended by a fault at %s.\nversion: %s\nsystem: %s/%s, %s\n\n", at.Format(time.RFC3339), version, runtime.GOOS, runtime.GOARCH, runtime.Version())
	b.WriteString(withoutWords(string(stack)))
	b.WriteString("\nlast lines of the log:\n")
	for _, line := range tail(dir) {
		b.WriteString(line + "\n")
	}
	name := filepath.Join(dir, "crash_"+at.Format("2006-01-02_150405")+".txt")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		return "", fmt.Errorf("write crash report: %w", err)
	}
	return name, nil
}

// Reports lists the reports of crashes in dir, the newest first.
func Reports(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, "crash_*.txt")) // the pattern is right
	names = slices.DeleteFunc(names, func(n string) bool { return filepath.Base(n) == pending })
	slices.Sort(names)
	slices.Reverse(names)
	return names
}

// quoted is text in the reason of a panic: it may be what somebody said.
var quoted = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"?|`[^`]*`?")

// withoutWords takes from a stack what may be somebody's words. Frames hold addresses and file names only; the lines before
// the first goroutine say the reason, which may quote.
func withoutWords(stack string) string {
	at := strings.Index(stack, "\ngoroutine ")
	if at < 0 {
		at = len(stack)
	}
	reason := quoted.ReplaceAllString(stack[:at], `"…"`)
	if len(reason) > mostReason {
		reason = strings.ToValidUTF8(reason[:mostReason], "") + "…"
	}
	return reason + stack[at:]
}

// tail returns the last lines of the newest log.
func tail(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, "yui_*.log")) // the pattern is right
	if len(names) == 0 {
		return nil
	}
	file, err := os.Open(slices.Max(names)) // names sort by day
	if err != nil {
		return nil
	}
	defer file.Close()
	if st, err := file.Stat(); err == nil && st.Size() > lastBytes {
		if _, err := file.Seek(-lastBytes, io.SeekEnd); err != nil {
			return nil
		}
	}
	raw, err := io.ReadAll(io.LimitReader(file, lastBytes))
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimRight(string(raw), "\n"), "\n")
	return lines[max(0, len(lines)-lastLines):]
}

func readUpTo(path string, most int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}
