//go:build !windows && !darwin

package main_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testDroppedFiles drops cards on her as a file manager does: a good one comes to the desktop, a bad one is told about.
func testDroppedFiles(t *testing.T, y *instance) {
	dir := filepath.Join(t.TempDir(), "my cards & models")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	card := `{"spec":"chara_card_v2","data":{"name":"Kaede \u202e\u3042","description":"{{char}} is a maple spirit."}}`
	good, bad, picture := filepath.Join(dir, "楓.json"), filepath.Join(dir, "bad.json"), filepath.Join(dir, "holiday.png")
	for file, data := range map[string][]byte{
		good: []byte(card), bad: []byte("[]"), picture: cardPNG("tEXt", "chara", base64.StdEncoding.EncodeToString([]byte(strings.ReplaceAll(card, "Kaede", "Ume")))),
	} {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	drop := func(files ...string) {
		t.Helper()
		x, at := belly(y.onFloor(0))
		if err := y.desk.DropFiles(x, at, files...); err != nil {
			t.Error(err)
		}
	}
	drop(good)
	y.waitState(settleWait, "the new one", func(s state) bool {
		return len(s.Presets) == 2 && s.Presets[1].Name == "Kaede あ" && s.Presets[1].Frames > 0
	})
	y.keep("a card was dropped")
	drop(bad, picture)
	y.waitState(settleWait, "the picture's character, and what is wrong with the other", func(s state) bool {
		return len(s.Presets) == 3 && s.Presets[2].Name == "Ume あ" && strings.Contains(s.Presets[0].Talk.Bubble, "bad.json: it holds no character card")
	})
	for _, p := range y.state().Presets[1:] {
		y.must("delete", p.ID)
	}
}
