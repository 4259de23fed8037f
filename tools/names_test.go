package tools

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestListNames(t *testing.T) {
	for _, c := range []struct {
		about string
		in    []Named
		want  []Named
	}{
		{"nobody", nil, nil},
		{"plain, by id", []Named{{"yui", "Yui"}, {"momo", "Momo"}}, []Named{{"momo", "Momo"}, {"yui", "Yui"}}},
		{"one called user", []Named{{"a", "user"}}, []Named{{"a", "user (character)"}}},
		{"user in capitals", []Named{{"a", " USER\n"}}, []Named{{"a", "USER (character)"}}},
		{"an id of user is no name", []Named{{"user", "Momo"}}, []Named{{"user", "Momo"}}},
		{"three of one name", []Named{{"c", "Yui"}, {"a", "Yui"}, {"b", "Yui"}}, []Named{{"a", "Yui"}, {"b", "Yui 2"}, {"c", "Yui 3"}}},
		{"the number is a real name", []Named{{"a", "Yui"}, {"b", "Yui"}, {"c", "Yui 2"}}, []Named{{"a", "Yui"}, {"b", "Yui 3"}, {"c", "Yui 2"}}},
		{"the number is a real name twice", []Named{{"a", "Yui"}, {"b", "Yui"}, {"c", "Yui 2"}, {"d", "Yui 2"}},
			[]Named{{"a", "Yui"}, {"b", "Yui 3"}, {"c", "Yui 2"}, {"d", "Yui 2 2"}}},
		{"two called user", []Named{{"a", "user"}, {"b", "user"}}, []Named{{"a", "user (character)"}, {"b", "user (character) 2"}}},
		{"a real user (character) keeps its name", []Named{{"a", "user"}, {"b", "user (character)"}}, []Named{{"a", "user (character) 2"}, {"b", "user (character)"}}},
		{"the id where there is no name", []Named{{"a", " \u200b\t"}}, []Named{{"a", "a"}}},
		{"quotes and emoji", []Named{{"a", `The "Fox" 👩‍👩‍👧`}}, []Named{{"a", `The "Fox" 👩‍👩‍👧`}}},
		{"right to left, without marks", []Named{{"a", "\u202eنور\u202c\u200f"}}, []Named{{"a", "نور"}}},
		{"one line", []Named{{"a", "\r\nMo\u2028mo \x00\x1b[1m\n\n!"}}, []Named{{"a", "Mo mo [1m !"}}},
		{"accents are composed", []Named{{"a", "Ame\u0301lie"}, {"b", "Am\u00e9lie"}}, []Named{{"a", "Amélie"}, {"b", "Amélie 2"}}},
		{"broken bytes", []Named{{"a", "M\xffo"}}, []Named{{"a", "M\uFFFDo"}}},
		{"no further name of the list", []Named{{"a", "Momo close; user"}, {"b", "Momo；user"}, {"c", "Momo close, user"}},
			[]Named{{"a", "Momo close, user"}, {"b", "Momo、user"}, {"c", "Momo close, user 2"}}},
		{"one id twice", []Named{{"a", "Yui"}, {"a", "Yui"}}, []Named{{"a", "Yui"}}},
		{"long", []Named{{"a", strings.Repeat("ゆ", 99)}, {"b", strings.Repeat("ゆ", 98)}},
			[]Named{{"a", strings.Repeat("ゆ", 60)}, {"b", strings.Repeat("ゆ", 60) + " 2"}}},
	} {
		if diff := cmp.Diff(c.want, ListNames(c.in)); diff != "" && len(c.want)+len(ListNames(c.in)) > 0 {
			t.Errorf("%s: %s", c.about, diff)
		}
	}
}

// TestListNamesIsUnambiguous holds for any names, of which many are alike.
func TestListNamesIsUnambiguous(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"Yui", "Yui 2", "Yui 3", "Yui 2 2", "user", "User", "user (character)", "user (character) 2",
			"", "\n", "Yui\u200b", " Yui", "Yu\u202ei", "a", "1"}))
		var in []Named
		for i := range rapid.IntRange(0, 12).Draw(t, "characters") {
			in = append(in, Named{fmt.Sprintf("%02d", i), name.Draw(t, "name")})
		}
		out := ListNames(in)
		if diff := cmp.Diff(out, ListNames(rapid.Permutation(in).Draw(t, "order"))); diff != "" {
			t.Fatalf("the order in which they opened matters: %s", diff)
		}
		if len(out) != len(in) {
			t.Fatalf("%d entries for %d characters", len(out), len(in))
		}
		seen := map[string]bool{}
		for i, e := range out {
			if e.ID != in[i].ID || seen[e.Name] || strings.EqualFold(e.Name, UserEntry) || strings.TrimSpace(e.Name) == "" {
				t.Fatalf("entry %d is %+v of %+v", i, e, out)
			}
			seen[e.Name] = true
			if !utf8.ValidString(e.Name) || strings.ContainsFunc(e.Name, unicode.IsControl) || strings.ContainsAny(e.Name, "\u2028\u2029\u202e\u200b") {
				t.Fatalf("entry %q is not one clean line", e.Name)
			}
			// An entry that is someone's real name belongs to one who bears it.
			if j := slices.IndexFunc(in, func(n Named) bool { return plainName(n) == e.Name }); j >= 0 && plainName(in[i]) != e.Name {
				t.Fatalf("entry %q of %s is the real name of %s", e.Name, e.ID, in[j].ID)
			}
		}
	})
}

// TestEntriesKeepTheMeaningOfTheSchema has characters come and go between the schema and the call.
func TestEntriesKeepTheMeaningOfTheSchema(t *testing.T) {
	open := []Named{{"a", "Yui"}, {"b", "Yui"}}
	entries, told := entriesOf(open)
	if diff := cmp.Diff([]string{"Yui", "Yui 2"}, entries); diff != "" {
		t.Error(diff)
	}
	look := func(names map[string]string, entry, want string) {
		t.Helper()
		if id, ok := find(names, open, entry); ok != (want != "") || (ok && id != want) {
			t.Errorf("%s is %q (%v), want %q", entry, id, ok, want)
		}
	}
	look(told, "Yui 2", "b")
	open = []Named{{"b", "Yui"}, {"c", "Momo"}}
	look(told, "Yui 2", "b") // a new schema would call it Yui
	look(told, "Yui", "")    // told of a, who has left: never b
	look(told, "Momo", "")   // opened since: not in the list
	look(nil, "Momo", "c")   // but for one who was told no list
	look(nil, "Yui", "b")
	open = []Named{{"b", "Yuina"}, {"c", "Momo"}}
	look(told, "Yui 2", "b") // renamed since
	look(told, "Yuina", "")
	_, none := entriesOf(nil)
	look(none, "Momo", "") // told of nobody
}

func TestTurnNotes(t *testing.T) {
	var n turnNotes
	for i := range 10 * keptTurns {
		turn := fmt.Sprint(i)
		if held, fresh := n.first(turn, "k", "a"); !fresh || held != "a" {
			t.Fatal("the first is the first")
		}
		if held, fresh := n.first(turn, "k", "b"); fresh || held != "a" {
			t.Fatal("the second is not")
		}
	}
	if len(n.notes) != keptTurns || len(n.turns) != keptTurns {
		t.Errorf("%d turns are kept", len(n.notes))
	}
	if _, fresh := n.first("0", "k", "a"); !fresh {
		t.Error("a turn of long ago is still known")
	}
	for range 2 {
		if _, fresh := n.first("", "k", "a"); !fresh {
			t.Error("calls outside of turns are not each other's seconds")
		}
	}
	n.forget("0", "k")
	n.forget("never", "k")
	if _, fresh := n.first("0", "k", "b"); !fresh {
		t.Error("a note that was taken back is still there")
	}
}
