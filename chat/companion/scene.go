package companion

import (
	"fmt"
	"regexp"
	"strings"

	"yui/internal/protocol"
	"yui/internal/readable"
)

// sceneLines is how many lines a scene has.
const sceneLines = 4

// scene is a small talk between two pets: four lines, each the answer to the one before. Who speaks first draws one; the
// other one knows it by what it hears, so that both play the same one without any secret between them.
type scene struct {
	Lang     string
	Kind     string // "greet", "ask", or "" for whenever there is nothing particular to say
	From, To string // the bundled characters that it is for, "" for any
	Line     []string
	Face     []string

	lines []line
}

// readScenes reads the embedded scenes.
func readScenes() ([]scene, error) {
	data, err := files.ReadFile("intents/scenes.toml")
	if err != nil {
		return nil, fmt.Errorf("read scenes: %w", err)
	}
	var all struct{ Scene []scene }
	if err := decode(data, &all); err != nil {
		return nil, fmt.Errorf("read intents/scenes.toml: %w", err)
	}
	for i := range all.Scene {
		s := &all.Scene[i]
		if len(s.Line) != sceneLines || len(s.Face) != sceneLines {
			return nil, fmt.Errorf("read intents/scenes.toml: scene %d has %d lines and %d faces", i+1, len(s.Line), len(s.Face))
		}
		for _, text := range s.Line {
			s.lines = append(s.lines, cut(text))
		}
	}
	return all.Scene, nil
}

// openScene begins a scene with the pet called other; ok is false where each that fits was played lately.
func (t *turn) openScene(other string) (a reply, ok bool) {
	var fit []*scene
	kind := t.errandKind()
	weight := -1
	for i := range t.lib.scenes {
		s := &t.lib.scenes[i]
		if s.Lang != t.book.Lang || s.From != "" && s.From != t.persona ||
			s.To != "" && s.To != known[fold(other)] || t.used(s.Line[0]) {
			continue
		}
		w := 1
		switch {
		case s.Kind != "" && s.Kind == kind:
			w = 3 // what was made for it comes first
		case s.From != "":
			w = 2
		case s.Kind != "":
			w = 0
		}
		if w > weight {
			fit, weight = nil, w
		}
		if w == weight {
			fit = append(fit, s)
		}
	}
	if len(fit) == 0 {
		return reply{}, false
	}
	return t.play(fit[t.rng.IntN(len(fit))], 0)
}

// smallTalk turns to another pet, now and then, where nobody has said anything for a while.
func (t *turn) smallTalk() (a reply, ok bool) {
	const tool = protocol.Address
	var others []string
	for _, v := range t.tools[tool].Function.Parameters.Properties["to"].Enum {
		if n, ok := v.(string); ok && n != "" {
			others = append(others, n)
		}
	}
	if len(others) == 0 || t.rng.IntN(2) > 0 {
		return reply{}, false
	}
	other := others[t.rng.IntN(len(others))] // the same one in each request of the turn
	t.nameOther(other)
	if word, done := t.result(tool); done {
		if fails(word) {
			return reply{}, false
		}
		return t.openScene(other)
	}
	if !t.offers(tool) {
		return reply{}, false
	}
	return t.call(tool, map[string]any{"to": other}), true
}

// errandKind is what the person sent her for.
func (t *turn) errandKind() string {
	s := " " + strings.Join(t.said.words, " ") + " " + t.said.flat + " "
	for kind, words := range map[string][]string{
		"ask":   {" ask ", "聞い", "きい", "尋ね", "たずね"},
		"greet": {" hi ", " hello ", " greet ", " greetings ", " wave ", "よろしく", "挨拶", "あいさつ", "こんにちは"},
	} {
		for _, w := range words {
			if strings.Contains(s, w) {
				return kind
			}
		}
	}
	return ""
}

// play says a line of a scene.
func (t *turn) play(s *scene, at int) (a reply, ok bool) {
	text, ok := fill(s.Line[at], t.vars)
	if !ok {
		return reply{}, false
	}
	a = reply{text: capital(text)}
	if c, ok := t.cue(s.Face[at:at+1], nil); ok {
		a.calls = append(a.calls, c)
	}
	return a, true
}

// scened finds the scene and the line of it that a sentence is; nil where it is of none.
func (l *library) scened(said string) (found *scene, at int) {
	size := 0
	for i := range l.scenes {
		for j, ln := range l.scenes[i].lines {
			if ln.size > size && ln.in(said) && ln.size*2 > len([]rune(said)) {
				found, at, size = &l.scenes[i], j, ln.size
			}
		}
	}
	return found, at
}

var (
	messageEN = regexp.MustCompile(`(?i)^(?:tell|let)\s+(.+?)(?:\s+know)?\s*[,:]?\s+(?:that\s+)?(\S.*?)[\s.!]*$`)
	noMessage = regexp.MustCompile(`(?i)^(?:something|anything|hi|hello|hey|know|about|to|off|how|what|why|where|who|when|an?\s+(?:joke|story|secret|riddle))\b`)
	messageJA = regexp.MustCompile(`^(?:ちゃん|さん)?に(.+?)(?:って|と)(?:つたえ|伝え|言って|いって|教え|おしえ)`)
)

// messageLimit is how much of a message she carries, in code points.
const messageLimit = 60

// message reads what the person wants another pet to be told word for word, "" where it is a talk that is wanted.
func (t *turn) message(name string) string {
	for word, p := range known {
		if p != known[fold(name)] {
			continue
		}
		if m := t.messageTo(word); m != "" {
			return m
		}
	}
	return t.messageTo(fold(name))
}

// carriesMessage tells whether the person has words for any other pet.
func (t *turn) carriesMessage() bool {
	for word, p := range known {
		if p != t.persona && t.messageTo(word) != "" {
			return true
		}
	}
	for _, v := range t.tools[protocol.Address].Function.Parameters.Properties["to"].Enum {
		if n, ok := v.(string); ok && n != "" && t.messageTo(fold(n)) != "" {
			return true
		}
	}
	return false
}

func (t *turn) messageTo(name string) string {
	switch t.book.Lang {
	case langEN:
		raw := t.bare(t.said.raw)
		at := strings.Index(fold(raw), name)
		if at < 0 || len(fold(raw)) != len(raw) { // folding moved the letters
			return ""
		}
		m := messageEN.FindStringSubmatch(raw[:at] + "x" + raw[at+len(name):])
		if m == nil || m[1] != "x" || noMessage.MatchString(m[2]) {
			return ""
		}
		return readable.Line(strings.Trim(m[2], `"“”' `), messageLimit)
	case langJA:
		_, rest, found := strings.Cut(t.said.flat, flatten(name))
		if m := messageJA.FindStringSubmatch(rest); found && m != nil && !helloJA[m[1]] {
			return readable.Line(strings.Trim(t.unfold(m[1]), "、,。「」 　"), messageLimit)
		}
	}
	return ""
}

// helloJA are greetings, for which there are better words than a message.
var helloJA = map[string]bool{"こんにちは": true, "よろしく": true, "おはよう": true, "おやすみ": true, "なにか": true, "何か": true}
