package app

import (
	"context"
	"sync"
	"sync/atomic"

	"yui/chat/plugin"
	"yui/cmd/yui/knowledge"
)

// notebook holds what plugins know, by the settings of this moment. Its zero value has nothing. Safe from any goroutine.
type notebook struct {
	changing sync.Mutex // one change at a time
	now      atomic.Pointer[knowledge.Knowledge]
	end      context.CancelFunc // of what keeps it new
}

func (n *notebook) close() {
	if n.end != nil {
		n.end()
		n.now.Load().Close()
	}
}

// learn makes the plugins that the config has, in place of those of before.
func (a *App) learn() error {
	n := &a.know
	n.changing.Lock()
	defer n.changing.Unlock()
	k, err := knowledge.New(a.words, a.cfg().Plugins, a.memory, plugin.Options{Log: a.log})
	if err != nil {
		return err
	}
	n.close()
	ctx, end := context.WithCancel(a.ctx)
	n.now.Store(k)
	n.end = end
	a.memory.Go(func() { k.Keep(ctx) })
	a.memory.Go(func() { k.Remind(ctx, scene{a}) })
	return nil
}

// relearn is learn for a config that has changed; not for the main thread.
func (a *App) relearn() {
	if err := a.learn(); err != nil {
		a.tellTrouble(err)
	}
}
