package private

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

// room is the variable that has a child of the test write into the file that it names, with room for 100 bytes.
const room = "YUI_TEST_LITTLE_ROOM"

// TestWriteIsWhole: a file is replaced whole or not at all, and nothing of the attempt is left.
func TestWriteIsWhole(t *testing.T) {
	if file := os.Getenv(room); file != "" {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100, Max: 100}); err != nil {
			t.Fatal(err)
		}
		if Write(file, bytes.Repeat([]byte("new "), 1000)) == nil {
			t.Error("no error where there is no room")
		}
		return
	}
	dir := t.TempDir()
	file, link := filepath.Join(dir, "preset.toml"), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	holds := func(want string) {
		t.Helper()
		got, err := os.ReadFile(file)
		if entries, _ := os.ReadDir(dir); err != nil || string(got) != want || len(entries) != 1 {
			t.Errorf("%q of %q in %v, %v", got, want, entries, err)
		}
	}
	if err := Write(file, []byte("old")); err != nil || mode(t, file) != 0o600 {
		t.Fatal(err, mode(t, file))
	}
	holds("old")
	child := exec.Command(os.Args[0], "-test.run", "^TestWriteIsWhole$")
	child.Env = append(os.Environ(), room+"="+file)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	holds("old")
	if err := Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	holds("new")
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
}
