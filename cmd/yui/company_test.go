//go:build !windows && !darwin

package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// TestCompany has characters speak to each other: three pets of a backend that a script plays, then two of the companion.
func TestCompany(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	play := newStage(t)
	y := prepare(t, desk)
	y.config(fmt.Sprintf("[chat]\napi = \"chat_completions\"\nbase_url = %q\nmodel = \"stage\"\n", play.URL+"/v1"))
	y.start()
	y.must("open", "momo")
	y.must("open", "sora")
	for _, test := range []struct {
		name string
		run  func(*testing.T, *instance, *stage)
	}{
		{"one told to speak to another", testToldToSpeak}, {"an exchange ends at the cap", testExchangeCap}, {"silence ends it", testExchangeSilence},
		{"the person wins", testPersonWins}, {"only what was said", testNothingSaid}, {"names", testCompanyNames}, {"a backend of her own", testOwnBackend},
		{"relation line", testRelationLine},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, y.as(t), play) })
	}
	y.quit()
	t.Run("companion", func(t *testing.T) { testCompanionExchange(t, desk) })
}

// stage is a backend that answers each character by a script and remembers what each one was told.
type stage struct {
	*httptest.Server

	mu     sync.Mutex
	heard  []hearing
	script func(h hearing) line
}

// hearing is what a character was asked.
type hearing struct {
	who, text string // who by the persona, text of the last user message
	context   string
	tools     []toolRow
	at        time.Time
}

// line is what a character answers: words, and whom they are for.
type line struct{ text, to string }

func newStage(t *testing.T) *stage {
	s := &stage{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Server.Close)
	return s
}

// ServeHTTP implements http.Handler.
func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/models") {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"stage","object":"model"}]}`)
		return
	}
	var req chatRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if req.Messages[len(req.Messages)-1].Role == "tool" { // she has spoken already
		stream(w).finish("stop")
		return
	}
	h := hearing{text: req.said(), tools: req.Tools, at: time.Now()}
	for _, m := range req.Messages {
		if m.Role == "system" && strings.HasPrefix(m.text(), "client_context:") {
			h.context = m.text()
		} else if m.Role == "system" {
			h.who = strings.TrimRight(strings.Fields(strings.SplitN(m.text(), "You are ", 2)[1])[0], ",.")
		}
	}
	s.mu.Lock()
	s.heard = append(s.heard, h)
	script := s.script
	s.mu.Unlock()
	answer := line{text: "[SILENT]"}
	if script != nil {
		answer = script(h)
	}
	out := stream(w)
	if answer.text != "" {
		out.text(answer.text)
	}
	if answer.to == "" {
		out.finish("stop")
		return
	}
	args, err := json.Marshal(map[string]string{"to": answer.to})
	if err != nil {
		panic(err) // strings always encode
	}
	quoted, err := json.Marshal(string(args))
	if err != nil {
		panic(err)
	}
	out.delta(`{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"address_character","arguments":` + string(quoted) + `}}]}`)
	out.finish("tool_calls")
}

// begin starts a scene.
func (s *stage) begin(script func(h hearing) line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard, s.script = nil, script
}

func (s *stage) hearings() []hearing {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.heard)
}

// wait waits until so many requests came.
func (s *stage) wait(t *testing.T, n int) []hearing {
	t.Helper()
	desktoptest.WaitFor(t, settleWait, fmt.Sprint(n, " turns"), func() bool { return len(s.hearings()) >= n })
	return s.hearings()
}

// quiet fails where further turns come while the words said last are spoken, and a little later.
func (s *stage) quiet(t *testing.T, n int, last string) {
	t.Helper()
	time.Sleep(time.Duration(len(last))*time.Second/20 + 1500*time.Millisecond)
	if h := s.hearings(); len(h) != n {
		t.Errorf("%d turns, want %d: %+v", len(h), n, told(h))
	}
}

func told(list []hearing) (lines []string) {
	for _, h := range list {
		lines = append(lines, h.who+" < "+h.text)
	}
	return lines
}

func testToldToSpeak(t *testing.T, y *instance, play *stage) {
	const words = "Momo, there is tea on the long table. Will you come down and share it?"
	play.begin(func(h hearing) line {
		switch {
		case h.who == "Yui" && strings.Contains(h.text, "ask Momo"):
			return line{words, "Momo"}
		case h.who == "Momo":
			return line{"If there is milk.", ""}
		}
		return line{text: "[SILENT]"}
	})
	began := time.Now()
	if got := y.must("say", "ask Momo to tea"); got != words {
		t.Errorf("Yui said %q", got)
	}
	h := play.wait(t, 2)
	if h[1].who != "Momo" || h[1].text != "(Yui says to you) "+words || !strings.Contains(h[1].context, "trigger: addressed by Yui") {
		t.Errorf("%+v\n%s", told(h), h[1].context)
	}
	// The playback comes first: a sentence lasts its characters by 20 in seconds.
	if least := time.Duration(len(words)) * time.Second / 20; h[1].at.Sub(began) < least {
		t.Errorf("told after %s, the playback alone takes %s", h[1].at.Sub(began), least)
	}
	y.waitState(settleWait, "Momo's answer", func(s state) bool {
		return slices.ContainsFunc(s.Presets, func(p pet) bool { return p.ID == "momo" && strings.Contains(p.Talk.Bubble, "milk") })
	})
	play.quiet(t, 2, "If there is milk.")
}

// testExchangeCap has two who would never stop.
func testExchangeCap(t *testing.T, y *instance, play *stage) {
	play.begin(func(h hearing) line {
		if h.who == "Momo" {
			return line{"And so.", "Yui"}
		}
		return line{"And on.", "Momo"}
	})
	y.must("say", "talk to Momo for ever")
	if h := play.wait(t, 5); h[4].who != "Yui" || h[3].who != "Momo" {
		t.Errorf("%q", told(h))
	}
	play.quiet(t, 5, "And so.") // the person's turn and four addressed ones
}

func testExchangeSilence(t *testing.T, y *instance, play *stage) {
	play.begin(func(h hearing) line {
		if h.who == "Momo" {
			return line{"[SILENT]", "Yui"} // a silent reply is for nobody
		}
		return line{"Hey.", "Momo"}
	})
	y.must("say", "nudge Momo")
	play.wait(t, 2)
	play.quiet(t, 2, "")
}

// testPersonWins speaks to somebody else while two talk: they stop.
func testPersonWins(t *testing.T, y *instance, play *stage) {
	const long = "This is a rather long answer, so that there is time to speak in between."
	play.begin(func(h hearing) line {
		switch {
		case strings.Contains(h.text, "I am here"):
			return line{text: "Hello you."}
		case h.who == "Momo":
			return line{long, "Yui"}
		}
		return line{"Well.", "Momo"}
	})
	y.must("say", "begin")
	play.wait(t, 2) // Momo is answering
	y.waitState(settleWait, "Momo's answer", func(s state) bool {
		return slices.ContainsFunc(s.Presets, func(p pet) bool { return p.ID == "momo" && strings.Contains(p.Talk.Bubble, "rather") })
	})
	if got := y.must("say", "-p", "sora", "I am here"); got != "Hello you." {
		t.Errorf("Sora said %q", got)
	}
	play.quiet(t, 3, long)
	// What was said for one with whom the person talks by now is not passed on either.
	play.begin(func(h hearing) line {
		if h.who == "Yui" {
			return line{long, "Momo"}
		}
		return line{text: "Hello you."}
	})
	y.must("say", "tell Momo")
	y.must("say", "-p", "momo", "I am here")
	play.wait(t, 2)
	play.quiet(t, 2, long)
}

// testNothingSaid addresses somebody without a word.
func testNothingSaid(t *testing.T, y *instance, play *stage) {
	play.begin(func(h hearing) line { return line{"", "Momo"} })
	y.run("say", "point at Momo")
	play.quiet(t, 1, "")
}

// testCompanyNames has two of one name and one that is called user.
func testCompanyNames(t *testing.T, y *instance, play *stage) {
	y.must("rename", "sora", "user")
	y.must("rename", "momo", "Yui")
	defer func() {
		y.must("rename", "sora", "Sora")
		y.must("rename", "momo", "Momo")
	}()
	entries := func(tools []toolRow) string {
		for _, tool := range tools {
			if tool.Function.Name == "address_character" {
				return fmt.Sprint(tool.Function.Parameters.Properties["to"]["enum"])
			}
		}
		return ""
	}
	play.begin(func(h hearing) line {
		if strings.Contains(h.text, "the fox") {
			return line{"Fox, come.", "Yui 2"}
		}
		return line{text: "[SILENT]"}
	})
	y.must("say", "-p", "sora", "call the fox")
	h := play.wait(t, 2)
	if entries(h[0].tools) != "[Yui Yui 2]" { // by their ids: momo, yui
		t.Errorf("Sora may speak to %s", entries(h[0].tools))
	}
	if h[1].who != "Yui" || entries(h[1].tools) != "[Yui user (character)]" || !strings.HasPrefix(h[1].text, "(user (character) says to you)") {
		t.Errorf("%q may speak to %s, was told %q", h[1].who, entries(h[1].tools), h[1].text)
	}
	if got := y.must("call", "rate_relation", `{"toward":"user (character)","delta":2,"why":"called me"}`,
		"rate_relation", `{"toward":"user","delta":-1,"why":"did not"}`, "rate_relation", `{"toward":"Yui 2","delta":1,"why":"who?"}`); got != "neutral\nneutral\nerror: unknown target" {
		t.Error(got)
	}
	if got := y.must("relations"); !strings.Contains(got, `{"id":"sora","name":"user","value":2,`) || !strings.Contains(got, `{"id":"user","name":"user","value":-1,`) {
		t.Error(got)
	}
}

// testOwnBackend gives one character a server of her own.
func testOwnBackend(t *testing.T, y *instance, play *stage) {
	own := newStage(t)
	play.begin(func(h hearing) line { return line{text: "From the stage."} })
	own.begin(func(h hearing) line { return line{text: "From her own."} })
	file := filepath.Join(y.home, "presets", "momo", "preset.toml")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(before) + fmt.Sprintf("\nvoice = \"soft and slow\"\n[chat]\nbase_url = %q\nmodel = \"own\"\n", own.URL+"/v1")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	said := ""
	desktoptest.WaitFor(t, settleWait, "her own backend", func() bool {
		said = y.must("say", "-p", "momo", "hello")
		return said == "From her own."
	})
	if got := y.must("say", "hello"); got != "From the stage." {
		t.Errorf("Yui: %q", got)
	}
	if err := os.WriteFile(file, before, 0o600); err != nil {
		t.Fatal(err)
	}
	desktoptest.WaitFor(t, settleWait, "the shared backend", func() bool { return y.must("say", "-p", "momo", "hello") == "From the stage." })
}

// testRelationLine looks for the bands in the context, and for nothing of them while the switch is off.
func testRelationLine(t *testing.T, y *instance, play *stage) {
	play.begin(func(h hearing) line { return line{text: "Yes."} })
	y.must("say", "one")
	y.must("set", "yui.relations", "false")
	declared := y.must("tools")
	y.must("say", "two")
	if got := y.must("call", "rate_relation", `{"toward":"user","delta":1,"why":"x"}`, "address_character", `{"to":"Momo"}`); got != "error: relations are off\nok" {
		t.Error(got)
	}
	y.must("set", "yui.relations", "true")
	if y.must("tools") != declared {
		t.Error("the switch changed what is declared")
	}
	h := play.hearings()
	if !strings.Contains(h[0].context, "relation: user neutral; Momo neutral; Sora neutral\n") || !strings.Contains(h[0].context, "relations on") {
		t.Errorf("on: %s", h[0].context)
	}
	if strings.Contains(h[1].context, "relation:") || !strings.Contains(h[1].context, "relations off") {
		t.Errorf("off: %s", h[1].context)
	}
}

// testCompanionExchange has two pets of the built-in companion talk: short, and never endless.
func testCompanionExchange(t *testing.T, desk *desktoptest.Desktop) {
	y := launch(t, desk)
	y.must("open", "momo")
	if y.must("say", "say hi to Momo") == "" {
		t.Error("nothing was said to Momo")
	}
	lines := func(id string) int { return len(strings.Split(y.must("history", "-p", id), "\n")) }
	y.waitState(settleWait, "Momo's answer", func(s state) bool { return lines("momo") >= 2 })
	last, since := 0, time.Now()
	desktoptest.WaitFor(t, time.Minute, "the end of it", func() bool {
		if n := lines("yui") + lines("momo"); n != last {
			last, since = n, time.Now()
		}
		return time.Since(since) > 6*time.Second
	})
	if last < 4 || last > 14 {
		t.Errorf("%d lines were said:\n%s\n%s", last, y.must("history"), y.must("history", "-p", "momo"))
	}
	t.Logf("yui:\n%s\nmomo:\n%s", y.must("history"), y.must("history", "-p", "momo"))
}
