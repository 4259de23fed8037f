package app

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// An instance that hangs while it ends is left; one that ends in time is not, nor one that was never told to.
func TestEndIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		quits bool
		takes time.Duration
		left  bool
	}{"hangs": {true, time.Hour, true}, "ends": {true, endWait - time.Second, false}, "runs": {false, time.Hour, false}} {
		synctest.Test(t, func(t *testing.T) {
			ctx, quit := context.WithCancel(t.Context())
			defer quit()
			left := 0
			done := boundEnd(ctx, slog.New(slog.DiscardHandler), endWait, func(code int) { left += code })
			if c.quits {
				quit()
			}
			time.Sleep(c.takes) // the bubble's clock
			synctest.Wait()
			done()
			synctest.Wait()
			if (left == 1) != c.left {
				t.Errorf("%s: left %d times", name, left)
			}
		})
	}
}
