package chat

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A cue between two sentences is the second one's, although nothing has followed the full stop yet.
func TestCueBehindAFullStop(t *testing.T) {
	var p Playback
	at := time.Unix(0, 0)
	p.Write(at, "Hello there.")
	p.Cue(at, Cue{EmotionID: "happy"}, false)
	p.Write(at, `" Nice day. Bye`)
	p.End(at)
	if got := p.Step(at); len(got.Cues) != 0 || p.Text()[got.From:got.To] != `Hello there."` {
		t.Errorf("first sentence %q with cues %v", p.Text()[got.From:got.To], got.Cues)
	}
	if got := p.Step(at.Add(time.Second)); len(got.Cues) != 1 || got.Sentence != 1 {
		t.Errorf("second sentence %+v", got)
	}
}

// sentencesOf gives the sentences of a text that was written in pieces.
func sentencesOf(pieces ...string) []string {
	var p Playback
	for _, s := range pieces {
		p.Write(time.Time{}, s)
	}
	p.End(time.Time{})
	var out []string
	for _, s := range p.sentences {
		out = append(out, p.Text()[s.from:s.to])
	}
	return out
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"One. Two! Three?", []string{"One.", " Two!", " Three?"}},
		{"Pi is 3.14, not 3.", []string{"Pi is 3.14, not 3."}},
		{`He said "no." Then left.`, []string{`He said "no."`, " Then left."}},
		{"Wait... what?! Yes…", []string{"Wait...", " what?!", " Yes…"}},
		{"はい。いいえ！本当？うん", []string{"はい。", "いいえ！", "本当？", "うん"}},
		{"「はい。」と言った。", []string{"「はい。」", "と言った。"}},
		{"すごい！！次。", []string{"すごい！！", "次。"}},
		{"line one\nline two", []string{"line one\n", "line two"}},
		{"a\n\n\"b\"", []string{"a\n\n", "\"b\""}},
		{"No end", []string{"No end"}},
		{"  \n ", nil},
		{"", nil},
	} {
		if diff := cmp.Diff(c.want, sentencesOf(c.in)); diff != "" {
			t.Errorf("%q:\n%s", c.in, diff)
		}
	}
}

// Any split gives the same sentences, and together they are the text.
func TestSentencesWhateverTheSplit(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", ".", "!", "…", "。", "！", "」", "\"", " ", "\n", "あ", "*", "3"})
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(part, 0, 30).Draw(t, "pieces")
		text := strings.Join(pieces, "")
		whole, split := sentencesOf(text), sentencesOf(pieces...)
		if diff := cmp.Diff(whole, split); diff != "" {
			t.Fatalf("%q:\n%s", text, diff)
		}
		if strings.TrimSpace(strings.Join(whole, "")) != strings.TrimSpace(text) {
			t.Fatalf("%q lost text: %q", text, whole)
		}
	})
}

// docs/rules/chat.md#playback: sentence n starts when it is first shown in full, and lasts max(0.8 s, characters / 20 s).
func TestPlaybackClock(t *testing.T) {
	t0 := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(ms int) time.Time { return t0.Add(time.Duration(ms) * time.Millisecond) }
	var p Playback
	happy, sad := Cue{EmotionID: "happy"}, Cue{EmotionID: "sad"}
	p.Write(at(0), "Hello. ")
	p.Cue(at(10), happy, false)
	p.Cue(at(20), sad, false) // replaces the earlier one
	p.Cue(at(20), Cue{}, false)
	p.Write(at(30), "This sentence is forty characters long!! End.")
	p.End(at(40))
	type step struct {
		ms       int
		sentence int
		cues     []Cue
		active   bool
		ended    bool
		next     int
	}
	for _, want := range []step{
		{0, 0, nil, true, false, 800},
		{799, 0, nil, true, false, 800},
		{800, 1, []Cue{sad}, true, false, 2800}, // 40 characters: 2 s
		{2799, 1, nil, true, false, 2800},
		{2800, 2, nil, true, false, 3600},
		{3600, -1, nil, false, true, -1},
		{3700, -1, nil, false, false, -1},
	} {
		got := p.Step(at(want.ms))
		next := -1
		if !got.Next.IsZero() {
			next = int(got.Next.Sub(t0).Milliseconds())
		}
		if g := (step{want.ms, got.Sentence, got.Cues, got.Active, got.Ended, next}); !cmp.Equal(g, want, cmp.AllowUnexported(step{})) {
			t.Errorf("at %d ms: %+v, want %+v", want.ms, g, want)
		}
	}
}

// docs/rules/chat.md#playback: a cue with no sentence after it applies at once when it is released, and is held.
func TestCueAfterTheText(t *testing.T) {
	t0 := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	happy := Cue{EmotionID: "happy"}
	var p Playback
	p.Write(t0, "One. Two. Three")
	p.Cue(t0, happy, true)
	if got := p.Step(t0); len(got.Cues) != 1 || got.Sentence != 0 {
		t.Errorf("beside speech: %+v", got)
	}
	p.End(t0)
	if n := len(p.sentences); n != 3 {
		t.Errorf("%d sentences", n)
	}
	var alone Playback
	alone.Cue(t0, happy, false)
	if got := alone.Step(t0); len(got.Cues) != 0 {
		t.Errorf("text may follow: %+v", got)
	}
	alone.End(t0.Add(time.Second))
	got := alone.Step(t0.Add(time.Second))
	if len(got.Cues) != 1 || !got.Active || got.Next != t0.Add(5*time.Second) {
		t.Errorf("alone: %+v", got)
	}
	if got := alone.Step(t0.Add(5 * time.Second)); !got.Ended {
		t.Errorf("after 4 s: %+v", got)
	}
	var none Playback
	none.End(t0)
	if got := none.Step(t0); !got.Ended || got.Active {
		t.Errorf("silence without a cue: %+v", got)
	}
}

func TestCutAndTruncate(t *testing.T) {
	t0 := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var p Playback
	p.Write(t0, "One. Two. Thr")
	spoken, unspoken := p.Cut(t0.Add(time.Second))
	if spoken != "One. Two." || unspoken != "Thr" {
		t.Errorf("cut: %q, %q", spoken, unspoken)
	}
	p.Write(t0.Add(time.Second), "ee. Four.")
	p.Cue(t0.Add(time.Second), Cue{EmotionID: "happy"}, true)
	if got := p.Step(t0.Add(2 * time.Second)); got.Active || len(got.Cues) != 0 || p.next != 2 {
		t.Errorf("something plays after the cut: %+v", got)
	}
	var q Playback
	q.Write(t0, "Keep. Hmm. So ")
	q.Truncate(t0, len("Keep."))
	q.Write(t0, " Answer.")
	q.End(t0)
	var got []string
	for _, s := range q.sentences {
		got = append(got, q.Text()[s.from:s.to])
	}
	if diff := cmp.Diff([]string{"Keep.", " Answer."}, got); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkPlaybackLongSentence(b *testing.B) {
	for b.Loop() {
		var p Playback
		for range 20000 {
			p.Write(time.Time{}, "word ")
		}
	}
}

// TestPlaybackOfALateClock steps with a time from before the text came, as a frame clock does that read it first: what
// has not begun is not over.
func TestPlaybackOfALateClock(t *testing.T) {
	var p Playback
	came := time.Unix(1000, 0)
	p.Write(came, "Fox, come.")
	p.End(came)
	if got := p.Step(came.Add(-40 * time.Millisecond)); got.Ended || !got.Active || !got.Next.Equal(came) {
		t.Errorf("before the text: %+v", got)
	}
	if got := p.Step(came); got.Sentence != 0 || got.Ended {
		t.Errorf("as it comes: %+v", got)
	}
	if got := p.Step(came.Add(2 * time.Second)); !got.Ended || got.Active {
		t.Errorf("after it: %+v", got)
	}
}
