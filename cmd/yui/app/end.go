package app

import (
	"context"
	"log/slog"
	"time"
)

// endWait is how long the instance may take to end once it has been told to. Everything that it waits for itself has a
// shorter deadline; a library of the window system may wait for ever, as Xlib does for an input method that died meanwhile.
const endWait = 30 * time.Second

// boundEnd calls exit, as os.Exit, where the instance is still there endWait after ctx ended: one that hangs holds the lock, and no other
// could start. Call done when the instance has ended.
func boundEnd(ctx context.Context, log *slog.Logger, wait time.Duration, exit func(code int)) (done func()) {
	ended, finish := context.WithCancel(context.Background())
	context.AfterFunc(ctx, func() {
		select {
		case <-ended.Done():
		case <-time.After(wait):
			log.Error("what the windows stand on does not let go; left without it")
			exit(1)
		}
	})
	return finish
}
