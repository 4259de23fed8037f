package companion

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed intents/*.toml
var files embed.FS

// pool is a set of lines that answer the same thing. Say suits every
// character; the others are said only by the bundled character they name.
//
// A line may hold slots in braces ({user}, {app}, {time}); a part in square
// brackets is left out when a slot in it is empty: "Welcome back[, {user}]!"
type pool struct {
	Say  []string
	Yui  []string
	Momo []string
	Sora []string
}

func (p pool) of(persona string) []string {
	switch persona {
	case "yui":
		return p.Yui
	case "momo":
		return p.Momo
	case "sora":
		return p.Sora
	}
	return nil
}

func (p pool) all() []string {
	var all []string
	for _, lines := range [][]string{p.Say, p.Yui, p.Momo, p.Sora} {
		all = append(all, lines...)
	}
	return all
}

// pair is something the pet says that waits for its other half: a riddle, a
// joke with a set-up. Ask is said first; Then follows the person's answer;
// Accept are the words that count as the right one.
type pair struct {
	Ask    string
	Then   string
	Accept []string
}

// intent is one thing a person may mean, and the ways to answer it.
//
// Patterns (Match): terms separated by spaces, all to be found in this order,
// gaps allowed. "a|b" is a choice, "danc*" a beginning. A leading "=" wants the
// whole utterance, a trailing "?" a question, a trailing "!" no question.
// In Japanese and Korean a term is a piece of text, elsewhere a word.
type intent struct {
	ID     string
	Match  []string
	Not    []string // words that rule it out
	After  []string // only right after a line of these intents
	Detect string   // a detector in detect.go, for what patterns cannot say
	Boost  float64  // added to the score: urgent or very particular intents
	Act    string   // plan in act.go: tools before the line
	Use    string   // helper in helpers.go: slots and parts worked out from facts
	Arg    string   // what Act or Use works with, e.g. a spot or a motion
	Follow string   // this is a follow-up: its lines yield to the last intent's own
	Asks   string   // what its questions ask for: "name"
	More   bool     // "another one" repeats it
	Silent float64  // background only: chance of [SILENT]
	Rate   int      // step of rate_relation toward the user
	Why    string   // the reason of Rate, shown to the user
	Face   []string // emotion ids, one is drawn
	Motion []string // motion ids, one is drawn; "" for none
	pool
	Pair []pair
	On   map[string]*intent // parts: results, hours, follow-ups (yes, no, why, you, answer)

	patterns []pattern
	part     string
}

// book is one language's words.
type book struct {
	Lang     string
	Stop     []string          // words that carry little meaning
	Opening  []string          // phrases without meaning at the head,
	Closing  []string          // and at the end of an utterance
	Negation []string          // words that turn a request round
	Ask      []string          // words that open or mark a question
	Spread   map[string]string // contractions and short spellings
	Names    map[string]string // window kind -> how it is called in a line
	Intent   []*intent

	byID    map[string]*intent
	stop    map[string]bool
	vocab   map[string]bool // every whole word that a pattern knows
	sources []source        // every line, to find where an old line came from
}

// source ties a line to the place it is kept.
type source struct {
	line   line
	intent *intent
	part   string
	pair   *pair
}

// library is everything the companion can say, by language.
type library struct {
	books  map[string]*book
	kinds  []windowKind
	scenes []scene
}

// sharedLibrary is the library of all companions, which only read it: every preset that has one for its backend, and the
// config's own at each change, would else take 15 ms to read the same files.
var sharedLibrary = sync.OnceValues(readLibrary)

// readLibrary reads the embedded files. An error names file and intent; the
// tests read the same files, so it cannot occur in a tested build.
func readLibrary() (*library, error) {
	lib := &library{books: map[string]*book{}}
	for _, lang := range []string{langEN, langJA, langKO} {
		data, err := files.ReadFile("intents/" + lang + ".toml")
		if err != nil {
			return nil, fmt.Errorf("read intents: %w", err)
		}
		b := &book{}
		if err := decode(data, b); err != nil {
			return nil, fmt.Errorf("read intents/%s.toml: %w", lang, err)
		}
		if err := b.index(); err != nil {
			return nil, fmt.Errorf("read intents/%s.toml: %w", lang, err)
		}
		lib.books[lang] = b
	}
	data, err := files.ReadFile("intents/apps.toml")
	if err != nil {
		return nil, fmt.Errorf("read intents: %w", err)
	}
	var apps struct{ Kind []windowKind }
	if err := decode(data, &apps); err != nil {
		return nil, fmt.Errorf("read intents/apps.toml: %w", err)
	}
	lib.kinds = apps.Kind
	if lib.scenes, err = readScenes(); err != nil {
		return nil, err
	}
	return lib, nil
}

func decode(data []byte, into any) error {
	d := toml.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// index prepares a book after reading: patterns, lookups, and the list of
// lines that origin searches.
func (b *book) index() error {
	b.byID, b.stop, b.vocab = map[string]*intent{}, map[string]bool{}, map[string]bool{}
	for _, w := range b.Stop {
		b.stop[w] = true
	}
	foldAll(b.Negation)
	foldAll(b.Opening)
	foldAll(b.Closing)
	foldAll(b.Ask)
	for _, in := range b.Intent {
		if in.ID == "" || b.byID[in.ID] != nil {
			return fmt.Errorf("intent %q: id missing or used twice", in.ID)
		}
		b.byID[in.ID] = in
		foldAll(in.Not)
		for _, text := range in.Match {
			p := compile(text)
			for _, t := range p.terms {
				for _, w := range t {
					if !w.prefix {
						b.vocab[w.text] = true
					}
				}
			}
			in.patterns = append(in.patterns, p)
		}
		b.indexLines(in, in, "")
		for part, sub := range in.On {
			sub.ID, sub.part = in.ID, part
			if len(sub.Face) == 0 {
				sub.Face = in.Face
			}
			b.indexLines(in, sub, part)
		}
	}
	for from := range b.Spread {
		b.vocab[from] = true
	}
	return nil
}

func foldAll(words []string) {
	for i := range words {
		words[i] = fold(words[i])
	}
}

func (b *book) indexLines(in, at *intent, part string) {
	for _, text := range at.all() {
		b.sources = append(b.sources, source{line: cut(text), intent: in, part: part})
	}
	for i := range at.Pair {
		p := &at.Pair[i]
		b.sources = append(b.sources,
			source{line: cut(p.Ask), intent: in, part: part, pair: p},
			source{line: cut(p.Then), intent: in, part: "then"})
	}
}

// origin finds the line that an earlier assistant message was made of; the
// zero source where it is none of ours.
func (b *book) origin(said string) source {
	var best source
	for _, s := range b.sources {
		if s.line.size > best.line.size && s.line.size <= len(said) && s.line.in(said) {
			best = s
		}
	}
	return best
}
