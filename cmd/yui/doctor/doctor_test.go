package doctor

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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
	cfg := new(settings.Config)
	cfg.Chat.API, cfg.Chat.BaseURL, cfg.Chat.Model = settings.APICompletions, srv.URL+"/v1", "m"
	c.chat(t.Context(), cfg, func(context.Context) string { return "" })
	line, rest, _ := strings.Cut(out.String(), "\n")
	raw := strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) || r == '\u202e' })
	if rest != "" || raw || !strings.Contains(line, "bad") {
		t.Errorf("printed %q", out.String())
	}
}

func TestDoctorOnPlugins(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }))
	defer srv.Close()
	file := filepath.Join(t.TempDir(), "me.ics")
	if err := os.WriteFile(file, []byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\nEND:VCALENDAR\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c := &checkup{out: &out}
	lat := 1.0
	c.plugins(t.Context(), &settings.Config{Language: "en", Plugins: settings.PluginsConfig{Clock: settings.ClockConfig{Enabled: true}, Weather: settings.WeatherConfig{Latitude: &lat, Longitude: &lat, BaseURL: srv.URL},
		Calendar: settings.CalendarConfig{File: file}}})
	for _, want := range []string{"ok    clock           date: ", "warn  weather         ask weather at 127.0.0.1", "500 Internal Server Error",
		"warn  calendar        read event 1: DTSTART is missing"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if c.failed || strings.Contains(out.String(), "latitude") {
		t.Error(out.String())
	}
}
