// Package doctor looks at everything that YUI needs and says in a line each how it is, and how to mend it.
package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"yui/assets/lang"
	"yui/chat/api"
	"yui/chat/plugin"
	"yui/chat/push"
	"yui/cmd/yui/backend"
	"yui/cmd/yui/control"
	"yui/cmd/yui/doorway"
	"yui/cmd/yui/initiative"
	"yui/cmd/yui/knowledge"
	"yui/cmd/yui/settings"
	"yui/internal/readable"
	"yui/overlay/window"
	"yui/platform"
	"yui/tools/browser"
)

// checkup writes doctor's lines.
type checkup struct {
	out      io.Writer
	failed   bool
	variable func(name string) string // of the environment or .env
}

func (c *checkup) ok(what, detail string)         { c.line("ok", what, detail, "") }
func (c *checkup) warn(what, detail, mend string) { c.line("warn", what, detail, mend) }

func (c *checkup) fail(what, detail, mend string) {
	c.failed = true
	c.line("fail", what, detail, mend)
}

func (c *checkup) line(level, what, detail, mend string) {
	if mend != "" {
		detail += " — " + mend
	}
	const longest = 4000
	fmt.Fprintf(c.out, "%-4s  %-14s  %s\n", level, what, readable.Line(detail, longest)) // names of models are a server's words
}

// Run looks at everything YUI needs and prints a line each: ok, warn or fail, and the mend. It returns
// control.Failed on any fail. Call it on the main thread.
func Run(ctx context.Context, paths settings.Paths, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	quiet := slog.New(slog.DiscardHandler)
	set, err := settings.Open(paths)
	cfg := set.Config()
	c := &checkup{out: out, variable: set.Variable}
	c.display(ctx, quiet)
	c.bus(ctx)
	c.notifications(ctx)
	if err != nil {
		c.fail("config", err.Error(), "mend that line, or move the file away; until then it counts as left out")
	} else if _, err := os.Stat(paths.Config); err != nil {
		c.ok("config", "none yet; the defaults hold ("+paths.Config+")")
	} else {
		c.ok("config", paths.Config)
	}
	c.chat(ctx, cfg, set.ChatKey)
	c.plugins(ctx, cfg)
	c.servers(ctx, paths, cfg)
	c.rules(paths)
	c.files(ctx, paths)
	c.local(ctx, cfg)
	if path, ok := browser.Find(); ok {
		c.ok("browser", path)
	} else {
		c.ok("browser", "ego lite is not installed; the browser tool needs it, or make ego-browser")
	}
	c.instance(ctx, paths)
	if c.failed {
		return control.Failed
	}
	return nil
}

// instance asks the running one, if any, how its ingress fares: the check-up's own process has none.
func (c *checkup) instance(ctx context.Context, paths settings.Paths) {
	var answer bytes.Buffer
	if err := control.Ask(ctx, paths.Socket, control.Request{Command: "state"}, &answer, io.Discard); err != nil {
		c.ok("instance", "not running")
		return
	}
	c.ok("instance", "running")
	var s struct {
		Ingress doorway.State
		Store   struct{ Error string }
	}
	if json.Unmarshal(answer.Bytes(), &s) != nil {
		return
	}
	if s.Store.Error != "" {
		c.warn("database", "the running instance keeps nothing: "+s.Store.Error, "mend that, then quit and start again")
	}
	switch in := s.Ingress; {
	case !in.Enabled:
		c.ok("ingress", "off; yui set "+settings.KeyIngress+" true lets programs on this computer tell her things")
	case in.Error != "":
		c.warn("ingress", in.Error, "another program has the port: yui set "+settings.KeyIngress+` '{"enabled":true,"port":8771}'`)
	case in.Address == "":
		c.ok("ingress", "is being opened")
	default:
		c.ok("ingress", "listens on "+in.Address)
	}
}

func (c *checkup) display(ctx context.Context, quiet *slog.Logger) {
	if os.Getenv("DISPLAY") == "" {
		c.fail("display", "DISPLAY is not set", "start YUI from a graphical session, or try it with make run")
		return
	}
	loop, err := window.NewLoop(quiet)
	if err != nil {
		c.fail("display", err.Error(), "YUI needs an X server (or Xwayland) with OpenGL ES 3.0")
		return
	}
	c.ok("display", os.Getenv("DISPLAY"))
	gl := loop.Renderer()
	if strings.Contains(strings.ToLower(gl), "llvmpipe") || strings.Contains(strings.ToLower(gl), "softpipe") {
		c.warn("opengl", gl, "drawn by the processor; install your graphics card's driver for less load")
	} else {
		c.ok("opengl", gl)
	}
	loop.Close()
	desk, err := platform.Open(ctx, quiet)
	if err != nil {
		c.fail("desktop", err.Error(), "see the message")
		return
	}
	defer desk.Close()
	s := desk.Snapshot()
	if s.WindowManager == "" {
		c.warn("window manager", "none that speaks EWMH", "she cannot see windows to sit on; start a window manager")
	} else {
		c.ok("window manager", s.WindowManager)
	}
	if s.Compositor {
		c.ok("compositor", "running")
	} else {
		c.warn("compositor", "none", "her edges are cut hard; start one, for example picom")
	}
	if desk.Xwayland() {
		c.warn("session", "Wayland", "YUI runs through Xwayland: it sees X11 windows only, and cannot look at the screen")
	}
	for i, m := range s.Monitors {
		c.ok(fmt.Sprintf("monitor %d", i), fmt.Sprintf("%s %dx%d+%d+%d, scale %g", m.Name, m.Rect.W, m.Rect.H, m.Rect.X, m.Rect.Y, m.Scale))
	}
}

func (c *checkup) bus(ctx context.Context) {
	const mend = "the tray icon stays away; a right click on the pet opens the same menu"
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" {
		c.warn("d-bus", "no session bus", mend)
		return
	}
	conn, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		c.warn("d-bus", err.Error(), mend)
		return
	}
	defer conn.Close()
	c.ok("d-bus", "session bus")
	var owned bool
	err = conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, "org.kde.StatusNotifierWatcher").Store(&owned)
	switch {
	case err != nil:
		c.warn("tray", err.Error(), mend)
	case !owned:
		c.warn("tray", "no tray host", "start one (most desktops have it; GNOME needs the AppIndicator extension); until then a right click on the pet opens the same menu")
	default:
		c.ok("tray", "a tray host is there")
	}
}

func (c *checkup) chat(ctx context.Context, cfg *settings.Config, key func(context.Context) string) {
	if cfg.Chat.BrokerBaseURL != "" {
		c.warn("broker", backend.BrokerGoes, "take it out: YUI declares its tools itself")
	}
	switch cfg.Chat.API {
	case settings.APICompanion:
		c.ok("chat", "the built-in companion: offline, small, always there")
		return
	case settings.APIPush:
		if address, err := push.Address(cfg.Chat.BaseURL); err != nil {
			c.fail("chat", fmt.Sprintf("chat.base_url is %q: %v", api.Shown(cfg.Chat.BaseURL), err), "name the backend in chat.base_url")
		} else {
			c.ok("chat", "push backend at "+api.Shown(address)+"; yui state tells whether it is connected")
		}
		return
	}
	if cfg.Chat.BaseURL == "" {
		c.fail("chat", "chat.base_url is not set", "name the server in config.toml")
		return
	}
	if missing := backend.New(cfg.Chat, "", slog.New(slog.DiscardHandler)).Missing(); missing != nil {
		c.fail("chat", fmt.Sprintf("chat.base_url is %q: %s", api.Shown(cfg.Chat.BaseURL), missing.Detail), "it must look like http://127.0.0.1:11434/v1")
		return
	}
	client, err := api.New(api.Config{BaseURL: cfg.Chat.BaseURL, Key: key(ctx), Model: cfg.Chat.Model})
	if err != nil {
		c.fail("chat", backend.Plain(err), "")
		return
	}
	defer client.Rest()
	models, err := client.Models(ctx)
	if err != nil {
		c.fail("chat", backend.Plain(err), "")
		return
	}
	for _, m := range models {
		if m == cfg.Chat.Model {
			c.ok("chat", fmt.Sprintf("%s has the model %s", client.Host(), m))
			return
		}
	}
	c.warn("chat", fmt.Sprintf("%s answers, but does not list the model %q", client.Host(), cfg.Chat.Model), "it has: "+shorten(models, 8))
}

// local names model servers on this machine that the config does not use yet.
func (c *checkup) local(ctx context.Context, cfg *settings.Config) {
	for _, l := range api.FindLocal(ctx) {
		if strings.Contains(cfg.Chat.BaseURL, strings.TrimSuffix(strings.TrimPrefix(l.BaseURL, "http://127.0.0.1"), "/v1")) && cfg.Chat.BaseURL != "" {
			continue
		}
		c.ok("found", fmt.Sprintf("%s at %s with %s: set [chat] base_url = %q and model to use it", l.Name, l.BaseURL, shorten(l.Models, 4), l.BaseURL))
	}
}

func shorten(names []string, n int) string {
	if len(names) == 0 {
		return "no models"
	}
	if len(names) > n {
		return strings.Join(names[:n], ", ") + fmt.Sprintf(" and %d more", len(names)-n)
	}
	return strings.Join(names, ", ")
}

func (c *checkup) rules(paths settings.Paths) {
	set, err := initiative.ReadRules(paths.Rules)
	if err != nil {
		c.fail("rules", paths.Rules+": "+err.Error(), "mend that line; the shipped rules, or the last good ones, hold until then")
		return
	}
	c.ok("rules", fmt.Sprintf("%d", len(set.Rules)))
}

// CheckRules says whether a file of rules reads.
func CheckRules(file string, out io.Writer) error {
	if _, err := os.Stat(file); err != nil {
		return err
	}
	set, err := initiative.ReadRules(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Fprintf(out, "%s: reads well; with the shipped ones there are %d rules\n", file, len(set.Rules))
	return nil
}

// plugins tells of each plugin that has something to fetch whether it can.
func (c *checkup) plugins(ctx context.Context, cfg *settings.Config) {
	k, err := knowledge.New(lang.In(cfg.Language), cfg.Plugins, nil, plugin.Options{})
	if err != nil {
		c.fail("plugins", err.Error(), "mend that table of config.toml")
		return
	}
	defer k.Close()
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	now := time.Now()
	bad := map[string]bool{}
	for _, p := range k.Check(ctx, now) {
		bad[p.Plugin] = true
		c.warn(p.Plugin, p.Err.Error(), "its line stays away or is not whole; everything else works")
	}
	for _, name := range k.Names() {
		if line, err := k.Line(ctx, now, name); err == nil && !bad[name] {
			if line == "" {
				line = "nothing to say"
			}
			c.ok(name, line)
		}
	}
}
