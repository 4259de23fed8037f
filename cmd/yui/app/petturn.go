package app

import (
	"strings"
	"time"

	"yui/avatar/clips"
	"yui/chat"
	"yui/cmd/yui/company"
	"yui/internal/protocol"
)

// doneStatus is how long what a tool has done stays in sight (docs/rules/chat.md#push-turns).
const doneStatus = 1500 * time.Millisecond

// playTick is how often the playback is looked at while a turn runs or speech plays.
const playTick = 50 * time.Millisecond

// clicked opens the talk; a second click closes it.
func (p *pet) clicked() {
	if p.talk == nil {
		p.late.input = !p.late.input
		p.app.panels.Want()
		return
	}
	if p.talk.InputOpen() {
		p.talk.CloseInput()
		return
	}
	p.anchor()
	p.talk.OpenInput()
}

// say starts the person's turn.
func (p *pet) say(text string) *chat.Turn {
	p.fig.Body().Message(time.Now())
	p.company.SpokenTo()
	return p.session.Say(p.app.ctx, text, nil)
}

func (p *pet) stop() {
	p.company.Stopped()
	p.session.Stop()
	if p.push != nil {
		p.push.Cut() // what the backend had queued as well
	}
}

// tell shows a sentence of the program's own.
func (p *pet) tell(text string) {
	p.app.told()
	if p.talk == nil {
		p.late.said = text
		p.app.panels.Want()
		return
	}
	p.anchor()
	p.talk.Begin()
	p.talk.SetNote(text)
	p.talk.End(toldFor)
}

// observe carries the events of a turn to the screen.
func (p *pet) observe(e chat.Event) {
	switch e := e.(type) {
	case chat.TurnStarted:
		p.turn, p.running, p.failure = e.Turn, true, ""
		p.app.first.TurnBegan(time.Now())
		p.company.Began(e)
		p.text.Reset()
		p.late.done, p.late.links, p.searched = nil, nil, nil
		p.app.panels.Want()
		p.anchor()
		p.unseen = !e.User && p.app.tells()
		if p.talk != nil && !p.unseen {
			p.talk.Begin()
		}
	case chat.Speech:
		p.text.WriteString(e.Text)
		p.show()
	case chat.Rewritten:
		p.text.Reset()
		p.text.WriteString(e.Text)
		p.show()
	case chat.ToolStatus:
		if p.talk != nil && !protocol.IsExpress(e.Tool) {
			if words := status(p.app.words, e.Tool, e.Running); e.Running {
				p.talk.SetStatus(words)
			} else {
				p.talk.PassStatus(words, doneStatus)
			}
		}
	case chat.TurnDone:
		p.done(e)
	case chat.Played:
		if p.company.HeardOut(e.Turn) {
			p.fig.Neutral()
		}
	}
	p.due = time.Now() // whatever came may have moved the playback, and its end must be seen
	p.state()
}

func (p *pet) show() {
	if p.talk == nil {
		return
	}
	if p.unseen {
		p.unseen = false
		p.talk.Begin()
	}
	p.talk.SetText(p.text.String())
}

func (p *pet) done(e chat.TurnDone) {
	p.running, p.outcome, p.failure = false, e.Outcome, e.Error
	if p.reconnects {
		p.reconnects = false
		p.connect()
	}
	if p.company.Ended(e.Turn, company.Reply{Words: p.text.String(), OK: e.Outcome == chat.OK, More: e.More}) {
		p.fig.Neutral()
	}
	p.app.door.Stir()
	if e.User && (e.Error != "" || e.Notice != "") {
		p.app.told()
	}
	if e.Outcome != chat.OK {
		p.app.log.Warn("turn ended", "pet", p.preset.ID, "turn", e.Turn, "outcome", e.Outcome, "err", e.Failure)
	}
	if p.talk == nil {
		p.late.done = &e
		return
	}
	p.conclude(e)
}

// conclude shows how a turn ended.
func (p *pet) conclude(e chat.TurnDone) {
	switch {
	case e.Error != "" && e.User && e.Text == "":
		p.talk.Fail(e.Error)
		p.fig.Express("sad", "")
		p.faceEndsIn(4 * time.Second)
	case e.Error != "" && e.User:
		p.talk.SetText(e.Text + "\n— " + e.Error)
		p.talk.End(lingerFor(e.Text))
	case strings.TrimSpace(e.Text) == "" && e.Notice == "":
		if !p.unseen {
			p.talk.Quiet()
		}
	default:
		text := strings.TrimSpace(e.Text + "\n" + e.Notice)
		p.talk.SetText(text)
		p.talk.End(lingerFor(text))
	}
}

// lingerFor is how long a whole reply stays: time to read it twice.
func lingerFor(text string) time.Duration {
	return max(6*time.Second, min(60*time.Second, time.Duration(len([]rune(text)))*110*time.Millisecond))
}

// state chooses the pose of the talk: waiting, speaking, listening.
func (p *pet) state() {
	p.fig.SetAttends(p.running || p.playing || p.talk != nil && p.talk.InputOpen())
	switch {
	case p.running && p.text.Len() == 0:
		p.fig.SetState(clips.Thinking)
	case p.playing:
		p.fig.SetState(clips.Talk)
	case p.talk != nil && p.talk.InputOpen():
		p.fig.SetState(clips.Listening)
	default:
		p.fig.SetState("")
	}
}

// Next implements window.Ticker: the clock of the bubble runs with a turn and until its playback is over.
func (p *pet) Next(time.Time) (time.Time, bool) { return p.due, !p.due.IsZero() }

// Tick implements window.Ticker.
func (p *pet) Tick(now time.Time) {
	turn, s := p.session.Step(now)
	p.due = time.Time{}
	if s.Active || p.running {
		p.due = now.Add(playTick)
		if !s.Next.IsZero() && s.Next.Before(p.due) {
			p.due = s.Next
		}
	}
	for _, c := range s.Cues {
		p.express(c)
	}
	speaking := s.Active && s.Sentence >= 0
	if speaking != p.playing {
		p.playing = speaking
		p.fig.SetTalking(speaking)
		p.state()
	}
	if s.Ended {
		p.app.door.Stir()
		if p.company.HeardOut(turn) {
			p.fig.Neutral()
		}
	}
}

func (p *pet) express(c chat.Cue) {
	if p.lonely != nil {
		p.lonely.Stop()
		p.lonely = nil
	}
	p.fig.Express(c.EmotionID, clips.ID(c.MotionID))
}

// expressFor shows a face or a motion that no playback ends.
func (p *pet) expressFor(c chat.Cue, d time.Duration) {
	p.express(c)
	p.faceEndsIn(d)
}

// faceEndsIn takes the face back where no playback will.
func (p *pet) faceEndsIn(d time.Duration) {
	if p.lonely != nil {
		p.lonely.Stop()
	}
	p.lonely = time.AfterFunc(d, func() {
		p.app.loop.Do(func() {
			if p.fig.Busy() {
				p.faceEndsIn(time.Second)
				return
			}
			p.fig.Neutral()
		})
	})
}
