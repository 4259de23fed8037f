package chat

import (
	"encoding/json"
	"net/http"
	"regexp"
	"time"
)

// keyFrom is the value that tells where the history begins, where it does not begin with the session.
const keyFrom = "history-from"

// How often in a row a server must refuse what is sent before the past is left out: a 4xx blames the request, a 500
// only seems to (some servers' templates throw it at a message that they cannot take).
const (
	refusalsToForget = 2
	crashesToForget  = 3
)

// aboutForm matches refusals of a field, of a parameter or of a role that no transcript holds: the next request has it
// with or without a past.
var aboutForm = regexp.MustCompile(`(?i)\b(extra inputs?|extra_forbidden|unrecognized|unknown|unsupported|unexpected|additional)\b.{0,30}\b(permitted|forbidden|fields?|parameters?|arguments?|propert(y|ies)|keys?|roles?)\b|(parameter|argument|field|role).{0,60}\b(not|n't|un)[ -]?(supported|permitted|allowed|recognized)|\bsystem (role|message|prompt)|stream_options|reasoning[._]effort|tool_choice`)

// blamesTheRequest says whether a failure may be the fault of what is stored: a refusal without a better reason. A
// message that the server does not take, or a response that it cannot continue, would make every later turn fail, too
// (docs/rules/servers.md#a18).
func (f *Failure) blamesTheRequest() (weight int) {
	switch f.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		if f.Reason == Refused && !aboutForm.MatchString(f.Detail) {
			return crashesToForget
		}
	case http.StatusInternalServerError:
		if f.Reason == ServerFailed {
			return refusalsToForget
		}
	}
	return 0
}

// learn draws what it can from how a turn ended: degraded or not, a window that is smaller than we were told, a past
// that the server does not take, a chain that it does not know any more. It says whether the past is left out from
// now on, and whether the stored chain goes. s.mu is held.
func (s *Session) learn(t *Turn, done TurnDone, now time.Time) (fresh, unchained bool) {
	h := &s.history
	if done.Outcome == OK {
		s.failures, h.blame = 0, 0
	} else if done.Failure != nil {
		s.failures++
	}
	if t.token != s.token { // a new session knows nothing of it
		return false, false
	}
	unchained = t.request != nil && t.chained && t.request.Chain == nil
	f := done.Failure
	if f == nil {
		return false, unchained
	}
	if f.Reason == TooLong {
		h.limit = max(1, t.sent/2) // nothing is retried, but the next turn must not fail the same way
		unchained = unchained || t.chained
	}
	weight := f.blamesTheRequest()
	if weight == 0 || t.sent == 0 && !t.chained {
		return false, unchained
	}
	h.blame += weight
	if h.blame < refusalsToForget*crashesToForget {
		return false, unchained
	}
	h.blame, h.from = 0, now
	return true, true
}

// past gives the items that may be sent again.
func (h *memory) past() []Item {
	if h.from.IsZero() {
		return h.items
	}
	for i, item := range h.items {
		if item.At.After(h.from) {
			return h.items[i:]
		}
	}
	return nil
}

// saveFrom keeps the beginning of the history over a restart.
func (s *Session) saveFrom(from time.Time) {
	raw, err := json.Marshal(from)
	if err == nil {
		err = s.cfg.Store.SetValue(keyFrom, raw)
	}
	s.warn("save history beginning", err)
}

// count corrects the token estimate by what the server counted for a request without pictures.
func (t *Turn) count(req *Request, reply *Reply) {
	if reply == nil || reply.Usage == nil || reply.Usage.Kept || reply.Usage.Prompt <= 0 || len(req.Images) > 0 || len(req.Rounds) > 0 {
		return
	}
	guess := EstimateTokens(req.Instructions) + EstimateTokens(req.Context) + EstimateTokens(req.Text)
	for _, m := range req.History {
		guess += EstimateTokens(m.Text)
	}
	for _, tool := range req.Tools {
		guess += EstimateTokens(tool.Description) + EstimateTokens(string(tool.Parameters))
	}
	if guess == 0 {
		return
	}
	const least, most = 0.5, 4 // a server that counts nonsense must not empty the history
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.s.history.scale = min(max(float64(reply.Usage.Prompt)/float64(guess), least), most)
}
