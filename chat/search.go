package chat

import (
	"context"
	"errors"
	"strings"
)

// Searcher is a Store that finds items by words, of all sessions, newest first.
type Searcher interface {
	Search(ctx context.Context, words string, limit int) ([]Item, error)
}

// ErrNoSearch is returned where the Store cannot search.
var ErrNoSearch = errors.New("search history: this store cannot search")

// Search finds what was said in any session of this pet, newest first, at most limit items. Empty words find nothing.
// It reads the store: not for the main thread.
func (s *Session) Search(ctx context.Context, words string, limit int) ([]Item, error) {
	words = strings.TrimSpace(printable(words))
	if words == "" || limit <= 0 {
		return nil, nil
	}
	store, ok := s.cfg.Store.(Searcher)
	if !ok {
		return nil, ErrNoSearch
	}
	s.store.Lock()
	defer s.store.Unlock()
	return store.Search(ctx, words, limit)
}

// Search implements Searcher.
func (m *MemoryStore) Search(ctx context.Context, words string, limit int) ([]Item, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	words = strings.ToLower(words)
	var found []Item
	for i := len(m.items) - 1; i >= 0 && len(found) < limit; i-- {
		if strings.Contains(strings.ToLower(m.items[i].Text), words) {
			found = append(found, m.items[i])
		}
	}
	return found, ctx.Err()
}
