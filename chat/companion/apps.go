package companion

import (
	"slices"
	"strings"

	"yui/internal/readable"
)

// windowKind is a sort of program that people name by its use. Where the
// application knows a window's .desktop categories they decide; the list of
// well-known programs serves where it does not (docs/rules/body.md#names-of-programs).
type windowKind struct {
	ID         string
	Categories []string
	Apps       []string            // parts of application names, lower case
	Words      map[string][]string // language -> words that ask for it
}

// perchWindow is a window of look's perch_targets.
type perchWindow struct {
	App        string   `json:"app"`
	Title      string   `json:"title"`
	Categories []string `json:"categories"`
	Rect       struct {
		X, Y, Width, Height float64
	} `json:"rect"`
}

type perchTargets struct {
	Windows []perchWindow `json:"windows"`
}

func (k windowKind) holds(w perchWindow) bool {
	for _, c := range w.Categories {
		if slices.ContainsFunc(k.Categories, func(x string) bool { return strings.EqualFold(x, c) }) {
			return true
		}
	}
	if len(w.Categories) > 0 {
		return false
	}
	name := strings.ToLower(w.App)
	for _, a := range k.Apps {
		if name == a || len(a) > 3 && strings.Contains(name, a) {
			return true
		}
	}
	return false
}

// headroom is how far below the screen's top an edge should lie for a pet to
// fit above it, in points: a guess that only orders the choices; the body
// has the last word.
const headroom = 140

// pickWindow chooses the window that the wanted words mean; any window where
// they are empty. Windows with room above come first, then front to back.
func (l *library) pickWindow(ws []perchWindow, wanted, lang string) (perchWindow, bool) {
	roomy := func(fits func(perchWindow) bool) (perchWindow, bool) {
		var second *perchWindow
		for i, w := range ws {
			if w.App == "" || !fits(w) {
				continue
			}
			if w.Rect.Y >= headroom || w.Rect.Width == 0 {
				return w, true
			}
			if second == nil {
				second = &ws[i]
			}
		}
		if second != nil {
			return *second, true
		}
		return perchWindow{}, false
	}
	if wanted == "" {
		return roomy(func(perchWindow) bool { return true })
	}
	needle := fold(wanted)
	if w, ok := roomy(func(w perchWindow) bool { return fold(w.App) == needle }); ok {
		return w, true
	}
	if k := l.kindOf(wanted, lang); k != nil {
		if w, ok := roomy(k.holds); ok {
			return w, true
		}
	}
	for _, of := range []func(perchWindow) string{
		func(w perchWindow) string { return w.App },
		func(w perchWindow) string { return w.Title },
	} {
		if w, ok := roomy(func(w perchWindow) bool { return similar(fold(of(w)), needle) }); ok {
			return w, true
		}
	}
	return perchWindow{}, false
}

// similar: one name within the other, short fragments apart.
func similar(name, needle string) bool {
	n := len([]rune(needle))
	return n >= 2 && strings.Contains(name, needle) || len(name) >= 4 && strings.Contains(needle, name)
}

// kindOf finds the kind that the words name.
func (l *library) kindOf(wanted, lang string) *windowKind {
	wanted = fold(wanted)
	for i, k := range l.kinds {
		for _, w := range k.Words[lang] {
			w = fold(w)
			if lang == langEN && slices.Contains(strings.Fields(wanted), w) ||
				lang == langEN && strings.Contains(w, " ") && strings.Contains(wanted, w) ||
				lang != langEN && strings.Contains(wanted, w) {
				return &l.kinds[i]
			}
		}
	}
	return nil
}

// spokenApp is how a line calls an application: the last part of a name in
// reverse domain order ("org.gnome.Nautilus").
func spokenApp(app string) string {
	if parts := strings.Split(app, "."); len(parts) > 2 && !strings.Contains(app, " ") {
		app = parts[len(parts)-1]
	}
	return readable.Line(app, 30)
}

// appList names up to n different applications for a line.
func appList(ws []perchWindow, n int, comma, and string) string {
	var names []string
	for _, w := range ws {
		if a := spokenApp(w.App); a != "" && !slices.Contains(names, a) && len(names) < n {
			names = append(names, a)
		}
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], comma) + and + names[len(names)-1]
}
