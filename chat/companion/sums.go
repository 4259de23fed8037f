package companion

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	sumWords = strings.NewReplacer(
		"plus", "+", "minus", "-", "multiplied by", "*", "times", "*", "divided by", "/", "over", "/",
		"×", "*", "·", "*", "÷", "/", "−", "-", "ー", "-", "たす", "+", "足す", "+", "ひく", "-", "引く", "-",
		"かける", "*", "掛ける", "*", "わる", "/", "割る", "/", "ぷらす", "+", "まいなす", "-", ",", "")
	sumShape  = regexp.MustCompile(`[-(]*\d[\d.]*(?:\s*[)]*\s*[-+*/x^]\s*[-(]*\s*\d[\d.]*)+[)]*`)
	percentOf = regexp.MustCompile(`(\d[\d.]*)\s*(?:%|percent)\s*of\s*(\d[\d.]*)`)
	percentJA = regexp.MustCompile(`(\d[\d.]*)\s*の\s*(\d[\d.]*)\s*(?:%|ぱーせんと|ぱ-せんと)`)
	crossMark = regexp.MustCompile(`(\d)\s*x\s*(\d)`)
	// Dates, times and versions look like sums and are none.
	notSum = regexp.MustCompile(`\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d+\.\d+\.\d+|\d+-\d+-\d+`)
)

// findSum returns the sum in what was said, spelled with + - * / ^, or "".
func findSum(raw string) string {
	if len(raw) > 200 || notSum.MatchString(raw) {
		return ""
	}
	text := sumWords.Replace(fold(raw))
	text = percentOf.ReplaceAllString(text, "$1/100*$2")
	text = percentJA.ReplaceAllString(text, "$1*$2/100")
	for range 2 {
		text = crossMark.ReplaceAllString(text, "$1*$2")
	}
	return strings.TrimSpace(sumShape.FindString(text))
}

// sum works it out: {sum} and {n}.
func (t *turn) sum() string {
	v, err := evaluate(t.vars["sum"])
	t.vars["sum"] = strings.NewReplacer("*", "×", "/", "÷", "-", "−", " ", "").Replace(t.vars["sum"])
	switch {
	case errors.Is(err, errZero):
		return "zero"
	case err != nil || math.IsInf(v, 0) || math.IsNaN(v) || math.Abs(v) >= 1e15:
		return "hard"
	}
	t.vars["n"] = strings.Replace(strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64), "-", "−", 1)
	if math.Abs(math.Round(v*1e4)/1e4-v) > 1e-9 {
		return "about"
	}
	return ""
}

var (
	errZero = errors.New("divide: by zero")
	errSum  = errors.New("read sum: not a sum")
)

// evaluate reads a sum by the school's rules. Depth is bounded by the length
// that findSum allows.
func evaluate(s string) (float64, error) {
	p := &sumParser{text: strings.ReplaceAll(s, " ", "")}
	v, err := p.expr()
	if err == nil && p.at < len(p.text) {
		err = errSum
	}
	return v, err
}

type sumParser struct {
	text string
	at   int
}

func (p *sumParser) next(set string) byte {
	if p.at < len(p.text) && strings.IndexByte(set, p.text[p.at]) >= 0 {
		p.at++
		return p.text[p.at-1]
	}
	return 0
}

func (p *sumParser) expr() (float64, error) {
	v, err := p.term()
	for err == nil {
		op := p.next("+-")
		if op == 0 {
			break
		}
		var w float64
		if w, err = p.term(); op == '+' {
			v += w
		} else {
			v -= w
		}
	}
	return v, err
}

func (p *sumParser) term() (float64, error) {
	v, err := p.power()
	for err == nil {
		op := p.next("*/")
		if op == 0 {
			break
		}
		var w float64
		if w, err = p.power(); op == '*' {
			v *= w
		} else if err == nil && w == 0 {
			return 0, errZero
		} else {
			v /= w
		}
	}
	return v, err
}

func (p *sumParser) power() (float64, error) {
	v, err := p.factor()
	if err == nil && p.next("^") != 0 {
		var w float64
		if w, err = p.power(); err == nil {
			v = math.Pow(v, w)
		}
	}
	return v, err
}

func (p *sumParser) factor() (float64, error) {
	if p.next("-") != 0 {
		v, err := p.factor()
		return -v, err
	}
	if p.next("(") != 0 {
		v, err := p.expr()
		if err == nil && p.next(")") == 0 {
			err = errSum
		}
		return v, err
	}
	start := p.at
	for p.next("0123456789.") != 0 {
	}
	v, err := strconv.ParseFloat(p.text[start:p.at], 64)
	if err != nil {
		return 0, errSum
	}
	return v, nil
}
