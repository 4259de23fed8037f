package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/gofrs/flock"

	"yui/assets/lang"
	"yui/chat"
	"yui/cmd/yui/backend"
	"yui/cmd/yui/control"
	"yui/cmd/yui/logs"
	"yui/cmd/yui/settings"
	"yui/overlay/window"
	"yui/platform"
)

// Start runs YUI until ctx ends or the person quits. Call it on the main thread. Where an instance runs already it
// shows that one's pets. A failure is told by a desktop notification as well: whoever starts YUI from a
// menu sees no terminal.
func Start(ctx context.Context, paths settings.Paths, version string) error {
	err := start(ctx, paths, version)
	var told control.Exit
	if err != nil && ctx.Err() == nil && !errors.As(err, &told) {
		notifyFailure(ctx, paths, err)
	}
	return err
}

// notifyFailure is the last resort where no pet can be shown: after it there is only stderr.
func notifyFailure(ctx context.Context, paths settings.Paths, err error) {
	cfg, _ := settings.ReadConfig(paths.Config) // its language is all that matters here
	w := lang.In(cfg.Language)
	if told := platform.Notify(ctx, w.Text("start.failed"), err.Error()+"\n"+w.Text("start.ask_doctor")); told != nil {
		fmt.Fprintln(os.Stderr, "yui:", told)
	}
}

func start(ctx context.Context, paths settings.Paths, version string) error {
	if err := paths.Close(); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	lock := flock.New(paths.Lock)
	mine, err := lock.TryLock()
	if err != nil {
		return fmt.Errorf("lock %s: %w", paths.Lock, err)
	}
	if !mine {
		return wakeOther(ctx, paths)
	}
	defer lock.Unlock()
	set, mistakes := settings.Open(paths)
	ctx, quit := context.WithCancel(ctx)
	defer quit()
	crash, inPeace, unwatched := logs.Watch(paths.Logs, version)
	file := logs.Open(paths.Logs)
	defer file.Close()
	log := slog.New(slog.NewTextHandler(io.MultiWriter(os.Stderr, file), &slog.HandlerOptions{Level: slog.LevelInfo}))
	a, err := newApp(ctx, quit, paths, version, set, log)
	if err != nil {
		return err
	}
	if unwatched != nil {
		log.Warn("a fault of this run will leave no report", "error", unwatched)
	}
	if mistakes != nil {
		a.log.Warn("what is wrong in the settings counts as left out", "error", mistakes)
		a.warn(a.words.Text("settings.mistakes", lang.Args{"mistakes": paths.InBubble(mistakes)}))
	}
	if crash.Report != "" {
		a.log.Warn("the last run ended by a fault", "report", crash.Report)
		a.warn(a.words.Text("start.crashed", lang.Args{"report": crash.Report}))
	}
	defer boundEnd(ctx, log, endWait, os.Exit)()
	err = a.run(ground{window.NewLoop, platform.Open})
	inPeace() // an error is told; only a fault leaves a report
	return err
}

// newApp is an instance that does not run yet; quit ends ctx. An error is one of the words that come with the program.
func newApp(ctx context.Context, quit context.CancelFunc, paths settings.Paths, version string, set *settings.Settings, log *slog.Logger) (*App, error) {
	book, err := lang.Open(lang.Files(), log)
	if err != nil {
		return nil, err
	}
	a := &App{given: given{paths, version, set, book.In(set.Config().Language), log, &chat.FileRecorder{Dir: paths.Logs}, ctx, quit}}
	a.broker = backend.NewPublisher(version, log)
	return a, nil
}

// wakeOther asks the running instance to show its pets. It may still be starting.
func wakeOther(ctx context.Context, paths settings.Paths) error {
	for range 50 {
		err := control.Ask(ctx, paths.Socket, control.Request{Command: "show"}, io.Discard, os.Stderr)
		if !errors.Is(err, control.ErrNotRunning) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("another instance holds the lock but does not answer")
}
