// Package toolbox is the tools of pets: what all of them share, what the config brings at a moment, and what one window
// declares, the tools of MCP servers among it.
package toolbox

import (
	"context"
	"image"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"yui/assets/lang"
	"yui/avatar/motion"
	"yui/chat/push"
	"yui/cmd/yui/asking"
	"yui/cmd/yui/memory"
	"yui/cmd/yui/settings"
	"yui/tools"
	"yui/tools/browser"
	"yui/tools/mcp"
)

// Options is what Equipment is made of.
type Options struct {
	Settings *settings.Settings
	Words    *lang.Words
	Version  string // ours, toward MCP servers
	Memory   *memory.Memory
	Person   mcp.Person // who is asked and told for MCP servers
	Clips    *motion.Library
	Log      *slog.Logger
	// Vocabulary is told that what pets can express has changed.
	Vocabulary func()
}

// Equipment is what the tools of all pets share. Safe from any goroutine.
type Equipment struct {
	Options
	relay   *browser.Relay
	consent *asking.Consent
	servers *mcp.Manager

	changing sync.Mutex // one change of the gear at a time
	gear     atomic.Pointer[gear]
}

// New never fails: what is set up wrongly is left out and told. What it does beside the caller ends with ctx.
func New(ctx context.Context, o Options) *Equipment {
	e := &Equipment{Options: o, relay: browser.NewRelay(browser.RelayOptions{}), consent: asking.NewConsent(o.Memory, "camera.consent")}
	e.Refit()
	var err error
	e.servers, err = mcp.NewManager(mcp.Options{
		Hidden: o.Settings.Hidden(), Variable: o.Settings.Variable, Servers: o.Settings.Config().MCP, Words: o.Words, Version: o.Version,
		Store: o.Memory, Person: o.Person, Log: o.Log, Enabled: func(server string) bool { return o.Settings.Enabled(mcp.Key(server)) },
	})
	if err != nil {
		o.Log.Warn("MCP servers are not set up", "error", err)
	}
	go func() {
		if n, err := browser.CleanUp(""); err != nil {
			o.Log.Warn("remove leftovers of the browser tool", "error", err)
		} else if n > 0 {
			o.Log.Info("removed leftovers of the browser tool", "folders", n)
		}
		ctx, cancel := context.WithTimeout(ctx, memory.Wait)
		defer cancel()
		e.consent.Load(ctx)
	}()
	return e
}

// Servers are the MCP servers; nothing of them runs before their Start.
func (e *Equipment) Servers() *mcp.Manager { return e.servers }

// Vocabulary is what pets can express now.
func (e *Equipment) Vocabulary() push.Vocabulary {
	v := vocabulary{e}
	return push.Vocabulary{EmotionIDs: v.EmotionIDs(), MotionIDs: v.MotionIDs(), VoiceTags: v.VoiceTags()}
}

// Frame takes one picture of the camera.
func (e *Equipment) Frame(ctx context.Context) (image.Image, error) {
	source := e.gear.Load().camera
	if source == nil {
		return nil, tools.ErrNoCamera
	}
	return source.Frame(ctx)
}

// serversEnd bounds the end of all MCP servers when YUI quits.
const serversEnd = 5 * time.Second

// Close ends what the tools left running; a browser script may take its time, but not ours.
func (e *Equipment) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	wg.Go(func() {
		ending, cancel := context.WithTimeout(context.Background(), serversEnd)
		defer cancel()
		if err := e.servers.Close(ending); err != nil {
			e.Log.Warn("end MCP servers", "error", err)
		}
	})
	defer wg.Wait()
	if err := e.relay.Close(ctx); err != nil {
		e.Log.Warn("end browser scripts", "error", err)
	}
}
