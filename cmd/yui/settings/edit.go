package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// errByHand is why a key cannot be changed in a file: it stands in an inline table, or its table is written in dotted keys.
var errByHand = errors.New("the file is written so that only you can change it: open it, a change there holds at once")

// edit returns the text of config.toml with one key changed, and everything else as it was, comments too. A value of nil
// takes the key out.
func edit(text []byte, path []string, value any) ([]byte, error) {
	line, err := assignment(path[len(path)-1], value)
	if err != nil {
		return nil, err
	}
	out := replaced(text, path, line)
	before, after := map[string]any{}, map[string]any{}
	if toml.Unmarshal(text, &before) != nil {
		return nil, errors.New("the file is no TOML")
	}
	if toml.Unmarshal(out, &after) != nil {
		return nil, errByHand
	}
	got := take(after, path)
	want := map[string]any{}
	if value != nil && toml.Unmarshal([]byte(line), &want) != nil {
		return nil, errByHand
	}
	take(before, path)
	if !reflect.DeepEqual(got, want[path[len(path)-1]]) || !reflect.DeepEqual(before, after) {
		return nil, errByHand
	}
	return out, nil
}

// take takes a key out of a table, and the tables that it leaves empty.
func take(m map[string]any, path []string) any {
	if len(path) == 1 {
		v := m[path[0]]
		delete(m, path[0])
		return v
	}
	inner, ok := m[path[0]].(map[string]any)
	if !ok {
		return nil
	}
	v := take(inner, path[1:])
	if len(inner) == 0 {
		delete(m, path[0])
	}
	return v
}

// assignment is "key = value".
func assignment(key string, value any) (string, error) {
	if value == nil {
		return "", nil
	}
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.SetTablesInline(true)
	if err := e.Encode(map[string]any{key: value}); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// replaced puts a line in the place of the one that sets a key, else at the end of its table, else with its table at the
// end of the text. An empty line takes the key out.
func replaced(text []byte, path []string, line string) []byte {
	at := find(text, path)
	end := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		end = "\r\n"
	}
	splice := func(from, to int, with string) []byte {
		return slices.Concat(text[:from], []byte(with), text[to:])
	}
	switch {
	case at.found && line == "":
		from := bytes.LastIndexByte(text[:at.from], '\n') + 1
		return splice(from, lineEnd(text, at.to), "")
	case at.found:
		return splice(at.from, at.to, line)
	case line == "":
		return text
	case at.table && at.last > 0:
		gap := ""
		if text[at.last-1] != '\n' {
			gap = end
		}
		return splice(at.last, at.last, gap+line+end)
	case len(path) == 1:
		return splice(at.header, at.header, line+end+end)
	}
	gap := ""
	if len(text) > 0 && text[len(text)-1] != '\n' {
		gap = end
	}
	return splice(len(text), len(text), gap+end+"["+strings.Join(path[:len(path)-1], ".")+"]"+end+line+end)
}

// spot is where a key stands in a text, or would.
type spot struct {
	found    bool
	from, to int  // of the expression that sets it
	table    bool // its table is there
	last     int  // the end of the last line of that table
	header   int  // the beginning of the first table, with the comments above it, or the end of the text
}

func find(text []byte, path []string) spot {
	var p unstable.Parser
	p.Reset(text)
	at := spot{table: len(path) == 1, header: -1}
	var table []string
	for p.NextExpression() {
		n := p.Expression()
		key, first := keyOf(n)
		if n.Kind != unstable.KeyValue {
			table = key
			if at.header < 0 {
				at.header = aboveComments(text, int(first.Offset))
			}
			if n.Kind == unstable.Table && slices.Equal(table, path[:len(path)-1]) {
				at.table, at.last = true, lineEnd(text, int(first.Offset+first.Length))
			}
			continue
		}
		to := int(n.Raw.Offset + n.Raw.Length)
		if slices.Equal(append(slices.Clone(table), key...), path) {
			at.found, at.from, at.to = true, int(n.Raw.Offset), to
			if len(key) > 1 {
				at.from = int(lastKey(n).Offset) // the front of a dotted key stays
			}
		}
		if slices.Equal(table, path[:len(path)-1]) {
			at.last = lineEnd(text, to)
		}
	}
	if at.header < 0 {
		at.header = len(text)
	}
	return at
}

func lastKey(n *unstable.Node) (last unstable.Range) {
	for it := n.Key(); it.Next(); {
		last = it.Node().Raw
	}
	return last
}

// lineEnd is behind the end of the line of an offset.
func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// aboveComments is the beginning of the line of an offset, or of the comments right above it.
func aboveComments(text []byte, at int) int {
	at = bytes.LastIndexByte(text[:at], '\n') + 1
	for at > 0 {
		above := bytes.LastIndexByte(text[:at-1], '\n') + 1
		if text[above] != '#' {
			break
		}
		at = above
	}
	return at
}

// write changes one key of config.toml and takes the file over.
func (s *Settings) write(row Setting, value any) error {
	s.changing.Lock()
	err := s.rewrite(row, value)
	s.changing.Unlock()
	if err == nil {
		err = s.reload()
	}
	if err != nil {
		return fmt.Errorf("store setting %s: %w", row.Key, err)
	}
	return nil
}

func (s *Settings) rewrite(row Setting, value any) error {
	file := s.paths.Config
	if to, err := filepath.EvalSymlinks(file); err == nil {
		file = to
	}
	text, err := readFile(file)
	if err != nil {
		return Cause(err)
	}
	if text == nil {
		text = []byte(Template)
	}
	if _, mistakes := parse(text); len(mistakes) > 0 {
		return fmt.Errorf("%s has mistakes, mend them first: %w", filepath.Base(file), mistakes[0])
	}
	out, err := edit(text, row.path(), value)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	if _, mistakes := parse(out); len(mistakes) > 0 { // a plugin without what it needs
		return mistakes[0]
	}
	return replaceFile(file, out)
}

// replaceFile puts a file in another's place, whole, with the same rights; a new one is its owner's alone.
func replaceFile(file string, text []byte) error {
	mode := fs.FileMode(0o600)
	if st, err := os.Stat(file); err == nil {
		mode = st.Mode().Perm()
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".config-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(text)
	err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
