package render

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"yui/avatar/motion"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// GLFW and GL live on the main thread: TestMain keeps it and runs what the tests hand over. The first test that wants GL
// starts the display; the others run without one.
var (
	mainWork  = make(chan func())
	noGL      = "" // why there is no GL, if so
	display   sync.Once
	noDisplay = func() {}
)

func TestMain(m *testing.M) {
	runtime.LockOSThread()
	code := make(chan int)
	go func() { code <- m.Run() }()
	for {
		select {
		case f := <-mainWork:
			f()
		case c := <-code:
			noDisplay()
			os.Exit(c)
		}
	}
}

// needGL opens display and GLFW once. Main thread.
func needGL() {
	display.Do(func() {
		stop := startDisplay()
		noDisplay = func() {
			if noGL == "" {
				glfw.Terminate()
			}
			stop()
		}
	})
}

// startDisplay opens a virtual display of our own on the first free number of 50 to 53, and GLFW on it.
func startDisplay() (stop func()) {
	stop = func() {}
	if _, err := exec.LookPath("Xvfb"); err != nil {
		noGL = "Xvfb is not installed"
		return stop
	}
	for n := 50; n <= 53; n++ {
		socket := fmt.Sprintf("/tmp/.X11-unix/X%d", n)
		if c, err := net.Dial("unix", socket); err == nil { // alive; a dead server's socket is taken over by Xvfb
			c.Close()
			continue
		}
		name := fmt.Sprintf(":%d", n)
		cmd := exec.Command("Xvfb", name, "-screen", "0", "1280x1024x24", "+extension", "GLX", "+render", "-noreset", "-nolisten", "tcp")
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} // a test that is killed leaves no server behind
		if err := cmd.Start(); err != nil {
			noGL = "Xvfb does not start: " + err.Error()
			return stop
		}
		stop = func() { // politely, so that it removes its socket
			_ = cmd.Process.Signal(syscall.SIGTERM)
			_ = cmd.Wait()
		}
		for range 100 {
			if c, err := net.Dial("unix", socket); err == nil {
				c.Close()
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		os.Setenv("DISPLAY", name)
		if err := glfw.Init(); err != nil {
			noGL = "GLFW does not start: " + err.Error()
		}
		return stop
	}
	noGL = "displays 50 to 53 are all taken"
	return stop
}

type stopTest struct{}

// T is a test on the main thread, where Fatal must not end the goroutine.
type T struct{ testing.TB }

func (t T) Fatalf(format string, a ...any) { t.Helper(); t.Errorf(format, a...); panic(stopTest{}) }
func (t T) Fatal(a ...any)                 { t.Helper(); t.Error(a...); panic(stopTest{}) }

// window is an open GL window of the tests.
type window struct {
	*glfw.Window
	w, h int
}

// onGL runs f on the main thread with a window of w by h whose context is current.
func onGL(tb testing.TB, w, h int, f func(t T, win window)) {
	tb.Helper()
	done := make(chan struct{})
	mainWork <- func() {
		defer close(done)
		if needGL(); noGL != "" {
			return
		}
		defer func() {
			if r := recover(); r != nil {
				if _, ok := r.(stopTest); !ok {
					tb.Errorf("panic: %v\n%s", r, stack())
				}
			}
		}()
		t := T{tb}
		win := openWindow(t, w, h, nil)
		defer win.Destroy()
		f(t, win)
	}
	<-done
	if noGL != "" {
		tb.Skip("no OpenGL here: " + noGL)
	}
}

func stack() []byte { b := make([]byte, 8192); return b[:runtime.Stack(b, false)] }

func openWindow(t T, w, h int, share *glfw.Window) window {
	glfw.DefaultWindowHints()
	for hint, v := range map[glfw.Hint]int{glfw.ClientAPI: glfw.OpenGLESAPI, glfw.ContextVersionMajor: 3,
		glfw.ContextVersionMinor: 0, glfw.ContextCreationAPI: glfw.NativeContextAPI, glfw.Visible: glfw.False,
		glfw.Decorated: glfw.False, glfw.Resizable: glfw.False, glfw.TransparentFramebuffer: glfw.True,
		glfw.AlphaBits: 8, glfw.StencilBits: 0, glfw.DepthBits: 24} {
		glfw.WindowHint(hint, v)
	}
	win, err := glfw.CreateWindow(w, h, "render test", nil, share)
	if err != nil {
		t.Fatal(err)
	}
	win.MakeContextCurrent()
	glfw.SwapInterval(0)
	return window{win, w, h}
}

// shoot draws a model once and returns the picture.
func shoot(t T, opt Options, m *vrm.Model, p *motion.Pose, v View, props ...Prop) *image.NRGBA {
	t.Helper()
	r, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	s, err := r.Upload(m)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Release()
	tg, err := NewTarget(r, v.Width, v.Height)
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Release()
	if err := tg.Draw(s, p, v, props...); err != nil {
		t.Fatal(err)
	}
	img, err := tg.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// restPose is a model's rest pose with no expression.
func restPose(m *vrm.Model) *motion.Pose {
	return &motion.Pose{World: m.Rest, Expressions: make([]float32, len(m.Expressions))}
}

// turned returns a pose with the whole body turned about y and some nodes turned locally (Euler XYZ, degrees).
func turned(m *vrm.Model, yaw float32, bones map[vrm.Bone][3]float32) *motion.Pose {
	p := &motion.Pose{World: make([]geom.Mat4, len(m.Nodes)), Expressions: make([]float32, len(m.Expressions))}
	poseInto(p, m, yaw, bones)
	return p
}

func poseInto(p *motion.Pose, m *vrm.Model, yaw float32, bones map[vrm.Bone][3]float32) {
	const deg = 3.14159265 / 180
	root := geom.TRS(geom.Vec3{}, geom.AxisAngle(geom.Vec3{0, 1, 0}, yaw*deg), geom.Vec3{1, 1, 1})
	for _, n := range m.Order {
		nd := &m.Nodes[n]
		q := nd.Rotation
		for b, e := range bones {
			if m.Humanoid[b] == n {
				q = q.Mul(geom.Euler(e[0]*deg, e[1]*deg, e[2]*deg))
			}
		}
		l := geom.TRS(nd.Translation, q, nd.Scale)
		if nd.Parent >= 0 {
			p.World[n] = p.World[nd.Parent].Mul(l)
		} else {
			p.World[n] = root.Mul(l)
		}
	}
}

// fit is a view that shows a model whole, margin 0.1.
func fit(m *vrm.Model, w, h int) View {
	ppm := float32(h) / ((m.Max[1] - m.Min[1]) * 1.1)
	return View{Width: w, Height: h, PixelsPerMetre: ppm, RootX: float32(w) / 2, RootY: float32(h) - 0.05*float32(h)}
}

// over puts a straight-alpha picture on a plain ground.
func over(img *image.NRGBA, ground color.Color) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	draw.Draw(out, out.Rect, image.NewUniform(ground), image.Point{}, draw.Src)
	draw.Draw(out, out.Rect, img, img.Rect.Min, draw.Over)
	return out
}

// savePNG leaves a picture for the eye in YUI_TEST_OUT, if that is set.
func savePNG(t testing.TB, name string, img image.Image) {
	dir := os.Getenv("YUI_TEST_OUT")
	if dir == "" {
		return
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Error(err)
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
		t.Error(err)
	}
}

// testFile reads a file beside the project, or skips.
func testFile(tb testing.TB, name string) []byte {
	tb.Helper()
	dir := os.Getenv("YUI_TEST_FILES")
	if dir == "" {
		tb.Skip("YUI_TEST_FILES is not set: no foreign models to draw")
	}
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		tb.Skip("no such test file: " + err.Error())
	}
	return b
}
