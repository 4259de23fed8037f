package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"yui/assets/lang"
	"yui/internal/protocol"
	"yui/internal/web"
)

// Limits of Discord, in units (see shorten), and of our patience with it.
const (
	discordTitle   = 256
	discordContent = 4096
	discordTotal   = 6000 // title, description and footer together
	discordAddress = 2048
	discordWait    = 15 * time.Second
	discordTries   = 3
	discordPause   = 5 * time.Second // the longest retry_after that is waited for
	discordAnswer  = 256 << 10       // bytes
	discordColor   = 0xE8735A        // YUI's accent
	discordName    = "YUI"
)

// Webhook is the address of a Discord webhook. Whoever knows it can post: it is behind a function, so that nothing that
// prints a value shows it.
type Webhook struct{ address func() string }

// ParseWebhook checks an address. It must be https, or http on this computer. The error does not hold the address.
func ParseWebhook(address string) (Webhook, error) {
	u, err := webAddress(address)
	if err != nil {
		return Webhook{}, errors.New("read Discord webhook: it must look like https://discord.com/api/webhooks/…")
	}
	ip := net.ParseIP(u.Hostname())
	if here := u.Hostname() == "localhost" || (ip != nil && ip.IsLoopback()); u.Scheme != "https" && !here {
		return Webhook{}, errors.New("read Discord webhook: it must begin with https://")
	}
	q := u.Query()
	q.Set("wait", "true") // else Discord says yes before it has kept the message
	u.RawQuery = q.Encode()
	return Webhook{u.String}, nil
}

// NewDiscordShare returns discord_share. It is declared where there is a webhook; hand it to a Guard with DiscordRule.
func NewDiscordShare(w *lang.Words, hook Webhook) Tool {
	d := &discord{words: w, hook: hook, wait: discordWait, pause: discordPause, now: time.Now}
	return Tool{
		Name:   protocol.Discord,
		Shows:  true,
		Define: d.define,
		Failed: func(result string) bool { return strings.HasPrefix(result, "unknown:") },
		Run:    d.run,
	}
}

func (d *discord) define() Definition {
	about := func(key lang.Key) map[string]any {
		return map[string]any{"type": "string", "description": d.words.Text(key)}
	}
	return Definition{
		Description: d.words.Text("tool.discord.about"),
		Parameters: schema(map[string]any{
			"title":   about("tool.discord.title"),
			"content": about("tool.discord.content"),
			"url":     about("tool.discord.url"),
		}, "title", "content"),
	}
}

// DiscordRule asks before every call, with exactly what would be sent (docs/rules/tools.md#asking).
func DiscordRule(w *lang.Words) Rule {
	return Rule{Question: func(call Call) (Question, bool) {
		p, bad := readPost(w, call.Args)
		body := p.Title + "\n\n" + p.Content
		if p.URL != "" {
			body += "\n\n" + p.URL
		}
		return Question{Title: w.Text("tool.discord.ask"), Body: body}, bad == ""
	}}
}

// post is what is sent, within Discord's limits.
type post struct {
	Title, Content, URL string
	cut                 bool
}

// readPost reads the arguments; bad is the result for arguments that cannot be sent.
func readPost(w *lang.Words, args json.RawMessage) (p post, bad string) {
	f := fields(args)
	title, _ := text(f, "title")
	content, _ := text(f, "content")
	title, content = oneLine(title), plainText(content)
	if title == "" {
		return p, "error: " + w.Text("tool.discord.no_title")
	}
	if content == "" {
		return p, "error: " + w.Text("tool.discord.no_content")
	}
	if raw, given := f["url"]; given && string(raw) != "null" && string(raw) != `""` {
		address, _ := text(f, "url")
		u, err := webAddress(address)
		if err != nil || u.User != nil || units(u.String()) > discordAddress {
			return p, "error: " + w.Text("tool.discord.bad_url")
		}
		p.URL = u.String()
	}
	var cutTitle, cutContent bool
	p.Title, cutTitle = shorten(title, discordTitle)
	p.Content, cutContent = shorten(content, min(discordContent, discordTotal-units(p.Title)-units(discordName)))
	p.cut = cutTitle || cutContent
	return p, ""
}

type discord struct {
	words       *lang.Words
	hook        Webhook
	wait, pause time.Duration
	now         func() time.Time
}

func (d *discord) run(ctx context.Context, call Call) Result {
	p, bad := readPost(d.words, call.Args)
	if bad != "" {
		return Result{Text: bad}
	}
	if ctx.Err() != nil {
		return Result{Text: protocol.TurnStopped}
	}
	limited, cancel := context.WithTimeout(ctx, d.wait)
	defer cancel()
	err := d.send(limited, p)
	switch {
	case err == nil:
		return Result{Text: d.sent(p)}
	case ctx.Err() != nil:
		return Result{Text: protocol.TurnStopped}
	}
	return Result{Text: d.failure(err)}
}

// send posts the embed. Only a 429 is tried again: anything else might post twice.
func (d *discord) send(ctx context.Context, p post) error {
	embed := map[string]any{"title": p.Title, "description": p.Content, "color": discordColor,
		"footer": map[string]any{"text": discordName}, "timestamp": d.now().UTC().Format(time.RFC3339)}
	if p.URL != "" {
		embed["url"] = p.URL
	}
	request := webRequest{method: "POST", url: d.hook.address(), limit: discordAnswer, body: map[string]any{
		"username": discordName, "embeds": []any{embed}, "allowed_mentions": map[string]any{"parse": []string{}}}}
	for try := 1; ; try++ {
		answer, err := askWeb(ctx, request)
		var f *webFailure
		if !errors.As(err, &f) || f.status/100 == 2 {
			return nil // posted, whatever Discord says of it
		}
		if f.kind != failBusy {
			return err
		}
		if wait := askedWait(answer); wait > 0 {
			f.wait = wait
		}
		if try == discordTries || !d.pauseFor(ctx, f.wait) {
			return err
		}
	}
}

// askedWait is how long the body of a 429 asks to wait, 0 where it does not say.
func askedWait(answer []byte) time.Duration {
	var asked struct {
		RetryAfter float64 `json:"retry_after"`
	}
	if json.Unmarshal(answer, &asked) != nil {
		return 0
	}
	return web.Wait(asked.RetryAfter)
}

// pauseFor waits as long as Discord asked; false where that is too long, or unknown.
func (d *discord) pauseFor(ctx context.Context, wait time.Duration) bool {
	if end, limited := ctx.Deadline(); wait == 0 || wait > d.pause || (limited && time.Until(end) < wait) {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (d *discord) failure(err error) string {
	var f *webFailure
	if errors.As(err, &f) {
		switch {
		case f.sent && (f.kind == failTimeout || f.kind == failUnreachable):
			return "unknown: " + d.words.Text("tool.discord.unknown")
		case f.kind == failMissing, f.kind == failRefused:
			return fmt.Sprintf("error: %s (%d)", d.words.Text("tool.discord.no_webhook"), f.status)
		}
	}
	return tellFailure(d.words, "Discord", err)
}

// sent says what has been sent.
func (d *discord) sent(p post) string {
	s := d.words.Text("tool.discord.sent", lang.Args{"title": p.Title, lang.Count: len([]rune(p.Content))})
	if p.URL != "" {
		s = d.words.Text("tool.discord.with_link", lang.Args{"sent": s, "url": p.URL})
	}
	if p.cut {
		s = d.words.Text("tool.discord.shortened", lang.Args{"sent": s})
	}
	return s
}
