package app

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"yui/assets/lang"
	"yui/avatar/body"
	"yui/avatar/render"
	"yui/avatar/vrm"
	"yui/chat"
	"yui/chat/push"
	"yui/cmd/yui/company"
	"yui/cmd/yui/panels"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/senses"
	"yui/cmd/yui/settings"
	"yui/cmd/yui/tasks"
	"yui/cmd/yui/toolbox"
	"yui/internal/protocol"
	"yui/overlay/figure"
	"yui/overlay/ui"
	"yui/store"
	"yui/tools"
)

// pet ties one open preset's figure, talk window and conversation. Main thread, but for what its toolbox reads.
type pet struct {
	app     *App
	id      string // of its preset; it never changes
	preset  presets.Preset
	fig     *figure.Pet
	talk    *ui.Talk
	session *chat.Session
	tools   *toolbox.Box
	// toolWords are the language in which the conversation began, which its tools keep (docs/rules/tools.md#language).
	toolWords *lang.Words
	push      *push.Transport // nil but for the push transport
	company   *company.Member
	taint     *tools.Taint
	senses    *senses.Senses
	tasks     *tasks.Board // what others do for her

	reply

	playing    bool
	reconnects bool        // with the end of the turn
	due        time.Time   // when the playback wants a step
	lonely     *time.Timer // ends a face that no playback ends
	late       lateTalk
	reflexAt   time.Time // of the last turn that a gesture got

	bound     bool // to the workspace on which she was shown last
	workspace int
}

// reply is the newest turn, as it is shown.
type reply struct {
	turn     string
	searched []string // what was searched for in it
	text     strings.Builder
	running  bool
	outcome  chat.Outcome
	failure  string
	unseen   bool // nobody asked for the turn, and the bubble keeps a sentence of the program's own until the turn speaks
}

// openPet puts a preset's pet on the desktop.
func (a *App) openPet(preset presets.Preset, model *vrm.Model, ready *render.Prepared, at store.Pet) error {
	if a.petOf(preset.ID) != nil {
		return nil
	}
	opened, err := a.memory.Opening(a.ctx, preset)
	if err != nil {
		return err
	}
	defer opened()
	snap := a.desk.Snapshot()
	root := a.firstPlace(snap, at)
	m := monitorOf(snap, root)
	height := a.heightOf(preset)
	fig, err := a.dress.NewPet(figure.PetOptions{
		ID: preset.ID, Name: preset.Name, Model: model, Prepared: ready, Height: float64(height), Scale: m.Scale, FPS: a.cfg().Window.FPS,
		Quality: a.renderOptions().Quality, AllWorkspaces: a.cfg().Window.AllWorkspaces, Body: a.bodyConfig(),
	})
	if err != nil {
		return err
	}
	if err := a.tried(preset, fig); err != nil {
		fig.Close()
		return err
	}
	p := &pet{app: a, id: preset.ID, preset: preset, fig: fig, reply: reply{outcome: chat.OK}, toolWords: a.words.Fixed(),
		bound: !a.cfg().Window.AllWorkspaces, workspace: snap.Workspace}
	p.tasks = tasks.NewBoard(a.loop.Do, func(rows []ui.Task) {
		if p.talk != nil {
			p.talk.SetTasks(rows)
		}
	}, a.tasks)
	p.senses = senses.New(a.ctx, senses.Options{
		Preset: p.id, Name: func() string { return p.preset.Name }, Figure: fig, Loop: a.loop, Desktop: a.desk, Stage: a.theatre,
		Enabled: a.settings.Enabled, Frame: a.equip.Frame, Looks: p.looks, Log: a.log,
	})
	p.company = a.circle.Join(p.id, func(t chat.Trigger) { p.session.Background(a.ctx, t) })
	p.taint = tools.NewTaint(a.memory.Marks(p.id))
	p.tools, err = a.equip.Box(toolbox.Pet{
		Preset: p.id, Main: p.isMain, Words: p.toolWords, Taint: p.taint, Senses: p.senses, Asker: p.asker(), Relations: feelings{p, p.company},
		Company: p.company, Found: p.found, Express: speaker{p}.Express,
	})
	if err != nil {
		a.circle.Leave(p.id)
		fig.Close()
		return err
	}
	p.session = chat.NewSession(chat.Config{
		Tools: p.tools, Facts: p, Store: a.memory.Transcript(p.id),
		Observer: func(e chat.Event) {
			if done, is := e.(chat.TurnDone); is {
				p.company.Holds(done.Turn, p.taint.Sources()) // the next turn may clear them
			}
			a.loop.Do(func() { p.observe(e) })
		},
		Records: a.records, Log: a.log.With("pet", preset.ID), Words: a.words, Shot: p.shot,
		Begins: p.begins,
		Ahead: func(ctx context.Context, turn, text string) chat.Prepared {
			return a.first.Ahead(ctx, speaker{p}, turn, text)
		},
	})
	p.connect()
	fig.OnClick = p.clicked
	fig.OnHover = a.panels.Expect
	fig.OnMenu = func(at image.Point) { a.panels.OpenMenu(p.id, at) }
	fig.OnMoved = func(root body.Point) {
		a.memory.Save("place", func(ctx context.Context) error { return a.memory.SavePlace(ctx, preset.ID, root.X, root.Y) })
	}
	fig.OnPlace = func() { p.anchor(); a.crowd() }
	fig.OnSeen = p.seen
	fig.OnBody = p.bodyEvent
	fig.OnDrop = a.dropped
	fig.SetLooks(a.settings.Enabled(settings.KeyGaze))
	fig.SetAvoided(a.settings.AvoidedClips())
	fig.SetComposited(snap.Compositor)
	root = a.freePlace(root, fig.Body().Bounds().W, m)
	a.pets = append(a.pets, p)
	a.noteOpen()
	fig.SetDesktop(facts(snap), time.Now())
	fig.Place(root)
	fig.SetPaused(m.Fullscreen && a.cfg().Window.PauseFullscreen)
	fig.Tick(time.Now()) // the first frame, before anything else takes its time
	a.crowd()
	a.loop.Add(p)
	p.dressTalk()
	a.memory.Save("open pets", func(ctx context.Context) error { return a.memory.SetOpen(ctx, preset.ID, true) })
	return nil
}

// heightOf is how tall a preset's pet is in logical pixels.
func (a *App) heightOf(p presets.Preset) int {
	if p.Height != 0 {
		return p.Height
	}
	return a.cfg().Body.Height
}

func (p *pet) isMain() bool { return p.app.mainPet.Load() == p }

// shot is the picture that goes with every turn of the person where yui.screenshot is on (docs/rules/chat.md#screenshots). It runs
// on the turn's goroutine.
func (p *pet) shot(ctx context.Context) (chat.Shot, error) {
	a := p.app
	if !a.settings.Enabled(settings.KeyScreenshot) {
		return chat.Shot{}, nil
	}
	_, here := p.senses.Monitors()
	img, err := a.desk.Capture(ctx, here)
	if err != nil {
		return chat.Shot{}, err
	}
	url, err := tools.PictureURL(img)
	if err != nil {
		return chat.Shot{}, err
	}
	p.taint.Mark(tools.FromScreen)
	label := fmt.Sprintf("monitor %d", here)
	if m := a.desk.Snapshot().Monitors; here < len(m) {
		label += " (" + m[here].Name + ")"
	}
	return chat.Shot{Images: []string{url}, Label: label}, nil
}

// looks says in the bubble that a camera is open, or no longer.
func (p *pet) looks(open bool) {
	switch {
	case p.talk == nil:
	case open:
		p.talk.SetStatus(status(p.app.words, protocol.Camera, true))
	default:
		p.talk.SetStatus("")
	}
}

// dressTalk makes the talk window once the fonts are there.
func (p *pet) dressTalk() {
	if p.talk != nil || p.app.panels.Theme() == nil {
		return
	}
	m := monitorOf(p.app.desk.Snapshot(), p.fig.Feet())
	t, err := p.app.talks.New(p.preset.Name, p.app.panels.Theme(), float32(m.Scale))
	if err != nil {
		p.app.log.Error("open talk window", "pet", p.preset.ID, "error", err)
		return
	}
	t.SetComposited(p.app.desk.Snapshot().Compositor)
	t.OnSay = func(text string) { p.say(text) }
	t.OnStop = p.stop
	t.OnLink = p.app.openAddress
	t.OnInput = func(open bool) { p.state() }
	t.OnGone = p.app.panels.TidyLater
	p.talk = t
	p.seen(p.fig.Seen())
	p.catchUp()
	p.tasks.Show()
}

// catchUp shows in a new talk window what happened before it was there.
func (p *pet) catchUp() {
	late := p.late
	p.late = lateTalk{}
	if p.running || late.done != nil {
		p.talk.Begin()
		p.talk.SetLinks(late.links)
		p.show()
	}
	if late.done != nil {
		p.conclude(*late.done)
	}
	if late.said != "" {
		p.tell(late.said)
	}
	if late.input {
		p.talk.OpenInput()
	}
	for _, ask := range late.asks {
		ask()
	}
}

// lateTalk is what a talk window that is still being made must show at once.
type lateTalk struct {
	input bool
	asks  []func()
	said  string
	done  *chat.TurnDone
	links []ui.Link
}

// close takes the pet off the desktop and ends its turn.
func (p *pet) close() {
	p.session.Stop()
	s := p.session
	connection := p.push
	p.senses.Close()
	p.app.memory.Save("conversation", func(ctx context.Context) error {
		err := s.Close(ctx)
		if connection != nil {
			connection.Close()
		}
		return err
	})
	if p.lonely != nil {
		p.lonely.Stop()
	}
	p.tasks.Close()
	p.app.loop.Remove(p)
	if p.talk != nil {
		p.talk.Close()
	}
	p.fig.Close()
}

// closePet closes a preset's pet; the next one becomes the main pet.
func (a *App) closePet(p *pet) {
	p.close()
	a.circle.Leave(p.id)
	a.pets = slices.DeleteFunc(a.pets, func(q *pet) bool { return q == p })
	a.noteOpen()
	a.memory.Save("open pets", func(ctx context.Context) error { return a.memory.SetOpen(ctx, p.preset.ID, false) })
	a.panels.Refresh()
}

func (a *App) closeAll() {
	for _, p := range a.pets {
		p.close()
	}
	a.pets = nil
	a.noteOpen()
	a.panels.Close()
	a.theatre.close()
}

// anchor keeps the bubble by her head.
func (p *pet) anchor() {
	p.senses.Moved()
	if p.talk == nil {
		return
	}
	w := monitorOf(p.app.desk.Snapshot(), p.fig.Feet()).WorkArea
	p.talk.Anchor(p.fig.Head(), p.fig.Figure(), image.Rect(w.X, w.Y, w.X+w.W, w.Y+w.H))
}

// seen takes the talk off the screen with her, and brings it back.
func (p *pet) seen(yes bool) {
	if p.talk != nil {
		p.anchor()
		p.talk.SetAway(!yes)
	}
}

// dropped imports model files and cards that were dropped on a pet and opens them, one after the other.
func (a *App) dropped(paths []string) {
	a.memory.Go(func() {
		for _, file := range paths[:min(len(paths), 8)] {
			if a.ctx.Err() != nil {
				return // quitting
			}
			if err := a.takeIn(file); err != nil {
				a.tellTrouble(err)
			}
		}
	})
}

func (a *App) takeIn(file string) error {
	ctx, cancel := context.WithTimeout(a.ctx, commandWait)
	defer cancel()
	preset, err := a.presets.Import(ctx, file, "")
	if err == nil {
		err = a.open(ctx, preset)
	}
	if err != nil {
		return err
	}
	a.introduce(preset)
	return nil
}

// introduce lets a new character say who made her model, on what terms it may be used, and what of it could not be read.
func (a *App) introduce(preset presets.Preset) {
	if preset.Model == "" {
		return
	}
	meta, err := preset.Meta()
	if err != nil {
		a.log.Warn("read who made a model", "preset", preset.ID, "error", err)
		return
	}
	var lines []string
	for _, line := range []string{panels.Credit(a.words, meta), panels.Oddities(a.words, preset.Odd)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 {
		a.loop.Do(func() {
			if p := a.petOf(preset.ID); p != nil {
				p.tell(strings.Join(lines, "\n"))
			}
		})
	}
}

// Moment implements chat.Facts. It runs on the turn's goroutine.
func (p *pet) Moment(now time.Time) chat.Moment {
	var m chat.Moment
	if w := p.app.desk.Snapshot().Active; w != nil {
		m.Front = &chat.Front{App: w.App, Title: w.Title, Since: p.app.desk.Snapshot().ActiveSince}
	}
	ctx, cancel := context.WithTimeout(p.app.ctx, queryWait)
	defer cancel()
	err := p.app.loop.Call(ctx, func() {
		s := p.fig.Body().State(time.Now())
		b := &chat.BodyState{State: string(s.Posture), Since: s.Since}
		if s.Perch != nil {
			b.On = s.Perch.App
		}
		m.Body = b
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		p.app.log.Warn("read body", "error", fmt.Errorf("for a turn: %w", err))
	}
	if p.app.settings.Enabled(settings.KeyRelations) {
		m.Relations = p.relationLine(ctx)
	}
	m.Notes = p.app.know.now.Load().Notes(p.app.ctx, now)
	return m
}

// relationLine is the band toward the person and each other open character.
func (p *pet) relationLine(ctx context.Context) []chat.Relation {
	values, err := p.app.memory.Relations(ctx, p.id)
	if err != nil {
		p.app.log.Warn("read relations", "error", err)
		return nil
	}
	line := []chat.Relation{{Name: "user", Band: tools.Band(values[store.UserTarget])}}
	for _, q := range tools.ListNames(p.company.Others()) { // the names of the enums
		line = append(line, chat.Relation{Name: q.Name, Band: tools.Band(values[store.TargetOf(q.ID)])})
	}
	return line
}

// begins is chat.Config.Begins: it notes what a turn brings along, on the turn's goroutine.
func (p *pet) begins(person bool, brings []string) {
	for _, own := range p.app.openPresets() {
		if own.ID == p.id && own.Unconfirmed() {
			brings = append(brings, tools.FromCard)
		}
	}
	p.taint.Turn(person, brings...)
}
