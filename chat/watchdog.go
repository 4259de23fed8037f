package chat

import (
	"sync"
	"time"
)

// watchdog ends a stream that has been silent for too long: a shorter wait after speech, a longer one otherwise
// (docs/rules/chat.md#timeouts). Any event starts the wait anew.
type watchdog struct {
	mu     sync.Mutex
	limits Limits
	timer  *time.Timer
	speech bool // the last event was speech
}

func (w *watchdog) start(limits Limits, expire func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limits, w.speech = limits, false
	w.timer = time.AfterFunc(limits.Otherwise, expire)
}

func (w *watchdog) beat(speech bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer == nil {
		return
	}
	w.speech = speech
	wait := w.limits.Otherwise
	if speech {
		wait = w.limits.AfterSpeech
	}
	w.timer.Reset(wait)
}

func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}

func (w *watchdog) stage() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.speech {
		return stageSpeech
	}
	return stagePreSpeech
}
