package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"yui/internal/protocol"
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
func NewDiscordShare(language string, hook Webhook) Tool {
	d := &discord{language: language, hook: hook, wait: discordWait, pause: discordPause, now: time.Now}
	about := func(en, ja, ko string) map[string]any {
		return map[string]any{"type": "string", "description": inLanguage(language, en, ja, ko)}
	}
	def := Definition{
		Description: inLanguage(language,
			"Share something with the person through their own Discord, so that they have it at hand later, on their phone too: search results, links, notes. Call it when they want something saved or sent. The person is asked before it is sent. Never say that it was sent before this tool has said so.",
			"ユーザー自身の Discord に情報を共有します。検索結果やリンク、メモを保存したい、スマートフォンに送りたいと言われたときに使ってください。送る前にユーザーの確認があります。このツールの結果を見るまで「送りました」と言わないでください。",
			"사용자 자신의 Discord로 정보를 공유합니다. 검색 결과, 링크, 메모를 저장하거나 휴대전화로 보내 달라고 할 때 쓰세요. 보내기 전에 사용자에게 확인합니다. 이 도구의 결과를 보기 전에는 보냈다고 말하지 마세요."),
		Parameters: schema(map[string]any{
			"title": about("A short title", "短いタイトル", "짧은 제목"),
			"content": about("What to share, whole and readable on its own; Markdown is fine",
				"共有する内容。それだけ読んで分かるように書いてください。Markdown も使えます",
				"공유할 내용. 그것만 읽어도 알 수 있게 쓰세요. Markdown도 됩니다"),
			"url": about("The page it is about, if there is one", "関連するページの URL（あれば）", "관련 페이지의 URL (있으면)"),
		}, "title", "content"),
	}
	return Tool{
		Name:   protocol.Discord,
		Shows:  true,
		Define: func() Definition { return def },
		Failed: func(result string) bool { return strings.HasPrefix(result, "unknown:") },
		Run:    d.run,
	}
}

// DiscordRule asks before every call, with exactly what would be sent (docs/rules/tools.md#asking).
func DiscordRule(language string) Rule {
	return Rule{Question: func(call Call) (Question, bool) {
		p, bad := readPost(language, call.Args)
		body := p.Title + "\n\n" + p.Content
		if p.URL != "" {
			body += "\n\n" + p.URL
		}
		return Question{Title: inLanguage(language, "Send this to Discord?", "これを Discord に送りますか？", "이 내용을 Discord로 보낼까요?"), Body: body}, bad == ""
	}}
}

// post is what is sent, within Discord's limits.
type post struct {
	Title, Content, URL string
	cut                 bool
}

// readPost reads the arguments; bad is the result for arguments that cannot be sent.
func readPost(language string, args json.RawMessage) (p post, bad string) {
	say := func(en, ja, ko string) string { return "error: " + inLanguage(language, en, ja, ko) }
	f := fields(args)
	title, _ := text(f, "title")
	content, _ := text(f, "content")
	title, content = oneLine(title), plainText(content)
	if title == "" {
		return p, say("title is missing", "title がありません", "title이 없습니다")
	}
	if content == "" {
		return p, say("content is missing", "content がありません", "content가 없습니다")
	}
	if raw, given := f["url"]; given && string(raw) != "null" && string(raw) != `""` {
		address, _ := text(f, "url")
		u, err := webAddress(address)
		if err != nil || u.User != nil || units(u.String()) > discordAddress {
			return p, say("url is no address that begins with http:// or https://", "url は http:// か https:// で始まるアドレスにしてください", "url은 http:// 또는 https://로 시작하는 주소여야 합니다")
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
	language    string
	hook        Webhook
	wait, pause time.Duration
	now         func() time.Time
}

func (d *discord) say(en, ja, ko string) string { return inLanguage(d.language, en, ja, ko) }

func (d *discord) run(ctx context.Context, call Call) Result {
	p, bad := readPost(d.language, call.Args)
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
	return wholeWait(asked.RetryAfter)
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
			return "unknown: " + d.say("Discord did not answer; the message may have arrived all the same", "Discord から返事がありません。メッセージは届いている可能性もあります", "Discord에서 응답이 없습니다. 메시지가 도착했을 수도 있습니다")
		case f.kind == failMissing, f.kind == failRefused:
			return fmt.Sprintf("error: %s (%d)", d.say("Discord does not know the webhook any more; the person has to set a new one", "Discord の Webhook が無効になっています。ユーザーが新しく設定する必要があります", "Discord 웹훅이 더 이상 유효하지 않습니다. 사용자가 새로 설정해야 합니다"), f.status)
		}
	}
	return tellFailure(d.language, "Discord", err)
}

// sent says what has been sent.
func (d *discord) sent(p post) string {
	s := fmt.Sprintf(d.say("sent to Discord: “%s”, %d characters", "Discord に送りました: 「%s」、%d文字", "Discord로 보냈습니다: ‘%s’, %d자"), p.Title, len([]rune(p.Content)))
	if p.URL != "" {
		s += d.say(", with the link ", "、リンク ", ", 링크 ") + p.URL
	}
	if p.cut {
		s += d.say(" (shortened to what Discord takes)", "（Discord の上限に合わせて短くしました）", " (Discord의 한도에 맞춰 줄였습니다)")
	}
	return s
}
