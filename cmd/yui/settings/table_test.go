package settings

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// Each row is whole: what its kind needs is there, its default can be, and a row of config.toml has its field.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range All() {
		if seen[s.Key] || s.Key == "" || s.Group == "" || s.Doc == "" {
			t.Errorf("%s is there twice, or has no group or no words", s.Key)
		}
		seen[s.Key] = true
		checkRow(t, s)
		if inMenu := s.Shown&InMenu != 0; inMenu != (s.Name != "") || inMenu != (s.Switch != "") {
			t.Errorf("%s is in the menu %v, its words are %q and its id is %q", s.Key, inMenu, s.Name, s.Switch)
		}
		if s.Kept == File {
			field(&Config{}, s) // panics where there is none
		}
		if s.Default == "" {
			if s.Kept == Database {
				t.Errorf("%s is in the database and has no default", s.Key)
			}
			continue
		}
		var v any
		if err := json.Unmarshal([]byte(s.Default), &v); err != nil {
			t.Errorf("the default of %s: %v", s.Key, err)
		} else if _, err := s.Check(v); err != nil {
			t.Errorf("the default of %s cannot be: %v", s.Key, err)
		}
	}
	for _, path := range leaves(reflect.TypeFor[Config](), nil) {
		if key := strings.Join(path, "."); !seen[key] {
			t.Errorf("config.toml has %s, which has no row", key)
		}
	}
	if in := In(Env); len(in) != len(keyringUsers) {
		t.Errorf("%d secrets, %d of the keyring", len(in), len(keyringUsers))
	}
}

func checkRow(t *testing.T, s Setting) {
	t.Helper()
	switch s.Kind {
	case Switch, Text, Secret, Path:
	case Choice:
		if len(s.Choices) < 2 {
			t.Errorf("%s has no choices", s.Key)
		}
	case Number:
		if s.Min >= s.Max {
			t.Errorf("%s has no range", s.Key)
		}
	case List:
		if s.Of != nil {
			checkRow(t, *s.Of)
		}
	case Fields:
		for _, p := range s.Parts {
			checkRow(t, p)
		}
	case Table:
		if (s.Of == nil) == (s.entry == nil) {
			t.Errorf("%s has no entries, or two kinds", s.Key)
		}
	default:
		t.Errorf("%s is of no kind: %q", s.Key, s.Kind)
	}
}

// leaves are the paths of a config's fields that are no tables of the config's own.
func leaves(of reflect.Type, path []string) (list [][]string) {
	for i := range of.NumField() {
		f := of.Field(i)
		at := append(append([]string(nil), path...), f.Tag.Get("toml"))
		if f.Type.Kind() == reflect.Struct {
			list = append(list, leaves(f.Type, at)...)
			continue
		}
		list = append(list, at)
	}
	return list
}

// Every row is read somewhere: the field of config.toml, or the constant that names the key.
func TestEveryRowIsRead(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			path == filepath.Join("..", "settings", "table.go") || path == filepath.Join("..", "settings", "config.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				used[n.Sel.Name] = true
			case *ast.Ident:
				used[n.Name] = used[n.Name] || strings.HasPrefix(n.Name, "Key")
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	constants := constantsOf(t, "table.go")
	for _, s := range All() {
		if s.Own() {
			continue // presets reads them: its TestOwn
		}
		name := constants[s.Key]
		if s.Kept == File {
			name = fieldName(reflect.TypeFor[Config](), s.path())
		}
		if name == "" || !used[name] {
			t.Errorf("%s is read nowhere (%q)", s.Key, name)
		}
	}
}

// constantsOf are the names of a file's constants by their values.
func constantsOf(t *testing.T, path string) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, is := n.(*ast.ValueSpec); is && len(spec.Values) == 1 {
			if lit, is := spec.Values[0].(*ast.BasicLit); is {
				names[strings.Trim(lit.Value, `"`)] = spec.Names[0].Name
			}
		}
		return true
	})
	return names
}

func fieldName(of reflect.Type, path []string) string {
	for i := range of.NumField() {
		if f := of.Field(i); f.Tag.Get("toml") == path[0] {
			if len(path) == 1 {
				return f.Name
			}
			return fieldName(f.Type, path[1:])
		}
	}
	return ""
}

// Each kind of wrong value of each row is refused by an error that names key and reason, and a secret is not repeated.
func TestWrongValues(t *testing.T) {
	const hidden = "hunter2"
	for _, s := range All() {
		if s.entry != nil {
			continue // TestConfig has them
		}
		for why, v := range wrongFor(s) {
			_, err := s.Check(v)
			if err == nil {
				t.Errorf("%s takes %s: %v", s.Key, why, v)
				continue
			}
			if !strings.HasPrefix(err.Error(), s.Key) || len(err.Error()) < len(s.Key)+8 || len(err.Error()) > 400 {
				t.Errorf("%s, %s: %v", s.Key, why, err)
			}
		}
		if s.Kind == Secret {
			if _, err := s.Check([]any{hidden}); err == nil || strings.Contains(err.Error(), hidden) {
				t.Errorf("%s: %v", s.Key, err)
			}
		}
	}
}

// wrongFor are values that a row must refuse, by what is wrong with them.
func wrongFor(s Setting) map[string]any {
	list := map[string]any{"nothing": nil}
	long := strings.Repeat("x", 30000)
	switch s.Kind {
	case Switch:
		list["a text"], list["a number"], list["an unknown part"] = "yes", int64(1), map[string]any{"enabled": true, "x": true}
	case Choice:
		list["another"], list["a number"], list["too long"] = "pink", int64(3), long
	case Number:
		list["a text"], list["too small"], list["too large"] = "many", s.Min-1, s.Max+1
		list["NaN"], list["infinity"], list["a switch"] = math.NaN(), math.Inf(1), true
		if s.Whole {
			list["a fraction"] = s.Min + 0.5
		}
	case Text, Secret, Path:
		list["a number"], list["too long"], list["a control character"] = int64(3), long, "a\x00b"
	case List:
		list["a text"], list["too long"] = "x", slices.Repeat([]any{"x"}, 1000)
		if s.Of != nil {
			list["a wrong entry"] = []any{map[string]any{}}
		}
	case Fields:
		list["a list"], list["an unknown part"], list["a wrong part"] = []any{}, map[string]any{"colour": int64(1)}, map[string]any{s.Parts[0].Key: "x"}
	case Table:
		list["a text"], list["a wrong entry"] = "x", map[string]any{"a": int64(1)}
	}
	return list
}

// A wrong value leaves the old one, in the database and in the file.
func TestWrongValueKeepsTheOld(t *testing.T) {
	s, _ := opened(t)
	for _, row := range In(Database) {
		before, err := s.Get(row.Key)
		if err != nil {
			t.Fatal(err)
		}
		for why, v := range wrongFor(row) {
			raw, err := json.Marshal(v)
			if err != nil {
				raw = []byte("NaN")
			}
			if err := s.Set(t.Context(), row.Key, raw); err == nil || !strings.Contains(err.Error(), row.Key) {
				t.Errorf("set %s to %s: %v", row.Key, why, err)
			}
		}
		if after, err := s.Get(row.Key); err != nil || string(after) != string(before) {
			t.Errorf("%s was %s and is %s, %v", row.Key, before, after, err)
		}
	}
	for _, row := range In(File) {
		for why, v := range wrongFor(row) {
			if v == nil || row.entry != nil || why == "a control character" { // no TOML has them
				continue
			}
			text, err := toml.Marshal(nested(row.path(), v))
			if err != nil {
				t.Fatal(row.Key, why, err)
			}
			if err := os.WriteFile(s.paths.Config, text, 0o600); err != nil {
				t.Fatal(err)
			}
			before := s.Config()
			if err := s.reload(); err == nil || !strings.Contains(err.Error(), row.Key) || !strings.Contains(err.Error(), "line ") {
				t.Errorf("%s, %s: %v", row.Key, why, err)
			}
			if s.Config() != before {
				t.Errorf("%s, %s: taken over", row.Key, why)
			}
		}
	}
}

func nested(path []string, v any) map[string]any {
	if len(path) == 1 {
		return map[string]any{path[0]: v}
	}
	return map[string]any{path[0]: nested(path[1:], v)}
}
