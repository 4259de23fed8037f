package chat

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode"
)

// Every sentence that the person may read is there in each language, says the same parts, and is that language.
func TestWordsInEveryLanguage(t *testing.T) {
	all := map[string]phrase{}
	for k, p := range noticeWords {
		all["notice "+k] = p
	}
	for k, p := range failureWords {
		all["failure "+string(k)] = p
	}
	for k, p := range markers {
		all["marker "+k] = p
	}
	for name, p := range all {
		for _, part := range []string{"{host}", "{model}", "{status}", "{wait}", "base_url", "api_key", "yui doctor"} {
			if n := strings.Count(p.en, part); strings.Count(p.ja, part) != n || strings.Count(p.ko, part) != n {
				t.Errorf("%s: %s is not in all languages", name, part)
			}
		}
		if !strings.ContainsFunc(p.ja, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }) {
			t.Errorf("%s: no Japanese: %q", name, p.ja)
		}
		if !strings.ContainsFunc(p.ko, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
			t.Errorf("%s: no Korean: %q", name, p.ko)
		}
	}
	for _, r := range []Reason{NoServer, BadAddress, Unreachable, UnknownHost, BadCertificate, NotTLS, WrongKey, Forbidden, NotFound, UnknownModel, TooLong, NoImages,
		RateLimited, Refused, ServerFailed, Redirected, NotAnAPI, Garbled, CutOff, Stalled, ProviderError, Other} {
		if _, ok := failureWords[r]; !ok {
			t.Errorf("%s has no sentence", r)
		}
	}
}

func TestPlainIn(t *testing.T) {
	f := &Failure{Reason: RateLimited, Host: "api.example:443", RetryAfter: 7 * time.Second, Detail: "Slow down."}
	for language, want := range map[string]string{
		English:  "api.example:443 asks for a pause: try again in 7s. (Slow down.)",
		Japanese: "api.example:443 が少し待つよう求めています。7s 後にもう一度どうぞ。 (Slow down.)",
		Korean:   "api.example:443에서 잠시 쉬어 달라고 합니다. 7s 뒤에 다시 하세요. (Slow down.)",
		"fr":     "api.example:443 asks for a pause: try again in 7s. (Slow down.)",
	} {
		if got := f.PlainIn(language); got != want {
			t.Errorf("%s: %s", language, got)
		}
	}
	for reason, want := range map[Reason]string{UnknownModel: "The chat server wants a model", "no such reason": "The turn with the chat server failed: ask again, or look into the log of YUI."} {
		if got := (&Failure{Reason: reason}).Plain(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", reason, got)
		}
	}
}

// The language of the configuration is that of failures, notices and markers.
func TestLanguageOfASession(t *testing.T) {
	b := newBench(t, func(_ context.Context, _ *Request, sink Sink) (*Reply, error) {
		sink.Notice(NoticeNoTools)
		sink.Notice("As it is.")
		return nil, &Failure{Outcome: NetworkDrop, Reason: CutOff, Host: "h"}
	}, says("はい。"))
	b.cfg.Language = Japanese
	b.Say(context.Background(), "Hi", nil)
	if n := until[Notice](t, b); !strings.HasPrefix(n.Text, "このモデルは") {
		t.Errorf("notice %q", n.Text)
	}
	if n := until[Notice](t, b); n.Text != "As it is." {
		t.Errorf("notice %q", n.Text)
	}
	if d := until[TurnDone](t, b); d.Error != "応答の途中で h との接続が切れました。もう一度話しかけてください。" {
		t.Errorf("sentence %q", d.Error)
	}
	b.pass(time.Minute)
	b.Background(context.Background(), Trigger{Event: "proactive.head_pat"})
	until[TurnDone](t, b)
	if got := b.asked[1].Text; got != "（ユーザーがあなたの頭をなでている。）" {
		t.Errorf("marker %q", got)
	}
}
