package chat

import (
	"context"
	"strings"
	"testing"
	"time"

	"yui/assets/lang"
)

func TestEveryReasonHasASentence(t *testing.T) {
	for _, r := range []Reason{NoServer, BadAddress, Unreachable, UnknownHost, BadCertificate, NotTLS, WrongKey, Forbidden, NotFound, UnknownModel, TooLong, NoImages,
		RateLimited, Refused, ServerFailed, Redirected, NotAnAPI, Garbled, CutOff, Stalled, ProviderError, Other} {
		if _, ok := failureWords[r]; !ok {
			t.Errorf("%s has no sentence", r)
		}
	}
}

func TestPlain(t *testing.T) {
	f := &Failure{Reason: RateLimited, Host: "api.example:443", RetryAfter: 7 * time.Second, Detail: "Slow down."}
	for language, want := range map[string]string{
		"en": "api.example:443 asks for a pause: try again in 7 seconds. (Slow down.)",
		"ja": "api.example:443 が少し待つよう求めています。7秒後にもう一度どうぞ。 (Slow down.)",
		"ko": "api.example:443에서 잠시 쉬어 달라고 해요. 7초 뒤에 다시 하세요. (Slow down.)",
		"fr": "api.example:443 asks for a pause: try again in 7 seconds. (Slow down.)",
	} {
		if got := f.Plain(lang.In(language)); got != want {
			t.Errorf("%s: %s", language, got)
		}
	}
	for reason, want := range map[Reason]string{UnknownModel: "The chat server wants a model", "no such reason": "The turn with the chat server failed: ask again, or look into the log of YUI."} {
		if got := (&Failure{Reason: reason}).Plain(lang.In("en")); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", reason, got)
		}
	}
}

// The language of failures, notices and markers is the present one: it changes within a session.
func TestLanguageOfASession(t *testing.T) {
	b := newBench(t, func(_ context.Context, _ *Request, sink Sink) (*Reply, error) {
		sink.Notice(NoticeNoTools)
		return nil, &Failure{Outcome: NetworkDrop, Reason: CutOff, Host: "h"}
	}, says("はい。"))
	words := lang.In("ja")
	b.cfg.Words = words
	b.Say(context.Background(), "Hi", nil)
	if n := until[Notice](t, b); !strings.HasPrefix(n.Text, "このモデルは") {
		t.Errorf("notice %q", n.Text)
	}
	if d := until[TurnDone](t, b); d.Error != "応答の途中で h との接続が切れました。もう一度話しかけてください。" {
		t.Errorf("sentence %q", d.Error)
	}
	words.Use("ko")
	b.pass(time.Minute)
	b.Background(context.Background(), Trigger{Event: "proactive.head_pat"})
	until[TurnDone](t, b)
	if got := b.asked[1].Text; got != "(사용자가 당신의 머리를 쓰다듬고 있다.)" {
		t.Errorf("marker %q", got)
	}
}
