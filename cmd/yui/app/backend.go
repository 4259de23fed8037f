package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/zalando/go-keyring"

	"yui/chat"
	"yui/chat/companion"
	"yui/chat/completions"
	"yui/chat/responses"
)

// companionURL names the built-in companion to the client; it is never looked up.
const companionURL = "http://companion.built-in/v1"

// keyWait bounds the question to the keyring, whose daemon may ask the person to unlock it.
const keyWait = 3 * time.Second

// backend is who answers, as the config says.
type backend struct {
	API, BaseURL, Model string
	transport           chat.Transport
	err                 error
}

// newBackend builds the transport of a config. An error is kept: a pet without a backend still lives, and says why.
func newBackend(c ChatConfig, key string, log *slog.Logger) backend {
	b := backend{API: c.API, BaseURL: c.BaseURL, Model: c.Model}
	switch c.API {
	case APICompanion:
		h := companion.New(companion.Options{Delay: companion.DefaultDelay})
		b.Model = companion.ModelID
		b.transport, b.err = asTransport(completions.New(completions.Config{BaseURL: companionURL, Model: companion.ModelID,
			HTTP: &http.Client{Transport: inProcess{h}}, Log: log}))
		b.BaseURL = ""
	case APICompletions:
		if c.BaseURL == "" {
			b.err = errors.New("chat.base_url is not set: name the server in config.toml, or leave chat.api out for the built-in companion")
			break
		}
		b.transport, b.err = asTransport(completions.New(completions.Config{BaseURL: c.BaseURL, Model: c.Model, Key: key,
			ReasoningEffort: c.ReasoningEffort, Log: log}))
	case APIResponses:
		if c.BaseURL == "" {
			b.err = errors.New("chat.base_url is not set: name the server in config.toml")
			break
		}
		t, err := responses.New(responses.Config{BaseURL: c.BaseURL, Model: c.Model, Key: key, ReasoningEffort: c.ReasoningEffort,
			BrokerOwnsTools: c.BrokerBaseURL != "", Log: log})
		if b.err = err; err == nil {
			b.transport = t
		}
	default:
		b.err = fmt.Errorf("chat.api %q is not built yet: use chat_completions or companion", c.API)
	}
	return b
}

func asTransport(t *completions.Transport, err error) (chat.Transport, error) {
	if err != nil {
		return nil, err // a nil *Transport in the interface would not be nil
	}
	return t, nil
}

// findKey returns the API key: YUI_CHAT_KEY, else the config's, else the keyring's. A keyring that does not answer in
// time counts as empty.
func findKey(ctx context.Context, c ChatConfig) string {
	if k := os.Getenv("YUI_CHAT_KEY"); k != "" {
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
