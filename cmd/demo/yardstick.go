package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// yardstick is three-vrm in headless Chromium, which the table of figures is a ratio to: the same model, size and rate in
// the same run.
type yardstick struct {
	dir  string // where its page is built, empty where it is not to be had
	lack error
}

// yardPart is the part of its answer that the figures show.
type yardPart struct {
	CPU   float64 `json:"cpuPct"`
	FPS   float64 `json:"fps"`
	PSS   float64 `json:"pssMB"`
	First float64 `json:"firstFrameMs"`
}

// findYardstick builds the page in the user's cache. The test files hold its source, npm brings what it imports.
func findYardstick(ctx context.Context) yardstick {
	y := yardstick{}
	files := os.Getenv("YUI_TEST_FILES")
	if files == "" {
		y.lack = errors.New("YUI_TEST_FILES is not set")
		return y
	}
	for _, tool := range []string{"chromium", "node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			y.lack = fmt.Errorf("there is no %s", tool)
			return y
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		y.lack = err
		return y
	}
	dir := filepath.Join(cache, "yui-figures", "three-vrm")
	if y.lack = buildYardstick(ctx, files, dir); y.lack == nil {
		y.dir = dir
	}
	return y
}

func buildYardstick(ctx context.Context, files, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	from := filepath.Join(files, "bench", "three-vrm")
	for _, f := range []string{filepath.Join(from, "bench.mjs"), filepath.Join(from, "page.js"), filepath.Join(from, "index.html"),
		filepath.Join(from, "package.json"), godetteFile(), filepath.Join(files, "vrm", "vrma", "ChatVRM-idle_loop.vrma")} {
		b, err := os.ReadFile(f)
		if err != nil {
			return fmt.Errorf("read yardstick: %w", err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), b, 0o644); err != nil {
			return fmt.Errorf("copy yardstick: %w", err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "bundle.js")); err == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	for _, args := range [][]string{{"install", "--no-audit", "--no-fund"}, {"run", "build"}} {
		c := exec.CommandContext(ctx, "npm", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("npm %s: %w: %.300s", args[0], err, out)
		}
	}
	return nil
}

// measure runs the yardstick once and prints it.
func (y yardstick) measure(ctx context.Context, smooth bool, span time.Duration) {
	const what = "yardstick: three-vrm in Chromium"
	if y.dir == "" {
		fmt.Printf("%-34s not measured: %v\n", what, y.lack)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, span+2*time.Minute)
	defer cancel()
	aa := "0"
	if smooth {
		aa = "1"
	}
	c := exec.CommandContext(ctx, "node", "bench.mjs", "--gl", "gl", "--aa", aa, "--fps", "30", "--vrm", filepath.Base(godetteFile()),
		"--vrma", "ChatVRM-idle_loop.vrma", "--secs", strconv.Itoa(int(span.Seconds())))
	c.Dir = y.dir
	c.WaitDelay = 5 * time.Second
	out, err := c.Output()
	var p yardPart
	if err == nil {
		err = json.Unmarshal(out, &p)
	}
	if err != nil {
		fmt.Printf("%-34s not measured: %v\n", what, err)
		return
	}
	line(what, p.CPU/100, p.FPS, p.PSS)
	fmt.Printf("%-34s %.0f ms to the first frame\n", what, p.First)
}

// godetteFile is the whole character by others among the test files, empty where they are not set.
func godetteFile() string {
	files := os.Getenv("YUI_TEST_FILES")
	if files == "" {
		return ""
	}
	return filepath.Join(files, "vrm", "vrm0", "Godette_vrm_v4.vrm")
}

// line prints what a second costs: load is CPU seconds a second.
func line(what string, load, fps, mb float64) {
	fmt.Printf("%-34s cpu %5.1f %% of a core, %4.1f frames/s, %5.2f ms cpu a frame, memory %5.1f MB (PSS)\n", what, load*100, fps, load*1000/max(fps, 0.1), mb)
}
