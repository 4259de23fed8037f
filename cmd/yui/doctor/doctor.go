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
	"yui/internal/bus"
	"yui/internal/readable"
	"yui/overlay/window"
	"yui/platform"
	"yui/tools/browser"
)

// checkup writes doctor's lines.
type checkup struct {
	out      io.Writer
	failed   bool
	words    *lang.Words
	variable func(name string) string // of the environment or .env
}

func (c *checkup) say(key lang.Key, args ...lang.Args) string { return c.words.Text(key, args...) }

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
	c := &checkup{out: out, words: lang.In(cfg.Language), variable: set.Variable}
	c.display(ctx, quiet)
	c.bus(ctx)
	c.notifications(ctx)
	if err != nil {
		c.fail("config", err.Error(), c.say("doctor.mend_line"))
	} else if _, err := os.Stat(paths.Config); err != nil {
		c.ok("config", c.say("doctor.config_none", lang.Args{"file": paths.Config}))
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
		c.ok("browser", c.say("doctor.no_browser"))
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
		c.ok("instance", c.say("doctor.not_running"))
		return
	}
	c.ok("instance", c.say("doctor.running"))
	var s struct {
		Ingress doorway.State
		Store   struct{ Error string }
	}
	if json.Unmarshal(answer.Bytes(), &s) != nil {
		return
	}
	if s.Store.Error != "" {
		c.warn("database", c.say("doctor.keeps_nothing", lang.Args{"cause": s.Store.Error}), c.say("doctor.quit_and_start"))
	}
	switch in := s.Ingress; {
	case !in.Enabled:
		c.ok("ingress", c.say("doctor.ingress_off", lang.Args{"command": "yui set " + settings.KeyIngress + " true"}))
	case in.Error != "":
		c.warn("ingress", in.Error, c.say("doctor.ingress_port", lang.Args{"command": "yui set " + settings.KeyIngress + ` '{"enabled":true,"port":8771}'`}))
	case in.Address == "":
		c.ok("ingress", c.say("doctor.ingress_opening"))
	default:
		c.ok("ingress", c.say("doctor.ingress_at", lang.Args{"address": in.Address}))
	}
}

func (c *checkup) display(ctx context.Context, quiet *slog.Logger) {
	if os.Getenv("DISPLAY") == "" {
		c.fail("display", c.say("doctor.no_display"), c.say("doctor.no_display_mend"))
		return
	}
	loop, err := window.NewLoop(quiet)
	if err != nil {
		c.fail("display", err.Error(), c.say("doctor.needs_x"))
		return
	}
	c.ok("display", os.Getenv("DISPLAY"))
	gl := loop.Renderer()
	if strings.Contains(strings.ToLower(gl), "llvmpipe") || strings.Contains(strings.ToLower(gl), "softpipe") {
		c.warn("opengl", gl, c.say("doctor.software"))
	} else {
		c.ok("opengl", gl)
	}
	loop.Close()
	desk, err := platform.Open(ctx, quiet)
	if err != nil {
		c.fail("desktop", err.Error(), c.say("doctor.see_message"))
		return
	}
	defer desk.Close()
	s := desk.Snapshot()
	if s.WindowManager == "" {
		c.warn("window manager", c.say("doctor.no_ewmh"), c.say("doctor.no_ewmh_mend"))
	} else {
		c.ok("window manager", s.WindowManager)
	}
	if s.Compositor {
		c.ok("compositor", c.say("doctor.running"))
	} else {
		c.warn("compositor", c.say("doctor.none"), c.say("doctor.no_compositor_mend"))
	}
	if desk.Xwayland() {
		c.warn("session", "Wayland", c.say("doctor.wayland"))
	}
	for i, m := range s.Monitors {
		c.ok(fmt.Sprintf("monitor %d", i), c.say("doctor.monitor", lang.Args{"name": m.Name, "place": fmt.Sprintf("%dx%d+%d+%d", m.Rect.W, m.Rect.H, m.Rect.X, m.Rect.Y), "scale": m.Scale}))
	}
}

func (c *checkup) bus(ctx context.Context) {
	mend := c.say("doctor.no_tray_icon")
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" {
		c.warn("d-bus", c.say("doctor.no_bus"), mend)
		return
	}
	conn, err := bus.Session(ctx)
	if err != nil {
		c.warn("d-bus", err.Error(), mend)
		return
	}
	defer conn.Close()
	c.ok("d-bus", c.say("doctor.bus"))
	var owned bool
	err = conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, "org.kde.StatusNotifierWatcher").Store(&owned)
	switch {
	case err != nil:
		c.warn("tray", err.Error(), mend)
	case !owned:
		c.warn("tray", c.say("doctor.no_tray"), c.say("doctor.no_tray_mend"))
	default:
		c.ok("tray", c.say("doctor.tray"))
	}
}

func (c *checkup) chat(ctx context.Context, cfg *settings.Config, key func(context.Context) string) {
	if cfg.Chat.BrokerBaseURL != "" {
		c.warn("broker", c.say("doctor.broker_goes"), c.say("doctor.broker_mend"))
	}
	switch cfg.Chat.API {
	case settings.APICompanion:
		c.ok("chat", c.say("doctor.companion"))
		return
	case settings.APIPush:
		if address, err := push.Address(cfg.Chat.BaseURL); err != nil {
			c.fail("chat", c.say("doctor.bad_address", lang.Args{"address": api.Shown(cfg.Chat.BaseURL), "cause": err}), c.say("doctor.name_backend"))
		} else {
			c.ok("chat", c.say("doctor.push", lang.Args{"address": api.Shown(address)}))
		}
		return
	}
	if cfg.Chat.BaseURL == "" {
		c.fail("chat", c.say("doctor.no_address"), c.say("doctor.no_address_mend"))
		return
	}
	if missing := backend.New(cfg.Chat, "", slog.New(slog.DiscardHandler)).Missing(); missing != nil {
		c.fail("chat", c.say("doctor.bad_address", lang.Args{"address": api.Shown(cfg.Chat.BaseURL), "cause": missing.Detail}), c.say("doctor.like", lang.Args{"address": "http://127.0.0.1:11434/v1"}))
		return
	}
	client, err := api.New(api.Config{BaseURL: cfg.Chat.BaseURL, Key: key(ctx), Model: cfg.Chat.Model})
	if err != nil {
		c.fail("chat", backend.Plain(c.words, err), "")
		return
	}
	defer client.Rest()
	models, err := client.Models(ctx)
	if err != nil {
		c.fail("chat", backend.Plain(c.words, err), "")
		return
	}
	for _, m := range models {
		if m == cfg.Chat.Model {
			c.ok("chat", c.say("doctor.has_model", lang.Args{"host": client.Host(), "model": m}))
			return
		}
	}
	c.warn("chat", c.say("doctor.lacks_model", lang.Args{"host": client.Host(), "model": cfg.Chat.Model}), c.say("doctor.has", lang.Args{"models": c.shorten(models, 8)}))
}

// local names model servers on this machine that the config does not use yet.
func (c *checkup) local(ctx context.Context, cfg *settings.Config) {
	for _, l := range api.FindLocal(ctx) {
		if strings.Contains(cfg.Chat.BaseURL, strings.TrimSuffix(strings.TrimPrefix(l.BaseURL, "http://127.0.0.1"), "/v1")) && cfg.Chat.BaseURL != "" {
			continue
		}
		c.ok("found", c.say("doctor.found", lang.Args{"name": l.Name, "address": l.BaseURL, "models": c.shorten(l.Models, 4)}))
	}
}

func (c *checkup) shorten(names []string, n int) string {
	if len(names) == 0 {
		return c.say("doctor.no_models")
	}
	if len(names) > n {
		return c.say("doctor.and_more", lang.Args{"names": strings.Join(names[:n], ", "), lang.Count: len(names) - n})
	}
	return strings.Join(names, ", ")
}

func (c *checkup) rules(paths settings.Paths) {
	set, err := initiative.ReadRules(paths.Rules)
	if err != nil {
		c.fail("rules", paths.Rules+": "+err.Error(), c.say("doctor.rules_mend"))
		return
	}
	c.ok("rules", fmt.Sprintf("%d", len(set.Rules)))
}

// CheckRules says whether a file of rules reads.
func CheckRules(w *lang.Words, file string, out io.Writer) error {
	if _, err := os.Stat(file); err != nil {
		return err
	}
	set, err := initiative.ReadRules(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Fprintln(out, w.Text("doctor.rules_read", lang.Args{"file": file, lang.Count: len(set.Rules)}))
	return nil
}

// plugins tells of each plugin that has something to fetch whether it can.
func (c *checkup) plugins(ctx context.Context, cfg *settings.Config) {
	k, err := knowledge.New(c.words, cfg.Plugins, nil, plugin.Options{})
	if err != nil {
		c.fail("plugins", err.Error(), c.say("doctor.plugins_mend"))
		return
	}
	defer k.Close()
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	now := time.Now()
	bad := map[string]bool{}
	for _, p := range k.Check(ctx, now) {
		bad[p.Plugin] = true
		c.warn(p.Plugin, p.Err.Error(), c.say("doctor.plugin_mend"))
	}
	for _, name := range k.Names() {
		if line, err := k.Line(ctx, now, name); err == nil && !bad[name] {
			if line == "" {
				line = c.say("doctor.nothing_to_say")
			}
			c.ok(name, line)
		}
	}
}
