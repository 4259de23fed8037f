package companion

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"yui/internal/protocol"
)

// withoutCues drops generate_express calls from a log.
func withoutCues(log []string) []string {
	return slices.DeleteFunc(slices.Clone(log), func(c string) bool { return strings.HasPrefix(c, "generate_express") })
}

func TestActs(t *testing.T) {
	look := func(at string) string { return `look {"at":"` + at + `"}` }
	for _, c := range []struct {
		said string
		want []string
	}{
		{"sit on the terminal", []string{look("perch_targets"), `body_action {"action":"sit_on_window","app":"XTerm"}`}},
		{"please sit on my browser", []string{look("perch_targets"), `body_action {"action":"sit_on_window","app":"Firefox"}`}},
		{"sit on the file manager", []string{look("perch_targets"), `body_action {"action":"sit_on_window","app":"org.gnome.Nautilus"}`}},
		{"sit on nautilus", []string{look("perch_targets"), `body_action {"action":"sit_on_window","app":"org.gnome.Nautilus"}`}},
		{"sit on the inbox window", []string{look("perch_targets"), `body_action {"action":"sit_on_window","app":"Firefox"}`}},
		{"sit on photoshop", []string{look("perch_targets")}},
		{"sit down", []string{look("perch_targets"), `body_action {"action":"sit_on_window","app":"XTerm"}`}},
		{"ターミナルに座って", []string{look("perch_targets"), `body_action {"action":"sit_on_window","app":"XTerm"}`}},
		{"ブラウザの上に座ってください", []string{look("perch_targets"), `body_action {"action":"sit_on_window","app":"Firefox"}`}},
		{"ファイルの窓に座って", []string{look("perch_targets"), `body_action {"action":"sit_on_window","app":"org.gnome.Nautilus"}`}},
		{"peek from the left", []string{`body_action {"action":"peek","side":"left"}`}},
		{"右からのぞいて", []string{`body_action {"action":"peek","side":"right"}`}},
		{"go to the top left corner", []string{`body_action {"action":"move_to","spot":"top-left"}`}},
		{"move to the center of monitor 2", []string{`body_action {"action":"move_to","monitor":1,"spot":"center"}`}},
		{"go to the second screen", []string{`body_action {"action":"move_to","monitor":1,"spot":"center"}`}},
		{"go to the other monitor", []string{look("body"), `body_action {"action":"move_to","monitor":1,"spot":"center"}`}},
		{"右下に行って", []string{`body_action {"action":"move_to","spot":"bottom-right"}`}},
		{"2番の画面に移動して", []string{`body_action {"action":"move_to","monitor":1,"spot":"center"}`}},
		{"stand up", []string{`body_action {"action":"stand"}`}},
		{"go to bed", []string{`body_action {"action":"go_to_bed"}`}},
		{"wake up", []string{`body_action {"action":"stand"}`}},
		{"where are you?", []string{look("body")}},
		{"what can you sit on?", []string{look("perch_targets")}},
		{"look at my screen", []string{look("screen")}},
		{"画面を見て", []string{look("screen")}},
		{"look at screen 2", []string{`look {"at":"screen","monitor":1}`}},
		{"show me confetti", []string{`show_effect {"effect":"confetti","reason":"the person asked for it"}`}},
		{"say hi to Sora", []string{`address_character {"to":"Sora"}`}},
		{"don't sit on the terminal", nil},
		{"座らないで", nil},
	} {
		s := newSession(t, "Yui")
		reply := s.say(c.said)
		if got := withoutCues(s.calls); !slices.Equal(got, c.want) {
			t.Errorf("%q: called %q, want %q", c.said, got, c.want)
		}
		if strings.TrimSpace(reply) == "" || strings.ContainsAny(reply, "{}[]") {
			t.Errorf("%q: said %q", c.said, reply)
		}
		if strings.Contains(reply, "PWNED") {
			t.Errorf("%q: a title was obeyed: %q", c.said, reply)
		}
		if !strings.HasPrefix(s.calls[len(s.calls)-1], "generate_express") {
			t.Errorf("%q: no face with the words: %q", c.said, s.calls)
		}
	}
}

// TestResultWords: each result word of body_action is worded by its own lines.
func TestResultWords(t *testing.T) {
	lib := readTestLibrary(t)
	for _, said := range []string{"sit on the terminal", "peek", "go to the left corner", "stand up", "go to bed", "ターミナルに座って", "のぞいて", "右上に行って", "起きて", "寝ていいよ"} {
		for _, word := range []string{"ok", "not_found", "blocked", "busy", "interrupted", "unsupported", "timeout", "error: strange"} {
			s := newSession(t, "Yui")
			s.run = func(name string, args map[string]any) (string, string) {
				if name == "body_action" {
					return word, ""
				}
				return desktop(name, args), ""
			}
			reply := s.say(said)
			from := lib.books[scriptOf(said)].origin(reply)
			part := word
			switch {
			case word == "ok":
				part = ""
			case strings.HasPrefix(word, "error"):
				part = "error"
			}
			if from.intent == nil || from.part != part && from.intent.ID != "sys.result."+part {
				t.Errorf("%q, result %s: said %q, of %+v %q", said, word, reply, from.intent, from.part)
			}
		}
	}
}

func TestScreenIsHonest(t *testing.T) {
	s := newSession(t, "Yui")
	s.run = func(string, map[string]any) (string, string) {
		return "screenshot of display 0 (the image follows in the next user message)", "data:image/jpeg;base64,AAAA"
	}
	if got := s.say("look at my screen"); s.book(got).ID != "screen" {
		t.Errorf("with a picture: %q", got)
	}
	s = newSession(t, "Yui")
	if got := s.say("look at my screen"); !strings.Contains(strings.ToLower(got), "screen look") {
		t.Errorf("switched off: %q", got)
	}
}

func (s *session) book(said string) *intent {
	return readTestLibrary(s.t).books[scriptOf(said)].origin(said).intent
}

// TestWithoutTools: nothing offered, nothing called, and said so.
func TestWithoutTools(t *testing.T) {
	for _, said := range []string{"sit on the terminal", "dance", "go to bed", "look at my screen", "where are you?", "踊って", "ターミナルに座って", "say hi to Momo", "hello"} {
		s := newSession(t, "Yui")
		s.tools = nil
		if reply := s.say(said); reply == "" || len(s.calls) > 0 {
			t.Errorf("%q: said %q, called %q", said, reply, s.calls)
		}
	}
}

// TestChoice: tool_choice none forbids, required demands.
func TestChoice(t *testing.T) {
	url := newServer(t)
	ask := func(choice any) (wireMessage, string) {
		return post(t, url, map[string]any{"tools": allTools(), "tool_choice": choice, "messages": []any{map[string]any{"role": "user", "content": "sit on the terminal"}}})
	}
	if m, finish := ask("none"); len(m.ToolCalls) > 0 || finish != "stop" || *m.Content == "" {
		t.Errorf("none: %+v %s", m, finish)
	}
	if m, _ := ask("required"); len(m.ToolCalls) == 0 {
		t.Errorf("required: %+v", m)
	}
	if m, _ := ask(map[string]any{"type": "function", "function": map[string]any{"name": "look"}}); len(m.ToolCalls) == 0 {
		t.Errorf("named: %+v", m)
	}
}

// TestOnlyOfferedIds: a small vocabulary is kept to, by the fallback chains.
func TestOnlyOfferedIds(t *testing.T) {
	s := newSession(t, "Yui")
	s.tools = []any{function("mcp_x_generate_express", object(map[string]any{"emotion_id": enum("neutral", "surprised")}))}
	for _, said := range []string{"hello", "dance", "I'm sad", "tell me a riddle", "smile", "good night", "what's the weather?"} {
		s.say(said)
		for _, c := range s.calls {
			name, args, _ := strings.Cut(c, " ")
			var a map[string]string
			if err := json.Unmarshal([]byte(args), &a); err != nil || name != "mcp_x_generate_express" || a["emotion_id"] != "neutral" && a["emotion_id"] != "surprised" || a["motion_id"] != "" {
				t.Errorf("%q: %s (%v)", said, c, err)
			}
		}
	}
}

// TestDanceGetsUpFirst: perched, the body drops motions.
func TestDanceGetsUpFirst(t *testing.T) {
	s := newSession(t, "Yui")
	s.context = func() []string { return []string{"body: sitting on XTerm (for 3min)", "trigger: user message"} }
	s.say("dance!")
	if want := `body_action {"action":"stand"}`; !slices.Contains(s.calls, want) || !strings.Contains(s.calls[len(s.calls)-1], "dance") {
		t.Errorf("called %q", s.calls)
	}
}

// TestNoLineTwice plays long conversations of few and of many intents, and
// wants no answer twice within 20 turns.
func TestNoLineTwice(t *testing.T) {
	for name, lines := range map[string][]string{
		"the same word":    {"hi"},
		"the same order":   {"sit on the terminal"},
		"the same failure": {"peek"},
		"nonsense":         {"blorptastic florp", "grumblefish wozzle", "snarkle bleep"},
		"questions":        {"what is the capital of Peru?", "who wrote Hamlet?"},
		"mixed":            {"hi", "how are you?", "tell me a joke", "another one", "yes", "no", "why?", "sit on the terminal", "lol", "ok", "I'm tired"},
		"同じこと":             {"こんにちは"},
		"いろいろ":             {"こんにちは", "元気？", "なぞなぞ", "わからない", "もう一つ", "疲れた", "うん", "ターミナルに座って", "へえ", "www", "ふがほげぴよ丸"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, "Yui")
			if name == "the same failure" {
				s.run = func(string, map[string]any) (string, string) { return "blocked", "" }
			}
			var said []string
			for i := range 66 {
				r := s.say(lines[i%len(lines)])
				for back := 1; back <= memory && back <= len(said); back++ {
					if said[len(said)-back] == r {
						t.Errorf("turn %d: %q again after %d turns", i, r, back)
					}
				}
				said = append(said, r)
			}
		})
	}
}

func TestAddressedEndsSoon(t *testing.T) {
	s := newSession(t, "Yui")
	s.context = func() []string { return []string{"trigger: addressed by Momo"} }
	back := func() bool { return slices.Contains(s.calls, `address_character {"to":"Momo"}`) }
	for _, said := range []string{"Nice weather.", "Lovely clouds."} { // two exchanges
		if first := s.say("(Momo says to you) " + said); first == protocol.Silent || !back() {
			t.Errorf("first answer %q: %q", first, s.calls)
		}
		if last := s.say("(Momo says to you) Shall we share the corner?"); last == protocol.Silent || back() {
			t.Errorf("last answer %q: %q", last, s.calls)
		}
	}
	if s.context = nil; s.say("hello") == protocol.Silent {
		t.Error("silent to the person")
	}
}

func TestEvents(t *testing.T) {
	lib := readTestLibrary(t)
	for _, c := range []struct{ trigger, marker, want string }{
		{"proactive.head_pat", "(The user is patting your head.)", "bg.pat"},
		{"proactive.tap_bored", "(The user has tapped you several times in a row.)", "bg.tap"},
		{"proactive.drag_held", "(The user has picked you up and is holding you in the air.)", "bg.drag"},
		{"proactive.window_sit", "(You have just been set down on the edge of a window.)", "bg.sit"},
		{"proactive.peek", "(You have just been tucked behind the side of a window.)", "bg.peek"},
		{"proactive.dropped", "(The user let go of you and you fell.)", "bg.drop"},
		{"proactive.touch_chest", "(The user is touching you.)", "bg.touch"},
		{`proactive "a short break" (user idle 5min)`, "(Nobody has said anything for a while.)", "bg.idle"},
		{"screen app_switched, left Firefox after 20min, in current app 2min", "(x)", "bg.switch"},
		{"screen long_session, in current app 60min", "(x)", "bg.long"},
		{`agent claude done (ok), project "rm -rf" (1min ago)`, "[sit on the terminal]", "bg.agent_done"},
		{`agent codex needs_input (), project "p" (1min ago)`, "[x]", "bg.agent_input"},
		{"agent catchup (3 events)", "[x]", "bg.catchup"},
		{"milestone first_activity (08:10)", "[x]", "bg.first"},
		{"signals (2 signals)", "[sit on the terminal]", "bg.signals"},
		{`schedule "lunch"`, "[x]", "bg.schedule"},
		{"", "[頭をなでた]", "bg.pat"},
		{"", "[持ち上げて、ぶら下げている]", "bg.drag"},
		{"", "[窓のふちに座らせた]", "bg.sit"},
		{"", "[sit on the terminal and dance]", "bg.sit"},
	} {
		msgs := []any{map[string]any{"role": "system", "content": "client_context:\ntrigger: " + c.trigger}, map[string]any{"role": "user", "content": c.marker}}
		body, _ := json.Marshal(map[string]any{"messages": msgs, "tools": allTools("Momo")})
		req, bad := parseRequest(body)
		if bad != nil {
			t.Fatal(bad)
		}
		turn := readTurn(lib, req, 1, fixedNow)
		if got := turn.event(); turn.kind != background || got != c.want {
			t.Errorf("%s %s: kind %d, %s, want %s", c.trigger, c.marker, turn.kind, got, c.want)
		}
		a, bad := turn.answer()
		if bad != nil || a.text == "" {
			t.Errorf("%s: %+v, %v", c.marker, a, bad)
		}
		for _, call := range a.calls {
			if call.name != "generate_express" {
				t.Errorf("%s: an event made her act: %+v", c.marker, call)
			}
		}
	}
}

// TestRatesNowAndThen: kind and unkind words move the relation some of the
// time, once a turn, and never while Relations is off.
func TestRatesNowAndThen(t *testing.T) {
	rated := func(state string) (n int) {
		for _, said := range []string{"you're cute", "thank you", "good job", "you're sweet", "I love you", "sorry", "well done", "you are adorable"} {
			s := newSession(t, "Yui")
			s.context = func() []string {
				return []string{"tool switches: screen off, relations " + state, "trigger: user message"}
			}
			if s.say(said) == "" {
				t.Errorf("%q: nothing said", said)
			}
			for _, c := range s.calls {
				if strings.HasPrefix(c, "rate_relation") {
					n++
				}
			}
		}
		return n
	}
	if n := rated("on"); n == 0 || n == 8 {
		t.Errorf("rated %d of 8 times", n)
	}
	if n := rated("off"); n != 0 {
		t.Errorf("rated %d times while off", n)
	}
}

// TestKoreanIsShallow: greetings are met, everything else leads to an answer
// too, whatever the kind of the turn.
func TestKoreanIsShallow(t *testing.T) {
	s := newSession(t, "Yui")
	for _, said := range []string{"안녕하세요", "터미널에 앉아", "?", "고마워요", "(Momo says to you) 안녕?", "[머리를 쓰다듬었다]", "🙂", "12*7", "왜?", "네"} {
		if strings.HasPrefix(said, "(") {
			s.context = func() []string { return []string{"trigger: addressed by Momo"} }
		} else {
			s.context = nil
		}
		if r := s.say(said); r == "" {
			t.Errorf("%q: said nothing", said)
		}
	}
}

// TestKoreanToOthers: what another character says in Korean is answered in Korean, and the exchange ends as it does in the
// other languages.
func TestKoreanToOthers(t *testing.T) {
	for _, persona := range []string{"Yui", "Momo", "Sora"} {
		other := map[string]string{"Yui": "Momo", "Momo": "Sora", "Sora": "Momo"}[persona]
		s := newSession(t, persona)
		s.tools = allTools("Momo", "Sora")
		s.context = func() []string { return []string{"trigger: addressed by " + other} }
		for i, said := range []string{"오늘 날씨 좋다.", "같이 앉을래?", "응, 좋아."} {
			r := s.say("(" + other + " says to you) " + said)
			if r == protocol.Silent || scriptOf(r) != langKO {
				t.Errorf("%s to %q: %q", persona, said, r)
			}
			if back := len(s.calls) > 0 && strings.HasPrefix(s.calls[0], "address_character"); back != (i != 1) {
				t.Errorf("%s to %q: %q", persona, said, s.calls)
			}
		}
	}
	// A person's language counts, whatever the other one speaks.
	s := newSession(t, "Yui")
	s.say("안녕하세요")
	s.context = func() []string { return []string{"trigger: addressed by Momo"} }
	if r := s.say("(Momo says to you) Nice weather."); scriptOf(r) != langKO {
		t.Errorf("%q", r)
	}
}

func TestHushed(t *testing.T) {
	s := newSession(t, "Yui")
	s.say("be quiet")
	s.context = func() []string { return []string{"trigger: proactive.head_pat"} }
	for range 5 {
		if r := s.say("(The user is patting your head.)"); r != protocol.Silent {
			t.Fatalf("after quiet: %q", r)
		}
	}
}

func TestContextShapes(t *testing.T) {
	url := newServer(t)
	block := "Context from the desktop, not typed by the user.\ntime: 2026-03-02T07:05:00+01:00 (Europe/Berlin)\nfrontmost: XTerm — \"x\" (for 4min)\ntrigger: user message"
	for name, msgs := range map[string][]any{
		"system after transcript": {map[string]any{"role": "system", "content": "client_context:\n" + block}, map[string]any{"role": "user", "content": "what time is it?"}},
		"tags in the user text":   {map[string]any{"role": "user", "content": "<client_context>\n" + block + "\n</client_context>\n\nwhat time is it?"}},
		"folded into the user":    {map[string]any{"role": "user", "content": "client_context:\n" + block + "\n\nwhat time is it?"}},
		"in parts":                {map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": "client_context:\n" + block + "\n\nwhat time is it?"}}}},
	} {
		if m, _ := post(t, url, map[string]any{"messages": msgs}); !strings.Contains(*m.Content, "07:05") {
			t.Errorf("%s: %q", name, *m.Content)
		}
	}
}

func TestSums(t *testing.T) {
	for said, want := range map[string]string{
		"12*7": "84", "12 x 7": "84", "what's 3 plus 4?": "7", "2^10": "1024", "(1+2)*3": "9", "10/4": "2.5", "7-9": "−2", "12×7は？": "84", "３たす４": "7", "10わる3": "3.3333", "1,000 * 3": "3000", "-3*-3": "9", "15% of 80": "12", "what is 7.5 percent of 200?": "15", "80の15%は？": "12", "200の50パーセント": "100",
	} {
		turn := &turn{vars: map[string]string{"sum": findSum(said)}}
		if turn.sum(); turn.vars["n"] != want {
			t.Errorf("%q: %q = %q, want %q", said, turn.vars["sum"], turn.vars["n"], want)
		}
	}
	for _, said := range []string{"2026-03-02", "1.2.3-4", "call 555-123-4567", "hello", "room 12", "from 9 to 5"} {
		if got := findSum(said); got != "" {
			t.Errorf("%q was taken for the sum %q", said, got)
		}
	}
}

func TestHours(t *testing.T) {
	for h, want := range map[int]string{5: "morning", 10: "morning", 11: "afternoon", 16: "afternoon", 17: "evening", 21: "evening", 22: "night", 3: "night"} {
		if got := hour(time.Date(2026, 1, 1, h, 0, 0, 0, time.UTC)); got != want {
			t.Errorf("%d h: %s, want %s", h, got, want)
		}
	}
}

func TestPersonas(t *testing.T) {
	for system, want := range map[string][2]string{
		"You are Yui, a small fox spirit. Momo and Sora are your friends.": {"yui", "Yui"},
		"You are a proud cat named Momo.":                                  {"momo", "Momo"},
		"あなたはソラです。元気な竜です。":                                                 {"sora", "Sora"},
		"You are Biscuit, a corgi.":                                        {"", "Biscuit"},
		"Sei freundlich. Dein Name ist Sora.":                              {"sora", "Sora"},
		"Be kind.":                                                         {"yui", "Yui"},
		"":                                                                 {"yui", "Yui"},
	} {
		if p, n := personaOf(system); p != want[0] || n != want[1] {
			t.Errorf("%q: %q %q, want %q", system, p, n, want)
		}
	}
}

// TestFirstWords: what she says before anybody has said anything tells how she is talked to, once.
func TestFirstWords(t *testing.T) {
	lib := readTestLibrary(t)
	for _, c := range []struct {
		past []any
		part string
	}{
		{nil, "new"},
		{[]any{map[string]any{"role": "user", "content": "hi"}, map[string]any{"role": "assistant", "content": "Hello! I kept your spot warm."}}, ""},
	} {
		msgs := append([]any{map[string]any{"role": "system", "content": "You are Yui."}}, c.past...)
		msgs = append(msgs, map[string]any{"role": "system", "content": "client_context:\ntrigger: milestone first_activity (08:10)"}, map[string]any{"role": "user", "content": "(First sight today.)"})
		body, _ := json.Marshal(map[string]any{"messages": msgs})
		req, bad := parseRequest(body)
		if bad != nil {
			t.Fatal(bad)
		}
		a, bad := readTurn(lib, req, 1, fixedNow).answer()
		if bad != nil {
			t.Fatal(bad)
		}
		if got := lib.books[langEN].origin(a.text); got.intent == nil || got.intent.ID != "bg.first" || got.part != c.part {
			t.Errorf("after %d messages: %q, part %q, want %q", len(c.past), a.text, got.part, c.part)
		}
	}
}
