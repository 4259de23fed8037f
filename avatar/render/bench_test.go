package render

import (
	"math"
	"os"
	"sort"
	"syscall"
	"testing"
	"time"

	gl "github.com/go-gl/gl/v3.1/gles2"

	"yui/avatar/motion"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
	"yui/avatar/vrm/vrmtest"
)

// cpuTime is what this process has used on all its threads, the driver's included.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// sway is a cheap idle: every bone above the hips moves a little in each frame, and the eyes blink now and then.
type sway struct {
	m     *vrm.Model
	pose  *motion.Pose
	bones map[vrm.Bone][3]float32
	blink int
}

func newSway(m *vrm.Model) *sway {
	s := &sway{m: m, pose: &motion.Pose{World: make([]geom.Mat4, len(m.Nodes)), Expressions: make([]float32, len(m.Expressions))},
		bones: map[vrm.Bone][3]float32{}, blink: -1}
	for b, e := range standing {
		s.bones[b] = e
	}
	for i := range m.Expressions {
		if m.Expressions[i].Name == "blink" {
			s.blink = i
		}
	}
	return s
}

func (s *sway) step(i int) *motion.Pose {
	a := math.Sin(float64(i) / 15)
	s.bones[vrm.Spine] = [3]float32{float32(2 * a), float32(1.5 * math.Cos(float64(i)/21)), 0}
	s.bones[vrm.Head] = [3]float32{0, float32(3 * a), 3}
	poseInto(s.pose, s.m, 0, s.bones)
	if s.blink >= 0 {
		s.pose.Expressions[s.blink] = max(0, 1-float32(math.Abs(float64(i%120)-60))/3)
	}
	return s.pose
}

type benchCase struct {
	name string
	w, h int
	q    Quality
	opt  Options
}

var benchCases = []benchCase{
	{"400x600", 400, 600, Off, Options{}},
	{"320x340", 320, 340, Off, Options{}},
	{"400x600-on", 400, 600, On, Options{}},
	{"400x600-msaa4", 400, 600, On, Options{Samples: 4}},
	{"320x340-on", 320, 340, On, Options{}},
}

// BenchmarkFrame draws frames back to back, each finished and shown.
func BenchmarkFrame(b *testing.B) {
	for _, who := range []string{"godette", "yui"} {
		for _, c := range benchCases {
			b.Run(who+"/"+c.name, func(b *testing.B) { benchFrames(b, who, c, 0) })
		}
	}
}

// BenchmarkPaced draws at 30 frames a second, as a pet does, with all that sleeping costs; ms-cpu/frame times 3 is
// percent of a core.
func BenchmarkPaced(b *testing.B) {
	for _, who := range []string{"godette", "yui"} {
		for _, c := range benchCases[:3] {
			b.Run(who+"/"+c.name, func(b *testing.B) { benchFrames(b, who, c, time.Second/30) })
		}
	}
}

func benchModel(b *testing.B, who string) *vrm.Model {
	if who == "godette" {
		return godette(b)
	}
	return character(b, who)
}

func benchFrames(b *testing.B, who string, c benchCase, every time.Duration) {
	m := benchModel(b, who)
	onGL(b, c.w, c.h, func(t T, win window) {
		c.opt.Quality = c.q
		r, err := New(c.opt)
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Upload(m)
		if err != nil {
			t.Fatal(err)
		}
		tg, err := NewTarget(r, c.w, c.h)
		if err != nil {
			t.Fatal(err)
		}
		win.Show()
		v, sw := fit(m, c.w, c.h), newSway(m)
		frame := func(i int) {
			if err := tg.Draw(s, sw.step(i), v); err != nil {
				t.Fatal(err)
			}
			win.SwapBuffers()
		}
		for i := range 10 {
			frame(i)
		}
		gl.Finish()
		b.ReportAllocs()
		b.ResetTimer()
		start, next := cpuTime(), time.Now()
		each := make([]float64, b.N)
		last := start
		for i := range b.N {
			frame(i)
			now := cpuTime()
			each[i], last = float64(now-last)/1e6, now
			if every > 0 {
				next = next.Add(every)
				time.Sleep(time.Until(next))
			}
		}
		gl.Finish()
		b.StopTimer()
		b.ReportMetric(float64(cpuTime()-start)/1e6/float64(b.N), "ms-cpu/frame")
		// The quiet tenth tells more than the mean where other programs share the caches.
		sort.Float64s(each)
		b.ReportMetric(each[len(each)/10], "ms-cpu-p10")
		b.ReportMetric(each[0], "ms-cpu-min")
		tg.Release()
		s.Release()
		r.Release()
	})
}

// BenchmarkFirstFrame measures what a start adds: programs, upload and one frame.
func BenchmarkFirstFrame(b *testing.B) {
	for _, who := range []string{"godette", "yui"} {
		b.Run(who, func(b *testing.B) {
			m := benchModel(b, who)
			onGL(b, 400, 600, func(t T, win window) {
				b.ResetTimer()
				start := cpuTime()
				for range b.N {
					g := newRig(t, m, 400, 600)
					if err := g.t.Draw(g.s, restPose(m), fit(m, 400, 600)); err != nil {
						t.Fatal(err)
					}
					gl.Finish()
					g.release()
				}
				b.ReportMetric(float64(cpuTime()-start)/1e6/float64(b.N), "ms-cpu")
			})
		})
	}
}

// BenchmarkMask reads a frame's outline, as is done when the input shape is due.
func BenchmarkMask(b *testing.B) {
	m := character(b, "yui")
	for _, step := range []int{1, 2, 4} {
		b.Run(map[int]string{1: "1", 2: "2", 4: "4"}[step], func(b *testing.B) {
			onGL(b, 400, 600, func(t T, win window) {
				g := newRig(t, m, 400, 600)
				defer g.release()
				if err := g.t.Draw(g.s, restPose(m), fit(m, 400, 600)); err != nil {
					t.Fatal(err)
				}
				gl.Finish()
				mw, mh := MaskSize(400, 600, step)
				dst, reg, n := make([]byte, mw*mh), &Region{}, 0
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					if _, err := g.t.Mask(dst, step); err != nil {
						t.Fatal(err)
					}
					r, _ := Outline(dst, mw, mh, 25, reg)
					n = len(r)
				}
				b.ReportMetric(float64(n), "rects")
			})
		})
	}
}

// BenchmarkLoadToFrame measures all that stands between a model's bytes and its first frame, but the start of the
// renderer: reading, preparing, measuring for the motions, uploading, drawing.
func BenchmarkLoadToFrame(b *testing.B) {
	bundled := func(id string) []byte {
		data, err := os.ReadFile("../../assets/characters/" + id + ".vrm")
		if err != nil {
			b.Skip(err)
		}
		return data
	}
	for _, c := range []struct {
		name string
		data func() []byte
	}{
		{"dressed-14MB", vrmtest.Dressed},
		{"yui", func() []byte { return bundled("yui") }}, {"yui-small", func() []byte { return bundled("yui-small") }},
	} {
		b.Run(c.name, func(b *testing.B) {
			data := c.data()
			onGL(b, 320, 340, func(t T, win window) {
				r, err := New(Options{Quality: On, TexturePixels: 480})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Release()
				tg, err := NewTarget(r, 320, 340)
				if err != nil {
					t.Fatal(err)
				}
				defer tg.Release()
				var main, longest time.Duration
				onMain := func(f func()) {
					began := time.Now()
					f()
					gl.Finish()
					took := time.Since(began)
					main, longest = main+took, max(longest, took)
				}
				b.ReportAllocs()
				b.ResetTimer()
				cpu := cpuTime()
				for range b.N {
					m, err := vrm.Load(data)
					if err != nil {
						t.Fatal(err)
					}
					ready, err := Prepare(m)
					if err != nil {
						t.Fatal(err)
					}
					d, err := r.Deliver(m, ready)
					if err != nil {
						t.Fatal(err)
					}
					for d.Make() {
						onMain(func() {
							if err := d.Send(); err != nil {
								t.Fatal(err)
							}
						})
					}
					s := d.Scene()
					var p *motion.Player
					onMain(func() { p = motion.NewPlayer(m, motion.NewLibrary(), 1) })
					onMain(func() {
						if err := tg.Draw(s, p.Step(time.Second/30, motion.Input{}), fit(m, 320, 340)); err != nil {
							t.Fatal(err)
						}
					})
					s.Release()
				}
				b.StopTimer()
				n := float64(b.N)
				b.ReportMetric(float64(cpuTime()-cpu)/1e6/n, "ms-cpu")
				b.ReportMetric(float64(main)/1e6/n, "ms-main-thread")
				b.ReportMetric(float64(longest)/1e6, "ms-longest-task")
			})
		})
	}
}
