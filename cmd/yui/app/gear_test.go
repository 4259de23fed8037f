package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"
)

func TestGear(t *testing.T) {
	yes, no := true, false
	full := Config{Search: SearchConfig{SearXNG: "http://127.0.0.1:1"}, Vision: VisionConfig{Provider: "chat"}, Camera: CameraConfig{File: "/x.jpg"}, Tools: ToolsConfig{Ask: &no}}
	for name, c := range map[string]struct {
		cfg                         Config
		secrets                     map[string]string
		search, share, vision, asks bool
		problems                    int
	}{
		"nothing":       {asks: true},
		"everything":    {full, map[string]string{keyDiscord: "https://discord.com/api/webhooks/1/x"}, true, true, true, false, 0},
		"a key":         {Config{Tools: ToolsConfig{Ask: &yes}}, map[string]string{keyOllama: "k"}, true, false, false, true, 0},
		"all is broken": {Config{Search: SearchConfig{SearXNG: "ftp://x"}, Vision: VisionConfig{Provider: "psychic"}}, map[string]string{keyDiscord: "http://discord.com/SECRET"}, false, false, false, true, 3},
	} {
		g, problems := newGear(c.cfg, func(name string) string { return c.secrets[name] })
		if (g.engine != nil) != c.search || (g.webhook != nil) != c.share || (g.vision != nil) != c.vision || g.ask != c.asks || len(problems) != c.problems {
			t.Errorf("%s: %+v, %v", name, g, problems)
		}
		if err := errors.Join(problems...); err != nil && strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: an error shows the webhook: %v", name, err)
		}
	}
}

// TestKeys: the environment wins over .env, .env over the keyring, and .env is read anew each time.
func TestKeys(t *testing.T) {
	file := filepath.Join(t.TempDir(), ".env")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	k := keys{paths: Paths{Env: file}, ring: map[string]string{keyOllama: "ringed"}}
	want := func(name, value string) {
		t.Helper()
		if got := k.get(name); got != value {
			t.Errorf("%s is %q, not %q", name, got, value)
		}
	}
	t.Setenv(keyDiscord, "")
	t.Setenv(keyOllama, "")
	want(keyDiscord, "") // the file is gone
	want(keyOllama, "ringed")
	write(keyDiscord + "=new\n" + keyOllama + "=filed\n")
	want(keyDiscord, "new")
	want(keyOllama, "filed")
	if os.Getenv(keyDiscord) != "" {
		t.Error("what .env holds is in the environment")
	}
	t.Setenv(keyDiscord, "mine")
	want(keyDiscord, "mine")
}

// TestKeyring: both keys are read under their own users.
func TestKeyring(t *testing.T) {
	keyring.MockInit()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	if got := readRing(t.Context()); len(got) != 0 {
		t.Errorf("an empty keyring holds %d", len(got))
	}
	if err := keyring.Set("yui", "discord", "https://discord.com/api/webhooks/1/x"); err != nil {
		t.Fatal(err)
	}
	if got := readRing(t.Context()); len(got) != 1 || got[keyDiscord] == "" {
		t.Errorf("%v", got)
	}
	keyring.MockInitWithError(errors.New("locked"))
	if got := readRing(t.Context()); len(got) != 0 {
		t.Errorf("a locked keyring gave %v", got)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	if got := readRing(t.Context()); got != nil {
		t.Errorf("without a bus: %v", got)
	}
}
