package presets

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameLimit is how long a character's name may be, in code points.
const nameLimit = 60

// Find finds a preset by id, or by name where that is unambiguous.
func Find(list []Preset, word string) (Preset, error) {
	var named []Preset
	for _, p := range list {
		if p.ID == word {
			return p, nil
		}
		if strings.EqualFold(p.Name, word) {
			named = append(named, p)
		}
	}
	switch len(named) {
	case 1:
		return named[0], nil
	case 0:
		return Preset{}, fmt.Errorf("there is no preset %q: yui presets lists them", word)
	}
	ids := make([]string, len(named))
	for i, p := range named {
		ids[i] = p.ID
	}
	return Preset{}, fmt.Errorf("preset %q is ambiguous: say one of %s", word, strings.Join(ids, ", "))
}

// ShownNames are the names as the person reads them, by id: where several bear one name, all but the first by id get a
// number behind it.
func ShownNames(list []Preset) map[string]string {
	sorted := slices.SortedFunc(slices.Values(list), func(a, b Preset) int { return strings.Compare(a.ID, b.ID) })
	taken := map[string]bool{}
	for _, p := range sorted {
		taken[p.Name] = true
	}
	first, shown := map[string]bool{}, map[string]string{}
	for _, p := range sorted {
		name := p.Name
		for n := 2; first[p.Name] && taken[name]; n++ {
			name = fmt.Sprint(p.Name, " ", n)
		}
		first[p.Name], taken[name] = true, true
		shown[p.ID] = name
	}
	return shown
}

// nameOfFile is what a character is called whom nobody has named.
func nameOfFile(file string) string {
	return cmp.Or(PlainName(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))), "Character")
}

// PlainName keeps one line of a name that anybody may have written.
func PlainName(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > nameLimit {
		s = strings.TrimSpace(string([]rune(s)[:nameLimit]))
	}
	return s
}

func clipRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

// idOf is a name as an id.
func idOf(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if b.Len() >= 40 {
			break
		}
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if id := strings.Trim(b.String(), "-"); id != "" {
		return id
	}
	return "character"
}
