package rules

import (
	"fmt"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

// Facts is what conditions may speak of, by the names in the tags; docs/rules.md lists them. Minutes are whole or
// broken, texts come from outside and are only compared.
type Facts struct {
	Now time.Time `expr:"-"`

	Hour    int    `expr:"hour"`
	Minute  int    `expr:"minute"`
	Day     int    `expr:"day"`
	Month   int    `expr:"month"`
	Weekday string `expr:"weekday"` // monday …
	Weekend bool   `expr:"weekend"`

	Text    string  `expr:"text"`    // the person's words
	Idle    float64 `expr:"idle"`    // minutes without mouse and keyboard
	Present bool    `expr:"present"` // idle is short
	Silent  float64 `expr:"silent"`  // minutes since the last turn
	App     string  `expr:"app"`
	Title   string  `expr:"title"`
	InApp   float64 `expr:"in_app"` // minutes in this application
	Posture string  `expr:"posture"`
	On      string  `expr:"on"` // the application that she perches on
	Gesture string  `expr:"gesture"`
	Source  string  `expr:"source"` // of a signal
	Type    string  `expr:"type"`
	Band    string  `expr:"band"` // her feelings for the person
	Pets    int     `expr:"pets"`
	API     string  `expr:"api"`   // companion, chat_completions, responses, push
	Today   int     `expr:"today"` // how often this rule has fired today
}

// at fills in what follows from the clock.
func (f Facts) at() Facts {
	f.Hour, f.Minute, f.Day, f.Month = f.Now.Hour(), f.Now.Minute(), f.Now.Day(), int(f.Now.Month())
	d := f.Now.Weekday()
	f.Weekday = [...]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}[d]
	f.Weekend = d == time.Saturday || d == time.Sunday
	return f
}

// maxCondition bounds a condition, in nodes of its tree.
const maxCondition = 500

// compile reads a condition, which must be a yes or no over Facts.
func compile(source string) (*vm.Program, error) {
	if len(source) > 4000 {
		return nil, fmt.Errorf("the condition is longer than 4000 characters")
	}
	return expr.Compile(source, expr.Env(Facts{}), expr.AsBool(), expr.MaxNodes(maxCondition))
}

// holds runs a condition. One that fails in running does not hold.
func holds(p *vm.Program, f *Facts) (bool, error) {
	if p == nil {
		return true, nil
	}
	v, err := expr.Run(p, *f)
	if err != nil {
		return false, err
	}
	b, _ := v.(bool)
	return b, nil
}
