package toolbox

import (
	"errors"
	"strings"
	"testing"

	"yui/cmd/yui/settings"
)

func TestGear(t *testing.T) {
	full := settings.Config{Search: settings.SearchConfig{SearXNG: "http://127.0.0.1:1"}, Vision: settings.VisionConfig{Provider: "chat"}, Camera: settings.CameraConfig{File: "/x.jpg"}, Tools: settings.ToolsConfig{Ask: false}}
	for name, c := range map[string]struct {
		cfg                         settings.Config
		secrets                     map[string]string
		search, share, vision, asks bool
		problems                    int
	}{
		"nothing":       {cfg: settings.Config{Tools: settings.ToolsConfig{Ask: true}}, asks: true},
		"everything":    {full, map[string]string{settings.KeyDiscord: "https://discord.com/api/webhooks/1/x"}, true, true, true, false, 0},
		"a key":         {settings.Config{Tools: settings.ToolsConfig{Ask: true}}, map[string]string{settings.KeyOllama: "k"}, true, false, false, true, 0},
		"all is broken": {settings.Config{Tools: settings.ToolsConfig{Ask: true}, Search: settings.SearchConfig{SearXNG: "ftp://x"}, Vision: settings.VisionConfig{Provider: "psychic"}}, map[string]string{settings.KeyDiscord: "http://discord.com/SECRET"}, false, false, false, true, 3},
	} {
		g, problems := newGear(&c.cfg, nil, func(name string) string { return c.secrets[name] })
		if (g.engine != nil) != c.search || (g.webhook != nil) != c.share || (g.vision != nil) != c.vision || g.ask != c.asks || len(problems) != c.problems {
			t.Errorf("%s: %+v, %v", name, g, problems)
		}
		if err := errors.Join(problems...); err != nil && strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: an error shows the webhook: %v", name, err)
		}
	}
}
