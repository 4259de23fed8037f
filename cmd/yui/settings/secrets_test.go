package settings

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/zalando/go-keyring"
)

// TestKeys: the environment wins over .env, .env over the keyring.
func TestKeys(t *testing.T) {
	file := filepath.Join(t.TempDir(), ".env")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	k := &secrets{file: file, ring: map[string]string{KeyOllama: "ringed"}}
	want := func(name, value string) {
		t.Helper()
		if _, err := k.read(); err != nil {
			t.Fatal(err)
		}
		if got := k.Secret(name); got != value {
			t.Errorf("%s is %q, not %q", name, got, value)
		}
	}
	t.Setenv(KeyDiscord, "")
	t.Setenv(KeyOllama, "")
	want(KeyDiscord, "") // the file is gone
	want(KeyOllama, "ringed")
	write(KeyDiscord + "=new\n" + KeyOllama + "=filed\n")
	want(KeyDiscord, "new")
	want(KeyOllama, "filed")
	if os.Getenv(KeyDiscord) != "" {
		t.Error("what .env holds is in the environment")
	}
	t.Setenv(KeyDiscord, "mine")
	want(KeyDiscord, "mine")
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
	if got := readRing(t.Context()); len(got) != 1 || got[KeyDiscord] == "" {
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
