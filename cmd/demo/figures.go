package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// span is how long each figure is measured.
const span = 10 * time.Second

// yardHeight is how many pixels the yardstick's character is tall in its window of 400 by 600.
const yardHeight = 545

// measure prints the figures of the running binary (the table of figures): start, CPU, memory, and how late she is on a
// window that moves; each beside the yardstick's, in one run.
func measure(ctx context.Context, bin, _, wm string) error {
	yard := findYardstick(ctx)
	for _, smooth := range []bool{false, true} {
		fmt.Printf("anti-aliasing %v\n", smooth)
		if err := measureGodette(ctx, bin, wm, smooth); err != nil {
			return err
		}
		yard.measure(ctx, smooth, span)
		if err := measureOne(ctx, bin, wm, smooth); err != nil {
			return err
		}
	}
	return nil
}

func settings(smooth bool, height int) string {
	return fmt.Sprintf("[body]\nwalk = false\nheight = %d\n[window]\nanti_aliasing = %v\n", height, smooth)
}

// measureGodette measures the yardstick's model, as tall as the yardstick draws it.
func measureGodette(ctx context.Context, bin, wm string, smooth bool) error {
	if _, err := os.Stat(godetteFile()); err != nil {
		fmt.Printf("%-34s not measured: %v\n", "Godette", err)
		return nil
	}
	s, err := openStage(ctx, bin, wm, settings(smooth, yardHeight))
	if err != nil {
		return err
	}
	defer s.close()
	for _, args := range [][]string{{"import", godetteFile(), "--name", "Godette"}, {"open", "godette"}, {"close", "yui"}} {
		if _, err := s.pet.run(ctx, args...); err != nil {
			return err
		}
	}
	s.MovePointer(5, 5)
	time.Sleep(4 * time.Second)
	if err := s.report(ctx, "Godette as the yardstick, far"); err != nil {
		return err
	}
	if err := s.near(ctx); err != nil {
		return err
	}
	return s.report(ctx, "Godette as the yardstick, near")
}

// report measures the process for a while and prints it.
func (s *stage) report(ctx context.Context, what string) error {
	pid := s.pet.cmd.Process.Pid
	before, err := cpuTime(pid)
	if err != nil {
		return err
	}
	first, err := s.pet.state(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	time.Sleep(span)
	after, err := cpuTime(pid)
	if err != nil {
		return err
	}
	last, err := s.pet.state(ctx)
	if err != nil {
		return err
	}
	mem, err := pss(pid)
	took := time.Since(began).Seconds()
	line(what, (after-before).Seconds()/took, float64(last.frames()-first.frames())/took, mem)
	return err
}

// near moves the pointer beside her.
func (s *stage) near(ctx context.Context) error {
	st, err := s.pet.state(ctx)
	if err == nil {
		s.MovePointer(int(st.Presets[0].Feet.X)-150, int(st.Presets[0].Feet.Y)-60)
	}
	return err
}

func measureOne(ctx context.Context, bin, wm string, smooth bool) error {
	s, err := openStage(ctx, bin, wm, settings(smooth, 240))
	if err != nil {
		return err
	}
	defer s.close()
	s.MovePointer(5, 5)
	time.Sleep(4 * time.Second)
	if err := s.report(ctx, "idle, pointer far away"); err != nil {
		return err
	}
	if _, err := s.pet.run(ctx, "open", "momo"); err != nil {
		return err
	}
	time.Sleep(3 * time.Second)
	if err := s.report(ctx, "two pets, pointer far away"); err != nil {
		return err
	}
	if _, err := s.pet.run(ctx, "close", "momo"); err != nil {
		return err
	}
	if err := s.near(ctx); err != nil {
		return err
	}
	if err := s.report(ctx, "idle, pointer near"); err != nil {
		return err
	}
	if err := s.hidden(ctx); err != nil {
		return err
	}
	if err := s.celebrate(ctx); err != nil {
		return err
	}
	if err := s.ride(ctx); err != nil {
		return err
	}
	if err := s.starts(ctx, bin); err != nil {
		return err
	}
	if err := s.firstToken(ctx, bin); err != nil {
		return err
	}
	if err := s.freeze(ctx); err != nil {
		return err
	}
	return s.report(ctx, "with the bubble of a talk")
}

// celebrate measures confetti while it flies, and that nothing of it is left: no window, no thread, no frame.
func (s *stage) celebrate(ctx context.Context) error {
	before, err := s.leftovers(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	if _, err := s.pet.run(ctx, "call", "show_effect", `{"effect":"confetti"}`); err != nil {
		return err
	}
	var last petState
	for last, err = s.pet.state(ctx); err == nil && last.Effects.Running > 0; last, err = s.pet.state(ctx) {
		if time.Since(began) > 20*time.Second {
			return fmt.Errorf("confetti does not end")
		}
		time.Sleep(200 * time.Millisecond) // asking takes time of hers too
	}
	if err != nil {
		return err
	}
	const life = 2600 * time.Millisecond // of the burst
	after, err := s.leftovers(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%-34s %.1f frames/s (%d frames in a life of %s)\n", "confetti", float64(after.frames-before.frames)/life.Seconds(), after.frames-before.frames, life)
	fmt.Printf("%-34s windows %d -> %d, threads %d -> %d, frames drawn in the 2 s after %d\n", "after it", before.windows, after.windows, before.threads, after.threads, after.idle)
	return nil
}

// leftovers is what an effect could leave behind.
type leftovers struct {
	windows, threads int
	frames, idle     uint64 // drawn so far, and in the two seconds that were watched
}

func (s *stage) leftovers(ctx context.Context) (l leftovers, err error) {
	first, err := s.pet.state(ctx)
	if err != nil {
		return l, err
	}
	time.Sleep(2 * time.Second)
	last, err := s.pet.state(ctx)
	if err != nil {
		return l, err
	}
	tree, err := s.Run("xwininfo", "-root", "-tree")
	if err != nil {
		return l, err
	}
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", s.pet.cmd.Process.Pid))
	if err != nil {
		return l, err
	}
	return leftovers{strings.Count(tree, `("yui" "yui")`), len(tasks), first.Effects.Frames, last.Effects.Frames - first.Effects.Frames}, nil
}

// ride moves a window under her and measures when her window has followed, by asking the X server.
func (s *stage) ride(ctx context.Context) error {
	w, err := s.OpenXTerm("ride", 300, 400, 60, 12)
	if err != nil {
		return err
	}
	defer w.Close()
	time.Sleep(500 * time.Millisecond)
	if word, err := s.pet.run(ctx, "call", "body_action", `{"action":"sit_on_window","app":"XTerm"}`); err != nil || word != "ok" {
		return fmt.Errorf("sit: %s %w", word, err)
	}
	time.Sleep(2 * time.Second)
	lates, err := s.follow(ctx, w)
	if err != nil {
		return err
	}
	slices.Sort(lates)
	fmt.Printf("%-34s median %.1f ms, 99th percentile %.1f ms (%d moves)\n", "host moved -> pet moved", ms(lates[len(lates)/2]), ms(lates[len(lates)*99/100]), len(lates))
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// starts measures from the start of the process to the first drawn frame, as the log tells, warm.
func (s *stage) starts(ctx context.Context, bin string) error {
	var all []time.Duration
	for range 5 {
		p, err := startPet(ctx, bin, s.Env(), "")
		if err != nil {
			return err
		}
		log, err := os.ReadFile(p.dir + "/stderr.log")
		p.end()
		if err != nil {
			return err
		}
		_, rest, ok := strings.Cut(string(log), "first_frame=")
		if !ok {
			return fmt.Errorf("the log does not tell the first frame: %s", log)
		}
		d, err := time.ParseDuration(strings.Fields(rest)[0])
		if err != nil {
			return err
		}
		all = append(all, d)
	}
	slices.Sort(all)
	fmt.Printf("%-34s %.0f ms (median of %d)\n", "start -> first drawn frame", ms(all[len(all)/2]), len(all))
	return nil
}

// cpuTime is what the process has used on all threads.
func cpuTime(pid int) (time.Duration, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+2:]))
	user, err1 := strconv.Atoi(f[11])
	system, err2 := strconv.Atoi(f[12])
	if err1 != nil || err2 != nil {
		return 0, fmt.Errorf("read /proc/%d/stat", pid)
	}
	return time.Duration(user+system) * 10 * time.Millisecond, nil
}

// pss is the process's proportional memory in megabytes.
func pss(pid int) (float64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	for _, line := range strings.Split(string(b), "\n") {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			return float64(kb) / 1024, err
		}
	}
	return 0, fmt.Errorf("no Pss in /proc/%d/smaps_rollup", pid)
}
