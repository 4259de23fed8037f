package companion

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func readTestLibrary(t testing.TB) *library {
	t.Helper()
	lib, err := sharedLibrary()
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

var (
	faces    = strings.Fields("neutral happy angry sad relaxed surprised thinking curious sleepy embarrassed")
	motions  = append(strings.Fields("happy laugh embarrassed sheepish calm sleeping idle_lively dance sulk surprised"), "")
	acts     = append(strings.Fields("sit peek move stand bed where windows screen express effect address search news camera share browse celebrate"), "")
	uses     = append(strings.Fields("clock greet season weekday front sum coin dice rps count recall name continue word agent meet"), "")
	detects  = append(strings.Fields("sum name called foreign emoji marks search share page message"), "")
	follows  = append(strings.Fields("yes no why you more"), "")
	slots    = strings.Fields("note me user other app apps want title time date weekday word n sum sides hand count unspoken then monitor query found seen why tool project")
	slotForm = regexp.MustCompile(`\{([^{}\[\]]*)\}`)
)

// TestWordsAreFit checks what can be checked of writing: variety, length,
// slots that exist, faces that the vocabulary has, and no line kept twice.
func TestWordsAreFit(t *testing.T) {
	lib := readTestLibrary(t)
	for lang, b := range lib.books {
		seen := map[string]string{}
		check := func(name string, at *intent, least int) {
			if n := len(at.Say) + len(at.Pair); n < least {
				t.Errorf("%s %s: %d lines for any character, want %d", lang, name, n, least)
			}
			for _, l := range at.all() {
				checkLine(t, lang, name, l)
				key := l
				if was := seen[key]; was != "" {
					t.Errorf("%s %s: line is kept twice (also in %s): %q", lang, name, was, l)
				}
				seen[key] = name
			}
			for _, p := range at.Pair {
				checkLine(t, lang, name, p.Ask)
				checkLine(t, lang, name, p.Then)
			}
			for _, f := range at.Face {
				if !slices.Contains(faces, f) {
					t.Errorf("%s %s: unknown face %q", lang, name, f)
				}
			}
			for _, m := range at.Motion {
				if !slices.Contains(motions, m) {
					t.Errorf("%s %s: unknown motion %q", lang, name, m)
				}
			}
		}
		for _, in := range b.Intent {
			check(in.ID, in, 4)
			if len(in.Face) == 0 {
				t.Errorf("%s %s: no face", lang, in.ID)
			}
			if !slices.Contains(acts, in.Act) || !slices.Contains(uses, in.Use) || !slices.Contains(detects, in.Detect) || !slices.Contains(follows, in.Follow) {
				t.Errorf("%s %s: unknown act %q, use %q, detect %q or follow %q", lang, in.ID, in.Act, in.Use, in.Detect, in.Follow)
			}
			for _, id := range in.After {
				if b.byID[id] == nil {
					t.Errorf("%s %s: after unknown %s", lang, in.ID, id)
				}
			}
			for part, sub := range in.On {
				check(in.ID+" on "+part, sub, 4)
			}
		}
	}
}

func checkLine(t *testing.T, lang, name, l string) {
	t.Helper()
	most := 140
	if lang == langJA {
		most = 80
	}
	if strings.HasPrefix(name, "crisis") {
		most = 160
	}
	if n := utf8.RuneCountInString(l); n > most {
		t.Errorf("%s %s: %d letters, at most %d: %q", lang, name, n, most, l)
	}
	if strings.Count(l, "[") != strings.Count(l, "]") || strings.Count(l, "{") != strings.Count(l, "}") {
		t.Errorf("%s %s: unbalanced brackets: %q", lang, name, l)
	}
	for _, m := range slotForm.FindAllStringSubmatch(l, -1) {
		if !slices.Contains(slots, m[1]) {
			t.Errorf("%s %s: unknown slot %q in %q", lang, name, m[1], l)
		}
	}
	if strings.TrimSpace(l) != l || l == "" {
		t.Errorf("%s %s: blank edges: %q", lang, name, l)
	}
	if lang == langJA && strings.ContainsAny(strings.ReplaceAll(l, " / ", ""), ",;!?") && !regexp.MustCompile(`[A-Za-z]`).MatchString(l) {
		t.Errorf("%s %s: half-width mark in %q", lang, name, l)
	}
}

func TestBreadth(t *testing.T) {
	lib := readTestLibrary(t)
	for _, lang := range []string{langEN, langJA} {
		b := lib.books[lang]
		talk, acting := 0, 0
		for _, in := range b.Intent {
			if isTyped(in) {
				talk++
			}
			if in.Act != "" {
				acting++
			}
		}
		t.Logf("%s: %d intents to be talked to, %d of them act, %d lines", lang, talk, acting, len(b.sources))
		if talk < 60 || acting < 12 {
			t.Errorf("%s: %d intents, %d acting", lang, talk, acting)
		}
		for _, id := range []string{"sys.again", "sys.again_done", "sys.again_failed", "sys.again_quiet", "sys.lost", "sys.lost_question"} {
			plain := 0
			for _, l := range b.byID[id].Say {
				if !strings.Contains(l, "{") {
					plain++
				}
			}
			if plain+len(b.byID["sys.again"].Say) <= memory || strings.HasPrefix(id, "sys.again") && plain <= memory {
				t.Errorf("%s %s: %d lines do not outlast %d turns", lang, id, plain, memory)
			}
		}
	}
	en, ja := lib.books[langEN].byID, lib.books[langJA].byID
	for id := range maps.Keys(ja) {
		if en[id] == nil {
			t.Logf("only in ja: %s", id)
		}
	}
	for id := range maps.Keys(en) {
		if ja[id] == nil {
			t.Logf("only in en: %s", id)
		}
	}
}

// TestLinesAreFoundAgain: every line, filled, leads back to its own intent.
func TestLinesAreFoundAgain(t *testing.T) {
	lib := readTestLibrary(t)
	vars := map[string]string{}
	for _, s := range slots {
		vars[s] = "Zq"
	}
	for lang, b := range lib.books {
		if lang == langKO {
			continue
		}
		for _, s := range b.sources {
			said, ok := fill(s.line.text, vars)
			if !ok || s.line.size == 0 {
				continue
			}
			if !s.line.in(said) {
				t.Errorf("%s: %q is not found in %q", lang, s.line.text, said)
			}
			if got := b.origin(said).intent; got != s.intent && s.line.size > 6 && !strings.HasPrefix(s.intent.ID, "sys.again") {
				t.Errorf("%s: %q of %s is taken for a line of %s", lang, said, s.intent.ID, got.ID)
			}
		}
	}
}

func ExampleNew() {
	h := New(Options{Delay: DefaultDelay})
	fmt.Println(h != nil)
	// Output: true
}
