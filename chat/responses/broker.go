package responses

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"yui/internal/readable"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// publishTool is what a broker's MCP server is called with (docs/rules/chat.md#broker).
	publishTool = "publish_vocabulary"
	// publishWait bounds one publication: connecting, the call and the farewell.
	publishWait = 10 * time.Second
)

// Broker is the Expression Broker at broker_base_url, which declares the cue tool to the model in YUI's place. It is
// told what the pet can express by one MCP tool call. It is safe for use by several goroutines.
type Broker struct {
	endpoint string
	version  string
	http     *http.Client

	mu   sync.Mutex // held over a publication: one at a time
	told []byte     // the vocabulary that the broker has
}

// NewBroker reads the address: an MCP endpoint of the streamable HTTP kind; one without a path gets /mcp. version is
// ours, for the broker's log.
func NewBroker(baseURL, version string) (*Broker, error) {
	base := strings.TrimSpace(baseURL)
	if !strings.Contains(base, "://") {
		base = "http://" + base
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("read broker_base_url: it must begin with http:// or https:// and name a host")
	}
	u.Fragment = ""
	if u.Path = strings.TrimRight(u.Path, "/"); u.Path == "" {
		u.Path = "/mcp"
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	return &Broker{endpoint: u.String(), version: version, http: &http.Client{Transport: t}}, nil
}

// Publish tells the broker the vocabulary, in JSON the vocabulary object of the push hello. What the broker has been
// told already is not told again. It is best effort: the pet works without, and the caller logs the error. It takes up
// to ten seconds: not for the main thread.
func (b *Broker) Publish(ctx context.Context, vocabulary any) error {
	raw, err := json.Marshal(vocabulary)
	if err != nil {
		return fmt.Errorf("publish vocabulary: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if bytes.Equal(raw, b.told) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, publishWait)
	defer cancel()
	defer b.http.CloseIdleConnections()
	if err := b.call(ctx, raw); err != nil {
		return fmt.Errorf("publish vocabulary: %w", err)
	}
	b.told = raw
	return nil
}

// Forget makes the next Publish tell the vocabulary again, for a broker that may have been restarted.
func (b *Broker) Forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.told = nil
}

func (b *Broker) call(ctx context.Context, vocabulary json.RawMessage) error {
	client := mcp.NewClient(&mcp.Implementation{Name: "yui", Version: b.version}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: b.endpoint, HTTPClient: b.http, MaxRetries: -1, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{
		Name: publishTool, Arguments: map[string]json.RawMessage{"vocabulary": vocabulary},
	})
	if err != nil {
		return err
	}
	if result.IsError {
		return fmt.Errorf("the broker says: %s", readable.Line(said(result), 300))
	}
	return nil
}

// said is the text of a result.
func said(result *mcp.CallToolResult) string {
	var all []string
	for _, c := range result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			all = append(all, text.Text)
		}
	}
	return strings.Join(all, " ")
}
