package settings

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/joho/godotenv"
	"github.com/zalando/go-keyring"
)

// keyringUsers are the secrets' users in the keyring (service "yui").
var keyringUsers = map[string]string{KeyChat: "chat", KeyOllama: "ollama", KeyDiscord: "discord"}

// The waits for the keyring, whose daemon may ask the person to unlock it: of a start that needs a key, and of the tools,
// for which nothing waits.
const (
	keyWait  = 3 * time.Second
	ringWait = 2 * time.Minute
)

// secrets are asked for by name: in the environment, else in .env, else in the keyring. .env never enters the environment:
// no program that YUI starts sees what is in it. Safe from any goroutine.
type secrets struct {
	file string
	ask  sync.Once
	rung chan struct{} // closed when the keyring has answered, or will not

	mu   sync.Mutex
	env  map[string]string // what .env holds
	ring map[string]string // what the keyring holds
}

// Variable gives a variable of the environment, else of .env, "" where neither has it.
func (s *secrets) Variable(name string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.env[name]
}

// Secret gives a secret of the environment, else of .env, else of the keyring, "" where none of them has it.
func (s *secrets) Secret(name string) string {
	if v := s.Variable(name); v != "" {
		return v
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ring[name]
}

// Hidden are the names in .env, which no program gets but by a table that names them.
func (s *secrets) Hidden() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.env))
}

// read reads .env and names what has changed in it. A missing file is an empty one; one that cannot be read changes nothing.
func (s *secrets) read() (changed []string, err error) {
	now, err := godotenv.Read(s.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", s.file, Cause(err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range now {
		if now[name] != s.env[name] {
			changed = append(changed, name)
		}
	}
	for name := range s.env {
		if _, still := now[name]; !still {
			changed = append(changed, name)
		}
	}
	s.env = now
	return changed, nil
}

// AskKeyring asks the keyring for all keys, once, beside everything else. One that does not answer counts as empty.
func (s *secrets) AskKeyring(ctx context.Context) {
	s.ask.Do(func() {
		go func() {
			found := readRing(ctx)
			s.mu.Lock()
			s.ring = found
			s.mu.Unlock()
			close(s.rung)
		}()
	})
}

// awaitKeyring waits for the keyring's answer, for as long as a start may take.
func (s *secrets) awaitKeyring(ctx context.Context) {
	s.AskKeyring(ctx)
	wait := time.NewTimer(keyWait)
	defer wait.Stop()
	select {
	case <-s.rung:
	case <-wait.C:
	case <-ctx.Done():
	}
}

func readRing(ctx context.Context) map[string]string {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" {
		return nil
	}
	got := make(chan map[string]string, 1)
	go func() {
		found := map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(keyringUsers)) {
			if v, err := keyring.Get("yui", keyringUsers[name]); err == nil {
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
