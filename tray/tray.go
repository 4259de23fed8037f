package tray

import (
	"context"
	"sync"
	"time"
)

// Tray is a running tray icon. All methods are safe from any goroutine, and none of them waits for the tray host.
//
// The library behind it has one icon and one menu for the whole process, so that only one Tray runs at a time.
type Tray struct {
	icon    []byte
	intents func(Intent)
	cancel  context.CancelFunc
	done    chan struct{}
	poked   chan struct{} // the wanted menu changed
	clicks  chan func()   // clicks on their way to intents, in order
	rows    *rows         // belongs to the goroutine of own; nil before the first

	mu         sync.Mutex
	wanted     Menu
	registered bool
	reason     string
}

// tooltip is the icon's name, too.
const tooltip = "YUI"

// closeLimit is how long Close waits: a bus that hangs keeps the icon's goroutine in a write.
const closeLimit = 2 * time.Second

// Run shows the icon (PNG; ICO on Windows) as soon as there is a tray host, and for as long as ctx lives. It returns at
// once, whatever is missing: State tells. intents is called from a goroutine of the tray's, one at a time.
func Run(ctx context.Context, icon []byte, initial Menu, intents func(Intent)) *Tray {
	ctx, cancel := context.WithCancel(ctx)
	t := &Tray{icon: icon, intents: intents, cancel: cancel, done: make(chan struct{}), poked: make(chan struct{}, 1),
		clicks: make(chan func(), 64), wanted: initial, reason: "starting"}
	go t.deliver(ctx)
	go t.own(ctx)
	return t
}

// Update shows another state. The newest one counts.
func (t *Tray) Update(m Menu) {
	t.mu.Lock()
	t.wanted = m
	t.mu.Unlock()
	select {
	case t.poked <- struct{}{}:
	default: // one is waiting already
	}
}

// State tells whether a tray host shows the icon, and where not, why.
func (t *Tray) State() (registered bool, reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.registered, t.reason
}

// Close takes the icon away. It waits for that, two seconds at most.
func (t *Tray) Close() {
	t.cancel()
	select {
	case <-t.done:
	case <-time.After(closeLimit):
	}
}

func (t *Tray) setState(registered bool, reason string) {
	t.mu.Lock()
	t.registered, t.reason = registered, reason
	t.mu.Unlock()
}

func (t *Tray) menu() Menu {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.wanted
}

// deliver calls intents in the order of the clicks.
func (t *Tray) deliver(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case click := <-t.clicks:
			click()
		}
	}
}
