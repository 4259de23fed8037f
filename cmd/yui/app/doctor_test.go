package app

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"

	"yui/cmd/yui/settings"
)

// What a server calls its models is printed as plain text: nothing in it reaches the terminal as a command.
func TestDoctorPrintsNamesPlain(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"\u001b]0;PWN\u0007\u001b[2Jbad"},{"id":"a\r\nfail  chat\u202eb\u009b31m"}]}`)
	}))
	defer srv.Close()
	var out bytes.Buffer
	c := &checkup{out: &out, variable: func(string) string { return "" }}
	var cfg settings.Config
	cfg.Chat.API, cfg.Chat.BaseURL, cfg.Chat.Model = settings.APICompletions, srv.URL+"/v1", "m"
	c.chat(t.Context(), cfg)
	line, rest, _ := strings.Cut(out.String(), "\n")
	raw := strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) || r == '\u202e' })
	if rest != "" || raw || !strings.Contains(line, "bad") {
		t.Errorf("printed %q", out.String())
	}
}
