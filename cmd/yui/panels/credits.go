package panels

import (
	"strings"

	"yui/assets/lang"
	"yui/avatar/vrm"
	"yui/cmd/yui/presets"
)

// Credit is what the maker says of a model, in a line: who made it, and on what terms it may be used.
func Credit(w *lang.Words, m vrm.Meta) string {
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

// Oddities says what of a model could not be read: how much, and the first of it.
func Oddities(w *lang.Words, odd []string) string {
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

// readCredits looks up the makers of the models that the panel shows and does not know yet.
func (p *Panels) readCredits() {
	if p.credits == nil {
		p.credits = map[string]string{}
	}
	for _, q := range p.Presets.All() {
		if _, known := p.credits[q.ID]; known || q.Model == "" {
			continue
		}
		p.credits[q.ID] = ""
		p.Memory.Go(func() {
			meta, err := q.Meta()
			if err != nil {
				p.Log.Debug("read who made a model", "preset", q.ID, "error", err)
				return
			}
			p.Loop.Do(func() {
				p.credits[q.ID] = Credit(p.Words, meta)
				p.refreshCast()
			})
		})
	}
}
