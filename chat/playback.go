package chat

import (
	"sort"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The clock of the bubble (docs/rules/chat.md#playback and 2).
const (
	shortestSentence = 800 * time.Millisecond
	perCharacter     = time.Second / 20
	lonelyCue        = 4 * time.Second
)

// Playback is the clock of one reply's speech, without a voice. It splits the text into sentences as it arrives;
// sentence n starts when it has been shown in full and the one before it has ended, and lasts max(0.8 s, characters
// / 20 s). A cue applies when the next sentence after it starts, or at once where no text follows it. Playback is
// pure: every method takes the time. It is not safe for use by several goroutines; Session guards the one it owns.
type Playback struct {
	text      strings.Builder
	sentences []sentence
	open      int  // byte offset where the unfinished sentence begins
	scanned   int  // up to here the unfinished sentence holds no end
	closing   bool // the last sentence ended at its terminator and may still take closers
	cue       *Cue // waits for the next sentence
	loose     []timedCue
	next      int // the first sentence that has not started
	hold      time.Time
	ended     bool // no more text comes
	told      bool // the end was reported
	cut       bool // stopped: whatever still comes is not played
}

type sentence struct {
	from, to int // byte offsets
	arrived  time.Time
	start    time.Time
	end      time.Time
	cue      *Cue
}

type timedCue struct {
	at  time.Time
	cue Cue
}

// Playing is what one Step found.
type Playing struct {
	// Active is false once the last sentence and the last cue are over: face and motion go back then.
	Active bool
	// Ended is true in exactly one Step, the first that found the end.
	Ended bool
	// Sentence is the number of the sentence that is being spoken, -1 in a pause. From and To are its bytes in Text.
	Sentence, From, To int
	// Cues applied since the last Step, oldest first.
	Cues []Cue
	// Next is when the next change is due; zero where only new text can bring one.
	Next time.Time
}

// Text is everything that was written.
func (p *Playback) Text() string { return p.text.String() }

// Write adds text that is shown from now on.
func (p *Playback) Write(now time.Time, text string) {
	if p.cut {
		return
	}
	p.text.WriteString(text)
	p.split(now, false)
}

// Cue adds a cue at this place of the text. afterText says that no more text of this response follows, so that the
// cue applies at once; else it waits for the next sentence, where a later cue replaces it. An empty cue is none.
func (p *Playback) Cue(now time.Time, cue Cue, afterText bool) {
	if p.cut {
		return
	}
	switch {
	case afterText:
		p.split(now, true)
	case cue.Empty():
	case p.openEnds(): // "Hello." and then a cue: the cue is for what follows
		p.add(now, p.text.Len())
		p.closing = true
	}
	if cue.Empty() {
		return
	}
	p.cue = &cue
	if afterText {
		p.apply(now)
	}
}

// openEnds says whether the unfinished sentence would end here if more text followed behind a space.
func (p *Playback) openEnds() bool {
	open := strings.TrimRight(p.text.String()[p.open:], closers)
	last, _ := utf8.DecodeLastRuneInString(open)
	return open != "" && strings.ContainsRune(asciiEnds, last)
}

// Flush ends a response: what is left is a sentence, and a cue that waits applies at once.
func (p *Playback) Flush(now time.Time) {
	p.split(now, true)
	p.apply(now)
}

// End says that no more text and no more cues come.
func (p *Playback) End(now time.Time) {
	p.Flush(now)
	p.ended = true
}

// Truncate takes back all text from byte n on, where it turned out to be no speech.
func (p *Playback) Truncate(now time.Time, n int) {
	text := p.text.String()
	if n >= len(text) || p.cut {
		return
	}
	p.start(now)
	p.text.Reset()
	p.text.WriteString(text[:n])
	for len(p.sentences) > 0 && p.sentences[len(p.sentences)-1].from >= n {
		p.sentences = p.sentences[:len(p.sentences)-1]
	}
	p.next = min(p.next, len(p.sentences))
	p.open, p.scanned, p.closing = 0, 0, false
	if k := len(p.sentences); k > 0 {
		p.sentences[k-1].to = min(p.sentences[k-1].to, n)
		p.open = p.sentences[k-1].to
	}
}

func (p *Playback) apply(now time.Time) {
	if p.cue == nil {
		return
	}
	p.loose = append(p.loose, timedCue{now, *p.cue})
	p.cue = nil
	p.hold = now.Add(lonelyCue)
}

// Step moves the clock to now.
func (p *Playback) Step(now time.Time) Playing {
	cues := p.start(now)
	cues = append(cues, p.loose...)
	p.loose = nil
	sort.SliceStable(cues, func(i, j int) bool { return cues[i].at.Before(cues[j].at) })
	out := Playing{Sentence: -1, Active: true}
	for _, c := range cues {
		out.Cues = append(out.Cues, c.cue)
	}
	if i := p.next - 1; i >= 0 && now.Before(p.sentences[i].end) {
		s := p.sentences[i]
		out.Sentence, out.From, out.To, out.Next = i, s.from, s.to, s.end
		return out
	}
	if p.next < len(p.sentences) { // the caller's clock lags behind the text's: it has not begun
		out.Next = p.sentences[p.next].start
		return out
	}
	if !p.ended {
		return out
	}
	if now.Before(p.hold) { // a cue with no sentence left: held by itself
		out.Next = p.hold
		return out
	}
	out.Active = false
	out.Ended, p.told = !p.told, true
	return out
}

// over says whether the playback has reached its end at now. It does not take the end away from Step.
func (p *Playback) over(now time.Time) bool {
	return p.ended && !now.Before(p.finish())
}

// finish is when everything written so far will have been spoken and held.
func (p *Playback) finish() time.Time {
	at := p.hold
	var last time.Time
	for i, s := range p.sentences {
		if i < p.next {
			last = s.end
			continue
		}
		if s.arrived.After(last) {
			last = s.arrived
		}
		last = last.Add(lasts(p.text.String()[s.from:s.to]))
	}
	if last.After(at) {
		return last
	}
	return at
}

// start begins every sentence that is due and gives their cues.
func (p *Playback) start(now time.Time) []timedCue {
	var cues []timedCue
	for p.next < len(p.sentences) {
		s := &p.sentences[p.next]
		s.start = s.arrived
		if p.next > 0 && p.sentences[p.next-1].end.After(s.start) {
			s.start = p.sentences[p.next-1].end
		}
		if s.start.After(now) {
			break
		}
		s.end = s.start.Add(lasts(p.text.String()[s.from:s.to]))
		if s.cue != nil {
			cues = append(cues, timedCue{s.start, *s.cue})
		}
		p.next++
	}
	return cues
}

// lasts is how long a sentence is shown as being spoken.
func lasts(text string) time.Duration {
	n := utf8.RuneCountInString(strings.TrimSpace(text))
	return max(shortestSentence, time.Duration(n)*perCharacter)
}

// Cut stops the speech at now: spoken is what had started, unspoken the rest. Both are "" after an end that was
// reached. Nothing plays afterwards.
func (p *Playback) Cut(now time.Time) (spoken, unspoken string) {
	told := p.told
	p.Step(now)
	p.cut, p.told = true, told // the end is still to be found
	at := 0
	if p.next > 0 {
		at = p.sentences[p.next-1].to
	}
	text := p.text.String()
	spoken, unspoken = strings.TrimSpace(text[:at]), strings.TrimSpace(text[at:])
	p.sentences = p.sentences[:p.next]
	if p.next > 0 {
		p.sentences[p.next-1].end = now
	}
	p.open, p.cue, p.hold, p.ended = len(text), nil, time.Time{}, true
	return spoken, unspoken
}

// split takes whole sentences off the open text; all says that the rest is one, too.
func (p *Playback) split(now time.Time, all bool) {
	text := p.text.String()
	if p.closing {
		n := closerRun(text[p.open:])
		p.sentences[len(p.sentences)-1].to += n
		p.open += n
		p.closing = p.open == len(text)
	}
	for {
		p.scanned = max(p.scanned, p.open)
		end, resume := sentenceEnd(text, p.scanned)
		if end == 0 {
			p.scanned = resume
			break
		}
		p.add(now, end)
		p.closing = p.open == len(text) && !strings.HasSuffix(text, "\n")
	}
	if all && p.open < len(text) {
		p.add(now, len(text))
	}
	if all {
		p.closing = false
	}
}

// add makes text[open:to] a sentence; white space alone joins the one before it.
func (p *Playback) add(now time.Time, to int) {
	from := p.open
	p.open = to
	if strings.TrimSpace(p.text.String()[from:to]) == "" {
		if k := len(p.sentences); k > 0 {
			p.sentences[k-1].to = to
		}
		return
	}
	p.sentences = append(p.sentences, sentence{from: from, to: to, arrived: now, cue: p.cue})
	p.cue = nil
}

const (
	asciiEnds = ".!?…"
	wideEnds  = "。！？｡．"
	closers   = "\"'”’)]}»」』）】〉》］｝*_~`"
)

// sentenceEnd gives where the first whole sentence of s ends that ends behind from, 0 where none is complete, and then
// where to look again once there is more (docs/rules/chat.md#playback): ASCII terminators count only before white space, the
// wide ones and a line feed at once.
func sentenceEnd(s string, from int) (end, resume int) {
	for i := from; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		after := i + size
		switch {
		case r == '\n':
			return after, 0
		case strings.ContainsRune(wideEnds, r):
			return after + closerRun(s[after:]), 0
		case strings.ContainsRune(asciiEnds, r):
			rest := strings.TrimLeft(s[after:], asciiEnds+closers)
			if rest == "" {
				return 0, i // what follows decides
			}
			if next, _ := utf8.DecodeRuneInString(rest); unicode.IsSpace(next) {
				return len(s) - len(rest), 0
			}
		}
		i = after
	}
	return 0, len(s)
}

// closerRun is the length of the terminators and closers that s begins with: they belong to the sentence before.
func closerRun(s string) int {
	return len(s) - len(strings.TrimLeft(s, wideEnds+asciiEnds+closers))
}
