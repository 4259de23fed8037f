package companion

import (
	"strconv"
	"strings"

	"yui/internal/protocol"
)

// act plans an intent that works through tools. Each request of a turn plans
// anew from the results so far: no result yet, the first call; the last
// result in, the closing line.
func (t *turn) act(in *intent) reply {
	switch in.Act {
	case "sit":
		return t.sit(in)
	case "peek":
		return t.body(in, map[string]any{"action": protocol.Peek, "side": t.side()})
	case "move":
		return t.move(in)
	case "stand", "bed":
		action := map[string]string{"stand": protocol.Stand, "bed": protocol.GoToBed}[in.Act]
		return t.body(in, map[string]any{"action": action})
	case "where":
		return t.where(in)
	case "windows":
		return t.windows(in)
	case "screen":
		return t.screen(in)
	case "express":
		return t.express(in)
	case "effect":
		return t.effect(in)
	case "address":
		return t.address(in)
	}
	return t.errand(in)
}

// call makes a response that calls a tool and waits, with a busy face.
func (t *turn) call(tool string, args map[string]any) reply {
	var a reply
	if c, ok := t.cue([]string{"curious", "thinking"}, nil); ok && len(t.results) == 0 {
		a.calls = append(a.calls, c)
	}
	a.calls = append(a.calls, call{tool, args})
	return a
}

// ask runs one tool with one set of arguments and words its result.
func (t *turn) ask(in *intent, tool string, args map[string]any) reply {
	if word, ok := t.result(tool); ok {
		return t.outcome(in, word)
	}
	if !t.offers(tool) {
		return t.unable(in)
	}
	return t.call(tool, args)
}

// effect shows one; its result is a sentence in the person's language, so that
// all that is no error is success.
func (t *turn) effect(in *intent) reply {
	if word, ok := t.result(protocol.Effect); ok && !strings.HasPrefix(word, "error") {
		return t.outcome(in, "ok")
	}
	return t.ask(in, protocol.Effect, map[string]any{"effect": in.Arg, "reason": in.Why})
}

func (t *turn) body(in *intent, args map[string]any) reply {
	return t.ask(in, protocol.BodyAction, args)
}

// unable says that the tool for it is not there in this window.
func (t *turn) unable(in *intent) reply {
	if in.On["unable"] != nil {
		return t.say(in, "unable")
	}
	return t.say(t.book.byID["sys.result.unable"], "")
}

// outcome words a result: the intent's own lines for "ok", else the shared
// lines of the result word, unless the intent has its own for that word.
func (t *turn) outcome(in *intent, word string) reply {
	if word == "ok" {
		return t.say(in, "")
	}
	if in.On[word] != nil {
		return t.say(in, word)
	}
	if shared := t.book.byID["sys.result."+word]; shared != nil {
		return t.say(shared, "")
	}
	return t.say(t.book.byID["sys.result.error"], "")
}

// sit looks for windows first, as a model would, then sits on the one meant.
func (t *turn) sit(in *intent) reply {
	wanted := t.wanted()
	t.vars["want"] = wanted
	if word, ok := t.result(protocol.BodyAction); ok {
		t.vars["app"] = wanted
		if app := t.actedApp(); app != "" {
			t.vars["app"] = app
		}
		return t.outcome(in, word)
	}
	if !t.offers(protocol.BodyAction) {
		return t.unable(in)
	}
	seen, looked := t.result(protocol.Look)
	if !looked && t.offers(protocol.Look) {
		return t.call(protocol.Look, map[string]any{"at": protocol.AtPerches})
	}
	var targets perchTargets
	if !looked || !decodeJSON(seen, &targets) {
		if wanted == "" {
			return t.say(in, "which")
		}
		return t.call(protocol.BodyAction, map[string]any{"action": protocol.SitOnWindow, "app": wanted})
	}
	if len(targets.Windows) == 0 {
		return t.say(in, "empty")
	}
	w, ok := t.lib.pickWindow(targets.Windows, wanted, t.book.Lang)
	if !ok {
		t.vars["apps"] = t.list(targets.Windows)
		return t.say(in, "missing")
	}
	return t.call(protocol.BodyAction, map[string]any{"action": protocol.SitOnWindow, "app": w.App})
}

// actedApp is the app that this turn's body_action named.
func (t *turn) actedApp() string {
	for i := len(t.results) - 1; i >= 0; i-- {
		var args struct {
			App string `json:"app"`
		}
		if t.results[i].name == protocol.BodyAction && decodeJSON(t.results[i].args, &args) {
			return spokenApp(args.App)
		}
	}
	return ""
}

func (t *turn) list(ws []perchWindow) string {
	if t.book.Lang == langJA {
		return appList(ws, 3, "、", "と")
	}
	return appList(ws, 3, ", ", " and ")
}

// bodyState is look's answer at body.
type bodyState struct {
	Position *struct {
		X, Y    float64
		Monitor *int
	}
	Posture struct {
		State     string
		PerchedOn struct {
			App   string `json:"app"`
			Title string `json:"window_title"`
		} `json:"perched_on"`
	}
}

func (t *turn) move(in *intent) reply {
	if word, ok := t.result(protocol.BodyAction); ok {
		if n, named, _ := t.monitor(); named {
			t.vars["monitor"] = strconv.Itoa(n + 1)
		}
		return t.outcome(in, word)
	}
	args := map[string]any{"action": protocol.MoveTo, "spot": t.spot()}
	n, named, other := t.monitor()
	if other && t.offers(protocol.Look) {
		seen, looked := t.result(protocol.Look)
		if !looked && t.offers(protocol.BodyAction) {
			return t.call(protocol.Look, map[string]any{"at": protocol.AtBody})
		}
		var b bodyState
		n, named = 1, true
		if decodeJSON(seen, &b) && b.Position != nil && b.Position.Monitor != nil && *b.Position.Monitor > 0 {
			n = 0
		}
	}
	if named {
		args["monitor"] = n
	}
	return t.body(in, args)
}

// where answers "where are you" by looking at her own body.
func (t *turn) where(in *intent) reply {
	var b bodyState
	if seen, ok := t.result(protocol.Look); ok {
		if !decodeJSON(seen, &b) {
			return t.say(t.book.byID["sys.result.error"], "")
		}
	} else if t.offers(protocol.Look) {
		return t.call(protocol.Look, map[string]any{"at": protocol.AtBody})
	} else {
		b.Posture.State, b.Posture.PerchedOn.App = t.facts.state, t.facts.on
	}
	t.vars["app"] = spokenApp(b.Posture.PerchedOn.App)
	if b.Position != nil && b.Position.Monitor != nil {
		t.vars["monitor"] = strconv.Itoa(*b.Position.Monitor + 1)
	}
	if t.vars["app"] == "" && (b.Posture.State == "sitting" || b.Posture.State == "peeking") {
		return t.say(in, "")
	}
	return t.say(in, b.Posture.State)
}

// windows tells what there is to sit on.
func (t *turn) windows(in *intent) reply {
	seen, ok := t.result(protocol.Look)
	if !ok {
		return t.ask(in, protocol.Look, map[string]any{"at": protocol.AtPerches})
	}
	var targets perchTargets
	if !decodeJSON(seen, &targets) {
		return t.say(t.book.byID["sys.result.error"], "")
	}
	t.vars["apps"] = t.list(targets.Windows)
	if t.vars["apps"] == "" {
		return t.say(in, "empty")
	}
	return t.say(in, "")
}

// screen takes the look it was asked for, and owns up to not understanding
// pictures.
func (t *turn) screen(in *intent) reply {
	seen, ok := t.result(protocol.Look)
	switch {
	case !ok:
		args := map[string]any{"at": protocol.AtScreen}
		if n, named, _ := t.monitor(); named {
			args["monitor"] = n
		}
		return t.ask(in, protocol.Look, args)
	case seen == protocol.ScreenOff:
		return t.say(in, "off")
	case seen == protocol.BadMonitor:
		return t.say(in, protocol.NotFound)
	case strings.HasPrefix(seen, protocol.ErrorPrefix):
		return t.say(t.book.byID["sys.result.error"], "")
	}
	return t.say(in, "")
}

// express plays a motion or a face of the request's own vocabulary. Perched,
// the body drops motions (body.md 2.1), so a dance gets up first.
func (t *turn) express(in *intent) reply {
	tool := t.expressTool()
	known := func(field string, ids []string) bool {
		for _, id := range ids {
			if id != "" && t.offered(tool, field, id) {
				return true
			}
		}
		return false
	}
	if tool == "" || !known("emotion_id", in.Face) && !known("motion_id", in.Motion) ||
		in.Arg == "motion" && !known("motion_id", in.Motion) {
		return t.unable(in)
	}
	perched := t.facts.state == "sitting" || t.facts.state == "peeking"
	if _, stood := t.result(protocol.BodyAction); in.Arg == "motion" && perched && !stood && t.offers(protocol.BodyAction) {
		return t.call(protocol.BodyAction, map[string]any{"action": protocol.Stand})
	}
	return t.say(in, "")
}

// address speaks to another open pet on the person's behalf.
func (t *turn) address(in *intent) reply {
	const tool = protocol.Address
	name := ""
	said := fold(t.said.raw)
	for _, v := range t.tools[tool].Function.Parameters.Properties["to"].Enum {
		n, _ := v.(string)
		if n == "" {
			continue
		}
		for word, p := range known {
			if (p == known[fold(n)] && strings.Contains(said, word)) || strings.Contains(said, fold(n)) {
				name = n
			}
		}
	}
	if name == "" {
		return t.say(in, "unable")
	}
	t.nameOther(name)
	if word, done := t.result(tool); done && !fails(word) {
		if t.vars["note"] = t.message(name); t.vars["note"] != "" {
			return t.say(in, "note")
		}
		if a, ok := t.openScene(name); ok {
			return a
		}
	}
	return t.ask(in, tool, map[string]any{"to": name})
}
