package ui

import (
	"testing"
	"time"

	"yui/assets/lang/langtest"
)

// A language that is only a file is that of bubble and panels, and a change of it shows as soon as they are painted anew.
func TestAFurtherLanguageIsShown(t *testing.T) {
	d, theme := newDesk(t), *fonts()
	theme.Words = langtest.Book(t).In("en")
	talk, err := d.talks.New("Yui", &theme, 1)
	if err != nil {
		t.Fatal(err)
	}
	panel, err := NewPresetsPanel(d.loop, &theme, 1)
	if err != nil {
		t.Fatal(err)
	}
	talk.OnSay, talk.OnStop = func(string) {}, func() {}
	d.Do(func() {
		talk.Anchor(d.work.Inset(300), d.work.Inset(280), d.work)
		talk.OpenInput()
		panel.Show(PresetsView{}, d.work)
	})
	d.Advance(time.Second)
	for _, step := range []struct{ language, hint, title string }{{"en", "Say something…", "Characters"}, {"de", "⟨Say something…⟩", "⟨Characters⟩"}} {
		d.Do(func() { theme.Words.Use(step.language); talk.Repaint(); panel.Repaint() })
		d.Advance(time.Second)
		for _, text := range []string{step.hint, step.title} {
			if d.Find(text).Empty() {
				t.Errorf("%s: %q is not shown", step.language, text)
			}
		}
	}
}
