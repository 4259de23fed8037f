package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"yui/assets/lang"
	"yui/cmd/yui/asking"
	"yui/internal/proc"
	"yui/overlay/ui"
	"yui/tools"
)

// asker asks the person in her bubble.
func (p *pet) asker() asking.Asker { return asking.NewAsker(p.app.loop, p, p.app.words) }

// WithBubble implements asking.Pet.
func (p *pet) WithBubble(show func(b asking.Bubble)) {
	if p.talk == nil {
		p.late.asks = append(p.late.asks, func() { show(p.talk) })
		p.app.panels.Want()
		return
	}
	p.anchor()
	show(p.talk)
}

// found shows what is searched for, and the pages as links, in the bubble.
func (p *pet) found(turn, query string, sources []tools.Source) {
	p.app.loop.Do(func() {
		if p.turn != turn {
			return
		}
		if !slices.Contains(p.searched, query) {
			p.searched = append(p.searched, query)
		}
		links := make([]ui.Link, len(sources)+1)
		links[0] = ui.Link{Text: p.app.words.Text("talk.searched", lang.Args{"queries": strings.Join(p.searched, " · ")})}
		for i, s := range sources {
			links[i+1] = ui.Link{Text: s.Title, Host: s.Host(), Open: func() { p.app.openAddress(s.URL) }}
		}
		p.late.links = links // for a talk window that is still being made
		if p.talk != nil {
			p.talk.SetLinks(links)
		}
	})
}

// openAddress opens a page that the person clicked. Only web addresses: foreign text names no programs and no files.
func (a *App) openAddress(url string) {
	if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return
	}
	a.memory.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := proc.Open(ctx, url); err != nil {
			a.log.Warn("open link", "error", err)
		}
	})
}

// recite shows words as speech, with the mouth moving as long as they would take (docs/rules/chat.md#playback). Main thread.
func (p *pet) recite(text string) {
	p.tell(text)
	if p.talk != nil {
		p.talk.End(lingerFor(text))
	}
	p.fig.SetTalking(true)
	time.AfterFunc(max(800*time.Millisecond, time.Duration(len([]rune(text)))*time.Second/20), func() {
		p.app.loop.Do(func() {
			if !p.playing {
				p.fig.SetTalking(false)
			}
		})
	})
}
