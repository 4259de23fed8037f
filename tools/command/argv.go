package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// argumentLimit is how long one argument may be, in bytes; Linux takes 128 KiB.
const argumentLimit = 64 << 10

// argument is one element of an argv template.
type argument struct {
	parts []part
	// operand says that a literal "--" stands before it: a program takes what follows for no option.
	operand bool
}

// part is fixed text, or a placeholder where name is set.
type part struct{ text, name string }

// placeholders tells whether anything is to be filled in.
func (a argument) placeholders() bool {
	return slices.ContainsFunc(a.parts, func(p part) bool { return p.name != "" })
}

// shells would make a shell script of an argument behind -c.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "fish", "ash"}

// parseArgv reads a template. "{name}" is a placeholder for the argument of that name, "{{" and "}}" are braces.
func parseArgv(argv, names []string) ([]argument, error) {
	if len(argv) == 0 || argv[0] == "" {
		return nil, errors.New("argv is missing: the program and its arguments")
	}
	list := make([]argument, len(argv))
	shell := slices.Contains(shells, filepath.Base(argv[0]))
	operand := false
	for i, text := range argv {
		if strings.ContainsRune(text, 0) {
			return nil, errors.New("argv holds a NUL byte")
		}
		parts, err := parseArgument(text, names)
		if err != nil {
			return nil, err
		}
		a := argument{parts: parts, operand: operand}
		switch {
		case i == 0 && a.placeholders():
			return nil, errors.New("argv: the program itself may not be a placeholder")
		case shell && i > 0 && a.placeholders() && scriptFlag(argv[i-1]):
			return nil, fmt.Errorf(`argv: a placeholder in the script of %s would let the model write commands; use "$1" there and the placeholder behind it`, argv[0])
		}
		operand = operand || text == "--"
		list[i] = a
	}
	return list, nil
}

// scriptFlag tells whether an argument of a shell says that the next one is a script: -c, -lc.
func scriptFlag(s string) bool {
	return strings.HasPrefix(s, "-") && !strings.HasPrefix(s, "--") && strings.Contains(s, "c")
}

func parseArgument(text string, names []string) ([]part, error) {
	var parts []part
	fixed := ""
	for rest := text; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
			fixed, rest = fixed+rest[:1], rest[2:]
		case rest[0] == '}':
			return nil, fmt.Errorf("argv: %q has a brace that opens nothing; a brace itself is written twice", text)
		case rest[0] == '{':
			end := strings.IndexByte(rest, '}')
			if end < 0 {
				return nil, fmt.Errorf("argv: %q has a brace that is not closed; a brace itself is written twice", text)
			}
			name := rest[1:end]
			if !slices.Contains(names, name) {
				return nil, fmt.Errorf("argv: there is no parameter %q", name)
			}
			if fixed != "" {
				parts = append(parts, part{text: fixed})
			}
			parts, fixed, rest = append(parts, part{name: name}), "", rest[end+1:]
		default:
			fixed, rest = fixed+rest[:1], rest[1:]
		}
	}
	if fixed != "" || len(parts) == 0 {
		parts = append(parts, part{text: fixed})
	}
	return parts, nil
}

// fill puts the arguments of a call into a template. An element is left out where one of its placeholders has no value.
// An element that begins with a placeholder may not become an option: its value may not begin with "-" unless "--" stands
// before it.
func fill(template []argument, args json.RawMessage) ([]string, error) {
	values := map[string]json.RawMessage{}
	if len(args) > 0 {
		if err := json.Unmarshal(args, &values); err != nil {
			return nil, errors.New("they are no object")
		}
	}
	var argv []string
	for _, a := range template {
		var out strings.Builder
		whole := true
		for _, p := range a.parts {
			text := p.text
			if p.name != "" {
				var has bool
				if text, has = value(values[p.name]); !has {
					whole = false
					break
				}
				if out.Len() == 0 && !a.operand && strings.HasPrefix(text, "-") {
					return nil, fmt.Errorf("%s may not begin with -", p.name)
				}
			}
			out.WriteString(text)
		}
		switch s := out.String(); {
		case !whole:
		case strings.ContainsRune(s, 0):
			return nil, errors.New("a NUL byte")
		case len(s) > argumentLimit:
			return nil, fmt.Errorf("one of them has more than %d bytes", argumentLimit)
		default:
			argv = append(argv, s)
		}
	}
	return argv, nil
}

// value is how a program gets a value: a string as it is, anything else as JSON; null is no value.
func value(raw json.RawMessage) (string, bool) {
	s := strings.TrimSpace(string(raw))
	if s == "" || s == "null" {
		return "", false
	}
	var text string
	if s[0] == '"' && json.Unmarshal(raw, &text) == nil {
		return text, true
	}
	return s, true
}
