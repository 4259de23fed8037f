package app

import (
	"errors"
	"strings"

	"yui/assets/lang"
	"yui/avatar/vrm"
	"yui/cmd/yui/presets"
)

// credit is what the maker says of a model, in a line: who made it, and on what terms it may be used.
func credit(w *lang.Words, m vrm.Meta) string {
	var parts []string
	if authors := presets.PlainName(strings.Join(m.Authors, ", ")); authors != "" {
		parts = append(parts, w.Text("model.by", lang.Args{"authors": authors}))
	}
	license := m.License
	if license == "" {
		license = m.Copyright
	}
	license = strings.TrimSuffix(strings.TrimPrefix(license, "https://"), "/")
	if license = presets.PlainName(license); license != "" {
		parts = append(parts, w.Text("model.license", lang.Args{"license": license}))
	}
	return strings.Join(parts, " · ")
}

// oddities says what of a model could not be read: how much, and the first of it.
func oddities(w *lang.Words, odd []string) string {
	if len(odd) == 0 {
		return ""
	}
	const most = 120 // characters: a file's own names may stand in it
	first := []rune(plainSentence(odd[0]))
	if len(first) > most {
		first = append(first[:most-1], '…')
	}
	return w.Text("model.odd", lang.Args{lang.Count: len(odd), "first": string(first)})
}

// plainSentence keeps one line of what a file may have a part in.
func plainSentence(s string) string { return strings.Join(strings.Fields(s), " ") }

// readCredits looks up the makers of the models that the panel shows and does not know yet. Main thread.
func (a *App) readCredits() {
	if a.credits == nil {
		a.credits = map[string]string{}
	}
	for _, p := range a.presets.All() {
		if _, known := a.credits[p.ID]; known || p.Model == "" {
			continue
		}
		a.credits[p.ID] = ""
		a.memory.Go(func() {
			meta, err := p.Meta()
			if err != nil {
				a.log.Debug("read who made a model", "preset", p.ID, "error", err)
				return
			}
			a.loop.Do(func() {
				a.credits[p.ID] = credit(a.words, meta)
				a.refreshPresets()
			})
		})
	}
}

// troubles is several errors as lines for the person.
func troubles(errs ...error) string {
	if err := errors.Join(errs...); err != nil {
		return err.Error()
	}
	return ""
}
