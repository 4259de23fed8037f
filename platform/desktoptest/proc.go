//go:build !windows && !darwin

package desktoptest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// proc is a started program with a process group of its own.
type proc struct {
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed when the program has ended and was reaped
}

func (p *proc) alive() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// signal reaches the whole process group (a panel starts helpers).
func (p *proc) signal(sig syscall.Signal) {
	if p.alive() {
		// ESRCH means that it ended just now.
		_ = syscall.Kill(-p.cmd.Process.Pid, sig)
	}
}

// kill ends the program at once and waits for it.
func (p *proc) kill() {
	p.signal(syscall.SIGKILL)
	<-p.done
}

// endAll asks the programs to end and kills those that have not done so in time.
func endAll(procs []*proc) {
	for _, p := range procs {
		p.signal(syscall.SIGTERM)
	}
	limit := time.After(time.Second)
	for _, p := range procs {
		select {
		case <-p.done:
		case <-limit:
			for _, left := range procs {
				left.signal(syscall.SIGKILL)
			}
			<-p.done
		}
	}
}

// starter starts programs from one locked thread. Linux sends the parent death signal when the thread that forked
// ends, not the process; a thread of ours that lives as long as the desktop makes it mean what we want: programs end
// with us, even when a test binary is killed by its timeout and runs no cleanup.
type starter struct {
	work chan func()
	once sync.Once
}

func newStarter() *starter {
	s := &starter{work: make(chan func())}
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		for f := range s.work {
			f()
		}
	}()
	return s
}

func (s *starter) close() { s.once.Do(func() { close(s.work) }) }

func (s *starter) start(cmd *exec.Cmd) error {
	result := make(chan error, 1)
	s.work <- func() { result <- cmd.Start() }
	return <-result
}

// spawn starts a program on the desktop; its output goes to Dir/log/NAME.log.
func (d *Desktop) spawn(name string, extra []*os.File, args ...string) (*proc, error) {
	log, err := os.OpenFile(filepath.Join(d.Dir, "log", name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open log of %s: %w", name, err)
	}
	defer log.Close()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = d.Env()
	cmd.Dir = filepath.Join(d.Dir, "home")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = extra
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := d.starter.start(cmd); err != nil {
		return nil, fmt.Errorf("start %s: %w", args[0], err)
	}
	p := &proc{name: name, cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended is in its log
		close(p.done)
	}()
	return p, nil
}

// Run runs a program on the desktop to its end, at most 20 s, and returns what it printed.
func (d *Desktop) Run(args ...string) (string, error) {
	if len(args) == 0 {
		return "", errors.New("run program: no command")
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = d.Env()
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := d.starter.start(cmd); err != nil {
		return "", fmt.Errorf("run %s: %w", args[0], err)
	}
	timer := time.AfterFunc(startLimit, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer timer.Stop()
	if err := cmd.Wait(); err != nil {
		return out.String(), fmt.Errorf("run %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(out.String()))
	}
	return out.String(), nil
}

// logTail is the end of every part's log, for the message of a failed start.
func (d *Desktop) logTail() string {
	files, _ := filepath.Glob(filepath.Join(d.Dir, "log", "*.log"))
	var b strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || len(text) == 0 {
			continue
		}
		if len(text) > 800 {
			text = text[len(text)-800:]
		}
		fmt.Fprintf(&b, "\n%s: %s", filepath.Base(file), strings.TrimSpace(string(text)))
	}
	return b.String()
}
