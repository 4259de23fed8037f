package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yui/internal/fuzzmem"
)

// heart keeps relations in memory, by the range alone, and notes what reaches it.
type heart struct {
	mu     sync.Mutex
	off    bool
	others []Named
	values map[string]int
	whys   []string
	said   []string
	err    error
}

func newHeart(others ...Named) *heart { return &heart{others: others, values: map[string]int{}} }

func (h *heart) RelationsOn() bool         { return !h.off }
func (h *heart) Others() []Named           { return h.others }
func (h *heart) Addressed(turn, id string) { h.said = append(h.said, turn+" "+id) }
func (h *heart) Rate(ctx context.Context, toward string, delta int, why string) (int, bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := errors.Join(ctx.Err(), h.err); err != nil {
		return 0, false, err
	}
	v := min(max(h.values[toward]+delta, -20), 20)
	clamped := v != h.values[toward]+delta
	h.values[toward] = v
	h.whys = append(h.whys, why)
	return v, clamped, nil
}

func run(tool Tool, turn, args string) string {
	return tool.Run(context.Background(), Call{Turn: turn, Args: json.RawMessage(args)}).Text
}

func TestBand(t *testing.T) {
	for band, values := range map[string][]int{"hostile": {-20, -13, -12}, "cold": {-11, -5, -4}, "neutral": {-3, 0, 3}, "warm": {4, 11}, "close": {12, 20}} {
		for _, v := range values {
			if Band(v) != band {
				t.Errorf("%d is %s, want %s", v, Band(v), band)
			}
		}
	}
}

// TestRateRelationAnswers tries each answer, and by pairs of faults that the checks come in their order.
func TestRateRelationAnswers(t *testing.T) {
	for _, c := range []struct{ about, args, want string }{
		{"the person", `{"toward":"user","delta":2,"why":"tea"}`, "neutral"},
		{"a character", `{"toward":"Momo","delta":-2,"why":"hid my ribbon"}`, "cold"},
		{"a character called user", `{"toward":"user (character)","delta":1,"why":"x"}`, "warm"},
		{"quotes", `{"toward":"The \"Fox\"","delta":1,"why":"x"}`, "neutral"},
		{"a number behind a name", `{"toward":"Momo 2","delta":1,"why":"x"}`, "neutral"},
		{"at the end of the range", `{"toward":"Sora","delta":2,"why":"x"}`, "clamped: close"},
		{"a number as floats are written", `{"toward":"user","delta":1.0,"why":"x"}`, "neutral"},
		{"an exponent", `{"toward":"user","delta":-2e0,"why":"x"}`, "neutral"},
		{"an empty reason is a string", `{"toward":"user","delta":1,"why":""}`, "neutral"},
		{"fields nobody asked for", `{"toward":"user","delta":1,"why":"x","mood":{}}`, "neutral"},

		{"no arguments", ``, "error: unknown target"},
		{"no object", `[1]`, "error: unknown target"},
		{"target missing", `{"delta":1,"why":"x"}`, "error: unknown target"},
		{"target of another type", `{"toward":["user"],"delta":1,"why":"x"}`, "error: unknown target"},
		{"target unknown", `{"toward":"Nobody","delta":1,"why":"x"}`, "error: unknown target"},
		{"target empty", `{"toward":"","delta":1,"why":"x"}`, "error: unknown target"},
		{"an id is no name", `{"toward":"momo","delta":1,"why":"x"}`, "error: unknown target"},
		{"letters count", `{"toward":"USER","delta":1,"why":"x"}`, "error: unknown target"},
		{"target before delta", `{"toward":"Nobody","delta":3,"why":1}`, "error: unknown target"},

		{"delta missing", `{"toward":"user","why":"x"}`, "error: invalid field delta"},
		{"delta null", `{"toward":"user","delta":null,"why":"x"}`, "error: invalid field delta"},
		{"delta zero", `{"toward":"user","delta":0,"why":"x"}`, "error: invalid field delta"},
		{"delta too large", `{"toward":"user","delta":3,"why":"x"}`, "error: invalid field delta"},
		{"delta a fraction", `{"toward":"user","delta":1.5,"why":"x"}`, "error: invalid field delta"},
		{"delta text", `{"toward":"user","delta":"1","why":"x"}`, "error: invalid field delta"},
		{"delta huge", `{"toward":"user","delta":1e999,"why":"x"}`, "error: invalid field delta"},
		{"delta truth", `{"toward":"user","delta":true,"why":"x"}`, "error: invalid field delta"},
		{"delta before why", `{"toward":"user","delta":0,"why":1}`, "error: invalid field delta"},

		{"why missing", `{"toward":"user","delta":1}`, "error: invalid field why"},
		{"why null", `{"toward":"user","delta":1,"why":null}`, "error: invalid field why"},
		{"why a number", `{"toward":"user","delta":1,"why":80}`, "error: invalid field why"},

		{"the reserved reason", `{"toward":"user","delta":1,"why":"set by the user"}`, "error: reserved reason"},
		{"the same to the eye", `{"toward":"user","delta":1,"why":" Set\u00a0by the\u200b user.\n"}`, "error: reserved reason"},
		{"more behind much white space", `{"toward":"user","delta":1,"why":"set by the user` + strings.Repeat(" ", 90) + `x"}`, "neutral"},
		{"a reason that only begins so", `{"toward":"user","delta":1,"why":"set by the user's kind words"}`, "neutral"},
		{"reserved before already rated", `{"toward":"Rated","delta":1,"why":"set by the user"}`, "error: reserved reason"},
		{"already rated", `{"toward":"Rated","delta":-1,"why":"x"}`, "ignored: already rated Rated this turn"},
	} {
		h := newHeart(Named{"momo", "Momo"}, Named{"momo2", "Momo"}, Named{"u", "user"}, Named{"fox", `The "Fox"`}, Named{"sora", "Sora"}, Named{"r", "Rated"})
		h.values = map[string]int{"momo": -2, "u": 3, "sora": 19}
		tool := NewRateRelation(h)
		if got := run(tool, "t1", `{"toward":"Rated","delta":1,"why":"first"}`); got != "neutral" {
			t.Fatal(got)
		}
		before := len(h.whys)
		if got := run(tool, "t1", c.args); got != c.want {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
		if changed, accepted := len(h.whys) > before, !strings.Contains(c.want, "error:") && !strings.Contains(c.want, "ignored:"); changed != accepted {
			t.Errorf("%s: changed %v", c.about, changed)
		}
		h.off = true
		if got := run(tool, "t1", c.args); got != "error: relations are off" {
			t.Errorf("%s, while off: %q", c.about, got)
		}
	}
}

func TestRateRelationOncePerTurnAndTarget(t *testing.T) {
	h := newHeart(Named{"a", "Yui"}, Named{"b", "Yui"})
	tool := NewRateRelation(h)
	rate := func(turn, toward string) string {
		return run(tool, turn, fmt.Sprintf(`{"toward":%q,"delta":2,"why":"x"}`, toward))
	}
	for _, toward := range []string{"user", "Yui", "Yui 2"} {
		if got := rate("t1", toward); got != "neutral" {
			t.Errorf("%s: %q", toward, got)
		}
		if got, want := rate("t1", toward), "ignored: already rated "+toward+" this turn"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := rate("t2", "user"); got != "warm" {
		t.Errorf("the next turn: %q", got)
	}
	// A call at the end of the range is cut to nothing and still the turn's one call.
	h.values["a"] = 20
	if first, second := rate("t3", "Yui"), rate("t3", "Yui"); first != "clamped: close" || second != "ignored: already rated Yui this turn" {
		t.Errorf("%q, then %q", first, second)
	}
	// One that failed is not.
	h.err = errors.New("disk full")
	if got := rate("t4", "Yui"); got != "error: disk full" {
		t.Errorf("%q", got)
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if r := tool.Run(stopped, Call{Turn: "t4", Args: []byte(`{"toward":"user","delta":1,"why":"x"}`)}); r.Text != "error: turn stopped" {
		t.Errorf("a stopped turn: %q", r.Text)
	}
	h.err = nil
	h.values["a"] = 0
	if got := rate("t4", "Yui"); got != "neutral" {
		t.Errorf("after a failure: %q", got)
	}
}

// TestRateRelationAtOnce has eight goroutines rate in one turn: one of them does.
func TestRateRelationAtOnce(t *testing.T) {
	h := newHeart()
	tool := NewRateRelation(h)
	var wg sync.WaitGroup
	answers := make([]string, 8)
	for i := range answers {
		wg.Go(func() { answers[i] = run(tool, "t", `{"toward":"user","delta":1,"why":"x"}`) })
	}
	wg.Wait()
	slices.Sort(answers)
	if h.values[""] != 1 || answers[0] != "ignored: already rated user this turn" || answers[7] != "neutral" {
		t.Errorf("%d, %q", h.values[""], answers)
	}
}

func TestReasonsAreOneShortLine(t *testing.T) {
	for in, want := range map[string]string{
		strings.Repeat("x", 80):                   strings.Repeat("x", 80),
		strings.Repeat("お茶", 41):                  strings.Repeat("お茶", 40),
		strings.Repeat("👍", 81):                   strings.Repeat("👍", 80),
		strings.Repeat("x", 79) + " y":            strings.Repeat("x", 79),
		" two\r\nlines\tand\u2029more ":           "two lines and more",
		"\u202eturned\u202c \x07bell \x1b[31m":    "turned bell [31m",
		`"quotes" & <tags> stay, so does 👩‍🚀 – é`: `"quotes" & <tags> stay, so does 👩‍🚀 – é`,
	} {
		h := newHeart()
		args, err := json.Marshal(map[string]any{"toward": "user", "delta": 1, "why": in})
		if err != nil {
			t.Fatal(err)
		}
		if got := run(NewRateRelation(h), "t", string(args)); got != "neutral" || len(h.whys) != 1 || h.whys[0] != want {
			t.Errorf("%q: %q, kept %q, want %q", in, got, h.whys, want)
		}
	}
	h := newHeart()
	if got := run(NewRateRelation(h), "t", `{"toward":"user","delta":1,"why":"half \ud83d a pair"}`); got != "neutral" || h.whys[0] != "half \uFFFD a pair" {
		t.Errorf("%q, kept %q", got, h.whys)
	}
}

func enum(t *testing.T, tool Tool, field string) []any {
	t.Helper()
	var s struct {
		Properties map[string]struct {
			Enum []any `json:"enum"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(tool.Define().Parameters, &s); err != nil {
		t.Fatal(err)
	}
	if _, has := s.Properties[field]; !has {
		t.Fatalf("no field %s", field)
	}
	return s.Properties[field].Enum
}

func TestListsFollowWhoIsOpen(t *testing.T) {
	h := newHeart()
	rate, address := NewRateRelation(h), NewAddressCharacter(h)
	if got := enum(t, rate, "toward"); cmp.Diff(got, []any{"user"}) != "" {
		t.Errorf("alone: toward %v", got)
	}
	if got := enum(t, address, "to"); got != nil {
		t.Errorf("alone: to has the list %v", got)
	}
	h.others = []Named{{"u", "user"}, {"momo", "Momo"}}
	if got := enum(t, rate, "toward"); cmp.Diff(got, []any{"user", "Momo", "user (character)"}) != "" {
		t.Errorf("toward %v", got)
	}
	if got := enum(t, address, "to"); cmp.Diff(got, []any{"Momo", "user (character)"}) != "" {
		t.Errorf("to %v", got)
	}
	off := string(rate.Define().Parameters)
	h.off = true
	if rate.Switch != "relations" || address.Switch != "" || string(rate.Define().Parameters) != off {
		t.Error("what is declared must not depend on the switch")
	}
	if rate.OneWay || address.OneWay {
		t.Error("their answers tell the model something")
	}
}

func TestAddressCharacter(t *testing.T) {
	h := newHeart(Named{"momo", "Momo"}, Named{"u", "user"}, Named{"s1", "Sora"}, Named{"s2", "Sora"})
	h.off = true // no switch of relations holds it
	tool := NewAddressCharacter(h)
	for _, c := range []struct{ turn, args, want string }{
		{"t1", `{"to":"user"}`, "error: unknown target"},
		{"t1", `{"to":"Nobody"}`, "error: unknown target"},
		{"t1", `{"to":1}`, "error: unknown target"},
		{"t1", `{}`, "error: unknown target"},
		{"t1", ``, "error: unknown target"},
		{"t1", `{"to":"Sora 2"}`, "ok"},
		{"t1", `{"to":"Momo"}`, "ignored: already addressed Sora 2"},
		{"t1", `{"to":"Sora 2"}`, "ignored: already addressed Sora 2"},
		{"t1", `{"to":"Nobody"}`, "error: unknown target"},
		{"t2", `{"to":"user (character)"}`, "ok"},
		{"t2", `{"to":"Momo"}`, "ignored: already addressed user (character)"},
	} {
		if got := run(tool, c.turn, c.args); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.turn, c.args, got, c.want)
		}
	}
	if diff := cmp.Diff([]string{"t1 s2", "t2 u"}, h.said); diff != "" {
		t.Error(diff)
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if r := tool.Run(stopped, Call{Turn: "t3", Args: []byte(`{"to":"Momo"}`)}); r.Text != "error: turn stopped" || len(h.said) != 2 {
		t.Errorf("a stopped turn: %q", r.Text)
	}
	h.others = nil
	if got := run(tool, "t4", `{"to":"Momo"}`); got != "error: unknown target" {
		t.Errorf("alone: %q", got)
	}
}

// FuzzRelationArguments looks for arguments that break the closed set of answers.
func FuzzRelationArguments(f *testing.F) {
	for _, s := range []string{`{"toward":"user","delta":1,"why":"x"}`, `{"toward":"Momo","delta":-2.0,"why":"\ud800"}`, `{"to":"Momo"}`, `{`, `null`, `{"toward":"user","delta":1e400,"why":""}`} {
		f.Add([]byte(s))
	}
	answers := []string{"neutral", "error: unknown target", "error: invalid field delta", "error: invalid field why", "error: reserved reason", "ok"}
	f.Fuzz(func(t *testing.T, args []byte) {
		fuzzmem.Watch(t)
		h := newHeart(Named{"momo", "Momo"})
		for _, tool := range []Tool{NewRateRelation(h), NewAddressCharacter(h)} {
			if got := tool.Run(context.Background(), Call{Turn: "t", Args: args}).Text; !slices.Contains(answers, got) {
				t.Errorf("%s answers %q", tool.Name, got)
			}
		}
		for _, why := range h.whys {
			if n := len([]rune(why)); n > 80 || strings.ContainsAny(why, "\n\r\x00") {
				t.Errorf("kept %q", why)
			}
		}
	})
}
