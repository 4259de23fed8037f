package settings

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/joho/godotenv"
	"github.com/zalando/go-keyring"
)

// The keys of services: their names in the environment and .env, and the users in the keyring (service "yui").
const (
	KeyOllama  = "OLLAMA_API_KEY"
	KeyDiscord = "DISCORD_WEBHOOK_URL"
)

var keyringUsers = map[string]string{KeyOllama: "ollama", KeyDiscord: "discord"}

// Variable gives a variable of the environment, else of .env, "" where neither has it. .env never enters the environment:
// no program that YUI starts sees what is in it.
func (p Paths) Variable(name string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	file, err := godotenv.Read(p.Env)
	if err != nil {
		return "" // LoadConfig tells of one that cannot be read
	}
	return file[name]
}

// Keys finds secrets: in the environment, else in .env, else in the keyring.
type Keys struct {
	Paths Paths
	Ring  map[string]string // what the keyring holds
}

// Get returns a secret, "" for none.
func (k Keys) Get(name string) string {
	if v := k.Paths.Variable(name); v != "" {
		return v
	}
	return k.Ring[name]
}

// ReadRing asks the keyring for the keys, once: its daemon may ask the person to unlock it, and one that does not answer
// counts as empty.
func ReadRing(ctx context.Context) map[string]string {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" {
		return nil
	}
	got := make(chan map[string]string, 1)
	go func() {
		found := map[string]string{}
		for name, user := range keyringUsers {
			if v, err := keyring.Get("yui", user); err == nil {
				found[name] = v
			} else if !errors.Is(err, keyring.ErrNotFound) {
				break // no keyring, or a locked one: it would be asked for each
			}
		}
		got <- found
	}()
	wait := time.NewTimer(ringWait)
	defer wait.Stop()
	select {
	case found := <-got:
		return found
	case <-wait.C:
	case <-ctx.Done():
	}
	return nil
}

// ringWait is how long a person may take to unlock the keyring; nothing waits for it but the tools that need it.
const ringWait = 2 * time.Minute

// keyWait bounds the question to the keyring, whose daemon may ask the person to unlock it.
const keyWait = 3 * time.Second

// FindKey returns the API key: YUI_CHAT_KEY, else the config's, else the keyring's. A keyring that does not answer in
// time counts as empty.
func FindKey(ctx context.Context, c ChatConfig, variable func(name string) string) string {
	if k := variable("YUI_CHAT_KEY"); k != "" {
		return k
	}
	if c.APIKey != "" {
		return c.APIKey
	}
	if c.API == APICompanion || os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" {
		return ""
	}
	got := make(chan string, 1)
	go func() {
		k, err := keyring.Get("yui", "chat")
		if err != nil {
			k = ""
		}
		got <- k
	}()
	select {
	case k := <-got:
		return k
	case <-time.After(keyWait):
	case <-ctx.Done():
	}
	return ""
}
