package ingress

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"yui/internal/protocol"
)

// maxBody is the cap of a body (docs/rules/chat.md#ingress).
const maxBody = 65536

// The waits for the pet's body (docs/rules/chat.md#ingress); after them the answer is 503.
const (
	queryWait   = 2 * time.Second
	commandWait = 15 * time.Second
)

// serve answers one request: the guards, then the path as it was sent, then the method, then the body.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if !s.trusted(r.Context()) {
		h.Set("Connection", "close")
		refuse(w, http.StatusForbidden, "only programs of the user that she belongs to are heard")
		return
	}
	if status := guard(r); status != 0 {
		h.Set("Connection", "close") // what is in the body is of no interest
		refuse(w, status, "")
		return
	}
	path := r.URL.EscapedPath() // "/%61gent-event" and "//agent-event" are other paths
	switch path {
	case "/agent-event":
		s.post(w, r, s.agentEvent)
	case "/signals":
		s.post(w, r, s.signalsCame)
	case "/avatar/command":
		s.post(w, r, s.command)
	case "/avatar/state":
		s.get(w, r, Avatar.State)
	case "/avatar/perch-targets":
		s.get(w, r, Avatar.PerchTargets)
	default:
		status := http.StatusBadRequest
		if path == "/avatar" || strings.HasPrefix(path, "/avatar/") {
			status = http.StatusNotFound
		}
		h.Set("Connection", "close")
		refuse(w, status, "there is no such path")
	}
}

// post reads the body of a request that brings something.
func (s *Server) post(w http.ResponseWriter, r *http.Request, take func(w http.ResponseWriter, r *http.Request, body []byte)) {
	if r.Method != http.MethodPost {
		wrongMethod(w, http.MethodPost)
		return
	}
	if !plainJSON(r.Header) {
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusUnsupportedMediaType, "Content-Type must be application/json")
		return
	}
	body, err := readBody(w, r)
	if err != nil {
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	take(w, r, body)
}

// maxRest is how much of a body that is too large is taken without being kept: who is cut off while sending sees a reset
// connection instead of the answer.
const maxRest = 1 << 20

func tooLarge(r *http.Request) error {
	if r.Header.Get("Expect") == "" { // else it is not sent before we ask for it
		_, _ = io.CopyN(io.Discard, r.Body, maxRest)
	}
	return errBody("it is larger than %d bytes", maxBody)
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > maxBody {
		return nil, tooLarge(r)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, tooLarge(r)
	case err != nil:
		return nil, errBody("it is not whole")
	case !utf8.Valid(body):
		return nil, errBody("it is no UTF-8")
	}
	return body, nil
}

// agentEvent is POST /agent-event.
func (s *Server) agentEvent(w http.ResponseWriter, _ *http.Request, body []byte) {
	e, err := parseAgentEvent(body, s.opt.Now())
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	s.heardAgent(e)
	w.WriteHeader(http.StatusOK)
}

// signalsCame is POST /signals.
func (s *Server) signalsCame(w http.ResponseWriter, _ *http.Request, body []byte) {
	b, err := parseSignals(body, s.opt.Now())
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if b.warning != "" {
		s.warnOnce(b.warning)
	}
	s.heardSignals(b)
	w.WriteHeader(http.StatusOK)
}

// command is POST /avatar/command.
func (s *Server) command(w http.ResponseWriter, r *http.Request, body []byte) {
	if !validCommand(body) {
		refuse(w, http.StatusBadRequest, "it is no command of body_action")
		return
	}
	word := ""
	if s.opt.Avatar != nil {
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // else the end of the wait for the body ends ctx
		ctx, cancel := context.WithTimeout(r.Context(), commandWait)
		defer cancel()
		word = s.opt.Avatar.Command(ctx, body)
	}
	switch word {
	case "", protocol.Timeout:
		refuse(w, http.StatusServiceUnavailable, "the pet does not answer")
	case protocol.OK:
		writeJSON(w, json.RawMessage(`{"ok":true}`))
	default:
		answer, _ := json.Marshal(struct {
			OK     bool   `json:"ok"`
			Reason string `json:"reason"`
		}{Reason: word}) // a struct of a text always encodes
		writeJSON(w, answer)
	}
}

// get answers a question to the pet's body.
func (s *Server) get(w http.ResponseWriter, r *http.Request, ask func(Avatar, context.Context) (json.RawMessage, bool)) {
	if r.Method != http.MethodGet {
		wrongMethod(w, http.MethodGet)
		return
	}
	var answer json.RawMessage
	ok := false
	if s.opt.Avatar != nil {
		ctx, cancel := context.WithTimeout(r.Context(), queryWait)
		defer cancel()
		answer, ok = ask(s.opt.Avatar, ctx)
	}
	if !ok {
		refuse(w, http.StatusServiceUnavailable, "the pet does not answer")
		return
	}
	writeJSON(w, answer)
}

func writeJSON(w http.ResponseWriter, answer json.RawMessage) {
	w.Header().Set("Content-Type", "application/json")
	w.Write(answer) // a peer that has gone needs no answer
}

func wrongMethod(w http.ResponseWriter, allowed string) {
	w.Header().Set("Allow", allowed)
	w.Header().Set("Connection", "close")
	refuse(w, http.StatusMethodNotAllowed, "the method must be "+allowed)
}

// refuse answers with a status and a sentence of ours, never with words of the request.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	if why != "" {
		io.WriteString(w, why+"\n")
	}
}
