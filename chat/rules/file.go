package rules

import (
	"bytes"
	_ "embed" // the shipped rules
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"yui/internal/protocol"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
	"github.com/pelletier/go-toml/v2"
)

//go:embed shipped.toml
var shipped []byte

// Shipped is the file of the rules that YUI brings, to be read and copied from.
func Shipped() []byte { return bytes.Clone(shipped) }

// MaxFile is the longest file of rules that is read, in bytes.
const MaxFile = 4 << 20

// maxRules bounds how many rules there may be.
const maxRules = 5000

// document is a file as it is written.
type document struct {
	QuietHours any                  `toml:"quiet_hours"`
	PerHour    *int                 `toml:"per_hour"`
	Settle     *string              `toml:"settle"`
	Rule       map[string]*ruleText `toml:"rule"`
}

// ruleText is one rule as it is written. A key that is absent is nil.
type ruleText struct {
	Description any       `toml:"description"`
	Enabled     *bool     `toml:"enabled"`
	Label       any       `toml:"label"`
	When        *whenText `toml:"when"`
	If          *string   `toml:"if"`
	Plugins     []string  `toml:"plugins"`
	Tools       []callOf  `toml:"tools"`
	Hint        any       `toml:"hint"`
	Effect      *string   `toml:"effect"`
	Motion      *string   `toml:"motion"`
	Emotion     *string   `toml:"emotion"`
	Say         any       `toml:"say"`
	Cooldown    *string   `toml:"cooldown"`
	PerHour     *int      `toml:"per_hour"`
	PerDay      *int      `toml:"per_day"`
}

type callOf struct {
	Name string         `toml:"name"`
	Args map[string]any `toml:"args"`
}

type whenText struct {
	Words         any      `toml:"words"`
	Exactly       any      `toml:"exactly"`
	At            []string `toml:"at"`
	Grace         *string  `toml:"grace"`
	FirstActivity bool     `toml:"first_activity"`
	Idle          *string  `toml:"idle"`
	Silent        *string  `toml:"silent"`
	BackAfter     *string  `toml:"back_after"`
	AppSwitched   bool     `toml:"app_switched"`
	AppHeld       *string  `toml:"app_held"`
	Signal        []string `toml:"signal"`
	Gesture       []string `toml:"gesture"`
}

// Call is a tool that a rule runs. Values of Args that are tables of texts by language are resolved by In.
type Call struct {
	Name string
	args map[string]any
}

// In gives the arguments in a language.
func (c Call) In(language string) map[string]any {
	out := map[string]any{}
	for k, v := range c.args {
		if table, ok := v.(map[string]any); ok {
			if t, err := readText(table); err == nil {
				v = t.In(language)
			}
		}
		out[k] = v
	}
	return out
}

// Rule is one rule, read and checked.
type Rule struct {
	Name        string
	Description Text
	Enabled     bool
	Label       Text
	Plugins     []string
	Tools       []Call
	Hint        Text
	Effect      string
	Motion      string
	Emotion     string
	Say         Text
	Cooldown    time.Duration
	PerHour     int // 0: no limit of its own
	PerDay      int

	words, exactly []string // folded
	at             []moment
	grace          time.Duration
	first          bool
	idle, silent   time.Duration
	backAfter      time.Duration
	switched       bool
	held           time.Duration
	signals        []string
	gestures       []string
	condition      *vm.Program
}

// Set is what a file says, checked. It is never changed once it is made.
type Set struct {
	Rules   []*Rule
	PerHour int
	Settle  time.Duration // how long after its start the program says nothing by itself
	quiet   []span
}

// Error is what is wrong with a file, and where: line and column count from 1.
type Error struct {
	Line, Column int
	Rule         string // "" where it is about the file
	What         string
}

// Error gives "line 3, column 7: rule morning: …".
func (e *Error) Error() string {
	s := fmt.Sprintf("line %d, column %d: ", e.Line, e.Column)
	if e.Rule != "" {
		s += "rule " + e.Rule + ": "
	}
	return s + e.What
}

// Read reads the person's file over the shipped rules: a rule of a shipped name changes just the keys that it writes,
// the person's own rules come first, in the order of the file. An error is an *Error.
func Read(person []byte) (*Set, error) {
	base, err := decode(shipped)
	if err != nil {
		return nil, fmt.Errorf("read shipped rules: %w", err)
	}
	doc, err := decode(person)
	if err != nil {
		return nil, err
	}
	where, ours := locate(person), locate(shipped)
	set := &Set{}
	for _, d := range []*document{base, doc} {
		if d.Settle != nil {
			b := &builder{where: where}
			if set.Settle = b.duration("settle", d.Settle, 0, time.Hour); b.err != nil {
				return nil, b.err
			}
		}
		if d.PerHour != nil {
			set.PerHour = *d.PerHour
		}
		if d.QuietHours != nil {
			if set.quiet, err = readSpans(d.QuietHours); err != nil {
				return nil, where.fault("", "quiet_hours", err)
			}
		}
	}
	if set.PerHour < 0 || set.PerHour > 999 {
		return nil, where.fault("", "per_hour", errors.New("must be from 0 to 999"))
	}
	merged := map[string]*ruleText{}
	for name, r := range base.Rule {
		merged[name] = r
	}
	for name, r := range doc.Rule {
		if old := merged[name]; old != nil {
			r = overlay(old, r)
		}
		merged[name] = r
	}
	for _, name := range order(merged, doc.Rule, where, ours) {
		r, err := build(name, merged[name], where)
		if err != nil {
			return nil, err
		}
		set.Rules = append(set.Rules, r)
	}
	return set, nil
}

// order gives the person's own rules first, as they are written, then the shipped ones.
func order(merged, own map[string]*ruleText, where, ours places) []string {
	names := make([]string, 0, len(merged))
	for n := range merged {
		names = append(names, n)
	}
	rank := func(n string) int {
		if p, shippedToo := ours["rule."+n]; shippedToo {
			return 1<<30 + p.line
		}
		return where["rule."+n].line
	}
	sort.Slice(names, func(i, j int) bool {
		a, b := rank(names[i]), rank(names[j])
		return a < b || a == b && names[i] < names[j]
	})
	return names
}

// overlay puts the keys that a rule writes over those of another.
func overlay(under, over *ruleText) *ruleText {
	out := *under
	from, to := reflect.ValueOf(over).Elem(), reflect.ValueOf(&out).Elem()
	for i := range from.NumField() {
		if !from.Field(i).IsZero() {
			to.Field(i).Set(from.Field(i))
		}
	}
	return &out
}

func decode(b []byte) (*document, error) {
	if len(b) > MaxFile {
		return nil, &Error{1, 1, "", fmt.Sprintf("the file is longer than %d MB", MaxFile>>20)}
	}
	var d document
	err := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(&d)
	var unknown *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case errors.As(err, &unknown) && len(unknown.Errors) > 0:
		line, col := unknown.Errors[0].Position()
		return nil, &Error{line, col, "", fmt.Sprintf("there is no key %q", strings.Join(unknown.Errors[0].Key(), "."))}
	case errors.As(err, &bad):
		line, col := bad.Position()
		return nil, &Error{line, col, "", strings.TrimPrefix(bad.Error(), "toml: ")}
	case err != nil:
		return nil, &Error{1, 1, "", err.Error()}
	}
	if len(d.Rule) > maxRules {
		return nil, &Error{1, 1, "", fmt.Sprintf("there are more than %d rules", maxRules)}
	}
	for name, r := range d.Rule {
		if r == nil {
			d.Rule[name] = &ruleText{}
		}
	}
	return &d, nil
}

func readSpans(v any) ([]span, error) {
	words, err := readWords(v)
	if err != nil {
		return nil, errors.New("must be a part of the day like 22:30-07:00, or a list of such")
	}
	var list []span
	for _, w := range words {
		s, err := readSpan(w)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// quietAt says whether nothing may start by itself now.
func (s *Set) quietAt(now time.Time) bool {
	return slices.ContainsFunc(s.quiet, func(q span) bool { return q.holds(now) })
}

// effects and gestures are the words that a rule may use.
var (
	effects  = []string{"", "confetti", "hearts", "sparkles"}
	gestures = []string{"touch", "pat", "tap", "drag", "drop", "sit", "peek"}
)

// ruleName is what a rule may be called: its name becomes part of an event's.
var ruleName = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)

// builder collects the parts of one rule and the first thing that is wrong.
type builder struct {
	name  string
	where places
	err   error
}

// herOwn are the tools that only a model may call: a relation moves by nobody's rule, and a reply is for whom its speaker
// names.
var herOwn = []string{protocol.RateRelation, protocol.Address}

func (b *builder) fail(key string, err error) {
	if b.err == nil && err != nil {
		b.err = b.where.fault(b.name, key, err)
	}
}

func build(name string, t *ruleText, where places) (*Rule, error) {
	b := &builder{name: name, where: where}
	if !ruleName.MatchString(name) {
		b.fail("", errors.New("its name may have small letters, digits, - and _, at most 64"))
	}
	r := &Rule{Name: name, Enabled: t.Enabled == nil || *t.Enabled, Plugins: t.Plugins, grace: 2 * time.Hour}
	r.Description, r.Label = b.text("description", t.Description), b.text("label", t.Label)
	r.Hint, r.Say = b.text("hint", t.Hint), b.text("say", t.Say)
	for _, s := range []struct {
		to   *string
		from *string
	}{{&r.Effect, t.Effect}, {&r.Motion, t.Motion}, {&r.Emotion, t.Emotion}} {
		if s.from != nil {
			*s.to = *s.from
		}
	}
	if !slices.Contains(effects, r.Effect) {
		b.fail("effect", fmt.Errorf("%q is not confetti, hearts or sparkles", r.Effect))
	}
	for i, c := range t.Tools {
		if c.Name == "" {
			b.fail("tools", fmt.Errorf("tool %d has no name", i+1))
		}
		if slices.Contains(herOwn, c.Name) {
			b.fail("tools", fmt.Errorf("%s is the character's own: no rule moves feelings or speaks to another in her name", c.Name))
		}
		r.Tools = append(r.Tools, Call{c.Name, c.Args})
	}
	r.Cooldown = b.duration("cooldown", t.Cooldown, 0, 31*24*time.Hour)
	r.PerHour, r.PerDay = b.count("per_hour", t.PerHour), b.count("per_day", t.PerDay)
	if t.If != nil {
		program, err := compile(*t.If)
		if err != nil {
			b.condition(err)
		}
		r.condition = program
	}
	b.when(r, t.When)
	return r, b.err
}

func (b *builder) when(r *Rule, w *whenText) {
	if w == nil {
		b.fail("", errors.New("has no trigger: write when.words, when.at, …"))
		return
	}
	r.words, r.exactly = b.words("when.words", w.Words), b.words("when.exactly", w.Exactly)
	for i, e := range r.exactly {
		r.exactly[i] = bare(e)
	}
	for _, s := range w.At {
		m, err := readMoment(s)
		b.fail("when.at", err)
		r.at = append(r.at, m)
	}
	if w.Grace != nil {
		r.grace = b.duration("when.grace", w.Grace, time.Minute, 24*time.Hour)
	}
	r.first, r.switched = w.FirstActivity, w.AppSwitched
	r.idle = b.duration("when.idle", w.Idle, time.Minute, 24*time.Hour)
	r.silent = b.duration("when.silent", w.Silent, time.Minute, 24*time.Hour)
	r.backAfter = b.duration("when.back_after", w.BackAfter, time.Minute, 7*24*time.Hour)
	r.held = b.duration("when.app_held", w.AppHeld, time.Minute, 24*time.Hour)
	r.signals, r.gestures = w.Signal, w.Gesture
	for _, s := range r.signals {
		if !validPattern(s) {
			b.fail("when.signal", fmt.Errorf("%q is no pattern like build/*", s))
		}
	}
	for _, g := range r.gestures {
		if !slices.Contains(gestures, g) {
			b.fail("when.gesture", fmt.Errorf("%q is none of %s", g, strings.Join(gestures, ", ")))
		}
	}
	if len(r.words)+len(r.exactly)+len(r.at)+len(r.signals)+len(r.gestures) == 0 && !r.first && !r.switched &&
		r.idle+r.silent+r.backAfter+r.held == 0 {
		b.fail("when", errors.New("names no trigger: write words, at, silent, …"))
	}
}

func (b *builder) text(key string, v any) Text {
	t, err := readText(v)
	b.fail(key, err)
	return t
}

func (b *builder) words(key string, v any) []string {
	list, err := readWords(v)
	b.fail(key, err)
	for i, w := range list {
		if list[i] = fold(w); list[i] == "" {
			b.fail(key, errors.New("a word is empty"))
		}
	}
	return list
}

func (b *builder) duration(key string, s *string, least, most time.Duration) time.Duration {
	if s == nil {
		return 0
	}
	d, err := time.ParseDuration(*s)
	if err != nil || d < least || d > most {
		b.fail(key, fmt.Errorf("%q is no time from %v to %v, such as 45m or 1h30m", *s, least, most))
	}
	return d
}

func (b *builder) count(key string, n *int) int {
	if n == nil {
		return 0
	}
	if *n < 1 || *n > 999 {
		b.fail(key, errors.New("must be from 1 to 999"))
	}
	return *n
}

// condition places an error of an expression inside the text that holds it.
func (b *builder) condition(err error) {
	what := err
	var in *file.Error
	shift := 0
	if errors.As(err, &in) {
		what = errors.New(in.Message)
		if in.Line <= 1 {
			shift = in.Column + 1 // behind the quote
		}
	}
	b.fail("if", what)
	var e *Error
	if errors.As(b.err, &e) {
		e.Column += shift
	}
}
