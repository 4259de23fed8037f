package app

import (
	"encoding/json"
	"image"
	"strings"
	"testing"
	"time"

	"yui/internal/protocol"
)

// A change of language is seen at once in bubble, panels and menu. The tools that a conversation declares keep theirs until
// the next one begins.
func TestLanguageChangesWhileSheRuns(t *testing.T) {
	s := newStand(t)
	s.talking()
	s.Do(func() { s.app.panels.OpenCast(); s.app.panels.OpenRelations("") })
	seen := func(texts ...string) {
		t.Helper()
		for _, text := range texts {
			for end := time.Now().Add(time.Minute); s.Find(text) == (image.Rectangle{}); <-time.After(10 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%q is not on the screen", text)
				}
			}
		}
	}
	camera := func() (about string) {
		s.Do(func() {
			for _, tool := range s.app.pets[0].tools.Declared() {
				if tool.Name == protocol.Camera {
					about = tool.Description
				}
			}
		})
		return about
	}
	seen("Say something…", "Characters", "Yui feels", "toward you")
	declared := camera()
	if err := s.app.settings.Set(t.Context(), "language", json.RawMessage(`"ja"`)); err != nil {
		t.Fatal(err)
	}
	seen("話しかける…", "キャラクター", "Yui の気持ち", "あなたへ")
	if got := camera(); got != declared || !strings.HasPrefix(got, "Look through") {
		t.Errorf("inside a conversation the camera is declared as %q", got)
	}
	s.Do(func() { parlour{s.app}.NewTalk(); s.app.panels.OpenMenu("yui", image.Pt(20, 20)) })
	if got := camera(); !strings.Contains(got, "カメラ") {
		t.Errorf("in the next one it is declared as %q", got)
	}
	seen("Yui を隠す", "YUI を終了")
}
