//go:build linux

// Package threetest gives tests a second opinion on models: three.js with @pixiv/three-vrm, which others wrote and most
// viewers use, in a headless Chromium. It loads, draws and examines the same bytes as we do. Linked into tests only.
package threetest

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// The page and its packages, pinned with their checksums.
var (
	//go:embed page.html
	pageHTML []byte
	//go:embed page.js
	pageJS []byte
)

// jobWait is how long one model may take: software GL on a busy machine.
const jobWait = 4 * time.Minute

// Job asks for one model to be drawn from the front: transparent ground, the camera at the middle of the model's bounding
// box and as far away as 1.1 times its height fills the picture, one directional light as bright as white, no other.
type Job struct {
	Model         []byte
	Width, Height int                // pixels
	FOV           float64            // degrees, vertical
	Light         [3]float64         // towards the light
	Expressions   map[string]float64 // weights
	// Examine also tries every expression and throws the springs about.
	Examine bool
	// Swing only throws the springs about.
	Swing bool
}

// Answer is what three-vrm made of a model.
type Answer struct {
	// Picture has straight alpha; it was drawn premultiplied, with four samples a pixel.
	Picture *image.NRGBA
	// Height and Middle of the model's bounding box in metres: what the camera was placed by.
	Height, Middle float64

	Version  string // of VRM: "0", "1", "" for a plain glTF
	Name     string
	License  string
	Bones    []string
	LookAt   string // "bone", "expression", "" for none
	Warnings []string
	// Expressions by name, with how many pixels each changes. Only if examined, as are Springs if no Swing was asked for.
	Expressions map[string]int
	Springs     Springs
}

// Springs is what became of the spring bones when hips, chest and head were turned about the vertical for 120 frames of
// 1/60 s, in frame i by 0.5 sin(i/8) radians each.
type Springs struct {
	Joints, Colliders int
	Moved             float64 // radians that a joint was turned at most
	Finite            bool    // no joint lost its numbers
	Swung             []Swung // every tenth frame
}

// Swung is the turn of a joint's node, relative to its parent, after a frame.
type Swung struct {
	Frame int
	Joint string
	Turn  [4]float32
}

// MissingError says what is not installed here.
type MissingError struct {
	What    string
	Program bool // a program of the system, not a package of npm
}

func (e *MissingError) Error() string { return "three-vrm cannot be run: " + e.What }

// Stage is a running Chromium. Its methods may be called by several goroutines; models are drawn one after the other.
type Stage struct {
	server  *http.Server
	cmd     *exec.Cmd
	exited  chan struct{}
	profile string
	jobs    chan *job
	mu      sync.Mutex
	next    int
	waiting map[int]*job
}

type job struct {
	Job
	id    int
	reply chan reply
}

type reply struct {
	answer Answer
	err    error
}

// Open installs what is needed (once, in the user's cache folder) and starts Chromium. The error is a *MissingError
// if node, npm, a package or Chromium is not available. Close it.
func Open(ctx context.Context) (*Stage, error) {
	chromium, err := findChromium()
	if err != nil {
		return nil, err
	}
	modules, err := install(ctx)
	if err != nil {
		return nil, err
	}
	s := &Stage{jobs: make(chan *job), waiting: map[int]*job{}, exited: make(chan struct{})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serve page: %w", err)
	}
	s.server = &http.Server{Handler: s.handler(modules), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.server.Serve(l) }()
	if s.profile, err = os.MkdirTemp("", "yui-threetest-"); err != nil {
		s.server.Close()
		return nil, err
	}
	s.cmd = exec.Command(chromium, "--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-sync",
		"--disable-background-networking", "--disable-component-update", "--disable-extensions", "--mute-audio",
		"--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding", "--user-data-dir="+s.profile,
		"--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "http://"+l.Addr().String()+"/")
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		s.server.Close()
		_ = os.RemoveAll(s.profile)
		return nil, fmt.Errorf("start chromium: %w", err)
	}
	go func() { _ = s.cmd.Wait(); close(s.exited) }()
	return s, nil
}

// Close ends Chromium and what it started.
func (s *Stage) Close() {
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
	<-s.exited
	s.server.Close()
	for range 50 { // its children let go of the profile a little later
		if os.RemoveAll(s.profile) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Run draws one model.
func (s *Stage) Run(ctx context.Context, ask Job) (*Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, jobWait)
	defer cancel()
	s.mu.Lock()
	s.next++
	j := &job{Job: ask, id: s.next, reply: make(chan reply, 1)}
	s.waiting[j.id] = j
	s.mu.Unlock()
	defer func() { s.mu.Lock(); delete(s.waiting, j.id); s.mu.Unlock() }()
	select {
	case s.jobs <- j:
	case <-s.exited:
		return nil, errors.New("draw with three-vrm: chromium ended")
	case <-ctx.Done():
		return nil, fmt.Errorf("draw with three-vrm: the page did not ask for work: %w", ctx.Err())
	}
	select {
	case r := <-j.reply:
		if r.err != nil {
			return nil, fmt.Errorf("draw with three-vrm: %w", r.err)
		}
		return &r.answer, nil
	case <-s.exited:
		return nil, errors.New("draw with three-vrm: chromium ended")
	case <-ctx.Done():
		return nil, fmt.Errorf("draw with three-vrm: no answer: %w", ctx.Err())
	}
}

func (s *Stage) handler(modules string) http.Handler {
	mux := http.NewServeMux()
	text := func(kind string, body []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write(body)
		}
	}
	mux.HandleFunc("GET /{$}", text("text/html", pageHTML))
	mux.HandleFunc("GET /page.js", text("text/javascript", pageJS))
	mux.HandleFunc("GET /npm/", func(w http.ResponseWriter, r *http.Request) {
		if path.Ext(r.URL.Path) == ".js" { // whatever the system's table of types says
			w.Header().Set("Content-Type", "text/javascript")
		}
		http.ServeFile(w, r, filepath.Join(modules, filepath.FromSlash(path.Clean("/"+strings.TrimPrefix(r.URL.Path, "/npm")))))
	})
	mux.HandleFunc("GET /job", s.serveJob)
	mux.HandleFunc("GET /model/{id}", s.serveModel)
	mux.HandleFunc("POST /answer", s.takeAnswer)
	return mux
}

func (s *Stage) serveJob(w http.ResponseWriter, r *http.Request) {
	select {
	case j := <-s.jobs:
		_ = json.NewEncoder(w).Encode(map[string]any{"id": j.id, "url": fmt.Sprintf("/model/%d", j.id), "width": j.Width,
			"height": j.Height, "fov": j.FOV, "light": j.Light, "expressions": j.Expressions, "examine": j.Examine, "swing": j.Swing})
	case <-r.Context().Done():
	}
}

func (s *Stage) serveModel(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.Atoi(r.PathValue("id"))
	s.mu.Lock()
	j := s.waiting[id]
	s.mu.Unlock()
	if j == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "model/gltf-binary")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(j.Model))
}

func (s *Stage) takeAnswer(_ http.ResponseWriter, r *http.Request) {
	var got struct {
		Answer
		ID          int
		Error       string
		Width, Rows int
		Pixels      []byte // base64 in the JSON; premultiplied, bottom row first
	}
	err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 256<<20)).Decode(&got)
	s.mu.Lock()
	j := s.waiting[got.ID]
	s.mu.Unlock()
	if j == nil {
		return
	}
	switch {
	case err != nil:
	case got.Error != "":
		err = errors.New(got.Error)
	default:
		got.Picture, err = picture(got.Width, got.Rows, got.Pixels)
	}
	j.reply <- reply{got.Answer, err}
}

// picture turns GL's pixels into a top-down picture with straight alpha.
func picture(w, h int, pix []byte) (*image.NRGBA, error) {
	if w <= 0 || h <= 0 || len(pix) != 4*w*h {
		return nil, fmt.Errorf("read picture: %d bytes for %d by %d pixels", len(pix), w, h)
	}
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		copy(img.Pix[y*img.Stride:(y+1)*img.Stride], pix[4*w*(h-1-y):])
	}
	for i := 0; i < len(img.Pix); i += 4 {
		p := img.Pix[i : i+4]
		if a := int(p[3]); a > 0 && a < 255 {
			for c := range 3 {
				p[c] = uint8(min((int(p[c])*255+a/2)/a, 255))
			}
		}
	}
	return img, nil
}
