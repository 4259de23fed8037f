package command

import (
	"encoding/json"
	"errors"
	"fmt"
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

// parseArgv reads a template. "{name}" is a placeholder for the argument of that name, "{{" and "}}" are braces.
func parseArgv(argv, names []string) ([]argument, error) {
	if len(argv) == 0 || argv[0] == "" {
		return nil, errors.New("argv is missing: the program and its arguments")
	}
	list := make([]argument, len(argv))
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
		case a.placeholders():
			if program := scriptOf(argv, i); program != "" {
				return nil, fmt.Errorf(`argv: a placeholder in the script of %s would let the model write commands; put the placeholder behind the script, which gets it as an argument ("$1" in a shell)`, program)
			}
		}
		operand = operand || text == "--"
		list[i] = a
	}
	return list, nil
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
