package settings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"yui/tools/command"
	"yui/tools/mcp"
)

// mostFile is how long config.toml may be, in bytes.
const mostFile = 1 << 20

// ReadConfig reads config.toml. A missing file is an empty one. The config can be used whatever the error says: a file
// that is no TOML leaves the defaults, and a value that cannot be counts as left out. The error has a line for each
// mistake, which names the file, the place and the key.
func ReadConfig(file string) (*Config, error) {
	b, err := readFile(file)
	if err != nil {
		c := defaults()
		c.fill()
		return c, fmt.Errorf("read %s: %w", file, Cause(err))
	}
	c, mistakes := parse(b)
	errs := make([]error, len(mistakes))
	for i, m := range mistakes {
		errs[i] = fmt.Errorf("read %s: %w", file, m)
	}
	return c, errors.Join(errs...)
}

func readFile(file string) ([]byte, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, mostFile+1))
	if err == nil && len(b) > mostFile {
		err = fmt.Errorf("the file is longer than %d bytes", mostFile)
	}
	return b, err
}

// Cause is an error of the file system without the path, which is named already.
func Cause(err error) error {
	var bad *fs.PathError
	if errors.As(err, &bad) {
		return bad.Err
	}
	return err
}

// TOMLTrouble is an error of the TOML reader with its line and column.
func TOMLTrouble(err error) string {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		e := unknown.Errors[0]
		line, col := e.Position()
		return fmt.Sprintf("line %d, column %d: there is no key %q", line, col, strings.Join(e.Key(), "."))
	}
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		line, col := bad.Position()
		return fmt.Sprintf("line %d, column %d: %s", line, col, strings.TrimPrefix(bad.Error(), "toml: "))
	}
	return err.Error()
}

// defaults is what holds where config.toml says nothing.
func defaults() *Config {
	c := &Config{}
	for _, s := range table {
		if s.Kept == File && s.Default != "" {
			if err := json.Unmarshal([]byte(s.Default), field(c, s).Addr().Interface()); err != nil {
				panic(fmt.Sprintf("the default of %s: %v", s.Key, err)) // a test walks them
			}
		}
	}
	return c
}

// field is a setting's field in a config.
func field(c *Config, s Setting) reflect.Value {
	v := reflect.ValueOf(c).Elem()
	for _, name := range s.path() {
		v = fieldByTag(v, name)
	}
	return v
}

func fieldByTag(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("toml") == name {
			return v.Field(i)
		}
	}
	panic(fmt.Sprintf("%s has no field for %s", v.Type(), name)) // a test walks all rows
}

// parse reads the text of config.toml.
func parse(b []byte) (*Config, []error) {
	c := defaults()
	raw := map[string]any{}
	if err := toml.Unmarshal(b, &raw); err != nil {
		c.fill()
		return c, []error{errors.New(TOMLTrouble(err))}
	}
	r := reader{config: c, places: places(b)}
	r.walk(nil, raw)
	told := r.bad
	c.Plugins.mend(func(key, why string) {
		path := strings.Split(key, ".")
		of := path[:2] // the plugin: what is missing may be what was wrong
		if !slices.ContainsFunc(told, func(m mistake) bool { return len(m.path) > 2 && slices.Equal(m.path[:2], of) }) {
			r.bad = append(r.bad, mistake{path, why})
		}
	})
	c.fill()
	return c, r.errors()
}

// reader takes what a file says into a config.
type reader struct {
	config *Config
	places map[string]unstable.Position
	bad    []mistake
}

// walk takes a table of the file. Its rows are taken; what is neither a row nor leads to one is a mistake.
func (r *reader) walk(path []string, raw map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		at := append(slices.Clone(path), name)
		if s, ok := Find(strings.Join(at, ".")); ok && s.Kept == File && slices.Equal(s.path(), at) {
			r.take(s, raw[name])
			continue
		}
		inner, isTable := raw[name].(map[string]any)
		switch {
		case !leads(at):
			r.bad = append(r.bad, mistake{at, noSuchKey})
		case !isTable:
			r.bad = append(r.bad, mistake{at, "is " + shown(raw[name]) + "; it must be a table"})
		default:
			r.walk(at, inner)
		}
	}
}

const noSuchKey = "there is no such key"

// leads reports whether a path is the beginning of a row's.
func leads(path []string) bool {
	return slices.ContainsFunc(table, func(s Setting) bool {
		p := s.path()
		return s.Kept == File && len(p) > len(path) && slices.Equal(p[:len(path)], path)
	})
}

func (r *reader) take(s Setting, v any) {
	if s.entry != nil {
		r.entries(s, v)
		return
	}
	kept, bad := s.take(s.path(), v)
	r.bad = append(r.bad, bad...)
	if len(bad) > 0 {
		return
	}
	text, err := json.Marshal(kept)
	if err == nil {
		to := field(r.config, s)
		to.SetZero() // a list or a table takes the default's place whole
		err = json.Unmarshal(text, to.Addr().Interface())
	}
	if err != nil {
		r.bad = append(r.bad, mistake{s.path(), err.Error()})
	}
}

// entries takes a table whose entries are tables of their own.
func (r *reader) entries(s Setting, v any) {
	m, ok := v.(map[string]any)
	if !ok {
		r.bad = append(r.bad, mistake{s.path(), "is " + shown(v) + "; it must be a table"})
		return
	}
	if len(m) > s.most() {
		r.bad = append(r.bad, mistake{s.path(), fmt.Sprintf("is too long: %d entries; at most %d can be", len(m), s.most())})
		return
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		r.bad = append(r.bad, s.entry(r.config, name, m[name])...)
	}
}

// errors are the mistakes in the order of the file.
func (r *reader) errors() []error {
	place := func(m mistake) unstable.Position {
		for n := len(m.path); n > 0; n-- {
			if p, ok := r.places[strings.Join(m.path[:n], "\x00")]; ok {
				return p
			}
		}
		return unstable.Position{}
	}
	slices.SortStableFunc(r.bad, func(a, b mistake) int {
		p, q := place(a), place(b)
		return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
	})
	var list []error
	for _, m := range r.bad {
		text := m.Error()
		if m.why == noSuchKey {
			text = fmt.Sprintf("there is no key %q", strings.Join(m.path, "."))
		}
		if p := place(m); p.Line > 0 {
			text = fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, text)
		}
		list = append(list, errors.New(text))
	}
	return list
}

// places tells where each key of a text stands, by its path with zero bytes between.
func places(b []byte) map[string]unstable.Position {
	found := map[string]unstable.Position{}
	var p unstable.Parser
	p.Reset(b)
	var table []string
	for p.NextExpression() {
		n := p.Expression()
		path, first := keyOf(n)
		if n.Kind == unstable.KeyValue {
			path = append(slices.Clone(table), path...)
		} else {
			table = path
		}
		for i := range path { // a dotted key or a header is the place of all its parts
			if at := strings.Join(path[:i+1], "\x00"); found[at].Line == 0 {
				found[at] = p.Shape(first).Start
			}
		}
	}
	return found
}

// keyOf is the key of an expression, and where it begins.
func keyOf(n *unstable.Node) (path []string, first unstable.Range) {
	for it := n.Key(); it.Next(); {
		if path == nil {
			first = it.Node().Raw
		}
		path = append(path, string(it.Node().Data))
	}
	return path, first
}

// strict reads one entry of a table into a type, and names the keys that it does not have.
func strict[T any](path []string, v any) (T, []mistake) {
	var out T
	b, err := toml.Marshal(v)
	if err == nil {
		err = toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(&out)
	}
	var unknown *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		var list []mistake
		for _, e := range unknown.Errors {
			list = append(list, mistake{append(slices.Clone(path), e.Key()...), noSuchKey})
		}
		return out, list
	case errors.As(err, &bad):
		return *new(T), []mistake{{append(slices.Clone(path), bad.Key()...), strings.TrimPrefix(bad.Error(), "toml: ")}}
	case err != nil:
		return *new(T), []mistake{{path, "is " + shown(v) + "; it must be a table"}}
	}
	return out, nil
}

func takeServer(c *Config, name string, v any) []mistake {
	path := []string{"mcp", name}
	server, bad := strict[mcp.Config](path, v)
	if err := mcp.CheckAll(map[string]mcp.Config{name: server}); err != nil {
		return append(bad, mistake{path, strings.TrimPrefix(err.Error(), name)})
	}
	if c.MCP == nil {
		c.MCP = map[string]mcp.Config{}
	}
	c.MCP[name] = server
	return bad
}

func takeCommand(c *Config, name string, v any) []mistake {
	path := []string{"tools", "command", name}
	tool, bad := strict[command.Config](path, v)
	if _, err := command.New(name, tool, nil, os.Getenv); err != nil {
		return append(bad, mistake{path, strings.TrimPrefix(err.Error(), "read tools.command."+name)})
	}
	if c.Tools.Command == nil {
		c.Tools.Command = map[string]command.Config{}
	}
	c.Tools.Command[name] = tool
	return bad
}
