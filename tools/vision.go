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
)

// Vision is who looks at the camera's picture. Safe from any goroutine.
type Vision interface {
	// See describes a picture (a JPEG data URL) as the prompt asks. The result holds a description, or the picture
	// itself where the chat model sees.
	See(ctx context.Context, picture, prompt string) (Result, error)
	// Where says in a few words where the picture goes, for the person: a model and its host. "" for the chat model.
	Where() string
}

const (
	visionAnswer      = 1 << 20 // bytes of an answer
	descriptionLimit  = 2000    // units of it that the chat model reads
	visionTokens      = 400
	visionTemperature = 0.1
)

// VisionConfig is [vision] of the config.
type VisionConfig struct {
	Provider string // "ollama", "openai" (any server that speaks Chat Completions) or "chat" (the chat model itself)
	Model    string
	BaseURL  string // "" for Ollama on this computer; openai needs one, with its /v1
	Key      Secret // "" for none
}

// NewVision returns the vision that the settings name.
func NewVision(c VisionConfig) (Vision, error) {
	switch c.Provider {
	case "chat":
		return chatVision{}, nil
	case "ollama":
		c.Model, c.BaseURL = cmp.Or(c.Model, "llava:7b"), cmp.Or(c.BaseURL, "http://localhost:11434")
	case "openai":
		if c.Model == "" || c.BaseURL == "" {
			return nil, errors.New("set up vision: provider openai needs a model and a base_url")
		}
	default:
		return nil, fmt.Errorf("set up vision: provider is %q; it must be ollama, openai or chat", c.Provider)
	}
	u, err := webAddress(c.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("set up vision: base_url: %w", err)
	}
	if c.Provider == "ollama" {
		return ollamaVision{c, u}, nil
	}
	return openaiVision{c, u}, nil
}

// chatVision hands the picture to the chat model.
type chatVision struct{}

func (chatVision) See(_ context.Context, picture, _ string) (Result, error) {
	return Result{Images: []string{picture}}, nil
}

func (chatVision) Where() string { return "" }

// ollamaVision asks a model of Ollama.
type ollamaVision struct {
	VisionConfig
	base *url.URL
}

func (o ollamaVision) Where() string { return o.Model + " (" + o.base.Host + ")" }

func (o ollamaVision) See(ctx context.Context, picture, prompt string) (Result, error) {
	_, data, _ := strings.Cut(picture, ",")
	body, err := askWeb(ctx, webRequest{method: "POST", url: o.base.JoinPath("api", "chat").String(), bearer: o.Key, limit: visionAnswer,
		body: map[string]any{
			"model":    o.Model,
			"messages": []any{map[string]any{"role": "user", "content": prompt, "images": []string{data}}},
			"stream":   false,
			"options":  map[string]any{"temperature": visionTemperature, "num_predict": visionTokens},
		}})
	if err != nil {
		return Result{}, err
	}
	var answer struct {
		Message struct {
			Content string `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return Result{}, &webFailure{kind: failAnswer}
	}
	return described(answer.Message.Content)
}

// openaiVision asks any server that speaks Chat Completions. It sends only what every one of them takes.
type openaiVision struct {
	VisionConfig
	base *url.URL
}

func (o openaiVision) Where() string { return o.Model + " (" + o.base.Host + ")" }

func (o openaiVision) See(ctx context.Context, picture, prompt string) (Result, error) {
	body, err := askWeb(ctx, webRequest{method: "POST", url: o.base.JoinPath("chat", "completions").String(), bearer: o.Key, limit: visionAnswer,
		body: map[string]any{
			"model": o.Model,
			"messages": []any{map[string]any{"role": "user", "content": []any{
				map[string]any{"type": "text", "text": prompt},
				map[string]any{"type": "image_url", "image_url": map[string]any{"url": picture}},
			}}},
			"stream": false,
		}})
	if err != nil {
		return Result{}, err
	}
	var answer struct {
		Choices []struct {
			Message struct {
				Content json.RawMessage `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	if json.Unmarshal(body, &answer) != nil || len(answer.Choices) == 0 {
		return Result{}, &webFailure{kind: failAnswer}
	}
	return described(contentText(answer.Choices[0].Message.Content))
}

// contentText reads a message's content: a string, or parts of which the text counts.
func contentText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		s += p.Text
	}
	return s
}

// described cleans what the model said. Some models think aloud first; that is not part of it.
func described(s string) (Result, error) {
	s = plainText(s)
	if strings.HasPrefix(s, "<think>") {
		_, s, _ = strings.Cut(s, "</think>")
		s = strings.TrimSpace(s)
	}
	if s == "" {
		return Result{}, &webFailure{kind: failAnswer}
	}
	s, _ = shorten(s, descriptionLimit)
	return Result{Text: s}, nil
}

// visionWait is how long a model may look: small ones on a slow computer take most of a minute.
const visionWait = 90 * time.Second
