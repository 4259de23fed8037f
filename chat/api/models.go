package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sort"
	"sync"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"yui/chat"
)

// modelWait bounds the question for the model list: it is asked by people who wait for yui doctor.
const modelWait = 10 * time.Second

// What is read of a model list: a server on this machine may be anybody's.
const (
	mostModels    = 2000
	mostModelList = 4 << 20 // bytes
)

// bounded reads no more of an answer than a model list may have.
type bounded struct{ client *http.Client }

// Do implements openai.HTTPDoer.
func (b bounded) Do(req *http.Request) (*http.Response, error) {
	resp, err := b.client.Do(req)
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, mostModelList), resp.Body}
	}
	return resp, err
}

// Models lists the models of the server, sorted, at most 2,000 of an answer of at most 4 MiB. Errors are *chat.Failure.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, modelWait)
	defer cancel()
	first := c.root.Load()
	names, err := c.modelsAt(ctx, c.roots[first])
	var f *chat.Failure
	if errors.As(err, &f) && (f.Reason == chat.NotFound || f.Reason == chat.NotAnAPI) && len(c.roots) > 1 {
		if other, otherErr := c.modelsAt(ctx, c.roots[1-first]); otherErr == nil {
			c.root.Store(1 - first)
			return other, nil
		}
	}
	return names, err
}

// Ping looks whether the server answers and accepts the key, and how fast. A server without a model list that
// answers at all is well.
func (c *Client) Ping(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	_, err := c.Models(ctx)
	took := time.Since(began)
	var f *chat.Failure
	if errors.As(err, &f) && (f.Reason == chat.NotFound) {
		return took, nil
	}
	return took, err
}

func (c *Client) modelsAt(ctx context.Context, root string) ([]string, error) {
	if f := c.badKey(); f != nil {
		return nil, f
	}
	cfg := c.cfg
	cfg.BaseURL = root
	list, err := openai.NewClientWithConfig(cfg).ListModels(ctx)
	if err != nil {
		return nil, c.modelsFailed(err)
	}
	names := make([]string, 0, len(list.Models))
	for _, m := range list.Models {
		if len(names) == mostModels {
			break
		}
		if m.ID != "" {
			names = append(names, m.ID)
		}
	}
	sort.Strings(names)
	return names, nil
}

// modelsFailed gives go-openai's errors our form.
func (c *Client) modelsFailed(err error) error {
	var apiErr *openai.APIError
	var reqErr *openai.RequestError
	switch {
	case errors.As(err, &apiErr):
		return c.Status(&http.Response{StatusCode: apiErr.HTTPStatusCode, Header: http.Header{}}, []byte(apiErr.Message))
	case errors.As(err, &reqErr):
		return c.Status(&http.Response{StatusCode: reqErr.HTTPStatusCode, Header: http.Header{}}, reqErr.Body)
	}
	f := c.Broken(err)
	if f.Reason == chat.Unreachable && isDecoding(err) {
		return c.NotAnAPI(nil)
	}
	return f
}

// listsModels says whether the server's empty list is one: any JSON decodes as an empty list.
func (c *Client) listsModels(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address(c.roots[c.root.Load()], "/models"), nil)
	if err != nil {
		return false
	}
	c.authorize(req)
	resp, err := c.http.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	var list struct {
		Object string          `json:"object"`
		Data   json.RawMessage `json:"data"`
	}
	const most = 1 << 20
	return json.NewDecoder(io.LimitReader(resp.Body, most)).Decode(&list) == nil && list.Object == "list" && list.Data != nil
}

// Local is a model server on this machine.
type Local struct {
	// Name is the program that usually listens there: Ollama, LM Studio, llama.cpp.
	Name    string
	BaseURL string
	Models  []string
}

// LocalServers are the usual places, in the order in which FindLocal names what it finds.
func LocalServers() []Local {
	return []Local{
		{Name: "Ollama", BaseURL: "http://127.0.0.1:11434/v1"},
		{Name: "LM Studio", BaseURL: "http://127.0.0.1:1234/v1"},
		{Name: "llama.cpp", BaseURL: "http://127.0.0.1:8080/v1"},
	}
}

// FindLocal looks for model servers at the usual places, for at most two seconds. A place counts where it answers
// the question for its models.
func FindLocal(ctx context.Context) []Local { return Find(ctx, LocalServers()) }

// Find looks for model servers at the given places.
func Find(ctx context.Context, places []Local) []Local {
	const wait = 2 * time.Second
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	found := make([]*Local, len(places))
	var all sync.WaitGroup
	for i, place := range places {
		all.Go(func() {
			client, err := New(Config{BaseURL: place.BaseURL})
			if err != nil {
				return
			}
			defer client.Rest()
			place.Models, err = client.Models(ctx)
			if err == nil && (len(place.Models) > 0 || client.listsModels(ctx)) {
				found[i] = &place
			}
		})
	}
	all.Wait()
	var out []Local
	for _, place := range found {
		if place != nil {
			out = append(out, *place)
		}
	}
	return out
}
