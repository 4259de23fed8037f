package lang

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/pelletier/go-toml/v2"
)

// message is one sentence of a file: its plural forms, "other" if it has none.
type message map[string]string

var plurals = []string{"zero", "one", "two", "few", "many", "other"}

// read gives the sentences of a language by key.
func read(t *testing.T, name string) map[Key]message {
	b, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := toml.Unmarshal(b, &tree); err != nil {
		t.Fatal(err)
	}
	all := map[Key]message{}
	var walk func(path string, node map[string]any)
	walk = func(path string, node map[string]any) {
		for name, v := range node {
			key := strings.TrimPrefix(path+"."+name, ".")
			switch v := v.(type) {
			case string:
				if slices.Contains(plurals, name) {
					if all[Key(path)] == nil {
						all[Key(path)] = message{}
					}
					all[Key(path)][name] = v
				} else {
					all[Key(key)] = message{"other": v}
				}
			case map[string]any:
				walk(key, v)
			default:
				t.Errorf("%s: %s is a %T", name, key, v)
			}
		}
	}
	walk("", tree)
	return all
}

var placeholder = regexp.MustCompile(`{{\s*([^}\s]+)\s*}}`)

// placeholders are the arguments of a sentence in all its forms.
func (m message) placeholders() []string {
	found := map[string]bool{}
	for _, form := range m {
		for _, p := range placeholder.FindAllStringSubmatch(form, -1) {
			found[strings.TrimPrefix(p[1], ".")] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

var plainKey = regexp.MustCompile(`^[a-z0-9_]+(\.[a-z0-9_]+)+$`)

// Every key stands in every file with the same placeholders, and no file has another. What a program reads as it is
// (names of keys and files, commands) is the same in all of them.
func TestFilesAgree(t *testing.T) {
	english := read(t, "en.toml")
	names, _ := fs.Glob(files, "*.toml")
	asItIs := regexp.MustCompile(`base_url|api_key|config\.toml|yui [a-z]+|https?://`)
	for _, name := range names {
		other := read(t, name)
		for key, m := range english {
			o, ok := other[key]
			if !ok {
				t.Errorf("%s lacks %s", name, key)
				continue
			}
			if !plainKey.MatchString(string(key)) {
				t.Errorf("%s is no key", key)
			}
			if a, b := m.placeholders(), o.placeholders(); !slices.Equal(a, b) {
				t.Errorf("%s: %s has the placeholders %v, not %v", name, key, b, a)
			}
			if o["other"] == "" {
				t.Errorf("%s: %s is empty", name, key)
			}
			if a, b := slices.Sorted(slices.Values(asItIs.FindAllString(m["other"], -1))), slices.Sorted(slices.Values(asItIs.FindAllString(o["other"], -1))); !slices.Equal(a, b) {
				t.Errorf("%s: %s has %v, not %v", name, key, b, a)
			}
		}
		for key := range other {
			if english[key] == nil {
				t.Errorf("%s: %s is not in en.toml", name, key)
			}
		}
	}
}

// scripts are those that a language is written in; a sentence is in them, or has no letters of its own.
var scripts = map[string][]*unicode.RangeTable{"en": {unicode.Latin}, "ja": {unicode.Hiragana, unicode.Katakana, unicode.Han}, "ko": {unicode.Hangul}}

func TestFilesAreInTheirLanguage(t *testing.T) {
	english := read(t, "en.toml")
	names, _ := fs.Glob(files, "*.toml")
	for _, name := range names {
		code := strings.TrimSuffix(name, ".toml")
		script, ok := scripts[code]
		if !ok {
			script = scripts["en"] // Latin, unless the table says otherwise
		}
		for key, m := range read(t, name) {
			same := fmt.Sprint(english[key]) == fmt.Sprint(m)
			for _, form := range m {
				bare := strings.ReplaceAll(placeholder.ReplaceAllString(form, ""), "U+", "")
				if !same && strings.ContainsFunc(bare, unicode.IsLetter) && !strings.ContainsFunc(bare, func(r rune) bool { return unicode.In(r, script...) }) {
					t.Errorf("%s.toml: %s is in another script: %s", code, key, form)
				}
				for other, table := range scripts {
					if other != code && other != "en" && !(other == "ja" && code == "ko") && strings.ContainsFunc(bare, func(r rune) bool { return unicode.In(r, table...) }) && key != nameKey {
						t.Errorf("%s.toml: %s has letters of %s: %s", code, key, other, form)
					}
				}
			}
			if same && code != "en" && strings.Count(m["other"], " ") > 2 {
				t.Errorf("%s.toml: %s is the English one", code, key)
			}
		}
	}
}
