package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// pet is a running YUI and its command line.
type pet struct {
	bin string
	env []string
	cmd *exec.Cmd
	dir string
	end func()
}

// startPet starts the binary in a home of its own, with the given settings, and waits until it answers.
func startPet(ctx context.Context, bin string, env []string, config string) (*pet, error) {
	dir, err := os.MkdirTemp("", "yui-demo-")
	if err != nil {
		return nil, err
	}
	// She speaks when she is spoken to: what is shown and measured is the script's.
	for name, text := range map[string]string{"config.toml": config, "rules.toml": "settle = \"1h\"\n"} {
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	p := &pet{bin: bin, dir: dir, env: append(env, "YUI_HOME="+dir)}
	p.cmd = exec.CommandContext(ctx, bin)
	p.cmd.Env = p.env
	log, err := os.Create(dir + "/stderr.log")
	if err != nil {
		return nil, err
	}
	p.cmd.Stderr = log
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", bin, err)
	}
	ended := make(chan struct{})
	go func() { _ = p.cmd.Wait(); close(ended) }()
	p.end = func() {
		_, _ = p.run(context.Background(), "quit")
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			_ = p.cmd.Process.Kill()
			<-ended
		}
		log.Close()
		os.RemoveAll(dir)
	}
	for range 100 {
		if _, err = p.run(ctx, "state"); err == nil {
			return p, nil
		}
		select {
		case <-ended:
			said, _ := os.ReadFile(dir + "/stderr.log")
			os.RemoveAll(dir)
			return nil, fmt.Errorf("start %s: it ended at once: %s", bin, said)
		case <-time.After(100 * time.Millisecond):
		}
	}
	p.end()
	return nil, fmt.Errorf("start %s: it does not answer: %w", bin, err)
}

// run runs a command of the command line and returns what it prints.
func (p *pet) run(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 40*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, p.bin, args...)
	c.Env = p.env
	out, err := c.CombinedOutput()
	text := strings.TrimSpace(string(out))
	if err != nil {
		return text, fmt.Errorf("yui %s: %w: %s", strings.Join(args, " "), err, text)
	}
	return text, nil
}

// petState is the part of `yui state` that the demo looks at.
type petState struct {
	Presets []struct {
		Posture struct {
			State string `json:"state"`
		} `json:"posture"`
		Feet, Seat   struct{ X, Y float64 }
		Window       struct{ X, Y, Width, Height int }
		Name, Motion string
		Frames       uint64
		FPS          int
	}
	Effects struct {
		Running int
		Frames  uint64
	}
}

// frames is how many frames all pets have drawn.
func (s petState) frames() (n uint64) {
	for _, p := range s.Presets {
		n += p.Frames
	}
	return n
}

func (p *pet) state(ctx context.Context) (petState, error) {
	var s petState
	text, err := p.run(ctx, "state")
	if err == nil {
		err = json.Unmarshal([]byte(text), &s)
	}
	if err == nil && len(s.Presets) == 0 {
		err = fmt.Errorf("no pet is open")
	}
	return s, err
}

// waitFor waits for a posture.
func (p *pet) waitFor(ctx context.Context, posture string, limit time.Duration) error {
	until := time.Now().Add(limit)
	for {
		s, err := p.state(ctx)
		if err != nil {
			return err
		}
		if s.Presets[0].Posture.State == posture {
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("she is %s after %s, not %s", s.Presets[0].Posture.State, limit, posture)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
