// Package app is the composition of YUI: which pets are open, how figure, talk and session of one pet are tied, and what the
// packages beside it ask of the whole. It is the only package that knows all the others.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"yui/assets"
	"yui/assets/lang"
	"yui/avatar/body"
	"yui/avatar/clips"
	"yui/avatar/motion"
	"yui/avatar/render"
	"yui/avatar/vrm"
	"yui/chat"
	"yui/cmd/yui/asking"
	"yui/cmd/yui/company"
	"yui/cmd/yui/control"
	"yui/cmd/yui/doorway"
	"yui/cmd/yui/initiative"
	"yui/cmd/yui/memory"
	"yui/cmd/yui/panels"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/settings"
	"yui/cmd/yui/tasks"
	"yui/cmd/yui/toolbox"
	"yui/overlay/figure"
	"yui/overlay/ui"
	"yui/overlay/window"
	"yui/platform"
	"yui/store"
)

// App is one running instance: what its pets share. Fields below "main thread" are touched on the main thread only.
type App struct {
	given
	household
	notices
	answers

	memory  *memory.Memory
	presets *presets.Folder
	desk    *platform.Desktop
	loop    *window.Loop
	equip   *toolbox.Equipment
	first   *initiative.Initiative // who speaks first, and when
	know    notebook
	door    *doorway.Doorway

	// main thread
	workspaces workspaces
	dress      *figure.Wardrobe
	panels     *panels.Panels
	talks      *ui.Talks
	theatre    *theatre
	tasks      *tasks.History
}

// given is what a run begins with, and keeps.
type given struct {
	paths    settings.Paths
	version  string
	settings *settings.Settings
	words    *lang.Words
	log      *slog.Logger
	records  *chat.FileRecorder
	ctx      context.Context
	quit     context.CancelFunc
}

// material is what the start loads beside the display, all at once.
type material struct {
	memory   *memory.Memory
	desk     *platform.Desktop
	clips    *motion.Library
	bed      *vrm.Model
	presets  *presets.Folder
	open     []string // ids, in the order of opening
	places   map[string]store.Pet
	models   map[string]*vrm.Model
	prepared map[string]*render.Prepared
	key      string
	chatID   string
	trouble  []error // what was left out, for the person
}

// ground is what a run stands on: the windows and the desktop of this system, or those that a test made up.
type ground struct {
	windows func(*slog.Logger) (*window.Loop, error)
	desktop func(context.Context, *slog.Logger) (*platform.Desktop, error)
}

func (a *App) run(on ground) error {
	began := time.Now()
	loaded := make(chan error, 1)
	var m material
	go func() { loaded <- a.load(&m, on) }()
	loop, err := on.windows(a.log) // the slowest part: the GL driver
	if err != nil {
		<-loaded
		m.close()
		return err
	}
	a.loop, a.talks = loop, ui.NewTalks(loop)
	a.theatre = &theatre{loop: loop, wish: func() *bool { return a.cfg().Body.ReducedMotion }}
	defer loop.Close()
	if err := <-loaded; err != nil {
		m.close()
		return err
	}
	a.memory, a.desk, a.presets = m.memory, m.desk, m.presets
	a.chatID = m.chatID
	defer a.memory.Close()
	defer a.desk.Close()
	if m.memory.Aside != "" {
		a.warn(a.words.Text("database.damaged", lang.Args{"file": filepath.Base(m.memory.Aside)}))
		a.log.Warn("the database was damaged and is kept aside", "file", m.memory.Aside)
	}
	if a.memory.Closed != nil {
		a.warn(memory.Forgetful(a.words, a.paths.Store, a.memory.Closed))
	}
	a.warn(a.useBackend(m.key))
	a.equip = toolbox.New(a.ctx, toolbox.Options{
		Settings: a.settings, Words: a.words, Version: a.version, Memory: a.memory, Person: asking.NewGuardian(loop, guests{a}), Clips: m.clips, Log: a.log,
		Vocabulary: func() { loop.Do(a.tellVocabulary) },
	})
	a.panels = a.newPanels()
	a.tasks = tasks.NewHistory(a.settings, a.memory.Save, a.log)
	a.circle = company.NewCircle(a.openNames, a.first.Chain)
	a.door = doorway.New(a.settings.Ingress, a.first, scene{a}, a.log)
	defer a.equip.Close()
	if err := a.learn(); err != nil {
		return err
	}
	defer a.know.close()
	a.dress, err = figure.NewWardrobe(loop, m.clips, m.bed, a.renderOptions())
	if err != nil {
		return err
	}
	defer a.dress.Close()
	if err := a.openFirst(&m); err != nil {
		return err
	}
	a.greet()
	first := time.Since(began)
	defer a.closeAll()
	sock, err := control.Listen(a.paths.Socket, a.remote().Handlers(), a.door.Visit, a.log)
	if err != nil {
		return err
	}
	var served sync.WaitGroup
	served.Go(func() { sock.Serve(a.ctx) })
	served.Go(a.watchDesktop)
	served.Go(func() { a.presets.Watch(a.ctx) })
	served.Go(func() { a.first.Run(a.ctx) })
	served.Go(func() { a.first.Watch(a.ctx) })
	a.settings.OnChange(func(c settings.Change) { a.loop.Do(func() { a.apply(c) }) })
	served.Go(func() { a.settings.Watch(a.ctx, a.log, a.notTaken) })
	defer served.Wait()
	defer a.quit()
	served.Go(func() { a.door.Apply(a.ctx) })
	defer a.door.Close()
	a.panels.StartTray()
	defer a.panels.StopTray()
	a.equip.Servers().Start()
	if a.warning != "" {
		a.told()
		a.panels.Want()
	}
	a.panels.Changed()
	a.memory.Go(a.publish)
	go a.readMotionWish()
	panels.SweepLater()
	a.log.Info("started", "version", a.version, "first_frame", first.Round(time.Millisecond), "gl", a.loop.Renderer())
	err = loop.Run(a.ctx)
	if a.ctx.Err() != nil {
		return nil
	}
	return err
}

func (m *material) close() {
	if m.memory != nil {
		m.memory.Close()
	}
	if m.desk != nil {
		m.desk.Close()
	}
}

// load reads everything that needs the disk or the desktop.
func (a *App) load(m *material, on ground) error {
	var wg sync.WaitGroup
	errs := make([]error, 4)
	wg.Go(func() { errs[0] = a.loadStore(m) })
	wg.Go(func() {
		m.desk, errs[1] = on.desktop(a.ctx, a.log)
	})
	wg.Go(func() { errs[2] = loadMotions(m) })
	wg.Go(func() { m.key = a.settings.ChatKey(a.ctx) })
	wg.Wait()
	return errors.Join(errs...)
}

func (a *App) loadStore(m *material) error {
	ctx, cancel := context.WithTimeout(a.ctx, 30*time.Second)
	defer cancel()
	s, err := memory.Open(ctx, a.paths.Store, a.log, func(err error) { a.say(memory.Unsaved(a.words, a.paths.Store, err)) })
	if err != nil {
		return err
	}
	m.memory = s
	if err := a.settings.Use(ctx, s); err != nil {
		return err
	}
	a.first = a.newInitiative(ctx, s)
	if err := a.first.Fault(); err != nil {
		m.trouble = append(m.trouble, err)
	}
	pets, err := s.Pets(ctx)
	if err != nil {
		return err
	}
	m.presets, err = presets.Open(a.paths.Presets, presets.Options{Memory: s, Log: a.log, Changed: a.presetChanged, Trouble: a.tellTrouble})
	if err != nil {
		a.log.Warn("some presets were left out", "error", err)
		m.trouble = append(m.trouble, err)
	}
	a.settings.UseCharacters(m.presets)
	if m.chatID, err = readChatID(ctx, s); err != nil {
		return err
	}
	m.places = map[string]store.Pet{}
	for _, p := range pets {
		m.places[p.Preset] = p
		if _, listed := m.presets.Get(p.Preset); listed && p.Opened > 0 {
			m.open = append(m.open, p.Preset)
		}
	}
	var away []presets.Preset
	if m.open, away, err = s.Unfinished(ctx, m.presets.All(), m.open); err != nil {
		return err
	}
	for _, p := range away {
		a.log.Error("a pet stays away", "preset", p.ID, "error", "the last run ended while her model was being opened")
		m.trouble = append(m.trouble, errors.New(a.words.Text("model.unopened", lang.Args{"name": p.Name})))
	}
	if len(m.open) == 0 {
		m.open = []string{"yui"}
	}
	m.models, m.prepared = map[string]*vrm.Model{}, map[string]*render.Prepared{}
	for _, id := range m.open {
		p, _ := m.presets.Get(id)
		if m.models[id], err = a.loadModel(p); err != nil {
			a.log.Error("a pet stays away", "preset", id, "error", err)
			m.trouble = append(m.trouble, err)
			continue
		}
		if m.prepared[id], err = render.Prepare(m.models[id]); err != nil {
			m.prepared[id] = nil // opening it says why
		}
	}
	return nil
}

// loadModel reads what a preset wears, and keeps in the log what was left out of it.
func (a *App) loadModel(p presets.Preset) (*vrm.Model, error) {
	m, err := p.LoadModel(a.heightOf(p))
	if err == nil && len(m.Warnings) > 0 {
		a.log.Warn("a model is not read whole", "preset", p.ID, "left_out", m.Warnings)
	}
	return m, err
}

// loadMotions reads all bundled clips, on every core, and the bed.
func loadMotions(m *material) error {
	names := assets.Motions()
	anims := make([]*vrm.Animation, len(names))
	errs := make([]error, len(names)+1)
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := w; i < len(names); i += 2 {
				b, err := assets.Motion(names[i])
				if err == nil {
					anims[i], err = vrm.LoadAnimation(b)
				}
				errs[i] = err
			}
		})
	}
	wg.Go(func() { m.bed, errs[len(names)] = vrm.LoadProp(assets.Bed()) })
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("load motions: %w", err)
	}
	m.clips = motion.NewLibrary()
	for i, n := range names {
		if err := m.clips.Add(clips.ID(n), anims[i]); err != nil {
			return fmt.Errorf("load motions: %w", err)
		}
	}
	return nil
}

func (a *App) renderOptions() render.Options {
	o := render.Options{TexturePixels: float32(a.cfg().Body.Height) * 2}
	if a.cfg().Window.AntiAliasing {
		o.Quality = render.On
	}
	return o
}

// openFirst opens the pets that were open last. At least one must come up.
func (a *App) openFirst(m *material) error {
	defer func() { a.warn(troubles(a.words, m.trouble...)) }()
	for _, id := range m.open {
		if m.models[id] == nil {
			continue
		}
		p, err := a.presets.Find(id)
		if err == nil {
			err = a.openPet(p, m.models[id], m.prepared[id], m.places[id])
		}
		if err != nil {
			a.log.Error("a pet stays away", "preset", id, "error", err)
			m.trouble = append(m.trouble, err)
		}
	}
	if len(a.pets) > 0 {
		return nil
	}
	p, err := a.presets.Find("yui")
	if err != nil {
		return err
	}
	model, err := a.loadModel(p)
	if err != nil {
		shipped := presets.Preset{ID: "yui"} // whatever the folder says: somebody must come up, and say what is wrong
		if model, err = a.loadModel(shipped); err != nil {
			return fmt.Errorf("open the first pet: %w", err)
		}
	}
	return a.openPet(p, model, nil, m.places["yui"])
}

// cfg is config.toml at this moment. Safe from any goroutine.
func (a *App) cfg() *settings.Config { return a.settings.Config() }

// bodyConfig is the body's figures with the person's settings.
func (a *App) bodyConfig() body.Config {
	c := body.DefaultConfig()
	c.Ride.On = a.cfg().Body.Ride
	c.Walk.On = a.cfg().Body.Walk && a.settings.Enabled(settings.KeyWalk)
	c.Climb.On = a.settings.Enabled(settings.KeyClimb)
	c.Fall.On = a.cfg().Body.Fall && a.settings.Enabled(settings.KeyFall)
	c.ReducedMotion = a.theatre.still()
	c.Bed.WakeAfter = time.Duration(a.cfg().Body.WakeTimeout) * time.Second
	if e := a.cfg().Body.StrollEvery; len(e) == 2 {
		c.Walk.Every = [2]time.Duration{time.Duration(e[0]) * time.Second, time.Duration(e[1]) * time.Second}
	}
	c.FrameTime = time.Second / time.Duration(a.cfg().Window.FPS)
	return c
}

// watchDesktop carries each change of the desktop to the pets.
func (a *App) watchDesktop() {
	for {
		select {
		case <-a.ctx.Done():
			return
		case <-a.desk.Done():
			if err := a.desk.Err(); err != nil && a.ctx.Err() == nil {
				a.log.Error("the desktop is gone", "error", err)
				a.quit()
			}
			return
		case <-a.desk.Changed():
			a.loop.Do(a.desktopChanged)
		}
	}
}

func (a *App) desktopChanged() {
	snap, now := a.desk.Snapshot(), time.Now()
	facts := facts(snap)
	a.workspaces.see(snap.Workspace, now, func() { a.loop.Do(a.desktopChanged) })
	for _, p := range a.pets {
		p.fig.SetComposited(snap.Compositor)
		if p.talk != nil {
			p.talk.SetComposited(snap.Compositor)
		}
		if p.bound {
			if a.workspaces.changing(now) {
				continue // windows come and go one by one: what she sits on is not gone
			}
			if away(p.workspace, snap) {
				p.fig.SetPaused(true)
				continue
			}
		}
		p.fig.SetDesktop(facts, now)
		m := monitorOf(snap, p.fig.Feet())
		p.fig.SetScale(m.Scale)
		p.fig.SetPaused(m.Fullscreen && a.cfg().Window.PauseFullscreen)
	}
}

// crowd tells every pet where the others are, so that they step aside. Main thread.
func (a *App) crowd() {
	if len(a.pets) < 2 {
		return
	}
	bodies := make([]body.Rect, len(a.pets))
	for i, p := range a.pets {
		bodies[i] = p.fig.Body().Bounds()
	}
	for i, p := range a.pets {
		p.fig.Body().SetOthers(bodies, i, time.Now())
	}
}

// facts is a snapshot as the body wants it.
func facts(s *platform.Snapshot) body.Desktop {
	d := body.Desktop{Windows: make([]body.Window, 0, len(s.Windows)), Monitors: make([]body.Monitor, 0, len(s.Monitors))}
	for _, w := range s.Windows {
		d.Windows = append(d.Windows, body.Window{ID: uint32(w.ID), App: w.App, Names: w.Names, Title: w.Title, Rect: rect(w.Frame)})
	}
	for _, m := range s.Monitors {
		d.Monitors = append(d.Monitors, body.Monitor{Rect: rect(m.Rect), WorkArea: rect(m.WorkArea), Scale: m.Scale})
	}
	return d
}

func rect(r platform.Rect) body.Rect {
	return body.Rect{X: float64(r.X), Y: float64(r.Y), W: float64(r.W), H: float64(r.H)}
}

// monitorOf is the monitor that contains a point, else the nearest.
func monitorOf(s *platform.Snapshot, p body.Point) platform.Monitor { return s.Near(p.X, p.Y) }

// tellVocabulary tells the backends that keep it what pets can express by now. Main thread.
func (a *App) tellVocabulary() {
	a.memory.Go(a.publish)
	for _, p := range a.pets {
		if p.push != nil {
			p.push.VocabularyChanged()
		}
	}
}

// troubles is several errors as lines for the person.
func troubles(w *lang.Words, errs ...error) string {
	var lines []string
	for _, err := range errs {
		if err != nil {
			lines = append(lines, w.Error(err))
		}
	}
	return strings.Join(lines, "\n")
}
