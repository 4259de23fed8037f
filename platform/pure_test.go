//go:build !windows && !darwin

package platform

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jezek/xgb/xproto"
	"pgregory.net/rapid"

	"yui/internal/fuzzmem"
)

func TestCompoundText(t *testing.T) {
	cases := []struct{ name, raw, want string }{
		{"ascii", "plain", "plain"},
		{"latin 1 by default", "caf\xe9", "café"},
		{"utf-8 segment", "a \x1b%G日本\x1b%@ b", "a 日本 b"},
		{"utf-8 without an end", "\x1b%G日本", "日本"},
		{"two-byte set", "\x1b$(B\x46\x7c\x4b\x5c\x1b(Bok", "\ufffd\ufffdok"},
		{"lone escape", "a\x1b", "a"},
	}
	for _, c := range cases {
		if got := string(compoundText([]byte(c.raw))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "title", "caf\xe9", "a\nb", "\x1b%G日本\x1b%@", "\x1b$(B\x46", strings.Repeat("あ", 700), "\xe3\x81"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		fuzzmem.Watch(t)
		instance, class := classNames(raw)
		for _, text := range []string{cleanText(raw), cleanText(compoundText(raw)), nameText(raw), instance, class} {
			if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxTitle {
				t.Fatalf("%q from %q", text, raw)
			}
			if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || turnsText(r) || r == '\u2028' }) {
				t.Fatalf("control in %q", text)
			}
		}
		if utf8.Valid(raw) && len(raw) < maxTitle && !strings.ContainsFunc(string(raw), func(r rune) bool {
			return unicode.IsControl(r) || unicode.IsSpace(r) || turnsText(r)
		}) && cleanText(raw) != string(raw) {
			t.Fatalf("plain text changed: %q to %q", raw, cleanText(raw))
		}
	})
}

func FuzzDesktopEntry(f *testing.F) {
	f.Add("[Desktop Entry]\nExec=env A=1 \"/usr/bin/code\" %F\nCategories=TextEditor;;Development;\nStartupWMClass=Code\n[Desktop Action x]\nExec=no\n")
	f.Add("Exec=outside\n[Desktop Entry]\n\x00=\xff\nCategories=;")
	f.Fuzz(func(t *testing.T, text string) {
		fuzzmem.Watch(t)
		e := parseEntry(strings.NewReader(text))
		if slices.Contains(e.categories, "") || strings.Contains(e.program, "/") && e.program != "/" {
			t.Fatalf("%+v", e)
		}
	})
}

func TestDesktopEntry(t *testing.T) {
	e := parseEntry(strings.NewReader("Exec=outside\n[Desktop Entry]\nExec=env A=1 \"/usr/bin/code\" %F\n" +
		"Categories=TextEditor;;Development;\nStartupWMClass=Code\n[Desktop Action x]\nExec=other\nCategories=Game;\n"))
	if e.program != "code" || e.wmClass != "Code" || !slices.Equal(e.categories, []string{"TextEditor", "Development"}) {
		t.Errorf("%+v", e)
	}
}

func TestScaleOf(t *testing.T) {
	for resources, want := range map[string]float64{
		"":                                  1,
		"Xft.dpi:\t96\n":                    1,
		"*a: b\nXft.dpi:\t144\nXft.rgba: x": 1.5,
		"Xft.dpi: 0":                        1,
		"Xft.dpi: NaN":                      1,
		"Xft.dpi: 1e9":                      1,
		"Xft.dpi: many":                     1,
		"Xft.dpi.x: 192":                    1,
	} {
		if got := scaleOf(resources); got != want {
			t.Errorf("%q: %v, want %v", resources, got, want)
		}
	}
}

func strutPartial(side int, width, start, end uint32) []uint32 {
	v := make([]uint32, 12)
	v[side], v[4+2*side], v[5+2*side] = width, start, end
	return v
}

func TestWorkArea(t *testing.T) {
	left, right := Rect{0, 0, 2560, 1440}, Rect{2560, 360, 1920, 1080}
	root := Rect{0, 0, 4480, 1440}
	cases := []struct {
		name        string
		panels      []panel
		left, right Rect
	}{
		{"none", nil, left, right},
		{"top on the first", []panel{{Rect{0, 0, 2560, 30}, strutPartial(2, 30, 0, 2559)}}, Rect{0, 30, 2560, 1410}, right},
		{"foot of the second", []panel{{Rect{2560, 1400, 1920, 40}, strutPartial(3, 40, 2560, 4479)}}, left, Rect{2560, 360, 1920, 1040}},
		{"inner edge", []panel{{Rect{2560, 360, 60, 1080}, strutPartial(0, 2620, 360, 1439)}}, left, Rect{2620, 360, 1860, 1080}},
		{"top of the lower monitor", []panel{{Rect{2560, 360, 1920, 30}, strutPartial(2, 390, 2560, 4479)}}, left, Rect{2560, 390, 1920, 1050}},
		{"old strut", []panel{{Rect{0, 1400, 2560, 40}, []uint32{0, 0, 0, 40}}}, Rect{0, 0, 2560, 1400}, right},
		{"no range", []panel{{Rect{0, 1400, 2560, 40}, strutPartial(3, 40, 0, 0)}}, Rect{0, 0, 2560, 1400}, right},
		{"nonsense", []panel{{Rect{0, 0, 2560, 1440}, strutPartial(2, 4_000_000_000, 0, 2559)}}, left, right},
	}
	for _, c := range cases {
		if got := workArea(left, root, c.panels); got != c.left {
			t.Errorf("%s: first %v, want %v", c.name, got, c.left)
		}
		if got := workArea(right, root, c.panels); got != c.right {
			t.Errorf("%s: second %v, want %v", c.name, got, c.right)
		}
	}
}

// Whatever panels say, a work area is a rectangle inside its monitor, and no smaller than a quarter of it.
func TestWorkAreaStaysInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.IntRange(-100, 5000)
		size := rapid.IntRange(1, 4000)
		rect := func(name string) Rect {
			return Rect{number.Draw(t, name+"x"), number.Draw(t, name+"y"), size.Draw(t, name+"w"), size.Draw(t, name+"h")}
		}
		monitor := rect("monitor")
		var panels []panel
		for range rapid.IntRange(0, 4).Draw(t, "panels") {
			length := rapid.SampledFrom([]int{4, 12}).Draw(t, "length")
			strut := rapid.SliceOfN(rapid.OneOf(rapid.Uint32Range(0, 5000), rapid.Uint32()), length, length).Draw(t, "strut")
			panels = append(panels, panel{rect("panel"), strut})
		}
		root := Rect{0, 0, max(monitor.X+monitor.W, 1), max(monitor.Y+monitor.H, 1)}
		area := workArea(monitor, root, panels)
		if area.Intersect(monitor) != area || area.area()*4 < monitor.area() {
			t.Fatalf("%v in %v", area, monitor)
		}
	})
}

func TestKeepMissing(t *testing.T) {
	alive := func(id xproto.Window) bool { return id < 100 }
	cases := []struct{ old, now, want []xproto.Window }{
		{[]xproto.Window{1, 2, 3}, []xproto.Window{1, 3}, []xproto.Window{1, 2, 3}},
		{[]xproto.Window{1, 2, 3}, []xproto.Window{3, 1}, []xproto.Window{3, 1, 2}},
		{[]xproto.Window{2, 1}, []xproto.Window{1}, []xproto.Window{2, 1}},
		{[]xproto.Window{1, 200, 2}, []xproto.Window{1}, []xproto.Window{1, 2}},
	}
	for _, c := range cases {
		if got := keepMissing(c.old, slices.Clone(c.now), alive); !slices.Equal(got, c.want) {
			t.Errorf("%v then %v: %v, want %v", c.old, c.now, got, c.want)
		}
	}
}

func TestFront(t *testing.T) {
	var f front
	start := time.Now()
	at := func(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }
	f.enter(1, "A", at(0))
	f.leave(at(10))
	f.enter(2, "A", at(11)) // another window of the same program, over a moment of none
	if f.since != at(0) {
		t.Errorf("since %v", f.since.Sub(start))
	}
	f.leave(at(20))
	f.leave(at(40))
	f.enter(2, "A", at(60)) // came back after a while
	if f.since != at(60) {
		t.Errorf("since %v", f.since.Sub(start))
	}
	f.enter(3, "B", at(70))
	if f.since != at(70) {
		t.Errorf("since %v", f.since.Sub(start))
	}
}

func TestIdleByPointer(t *testing.T) {
	var w idleWatch
	start := time.Now()
	w.at(1, 1, start)
	if got := w.at(1, 1, start.Add(time.Minute)); got != time.Minute {
		t.Errorf("%v", got)
	}
	if got := w.at(2, 1, start.Add(2*time.Minute)); got != 0 {
		t.Errorf("%v", got)
	}
}

func TestEdgesOfNonsense(t *testing.T) {
	for _, values := range [][]uint32{nil, {1, 2, 3}, {1, 2, 3, 0xffffffff}, {70000, 0, 0, 0}} {
		if got := readEdges(values); got != (edges{}) {
			t.Errorf("%v: %v", values, got)
		}
	}
}

func TestFirstKnownKind(t *testing.T) {
	a := &atoms{typeDock: 1, typeNotify: 2, typeNormal: 3, typeDialog: 4, typeUtility: 5}
	for want, types := range map[xproto.Atom][]uint32{1: {90, 91, 1, 3}, 2: {90, 2}, 3: {90, 3, 1}, 4: {4, 2}, 5: {5, 1}, 0: {90, 0}} {
		if got := a.kind(types); got != want {
			t.Errorf("types %v: %d, want %d", types, got, want)
		}
	}
}

// A window of another workspace is seen if the window manager unmaps what it hides, and only then.
func TestSeenBesideThePresentWorkspace(t *testing.T) {
	old := time.Now().Add(-time.Minute)
	other := &client{id: 1, workspace: 0, mapped: true, found: old}
	hidden := &client{id: 2, workspace: 2, mapped: true, found: old}
	x := &x11{manager: manager{listed: true}, workspace: 1, clients: map[xproto.Window]*client{1: other, 2: hidden}}
	if x.observe(); x.visible(other) || x.visible(hidden) {
		t.Error("a manager that keeps hidden windows mapped: what is elsewhere was taken for seen")
	}
	hidden.mapped, hidden.minimised = false, true
	if x.observe(); x.visible(other) {
		t.Error("a minimised window says nothing about workspaces")
	}
	hidden.minimised, hidden.found = false, time.Now()
	if x.observe(); x.visible(other) {
		t.Error("a window that is only just being opened says nothing")
	}
	hidden.found = old
	if x.observe(); !x.visible(other) || x.visible(hidden) {
		t.Errorf("a manager that unmaps: other seen %v, hidden seen %v", x.visible(other), x.visible(hidden))
	}
}

func TestBorderless(t *testing.T) {
	screen := Rect{0, 0, 1920, 1080}
	for name, c := range map[string]struct {
		window Window
		area   Rect
		active WindowID
		want   bool
	}{
		"over a panel":       {Window{ID: 1, Frame: screen}, Rect{0, 0, 1920, 1050}, 1, true},
		"no panel":           {Window{ID: 1, Frame: screen}, screen, 1, false},
		"not in front":       {Window{ID: 1, Frame: screen}, Rect{0, 0, 1920, 1050}, 2, false},
		"decorated":          {Window{ID: 1, Frame: screen, decorated: true}, Rect{0, 0, 1920, 1050}, 1, false},
		"beside the panel":   {Window{ID: 1, Frame: Rect{0, 0, 1920, 1050}}, Rect{0, 0, 1920, 1050}, 1, false},
		"larger":             {Window{ID: 1, Frame: Rect{0, 0, 1921, 1080}}, Rect{0, 0, 1920, 1050}, 1, false},
		"said by the window": {Window{ID: 1, Frame: screen, Fullscreen: true, decorated: true}, screen, 2, true},
	} {
		s := &Snapshot{Windows: []Window{c.window}, Monitors: []Monitor{{Rect: screen, WorkArea: c.area}}, Active: &Window{ID: c.active}}
		if s.fillMonitors(); s.Monitors[0].Fullscreen != c.want {
			t.Errorf("%s: full screen %v", name, s.Monitors[0].Fullscreen)
		}
	}
}
