package browser

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"yui/internal/proc"
	"yui/tools"
)

// Limits is how long things may take. The zero value of a field is that of docs/tools.md#browser.
type Limits struct {
	Deadline time.Duration // the script stops itself; 25 s
	Backstop time.Duration // the relay kills the command; 28 s from its start
	Wait     time.Duration // the call answers, whatever goes on; 32 s with the wait for the lock
	// Drain is how long after its exit the command's output is still read where a process that it left behind holds the
	// pipe; 500 ms.
	Drain time.Duration
}

func (l Limits) filled() Limits {
	fill := func(d *time.Duration, to time.Duration) {
		if *d <= 0 {
			*d = to
		}
	}
	fill(&l.Deadline, 25*time.Second)
	fill(&l.Backstop, 28*time.Second)
	fill(&l.Wait, 32*time.Second)
	fill(&l.Drain, 500*time.Millisecond)
	return l
}

// RelayOptions configures a Relay. The zero value is the ordinary one.
type RelayOptions struct {
	Limits Limits
	// Temp is the folder in which the screenshot folders are made; the system's temp folder where it is "".
	Temp string
	// Find returns the path of ego-browser, and false where there is none; Find of this package where it is nil.
	Find func() (path string, found bool)
	// Env is the environment of the command. Where it is nil the command has that of this process without the keys that
	// YUI's own config names (docs/rules/desktop.md#presets): no page has a use for them.
	Env func() []string
}

// Relay starts ego-browser for the windows of a process, one run at a time in each task space.
type Relay struct {
	limits Limits
	temp   string
	find   func() (string, bool)
	env    func() []string

	ctx  context.Context // ends with Close
	stop context.CancelFunc
	runs sync.WaitGroup
	made atomic.Int64 // screenshot folders made

	mu     sync.Mutex
	closed bool
	spaces map[string]*space
}

// space is what the relay knows of a task space: who runs in it, and whether something may run in it unseen.
type space struct {
	turn    chan struct{} // holds one token while nobody runs
	overlap atomic.Bool   // a command was killed, and no call has been told of it yet
}

// NewRelay returns a relay. It starts nothing until a call comes.
func NewRelay(o RelayOptions) *Relay {
	r := &Relay{limits: o.Limits.filled(), temp: o.Temp, find: o.Find, env: o.Env, spaces: map[string]*space{}}
	if r.temp == "" {
		r.temp = os.TempDir()
	}
	if r.find == nil {
		r.find = Find
	}
	if r.env == nil {
		r.env = func() []string { return proc.Env() }
	}
	r.ctx, r.stop = context.WithCancel(context.Background())
	return r
}

// Wait is how long a call of browser takes at most, the asking included.
func (r *Relay) Wait() time.Duration { return r.limits.Wait }

// Close kills the commands that run and removes what they leave; it returns when that is done or ctx ends. Task spaces
// are not closed (docs/tools.md#browser). Later calls answer "error: turn stopped".
func (r *Relay) Close(ctx context.Context) error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.stop()
	done := make(chan struct{})
	go func() { r.runs.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close browser relay: %w", ctx.Err())
	}
}

// start counts a run; it is false once the relay is closed.
func (r *Relay) start() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.runs.Add(1)
	return true
}

func (r *Relay) space(name string) *space {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.spaces[name]
	if !ok {
		s = &space{turn: make(chan struct{}, 1)}
		s.turn <- struct{}{}
		r.spaces[name] = s
	}
	return s
}

// script waits for the space, runs code in it and answers; where the turn or the wait ends first it answers at once, and
// the run goes on without it, holding the space's lock.
func (r *Relay) script(ctx context.Context, wait <-chan struct{}, name, code string, on func() bool) tools.Result {
	s := r.space(name)
	select {
	case <-s.turn:
	case <-ctx.Done():
		return text(resultStopped)
	case <-r.ctx.Done():
		return text(resultStopped)
	case <-wait:
		return text(resultUnknown)
	}
	free := func() { s.turn <- struct{}{} }
	// The person may have turned the switch off, and the turn may have been stopped, while another script ran.
	// Of an end and a free space at once neither comes first: the end counts.
	switch {
	case ctx.Err() != nil:
		free()
		return text(resultStopped)
	case closed(wait):
		free()
		return text(resultUnknown)
	case !r.start():
		free()
		return text(resultStopped)
	case !on():
		r.runs.Done()
		free()
		return text(resultOff)
	}
	told := s.overlap.Load()
	done := make(chan tools.Result, 1)
	go func() {
		defer r.runs.Done()
		defer free()
		res, killed := r.execute(name, code, told)
		if killed {
			s.overlap.Store(true)
			told = false
		}
		done <- res
	}()
	select {
	case res := <-done:
		if told {
			s.overlap.Store(false) // this result says it
		}
		return res
	case <-ctx.Done():
		return text(resultStopped)
	case <-wait:
		return text(resultUnknown)
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// execute is one run: folder, command, screenshots. It returns when the command has exited and nothing of it is left;
// killed says that the backstop ended it.
func (r *Relay) execute(name, code string, overlap bool) (res tools.Result, killed bool) {
	defer func() {
		if p := recover(); p != nil { // a turn's goroutine would have caught it; here the whole pet would end
			res = text(fmt.Sprintf("error: %v", p))
		}
	}()
	path, found := r.find()
	if !found {
		return text(resultNotFound), false
	}
	folder, err := r.makeFolder()
	if err != nil {
		return text(resultNoFolder + reason(err)), false
	}
	defer removeFolder(folder)
	run, err := r.command(r.ctx, path, "nodejs", wrap(name, folder, code, r.limits.Deadline), false)
	if err != nil {
		return text(resultNoStart + reason(err)), false
	}
	shots := collect(folder)
	return run.result(shots, overlap), run.killed
}

// result is what a run answers.
func (run *finished) result(shots shots, overlap bool) tools.Result {
	notes := shots.notes()
	status := ""
	switch {
	case run.killed && run.stderr.total == 0 && len(shots.images)+len(notes) == 0 && !overlap:
		return text(resultUnknown) // there is nothing to show
	case run.killed:
		status = resultUnknown
	case run.code != 0 && run.stderr.sawDeadline():
		status = resultTimeLimit
	case run.code != 0:
		status = resultFailed
	}
	return tools.Result{Text: compose(status, overlap, &run.stderr, notes), Images: shots.images}
}

// guide runs `ego-browser skill`. It touches no page, so it needs no lock, and it is killed with the turn.
func (r *Relay) guide(ctx context.Context, wait <-chan struct{}) tools.Result {
	if ctx.Err() != nil || !r.start() {
		return text(resultStopped)
	}
	killing, kill := context.WithCancel(r.ctx)
	done := make(chan tools.Result, 1)
	go func() {
		defer r.runs.Done()
		defer kill()
		done <- r.skill(killing)
	}()
	select {
	case res := <-done:
		if ctx.Err() != nil {
			return text(resultStopped)
		}
		return res
	case <-ctx.Done():
		kill()
		return text(resultStopped)
	case <-wait:
		kill()
		return text(resultGuideTimedOut)
	}
}

func (r *Relay) skill(ctx context.Context) tools.Result {
	path, found := r.find()
	if !found {
		return text(resultNotFound)
	}
	run, err := r.command(ctx, path, "skill", "", true)
	switch {
	case err != nil:
		return text(resultNoStart + reason(err))
	case run.killed:
		return text(resultGuideTimedOut)
	case run.code != 0:
		return text(fit(resultGuideFailed, run.stderr.text(), run.stderr.cut(), ""))
	}
	return text(fit("", run.stdout.text(), run.stdout.cut(), ""))
}
