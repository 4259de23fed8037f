package rules

import (
	"fmt"
	"slices"
	"strings"

	"yui/assets/lang"
)

// languages are those that there are files of; English, the first, is what holds where a text has no other.
var languages = func() []string {
	list := []string{lang.English}
	for _, l := range lang.Bundled().Languages() {
		if l.Code != lang.English {
			list = append(list, l.Code)
		}
	}
	return list
}()

// byLanguage names them in an error: en, ja and ko.
var byLanguage = strings.Join(languages[:len(languages)-1], ", ") + " and " + languages[len(languages)-1]

// Text is a text in the person's languages. A text that was written as one string is the same in every language.
type Text map[string]string

// In gives the text in a language, else in English, else in any that it has.
func (t Text) In(language string) string {
	for _, l := range append([]string{language}, languages...) {
		if s, ok := t[l]; ok {
			return s
		}
	}
	return ""
}

// readText reads a string or a table of strings by language.
func readText(v any) (Text, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case string:
		return Text{languages[0]: v}, nil
	case map[string]any:
		t := Text{}
		for l, s := range v {
			words, ok := s.(string)
			if !ok || !slices.Contains(languages, l) {
				return nil, fmt.Errorf("must be a text, or a table of texts by %s", byLanguage)
			}
			t[l] = words
		}
		return t, nil
	}
	return nil, fmt.Errorf("must be a text, or a table of texts by %s", byLanguage)
}

// readWords reads a list of strings, or a table of such lists by language: all languages count at once, since people
// mix them.
func readWords(v any) ([]string, error) {
	bad := fmt.Errorf("must be a list of words, or a table of such lists by %s", byLanguage)
	switch v := v.(type) {
	case nil:
		return nil, nil
	case string:
		return []string{v}, nil
	case []any:
		var list []string
		for _, w := range v {
			s, ok := w.(string)
			if !ok || s == "" {
				return nil, bad
			}
			list = append(list, s)
		}
		return list, nil
	case map[string]any:
		var list []string
		for _, l := range languages {
			words, err := readWords(v[l])
			if err != nil {
				return nil, bad
			}
			list = append(list, words...)
		}
		for l := range v {
			if !slices.Contains(languages, l) {
				return nil, bad
			}
		}
		return list, nil
	}
	return nil, bad
}
