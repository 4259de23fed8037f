package tools

import (
	"context"
	"errors"
	"image"
	"time"

	"yui/assets/lang"
	"yui/internal/protocol"

	"golang.org/x/image/draw"
)

// Camera is what see_camera needs of the desktop.
type Camera interface {
	// CameraAllowed is the switch yui.camera at this moment.
	CameraAllowed() bool
	// Looking shows and takes away the mark by the pet. It is true from before the camera opens until after it closed.
	Looking(on bool)
	// Frame opens the camera, takes one picture and closes it again, before ctx ends. Its errors are those below, or
	// others for a camera that does not work.
	Frame(ctx context.Context) (image.Image, error)
}

// Why a camera gives no picture. Packages that read cameras wrap them.
var (
	ErrNoCamera     = errors.New("no camera")
	ErrCameraBusy   = errors.New("the camera is in use")
	ErrCameraDenied = errors.New("no permission for the camera")
)

// frameWait is how long a camera may take to give its picture.
const frameWait = 8 * time.Second

// NewSeeCamera returns see_camera. vision is who looks at the moment of a call, nil where nobody can. Hand the tool to a
// Guard with CameraRule.
func NewSeeCamera(w *lang.Words, camera Camera, vision func() Vision) Tool {
	s := &seeCamera{words: w, camera: camera, vision: vision, frameWait: frameWait, visionWait: visionWait}
	return Tool{Name: protocol.Camera, Switch: "camera", Define: s.define, Run: s.run}
}

func (s *seeCamera) define() Definition {
	return Definition{
		Description: s.words.Text("tool.camera.about"),
		Parameters: schema(map[string]any{
			"focus": map[string]any{"type": "string", "description": s.words.Text("tool.camera.focus")},
		}),
	}
}

// CameraRule asks until the person has allowed it once (docs/rules/tools.md#asking).
func CameraRule(w *lang.Words, camera Camera, vision func() Vision, given Consent) Rule {
	return Rule{Once: given, Question: func(Call) (Question, bool) {
		v := vision()
		if v == nil || !camera.CameraAllowed() {
			return Question{}, false
		}
		body := w.Text("tool.camera.ask_once")
		where := v.Where()
		if where == "" {
			where = w.Text("tool.camera.chat_model")
		}
		body += "\n" + w.Text("tool.camera.shown_to", lang.Args{"where": where})
		return Question{Title: w.Text("tool.camera.ask"), Body: body}, true
	}}
}

type seeCamera struct {
	words                 *lang.Words
	camera                Camera
	vision                func() Vision
	frameWait, visionWait time.Duration
}

// focusLimit is how much of the focus is asked for, in units.
const focusLimit = 200

func (s *seeCamera) run(ctx context.Context, call Call) Result {
	if !s.camera.CameraAllowed() {
		return s.fail("tool.camera.off")
	}
	vision := s.vision()
	if vision == nil {
		return s.fail("tool.camera.no_vision")
	}
	focus, _ := text(fields(call.Args), "focus")
	focus, _ = shorten(oneLine(focus), focusLimit)
	picture, err := s.take(ctx)
	if ctx.Err() != nil {
		return Result{Text: protocol.TurnStopped}
	}
	if err != nil {
		return s.frameFailure(err)
	}
	limited, cancel := context.WithTimeout(ctx, s.visionWait)
	defer cancel()
	seen, err := vision.See(limited, picture, s.prompt(focus))
	if ctx.Err() != nil {
		return Result{Text: protocol.TurnStopped}
	}
	if err != nil {
		return s.visionFailure(err)
	}
	if seen.Text == "" {
		seen.Text = s.words.Text("tool.camera.picture")
		return seen
	}
	seen.Text = s.words.Text("tool.camera.described") + "\n\n" + seen.Text
	return seen
}

// take shows the mark for as long as the camera is open, and returns the picture as a data URL.
func (s *seeCamera) take(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.frameWait)
	defer cancel()
	s.camera.Looking(true)
	defer s.camera.Looking(false)
	img, err := s.camera.Frame(ctx)
	if err != nil {
		if ctx.Err() != nil {
			err = context.DeadlineExceeded
		}
		return "", err
	}
	return PictureURL(shrink(img))
}

// shrink brings a large picture to the size of PictureURL in a fraction of its time: a photograph holds no small print
// that needs better.
func shrink(img image.Image) image.Image {
	b := img.Bounds()
	long := max(b.Dx(), b.Dy())
	if long <= shotLongEdge {
		return img
	}
	part := func(n int) int { return max(1, (n*shotLongEdge+long/2)/long) }
	small := image.NewRGBA(image.Rect(0, 0, part(b.Dx()), part(b.Dy())))
	// Scaling by two points would leave out what lies between them where it shrinks by more than two.
	if y, ok := img.(*image.YCbCr); ok && long/shotLongEdge > 1 {
		img = averaged(y, long/shotLongEdge)
	}
	draw.ApproxBiLinear.Scale(small, small.Bounds(), img, img.Bounds(), draw.Src, nil)
	return small
}

// averaged makes one pixel of each k by k; what is over at the right and below is left out.
func averaged(src *image.YCbCr, k int) *image.YCbCr {
	b := src.Bounds()
	dst := image.NewYCbCr(image.Rect(0, 0, max(1, b.Dx()/k), max(1, b.Dy()/k)), src.SubsampleRatio)
	plane := func(to, from []byte, toStride, fromStride, fromX, fromY, w, h int) {
		for y := range h {
			row := to[y*toStride : y*toStride+w]
			for x := range row {
				sum, n := 0, 0
				for dy := range min(k, fromY-y*k) {
					at := (y*k+dy)*fromStride + x*k
					for _, v := range from[at : at+min(k, fromX-x*k)] {
						sum, n = sum+int(v), n+1
					}
				}
				if n > 0 {
					row[x] = byte((sum + n/2) / n)
				}
			}
		}
	}
	plane(dst.Y, src.Y[src.YOffset(b.Min.X, b.Min.Y):], dst.YStride, src.YStride, b.Dx(), b.Dy(), dst.Rect.Dx(), dst.Rect.Dy())
	c := src.COffset(b.Min.X, b.Min.Y)
	cw, ch := src.COffset(b.Max.X-1, b.Min.Y)-c+1, (src.COffset(b.Min.X, b.Max.Y-1)-c)/src.CStride+1
	dw, dh := dst.CStride, len(dst.Cb)/dst.CStride
	plane(dst.Cb, src.Cb[c:], dst.CStride, src.CStride, cw, ch, dw, dh)
	plane(dst.Cr, src.Cr[c:], dst.CStride, src.CStride, cw, ch, dw, dh)
	return dst
}

// prompt asks a vision model in the language that the answer shall have.
func (s *seeCamera) prompt(focus string) string {
	if focus == "" {
		focus = s.words.Text("tool.camera.everything")
	}
	return s.words.Text("tool.camera.prompt", lang.Args{"focus": focus})
}

func (s *seeCamera) fail(key lang.Key) Result {
	return Result{Text: "error: " + s.words.Text(key)}
}

func (s *seeCamera) frameFailure(err error) Result {
	switch {
	case errors.Is(err, ErrNoCamera):
		return s.fail("tool.camera.none")
	case errors.Is(err, ErrCameraBusy):
		return s.fail("tool.camera.busy")
	case errors.Is(err, ErrCameraDenied):
		return s.fail("tool.camera.denied")
	case errors.Is(err, context.DeadlineExceeded):
		return s.fail("tool.camera.late")
	}
	return s.fail("tool.camera.unreadable")
}

func (s *seeCamera) visionFailure(err error) Result {
	var f *webFailure
	if errors.As(err, &f) && f.kind == failMissing {
		return s.fail("tool.camera.vision_missing")
	}
	return Result{Text: tellFailure(s.words, s.words.Text("tool.camera.vision_model"), err)}
}
