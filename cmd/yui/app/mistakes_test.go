package app

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yui/assets/lang"
	"yui/chat"
	"yui/cmd/yui/settings"
	"yui/store"
)

// An address that is none does not keep her away: she says so whenever she is asked, and no password is in what she says.
func TestBackendSaysWhatIsWrongWithItsAddress(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	for _, c := range []struct {
		api, address string
		want         chat.Reason
	}{
		{settings.APICompletions, "ftp://u:password@x?key=password", chat.BadAddress}, {settings.APICompletions, "http://127.0.0.1:99999/v1", chat.BadAddress},
		{settings.APIResponses, "http://", chat.BadAddress}, {settings.APIPush, "ftp://x", chat.BadAddress}, {settings.APICompletions, "wss://h/x", chat.BadAddress},
		{settings.APICompletions, "", chat.NoServer}, {settings.APIResponses, "", chat.NoServer},
	} {
		b := newBackend(settings.ChatConfig{API: c.api, BaseURL: c.address}, "", quiet)
		missing := b.missing()
		if missing == nil || missing.Reason != c.want || strings.Contains(missing.Error()+missing.Plain(lang.In("en")), "password") {
			t.Errorf("%s %q: %v, want %s", c.api, c.address, missing, c.want)
		}
	}
	for _, c := range []settings.ChatConfig{{API: settings.APICompanion}, {API: settings.APICompletions, BaseURL: "127.0.0.1:1"}, {API: settings.APIPush, BaseURL: "wss://h/x"}} {
		if missing := newBackend(c, "", quiet).missing(); missing != nil {
			t.Errorf("%+v: %v", c, missing)
		}
	}
}

// Every cause has its words in every language, and what has none says itself.
func TestWordsOfCauses(t *testing.T) {
	causes := []error{store.ErrLocked, store.ErrNewer, store.ErrReadOnly, store.ErrFull, store.ErrDamaged}
	for _, language := range []string{"en", "ja", "ko"} {
		w := wordsFor(language)
		for _, cause := range causes {
			if got := w.forgetful("/x/yui.db", fmt.Errorf("open: %w", cause)); w.causes[cause] == "" || !strings.Contains(got, w.causes[cause]) || !strings.Contains(got, "/x/yui.db") {
				t.Errorf("%s %v: %q", language, cause, got)
			}
		}
		if got := w.unsaved("/x", os.ErrInvalid); !strings.Contains(got, os.ErrInvalid.Error()) || strings.Contains(got, "%!") {
			t.Errorf("%s: %q", language, got)
		}
	}
}

func TestFoldersThatTakeFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{dir: true, filepath.Join(dir, "not", "yet"): true, file: false, filepath.Join(file, "below"): false} {
		if err := takesFiles(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if err := store.Check(context.Background(), filepath.Join(file, "yui.db")); err == nil {
		t.Error("a database below a file is well")
	}
}
