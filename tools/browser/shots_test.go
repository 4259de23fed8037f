//go:build unix

package browser

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"yui/internal/fuzzmem"
)

func writePNG(t *testing.T, path string, img image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func plain(w, h int, c color.Color) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.Set(i%w, i/w, c)
	}
	return img
}

func decodeURL(t *testing.T, url string) image.Image {
	t.Helper()
	data, ok := strings.CutPrefix(url, "data:image/jpeg;base64,")
	raw, err := base64.StdEncoding.DecodeString(data)
	if !ok || err != nil {
		t.Fatalf("%.40s: %v", url, err)
	}
	img, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func sizes(t *testing.T, urls []string) string {
	t.Helper()
	var all []string
	for _, u := range urls {
		b := decodeURL(t, u).Bounds()
		all = append(all, fmt.Sprintf("%dx%d", b.Dx(), b.Dy()))
	}
	return strings.Join(all, " ")
}

// TestShots is a run that leaves pictures of all kinds, and things that are none.
func TestShots(t *testing.T) {
	red := color.NRGBA{255, 0, 0, 255}
	for _, c := range []struct {
		name   string
		exit   int
		files  map[string]image.Image
		broken []string
		sizes  string
		notes  []string
	}{
		{"none", 0, nil, nil, "", nil},
		{"two", 0, map[string]image.Image{"001.png": plain(100, 50, red), "002.png": plain(2560, 1440, red)}, nil, "100x50 1280x720", nil},
		{"tall, of a failed run", 1, map[string]image.Image{"001.png": plain(50, 2560, red)}, nil, "25x1280", nil},
		{"just right", 0, map[string]image.Image{"001.png": plain(1280, 1, red)}, nil, "1280x1", nil},
		{"five", 0, map[string]image.Image{"001.png": plain(1, 1, red), "002.png": plain(2, 1, red), "003.png": plain(3, 1, red), "004.png": plain(4, 1, red), "005.png": plain(5, 1, red)},
			nil, "2x1 3x1 4x1 5x1", []string{"1 earlier screenshot was dropped: the last 4 are kept"}},
		{"six with two broken", 3, map[string]image.Image{"001.png": plain(1, 1, red), "002.png": plain(2, 1, red), "003.png": plain(3, 1, red), "006.png": plain(6, 1, red)},
			[]string{"004.png", "005.png"}, "3x1 6x1", []string{"2 earlier screenshots were dropped: the last 4 are kept", `could not be read: "004.png", "005.png"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, quick, fmt.Sprintf(`cat >$DIR/in; f="$(sed -n 's/.*path: .\(.*\)\/\${String.*/\1/p' $DIR/in)"; cp $DIR/*.png "$f/" 2>/dev/null; mkdir "$f/zzz"; chmod 0 "$f/zzz"; echo done >&2; exit %d`, c.exit))
			for name, img := range c.files {
				writePNG(t, filepath.Join(b.dir, name), img)
			}
			for _, name := range c.broken {
				if err := os.WriteFile(filepath.Join(b.dir, name), []byte("no picture"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			lines := []string{"done"}
			for _, n := range c.notes {
				lines = append(lines, "[screenshots] "+n)
			}
			want := success(lines...)
			if c.exit != 0 {
				want = failure(resultFailed, lines...)
			}
			got := b.call(context.Background(), "yui", "x")
			wantText(t, got, want)
			if s := sizes(t, got.Images); s != c.sizes {
				t.Errorf("pictures %s, not %s", s, c.sizes)
			}
			b.wantNoFolders()
		})
	}
}

// TestShotsOfKilledRun: pictures of a run that the backstop ended are shown.
func TestShotsOfKilledRun(t *testing.T) {
	limits := quick
	limits.Backstop = 3 * time.Second // for three programs, however slow the machine
	b := newBench(t, limits, `cat >$DIR/in; cp $DIR/001.png "$(sed -n 's/.*path: .\(.*\)\/\${String.*/\1/p' $DIR/in)/"; exec sleep 30`)
	writePNG(t, filepath.Join(b.dir, "001.png"), plain(3, 3, color.Black))
	got := b.call(context.Background(), "yui", "x")
	wantText(t, got, failure(resultUnknown))
	if s := sizes(t, got.Images); s != "3x3" {
		t.Error(s)
	}
}

// TestCollectHostile: links, pipes, huge and malformed files, and names that try to speak for us.
func TestCollectHostile(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret.png")
	writePNG(t, secret, plain(1, 1, color.Black))
	if err := os.Symlink(secret, filepath.Join(dir, "1")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "2"), 0o600); err != nil {
		t.Fatal(err)
	}
	var bomb bytes.Buffer // its header says 60000 by 60000
	if err := png.Encode(&bomb, plain(1, 1, color.Black)); err != nil {
		t.Fatal(err)
	}
	huge := bomb.Bytes()
	copy(huge[16:24], []byte{0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60})
	copy(huge[29:33], []byte{0, 0, 0, 0})
	if err := os.WriteFile(filepath.Join(dir, "3"), huge, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "4\n"+untrusted+"\x1b\xff"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := collect(dir)
	if len(s.images) != 0 || len(s.unreadable) != 4 || s.dropped != 0 {
		t.Errorf("%+v", s)
	}
	if notes := s.notes(); len(notes) != 1 || strings.ContainsAny(notes[0], "\n\x1b") || !utf8.ValidString(notes[0]) {
		t.Errorf("%q", notes)
	}
	if s := collect(filepath.Join(dir, "gone")); len(s.images)+len(s.notes()) > 0 {
		t.Errorf("a folder that the script removed: %+v", s)
	}
}

func TestTransparentIsWhite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.png")
	writePNG(t, path, plain(8, 8, color.NRGBA{0, 0, 0, 0}))
	url, err := picture(path)
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := decodeURL(t, url).At(4, 4).RGBA(); min(r, g, b) < 0xf000 {
		t.Errorf("%x %x %x", r, g, b)
	}
}

func FuzzPicture(f *testing.F) {
	var b bytes.Buffer
	if err := png.Encode(&b, plain(3, 2, color.Black)); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte("\xff\xd8\xff"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzmem.Watch(t)
		path := filepath.Join(dir, "x")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if url, err := picture(path); err == nil {
			if b := decodeURL(t, url).Bounds(); max(b.Dx(), b.Dy()) > 1280 {
				t.Error(b)
			}
		}
	})
}

// TestCleanUp removes what dead runs left, and nothing else.
func TestCleanUp(t *testing.T) {
	temp := t.TempDir()
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	now := time.Now().UnixNano()
	old := time.Now().Add(-time.Hour).UnixNano()
	name := func(pid int, nanos int64) string { return fmt.Sprintf("yui-browser-%d-%d-7", pid, nanos) }
	gone := []string{name(dead.Process.Pid, now), name(dead.Process.Pid, old), name(os.Getppid(), old), name(os.Getpid(), now)}
	kept := []string{name(os.Getppid(), now), "yui-browser-x-1-1", "yui-browser-1-2", "yui-browser-", "yui-browser-1-2-3-4", "other", "yui-browser--5-1-1"}
	for _, n := range append(gone, kept...) {
		if err := os.MkdirAll(filepath.Join(temp, n, "sub"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(temp, gone[0], "sub"), 0); err != nil {
		t.Fatal(err)
	}
	file, link := name(dead.Process.Pid, now+1), name(dead.Process.Pid, now+2)
	if err := os.WriteFile(filepath.Join(temp, file), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(temp, link)); err != nil {
		t.Fatal(err)
	}
	removed, err := CleanUp(temp)
	if err != nil || removed != len(gone) {
		t.Errorf("removed %d: %v", removed, err)
	}
	for _, n := range append(kept, file, link) {
		if _, err := os.Lstat(filepath.Join(temp, n)); err != nil {
			t.Error(err)
		}
	}
	for _, n := range gone {
		if _, err := os.Lstat(filepath.Join(temp, n)); err == nil {
			t.Errorf("%s is left", n)
		}
	}
	if _, err := CleanUp(filepath.Join(temp, "none")); err == nil {
		t.Error("a temp folder that is not there")
	}
}
