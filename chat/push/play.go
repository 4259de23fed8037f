package push

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"yui/chat"
	"yui/internal/protocol"
)

// cueCall is the name under which the cues of segments reach the Sink: any name that ends with generate_express plays
// its cue, and one that is not registered is not answered.
const cueCall = "segment_" + protocol.Express

// player turns the frames of one turn into what a Sink understands.
type player struct {
	t    *Transport
	u    *turn
	sink chat.Sink
	said utterance
	open bool     // an utterance of speech frames
	cue  chat.Cue // waits for its speech
}

// play shows one event.
func (p *player) play(e event) {
	switch {
	case e.hush:
		p.hush()
	case e.kind == "render":
		p.hush()
		p.say(e.segments, false)
		p.flush()
		p.end()
	case e.kind == "speech":
		p.open = true
		p.say(e.segments, true)
	case e.kind == "tool_status":
		p.sink.Status(e.tool, e.running)
	case e.kind == "tool_call":
		p.call(e)
	case e.kind == "reasoning":
		if t, ok := p.sink.(chat.Thinker); ok {
			t.Thought(e.delta)
		}
		p.sink.Alive()
	default:
		p.sink.Alive()
	}
}

// say speaks segments, each behind its cue.
func (p *player) say(segments []segment, pieces bool) {
	mute := !pieces && silent(segments)
	for _, s := range segments {
		p.cue = merged(p.cue, s.cue)
		if mute || s.speech == "" {
			continue
		}
		if !p.cue.Empty() {
			p.express(false)
		}
		p.sink.Speech(p.said.add(s.speech, pieces))
	}
	p.sink.Alive() // a backend may work for long between two utterances: the long wait counts, not that of speech
}

// flush plays the cues that no speech follows.
func (p *player) flush() {
	if !p.cue.Empty() {
		p.express(true)
	}
}

func (p *player) express(afterText bool) {
	p.sink.Call(chat.ToolCall{ID: chat.NewCallID(), Name: cueCall, Arguments: string(cueArguments(p.cue)), AfterText: afterText})
	p.cue = chat.Cue{}
}

// hush closes the utterance of speech frames.
func (p *player) hush() {
	if !p.open {
		return
	}
	p.open = false
	p.flush()
	p.end()
}

func (p *player) end() {
	p.said = utterance{}
	if u, ok := p.sink.(chat.Utterances); ok {
		u.EndUtterance()
	}
}

// call hands a call to the Sink.
func (p *player) call(e event) {
	c := e.toolCall()
	if !e.answered {
		c.Answer = p.t.answer(p.u, e)
	}
	p.sink.Call(c)
}

// toolCall is the call of an event. Expression is not declared on push: such a call plays its cue, but its name is
// made one that is none of this window's (docs/rules/chat.md#calls-of-the-backend).
func (e event) toolCall() chat.ToolCall {
	name := e.tool
	if protocol.IsExpress(name) {
		name = "push_" + name
	}
	return chat.ToolCall{ID: e.call, Name: name, Arguments: string(e.args), Declared: e.link.greeting.tools}
}

// merged puts two cues at the same place together: what the later asks for wins.
func merged(a, b chat.Cue) chat.Cue {
	take := func(into *string, from string) {
		if from != "" {
			*into = from
		}
	}
	take(&a.EmotionID, b.EmotionID)
	take(&a.MotionID, b.MotionID)
	take(&a.EmotionText, b.EmotionText)
	take(&a.Caption, b.Caption)
	return a
}

func cueArguments(c chat.Cue) json.RawMessage {
	args := map[string]string{}
	for name, value := range map[string]string{
		"emotion_id": c.EmotionID, "motion_id": c.MotionID, "emotion_text": c.EmotionText, "caption": c.Caption,
	} {
		if value != "" {
			args[name] = value
		}
	}
	raw, err := json.Marshal(args)
	if err != nil { // a map of strings always encodes
		return json.RawMessage("{}")
	}
	return raw
}

// silent says whether a render says nothing: all speech empty or exactly the token.
func silent(segments []segment) bool {
	for _, s := range segments {
		if text := strings.TrimSpace(s.speech); text != "" && text != protocol.Silent {
			return false
		}
	}
	return true
}

// utterance joins the speech of segments: a backend cuts its text at cues and at sentences, mostly without the white
// space between them.
type utterance struct{ last string }

// add gives a segment's speech with what belongs before it. pieces says that the text comes as it is written, so that
// a border may lie within a word: then only whole sentences are parted.
func (u *utterance) add(speech string, pieces bool) string {
	before := u.last
	if speech != "" {
		u.last = speech
	}
	if speech == "" || before == "" || !parted(before, speech, pieces) {
		return speech
	}
	return " " + speech
}

// parted says whether a space is missing between two segments.
func parted(before, after string, pieces bool) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	if unicode.IsSpace(last) || unicode.IsSpace(next) || wide(last) || wide(next) {
		return false
	}
	if pieces {
		body := strings.TrimRight(before, "\"'”’)*_")
		return strings.ContainsAny(body[max(0, len(body)-1):], ".!?") && (unicode.IsUpper(next) || strings.ContainsRune("\"“‘(", next))
	}
	return !strings.ContainsRune(".,;:!?…)]}'’”", next) && !strings.ContainsRune("([{“‘", last)
}

// wide says whether a character is of a script that puts no spaces between words, or a mark of one.
func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF
}
