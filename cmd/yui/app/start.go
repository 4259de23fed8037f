package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"gopkg.in/natefinch/lumberjack.v2"

	"yui/chat"
	"yui/cmd/yui/control"
	"yui/cmd/yui/settings"
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
	w := wordsFor(cmp.Or(cfg.Language, systemLanguage()))
	if told := platform.Notify(ctx, w.cannotStart, err.Error()+"\n"+w.askDoctor); told != nil {
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
	cfg, mistakes := settings.LoadConfig(paths)
	ctx, quit := context.WithCancel(ctx)
	defer quit()
	a := &App{paths: paths, version: version, cfg: cfg, ctx: ctx, quit: quit, records: &chat.FileRecorder{Dir: paths.Logs}}
	a.log = slog.New(slog.NewTextHandler(logTo(paths), &slog.HandlerOptions{Level: slog.LevelInfo}))
	if a.cfg.Language == "" {
		a.cfg.Language = systemLanguage()
	}
	a.words = wordsFor(a.cfg.Language)
	if mistakes != nil {
		a.log.Warn("what is wrong in the settings counts as left out", "error", mistakes)
		a.warn(fmt.Sprintf(a.words.mistake, paths.InBubble(mistakes)))
	}
	if err := a.run(); err != nil {
		return err
	}
	return nil
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

func logTo(paths settings.Paths) io.Writer {
	return io.MultiWriter(os.Stderr, &lumberjack.Logger{Filename: filepath.Join(paths.Logs, "yui.log"), MaxSize: 5, MaxBackups: 2})
}
