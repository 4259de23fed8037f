package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"yui/assets/lang"
	"yui/internal/protocol"
	"yui/internal/readable"

	"golang.org/x/net/idna"
)

// SearchEngine finds pages.
type SearchEngine interface {
	// Search returns hits, best first. It may be called from several goroutines.
	Search(ctx context.Context, query string) ([]Hit, error)
}

// Hit is one page as an engine gives it: foreign text.
type Hit struct {
	Title   string `json:"title"`
	URL     string `json:"url"`
	Content string `json:"content"`
}

// Source is a page that a result told the model of, for the links in the bubble: one line of text, and an http or https
// address.
type Source struct{ Title, URL string }

// Host is where the page lies, as the person reads it beside a title that anybody may have written: internationalized
// names in the letters that an address has, which none can be mistaken for.
func (s Source) Host() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return s.URL
	}
	host, err := idna.Punycode.ToASCII(u.Host)
	if err != nil {
		return u.Host
	}
	return host
}

const (
	searchWait   = 15 * time.Second
	searchLimit  = 4 << 20 // bytes of an answer; engines may send whole pages
	searchHits   = 5
	queryLimit   = 200 // units; what a page wrote must not fit into it
	titleLimit   = 120
	contentLimit = 400
	addressLimit = 500 // bytes; longer ones are no use as a link
)

// OllamaSearch is the web search of ollama.com.
type OllamaSearch struct {
	Key     Secret
	BaseURL string // "" for https://ollama.com
}

// Search implements SearchEngine.
func (o OllamaSearch) Search(ctx context.Context, query string) ([]Hit, error) {
	body, err := askWeb(ctx, webRequest{
		method: "POST", url: strings.TrimRight(cmp.Or(o.BaseURL, "https://ollama.com"), "/") + "/api/web_search", bearer: o.Key,
		body: map[string]any{"query": query, "max_results": searchHits}, limit: searchLimit,
	})
	if err != nil {
		return nil, err
	}
	return readHits(body)
}

// SearXNG is a search service of one's own, whose settings allow the json format. It needs no account.
type SearXNG struct {
	BaseURL string
}

// Search implements SearchEngine.
func (s SearXNG) Search(ctx context.Context, query string) ([]Hit, error) {
	u, err := webAddress(s.BaseURL)
	if err != nil {
		return nil, &webFailure{kind: failUnreachable}
	}
	u = u.JoinPath("search")
	u.RawQuery = url.Values{"q": {query}, "format": {"json"}}.Encode()
	body, err := askWeb(ctx, webRequest{method: "GET", url: u.String(), limit: searchLimit})
	if err != nil {
		return nil, err
	}
	return readHits(body)
}

// readHits reads what both services answer. An object without results is an empty list; what is no object is no answer.
func readHits(body []byte) ([]Hit, error) {
	var answer *struct {
		Results []Hit `json:"results"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || answer == nil {
		return nil, &webFailure{kind: failAnswer}
	}
	return answer.Results, nil
}

// NewSearchEngine returns the engine that the settings name, nil where they name none: web_search is declared only with
// one. A SearXNG address goes before a key, since the person set it up.
func NewSearchEngine(searxng string, ollamaKey Secret) (SearchEngine, error) {
	if searxng != "" {
		if _, err := webAddress(searxng); err != nil {
			return nil, fmt.Errorf("set up web search: %w", err)
		}
		return SearXNG{BaseURL: searxng}, nil
	}
	if ollamaKey != "" {
		return OllamaSearch{Key: ollamaKey}, nil
	}
	return nil, nil
}

// NewWebSearch returns web_search. found is told what leaves for the engine, before it does and with no pages, and the
// pages of each result, for the bubble of the call's turn; it may be nil.
func NewWebSearch(w *lang.Words, engine SearchEngine, found func(turn, query string, sources []Source)) Tool {
	s := &search{words: w, engine: engine, found: found, wait: searchWait}
	return Tool{Name: protocol.WebSearch, Define: s.define, Run: s.run}
}

func (s *search) define() Definition {
	return Definition{
		Description: s.words.Text("tool.search.about"),
		Parameters: schema(map[string]any{
			"query": map[string]any{"type": "string", "description": s.words.Text("tool.search.query")},
		}, "query"),
	}
}

type search struct {
	words  *lang.Words
	engine SearchEngine
	found  func(turn, query string, sources []Source)
	wait   time.Duration
}

func (s *search) run(ctx context.Context, call Call) Result {
	query, _ := text(fields(call.Args), "query")
	query, _ = shorten(oneLine(query), queryLimit)
	if query == "" {
		return Result{Text: "error: " + s.words.Text("tool.search.no_query")}
	}
	if s.found != nil {
		s.found(call.Turn, query, nil)
	}
	limited, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	hits, err := s.engine.Search(limited, query)
	if ctx.Err() != nil {
		return Result{Text: protocol.TurnStopped}
	}
	if err != nil {
		return Result{Text: s.failure(err)}
	}
	hits = usable(hits)
	if len(hits) == 0 {
		return Result{Text: s.words.Text("tool.search.nothing", lang.Args{"query": query})}
	}
	if s.found != nil {
		sources := make([]Source, len(hits))
		for i, h := range hits {
			sources[i] = Source{h.Title, h.URL}
		}
		s.found(call.Turn, query, sources)
	}
	return Result{Text: s.list(query, hits)}
}

func (s *search) failure(err error) string {
	_, own := s.engine.(SearXNG)
	var f *webFailure
	if own && errors.As(err, &f) && f.kind == failRefused { // what SearXNG answers where its settings lack the format
		return "error: " + s.words.Text("tool.search.no_json")
	}
	return tellFailure(s.words, s.words.Text("tool.search.service"), err)
}

// usable keeps the first hits with an address that a link may lead to, their texts cleaned and shortened.
func usable(hits []Hit) []Hit {
	var kept []Hit
	seen := map[string]bool{}
	for _, h := range hits {
		u, err := webAddress(h.URL)
		if err != nil || u.User != nil || seen[u.String()] || len(u.String()) > addressLimit {
			continue
		}
		h.URL = u.String()
		seen[h.URL] = true
		h.Title, _ = shorten(oneLine(h.Title), titleLimit)
		h.Content, _ = shorten(oneLine(readable.First(h.Content, 8*contentLimit)), contentLimit)
		h.Title = cmp.Or(h.Title, u.Hostname())
		if kept = append(kept, h); len(kept) == searchHits {
			break
		}
	}
	return kept
}

// list writes the hits for the model. The first line is of the kind that docs/rules/tools.md#foreign-text puts above text from pages.
func (s *search) list(query string, hits []Hit) string {
	var b strings.Builder
	b.WriteString(s.words.Text("tool.search.untrusted"))
	b.WriteString("\n\n" + s.words.Text("tool.search.results", lang.Args{"query": query}) + "\n")
	for i, h := range hits {
		fmt.Fprintf(&b, "\n%d. %s\n", i+1, h.Title)
		if h.Content != "" {
			fmt.Fprintf(&b, "   %s\n", h.Content)
		}
		fmt.Fprintf(&b, "   URL: %s\n", h.URL)
	}
	return strings.TrimRight(b.String(), "\n")
}
