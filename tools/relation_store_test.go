package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the days of the test must not depend on the machine

	"pgregory.net/rapid"

	"yui/store"
	"yui/tools"
)

// life is one preset's relations in a real file, with a clock of its own, as the program ties them.
type life struct {
	store  *store.Store
	preset string
	on     bool
	now    time.Time
	others []tools.Named
}

func (l *life) RelationsOn() bool     { return l.on }
func (l *life) Others() []tools.Named { return l.others }
func (l *life) Rate(ctx context.Context, toward string, delta int, why string) (int, bool, error) {
	r, err := l.store.Rate(ctx, store.RelationCall{Preset: l.preset, Target: target(toward), Delta: delta, Why: why, Now: l.now})
	return r.Value, r.Clamped, err
}

func target(toward string) string {
	if toward == "" {
		return store.UserTarget
	}
	return store.TargetOf(toward)
}

func open(t testing.TB) *store.Store {
	s, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "yui.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// sheet is what a person with paper and pencil would note of a life.
type sheet struct {
	value map[string]int
	spent map[string]int  // by target and date
	rated map[string]bool // by turn and target
	whys  map[string][]string
}

// answer is the documents' answer to a call, worked out without the code that is tested.
func (s *sheet) answer(on bool, open map[string]string, turn, date, toward string, delta any, why any) string {
	id, known := open[toward]
	step, isStep := map[any]int{-2: -2, -1: -1, 1: 1, 2: 2}[delta]
	reason, isText := why.(string)
	switch {
	case !on:
		return "error: relations are off"
	case !known:
		return "error: unknown target"
	case !isStep:
		return "error: invalid field delta"
	case !isText:
		return "error: invalid field why"
	case reason == "set by the user":
		return "error: reserved reason"
	case s.rated[turn+"\x00"+id]:
		return "ignored: already rated " + toward + " this turn"
	}
	s.rated[turn+"\x00"+id] = true
	moved, day := 0, id+"\x00"+date
	for moved != step {
		one := step / max(step, -step)
		if s.spent[day] == 4 || s.value[id]+one > 20 || s.value[id]+one < -20 {
			break
		}
		s.value[id], s.spent[day], moved = s.value[id]+one, s.spent[day]+1, moved+one
	}
	if moved != 0 {
		s.whys[id] = append(s.whys[id], reason)
	}
	v := s.value[id]
	band := "neutral"
	for _, b := range []struct {
		word string
		in   bool
	}{{"warm", v >= 4}, {"close", v >= 12}, {"cold", v <= -4}, {"hostile", v <= -12}} {
		if b.in {
			band = b.word
		}
	}
	if moved != step {
		return "clamped: " + band
	}
	return band
}

// TestRateRelationRules plays random lives by the tool and a real file: turns, days of several zones, clocks that are
// set, the switch, the slider, and arguments of every kind.
func TestRateRelationRules(t *testing.T) {
	s := open(t)
	var zones []*time.Location
	for _, name := range []string{"UTC", "Europe/Berlin", "America/Sao_Paulo", "America/St_Johns", "Pacific/Apia", "Asia/Kathmandu"} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, loc)
	}
	ctx, lives := context.Background(), 0
	rapid.Check(t, func(t *rapid.T) {
		lives++
		// One zone a life: the sheet notes the date of a change on the day it is made.
		l := &life{store: s, preset: fmt.Sprint("life ", lives), on: true,
			now:    time.Date(2010, 11, 5, 12, 0, 0, 0, rapid.SampledFrom(zones).Draw(t, "zone")),
			others: []tools.Named{{ID: "a", Name: "Yui"}, {ID: "b", Name: "Yui"}, {ID: "u", Name: "user"}}}
		entries := map[string]string{"user": "", "Yui": "a", "Yui 2": "b", "user (character)": "u"}
		sheet := sheet{value: map[string]int{}, spent: map[string]int{}, rated: map[string]bool{}, whys: map[string][]string{}}
		tool := tools.NewRateRelation(l)
		turn := 0
		t.Repeat(map[string]func(*rapid.T){
			"call": func(t *rapid.T) {
				toward := rapid.SampledFrom([]string{"user", "user", "Yui", "Yui 2", "user (character)", "Yui 3", "User", ""}).Draw(t, "toward")
				delta := rapid.SampledFrom([]any{-2, -1, 1, 2, 2, 2, 0, 3, -3, 0.5, "1", nil, true}).Draw(t, "delta")
				why := rapid.SampledFrom([]any{"tea", "a promise kept", "", "set by the user", "set by the users", 5, nil, []string{"tea"}, strings.Repeat("茶", 80)}).Draw(t, "why")
				args, err := json.Marshal(map[string]any{"toward": toward, "delta": delta, "why": why})
				if err != nil {
					t.Fatal(err)
				}
				id := fmt.Sprint("turn ", turn)
				got := tool.Run(ctx, tools.Call{Turn: id, Args: args}).Text
				if want := sheet.answer(l.on, entries, id, l.now.Format(time.DateOnly), toward, delta, why); got != want {
					t.Fatalf("%s: %q, want %q", args, got, want)
				}
			},
			"next turn": func(*rapid.T) { turn++ },
			"schema":    func(*rapid.T) { tool.Define() },
			"switch":    func(t *rapid.T) { l.on = rapid.SampledFrom([]bool{true, true, true, false}).Draw(t, "on") },
			"clock": func(t *rapid.T) {
				l.now = l.now.Add(time.Duration(rapid.Int64Range(int64(-20*time.Hour), int64(40*time.Hour)).Draw(t, "by")))
			},
			"slider": func(t *rapid.T) {
				id, v := rapid.SampledFrom([]string{"", "a", "b", "u"}).Draw(t, "target"), rapid.IntRange(-20, 20).Draw(t, "value")
				r, err := s.SetByUser(ctx, l.preset, target(id), v, l.now)
				if err != nil || r.Value != v {
					t.Fatal(r, err)
				}
				if sheet.value[id] != v {
					sheet.whys[id] = append(sheet.whys[id], "set by the user")
				}
				sheet.value[id] = v
			},
			"": func(t *rapid.T) {
				values, err := s.Relations(ctx, l.preset)
				if err != nil {
					t.Fatal(err)
				}
				for _, id := range entries {
					log, err := s.RelationLog(ctx, l.preset, 1000, target(id))
					if err != nil {
						t.Fatal(err)
					}
					sum, whys := 0, []string(nil)
					for _, c := range slices.Backward(log) {
						sum, whys = sum+c.Delta, append(whys, c.Why)
					}
					if values[target(id)] != sheet.value[id] || sum != sheet.value[id] || !slices.Equal(whys, sheet.whys[id]) {
						t.Fatalf("toward %q: %d, log %d %q, want %d %q", id, values[target(id)], sum, whys, sheet.value[id], sheet.whys[id])
					}
				}
			},
		})
	})
}

// TestReasonsAreOneReason ties the two packages, which do not know each other.
func TestReasonsAreOneReason(t *testing.T) {
	if tools.ReservedReason != store.UserReason {
		t.Errorf("%q is reserved, %q is written", tools.ReservedReason, store.UserReason)
	}
}

// BenchmarkRateRelation is a rating from the arguments to the durable change, each in a transaction of its own.
func BenchmarkRateRelation(b *testing.B) {
	l := &life{store: open(b), preset: "yui", on: true, now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC), others: []tools.Named{{ID: "momo", Name: "Momo"}}}
	tool := tools.NewRateRelation(l)
	tool.Define()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	args := []json.RawMessage{[]byte(`{"toward":"Momo","delta":2,"why":"shared her cake"}`), []byte(`{"toward":"Momo","delta":-2,"why":"hid my ribbon"}`)}
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 {
			l.now = l.now.AddDate(0, 0, 1)
		}
		if r := tool.Run(ctx, tools.Call{Turn: fmt.Sprint(i), Args: args[i%2]}); r.Text != "neutral" {
			b.Fatal(r.Text)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ratings/s")
}
