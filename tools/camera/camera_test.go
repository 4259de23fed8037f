//go:build unix

package camera

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"yui/internal/fuzzmem"
	"yui/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scene is a picture whose left half is red and right half is blue.
func scene(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{220, 40, 40, 255}
			if x >= w/2 {
				c = color.RGBA{40, 40, 220, 255}
			}
			img.Set(x, y, c)
		}
	}
	return img
}

func encoded(t testing.TB, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	if format == "png" {
		err = png.Encode(&b, scene(64, 48))
	} else {
		err = jpeg.Encode(&b, scene(64, 48), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func write(t testing.TB, name string, b []byte) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// checkScene fails where the picture is not the scene.
func checkScene(t *testing.T, img image.Image) {
	t.Helper()
	b := img.Bounds()
	lr, _, lb, _ := img.At(b.Min.X+b.Dx()/4, b.Min.Y+b.Dy()/2).RGBA()
	rr, _, rb, _ := img.At(b.Min.X+3*b.Dx()/4, b.Min.Y+b.Dy()/2).RGBA()
	if b.Dx() != 64 || b.Dy() != 48 || lr < 2*lb || rb < 2*rr {
		t.Errorf("%v: left %d/%d right %d/%d is not the scene", b, lr>>8, lb>>8, rr>>8, rb>>8)
	}
}

func within10s(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestFile(t *testing.T) {
	for _, format := range []string{"png", "jpeg"} {
		img, err := File(write(t, "scene", encoded(t, format))).Frame(within10s(t))
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		checkScene(t, img)
	}
}

func TestFileFails(t *testing.T) {
	huge := encoded(t, "png")
	copy(huge[16:], "\x00\x01\x00\x00\x00\x01\x00\x00") // 65536 by 65536 in the header
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		want       error
	}{
		{"missing", "no/such/picture.png", tools.ErrNoCamera},
		{"a folder", t.TempDir(), tools.ErrNoCamera},
		{"a pipe that nobody writes", pipe, tools.ErrNoCamera},
		{"no picture", write(t, "a", []byte("<html>")), nil},
		{"empty", write(t, "a", nil), nil},
		{"cut short", write(t, "a", encoded(t, "png")[:90]), nil},
		{"huge", write(t, "a", huge), nil},
	} {
		img, err := File(c.path).Frame(within10s(t))
		if err == nil || img != nil {
			t.Errorf("%s: a picture", c.name)
		}
		if c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if c.want == nil && (errors.Is(err, tools.ErrNoCamera) || errors.Is(err, tools.ErrCameraBusy)) {
			t.Errorf("%s: %v names a reason that is not so", c.name, err)
		}
	}
	if os.Getuid() != 0 {
		locked := write(t, "locked", encoded(t, "png"))
		if err := os.Chmod(locked, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := File(locked).Frame(within10s(t)); !errors.Is(err, tools.ErrCameraDenied) {
			t.Errorf("locked: %v", err)
		}
	}
	if _, err := File("x").Frame(ended()); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped turn: %v", err)
	}
}

func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestReason(t *testing.T) {
	for err, want := range map[error]error{syscall.ENOENT: tools.ErrNoCamera, syscall.EACCES: tools.ErrCameraDenied} {
		if got := reason("open camera file", err); !errors.Is(got, want) || !errors.Is(got, err) {
			t.Errorf("%v: %v", err, got)
		}
	}
}

func TestCommand(t *testing.T) {
	path := write(t, "scene", encoded(t, "jpeg"))
	for name, c := range map[string]Command{
		"one picture":           {"cat", path},
		"a stream of pictures":  {"sh", "-c", "while :; do cat " + path + " || exit; done"},
		"prints, then lingers":  {"sh", "-c", "cat " + path + "; sleep 60"},
		"fails after a picture": {"sh", "-c", "cat " + path + "; exit 3"},
	} {
		img, err := c.Frame(within10s(t))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkScene(t, img)
	}
}

func TestCommandFails(t *testing.T) {
	for name, c := range map[string]struct {
		cmd  Command
		want error
	}{
		"none":              {nil, tools.ErrNoCamera},
		"not on PATH":       {Command{"no-such-camera-program"}, tools.ErrNoCamera},
		"no such file":      {Command{"/no/such/program"}, tools.ErrNoCamera},
		"not executable":    {Command{write(t, "a", nil)}, tools.ErrCameraDenied},
		"prints nothing":    {Command{"true"}, nil},
		"ends with an exit": {Command{"sh", "-c", "echo no device >&2; exit 4"}, nil},
		"prints words":      {Command{"echo", "no picture here"}, nil},
	} {
		_, err := c.cmd.Frame(within10s(t))
		if err == nil || (c.want != nil && !errors.Is(err, c.want)) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// TestCommandHangs sees that a command that never prints ends with the deadline, and its children with it.
func TestCommandHangs(t *testing.T) {
	for name, script := range map[string]string{
		"silent":              "sleep 300 & echo $! > CHILD; wait",
		"deaf":                "trap '' TERM INT; sleep 300 & echo $! > CHILD; while :; do sleep 1; done",
		"half a picture":      "sleep 300 & echo $! > CHILD; head -c 200 SCENE; wait",
		"ends, its child not": "sleep 300 & echo $! > CHILD",
	} {
		t.Run(name, func(t *testing.T) {
			child := filepath.Join(t.TempDir(), "child")
			script = strings.NewReplacer("CHILD", child, "SCENE", write(t, "scene", encoded(t, "jpeg"))).Replace(script)
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if _, err := (Command{"sh", "-c", script}).Frame(ctx); err == nil {
				t.Fatal("a picture")
			} else if name != "ends, its child not" && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v, want the deadline", err)
			}
			b, err := os.ReadFile(child)
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
			if err != nil {
				t.Fatal(err)
			}
			for range 50 {
				if state(pid) == "" || state(pid) == "Z" {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Error("the command's child lives on")
		})
	}
}

// state is the letter of a process, "" where there is none.
func state(pid int) string {
	out, err := exec.Command("ps", "-o", "state=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func TestNew(t *testing.T) {
	for _, c := range []struct {
		cfg Config
		ok  bool
	}{
		{Config{}, true},
		{Config{Device: "/dev/video3"}, true},
		{Config{File: "a.png"}, true},
		{Config{Command: []string{"cat", "a.png"}}, true},
		{Config{Command: []string{""}}, false},
		{Config{File: "a.png", Device: "/dev/video0"}, false},
	} {
		s, err := New(c.cfg)
		if (err == nil) != c.ok || (s == nil) == c.ok {
			t.Errorf("%+v: %v %v", c.cfg, s, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encoded(f, "png"))
	f.Add(encoded(f, "jpeg"))
	f.Add([]byte("\xff\xd8\xff\xda\x00\x02"))
	f.Fuzz(func(t *testing.T, b []byte) {
		fuzzmem.Watch(t)
		if len(b) > 1<<16 {
			return
		}
		img, err := picture(code("MJPG"), 0, 0, b)
		if err == nil && img.Bounds().Empty() {
			t.Error("a picture of nothing")
		}
		for _, raw := range formats()[2:] {
			if img, err := picture(raw, 8, 6, b); err == nil && img.Bounds() != image.Rect(0, 0, 8, 6) {
				t.Errorf("format %08x: %v", uint32(raw), img.Bounds())
			}
		}
	})
}
