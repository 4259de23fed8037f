package tools

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"yui/internal/readable"

	"golang.org/x/text/unicode/norm"
)

// Named is a character by its preset's id and name.
type Named struct{ ID, Name string }

// UserEntry is the person's entry in rate_relation's list.
const UserEntry = "user"

// nameLimit is how much of a name a model is shown, in code points.
const nameLimit = 60

// ListNames gives each character the one entry by which a model may name it, in the order of the ids: its name on one
// line, "user (character)" for one that is called user, and a number behind a name that is taken. No entry is ever the
// real name of another character, and none is UserEntry. The returned Names are the entries; use them wherever a model
// reads of characters, so that it finds them again in the lists of the tools.
func ListNames(characters []Named) []Named {
	list := slices.Clone(characters)
	slices.SortFunc(list, func(a, b Named) int { return cmp.Compare(a.ID, b.ID) })
	list = slices.CompactFunc(list, func(a, b Named) bool { return a.ID == b.ID })
	taken := map[string]bool{}
	plain := make([]string, len(list)) // the names before numbers
	own := map[string]int{}            // who bears a name as it stands, without a number
	for i, c := range list {
		name := plainName(c)
		plain[i] = name
		if strings.EqualFold(name, UserEntry) {
			plain[i] = name + " (character)"
		}
		first, claimed := own[plain[i]]
		if !claimed || (plain[i] == name && plainName(list[first]) != name) {
			own[plain[i]] = i
		}
		taken[plain[i]] = true
	}
	next := map[string]int{}
	entries := make([]Named, len(list))
	for i, c := range list {
		entry := plain[i]
		if own[entry] != i {
			entry = numbered(entry, taken, next)
		}
		entries[i] = Named{c.ID, entry}
	}
	return entries
}

// numbered returns the name with the first number from 2 up that makes it free, and takes it.
func numbered(name string, taken map[string]bool, next map[string]int) string {
	for n := max(2, next[name]); ; n++ {
		if entry := name + " " + strconv.Itoa(n); !taken[entry] {
			taken[entry], next[name] = true, n+1
			return entry
		}
	}
}

// unlisted are the marks that stand between the names of a list.
var unlisted = strings.NewReplacer(";", ",", "；", "、")

// plainName is the name as a model may see it, the id where nothing of the name shows. It cannot end its place in a list
// of names.
func plainName(c Named) string {
	for _, s := range []string{c.Name, c.ID} {
		if s = strings.TrimSpace(readable.First(unlisted.Replace(oneLine(s)), nameLimit)); s != "" {
			return s
		}
	}
	return "?"
}

// oneLine is foreign text as one line, with letters and their accents composed, as models write them.
func oneLine(s string) string { return readable.OneLine(norm.NFC.String(s)) }

// entriesOf gives the entries of the open characters, in their order, with the ids that they mean.
func entriesOf(others []Named) (entries []string, names map[string]string) {
	names = make(map[string]string, len(others))
	for _, c := range ListNames(others) {
		entries, names[c.Name] = append(entries, c.Name), c.ID
	}
	return entries, names
}

// find returns the id of the open character that an entry names, by the list that the caller was told: what a model
// reads in a schema and what is open when it calls may differ, but an entry never changes its meaning, and one that was
// not in the list has none. Nil names stand for a list of this moment.
func find(names map[string]string, others []Named, entry string) (id string, ok bool) {
	if names == nil {
		_, names = entriesOf(others)
	}
	id, ok = names[entry]
	return id, ok && slices.ContainsFunc(others, func(c Named) bool { return c.ID == id })
}

// keptTurns is how many turns a tool remembers. A pet has one turn at a time; the rest is for what comes in late.
const keptTurns = 64

// turnNotes remembers what was done first in each of the last turns.
type turnNotes struct {
	mu    sync.Mutex
	turns []string // oldest first
	notes map[string]map[string]string
}

// first writes the note under key unless the turn has one; it returns the one that holds and whether it is this one. A
// call outside of any turn (an empty id) is always the first.
func (t *turnNotes) first(turn, key, note string) (held string, fresh bool) {
	if turn == "" {
		return note, true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.notes[turn] == nil {
		if t.notes == nil {
			t.notes = map[string]map[string]string{}
		}
		if len(t.turns) == keptTurns {
			delete(t.notes, t.turns[0])
			t.turns = slices.Delete(t.turns, 0, 1)
		}
		t.turns = append(t.turns, turn)
		t.notes[turn] = map[string]string{}
	}
	if held, noted := t.notes[turn][key]; noted {
		return held, false
	}
	t.notes[turn][key] = note
	return note, true
}

// forget takes a note back, for a call that failed.
func (t *turnNotes) forget(turn, key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.notes[turn], key)
}
