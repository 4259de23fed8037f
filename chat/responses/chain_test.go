package responses_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"yui/chat"
	"yui/chat/internal/wiretest"
	"yui/chat/responses"
)

// "A 404 for a stored id resets the chain with one retry that sends no id", and what was owed goes with it.
func TestLostChain(t *testing.T) {
	notFound := wiretest.Status(404, "application/json", `{"error":{"message":"Previous response with id 'r1' not found.","code":"previous_response_not_found"}}`)
	openAI := wiretest.Status(400, "application/json", `{"error":{"message":"Previous response with id 'r1' not found.","code":"previous_response_not_found"}}`)
	plain := wiretest.Status(404, "application/json", `{"detail":"Not Found"}`)
	for name, lost := range map[string]wiretest.Script{"404": notFound, "400 that says the same": openAI, "404 without a word": plain} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, []chat.Tool{wiretest.Express(), wiretest.Says("lookup", "1")}, nil,
				stream("r1", delta("Hello."), happy("e")), lost,
				stream("r2", delta("Who are you?"), callDone(1, "l", "lookup", "{}")), stream("r3", delta("Ah.")), stream("r4", delta("Yes.")))
			r.Ask(t, "Hi")
			if d := r.Ask(t, "Again"); d.Text != "Who are you? Ah." || d.Outcome != chat.OK {
				t.Errorf("got %+v", d)
			}
			r.Ask(t, "Once more")
			reqs := r.server.Requests(t)
			if len(reqs) != 5 {
				t.Fatalf("%d requests", len(reqs))
			}
			for i, id := range []any{nil, "r1", nil, nil, "r3"} {
				if reqs[i]["previous_response_id"] != id {
					t.Errorf("request %d has id %v, want %v", i, reqs[i]["previous_response_id"], id)
				}
			}
			if got := input(reqs[2]); got != lines(t, `{"role":"user","content":"Again"}`) {
				t.Errorf("the retry carries %s", got)
			}
			if n := wiretest.Told[chat.Notice](r.Rig); len(n) != 1 || !strings.Contains(n[0].Text, "no longer has this conversation") {
				t.Errorf("notices %+v", n)
			}
		})
	}
	t.Run("one retry, and the id stays away", func(t *testing.T) {
		r := newRig(t, nil, nil, stream("r1", delta("Hello.")), notFound, plain, stream("r2", delta("Yes.")))
		r.Ask(t, "Hi")
		if d := r.Ask(t, "Again"); d.Outcome != chat.NetworkDrop || d.Failure.Reason != chat.NotFound {
			t.Errorf("got %+v", d)
		}
		r.Ask(t, "Again")
		if reqs := r.server.Requests(t); len(reqs) != 4 || reqs[3]["previous_response_id"] != nil {
			t.Errorf("%d requests", len(reqs))
		}
	})
	t.Run("whatever the 404 says of a model", func(t *testing.T) {
		for _, words := range []string{"Response 'r1' for model m does not exist", "The model's previous response 'r1' was not found"} {
			r := newRig(t, nil, nil, stream("r1", delta("Hello.")), wiretest.Status(404, "application/json", `{"error":{"message":"`+words+`"}}`), stream("r2", delta("Yes.")))
			r.Ask(t, "Hi")
			if d := r.Ask(t, "Again"); d.Text != "Yes." {
				t.Errorf("%s: got %+v", words, d)
			}
		}
	})
	t.Run("a 400 about a missing output keeps the id", func(t *testing.T) {
		r := newRig(t, nil, nil, stream("r1", delta("Hello.")), wiretest.Status(400, "application/json", `{"error":{"message":"No tool output found for a call of the previous response; output not found"}}`))
		r.Ask(t, "Hi")
		if d := r.Ask(t, "Again"); d.Failure == nil || len(r.server.Requests(t)) != 2 {
			t.Errorf("got %+v", d)
		}
	})
	t.Run("a model that is not there is another matter", func(t *testing.T) {
		r := newRig(t, nil, nil, stream("r1", delta("Hello.")), wiretest.Status(404, "application/json", `{"error":{"message":"model 'm' not found"}}`))
		r.Ask(t, "Hi")
		if d := r.Ask(t, "Again"); d.Failure.Reason != chat.UnknownModel {
			t.Errorf("got %+v", d)
		}
		r.Ask(t, "Again")
		reqs := r.server.Requests(t)
		if len(reqs) != 5 || reqs[1]["previous_response_id"] != "r1" || reqs[2]["previous_response_id"] != nil || reqs[3]["previous_response_id"] != "r1" {
			t.Errorf("%d requests", len(reqs))
		}
	})
}

// "They are dropped with the id, on a session reset …": and a new process goes on where the old one was.
func TestChainOverSessions(t *testing.T) {
	r := newRig(t, []chat.Tool{wiretest.Express()}, nil, stream("r1", delta("Hello."), happy("e")), stream("r2", delta("Yes.")), stream("r3", delta("New.")))
	r.Ask(t, "Hi")
	transport, err := responses.New(responses.Config{BaseURL: r.server.URL + "/v1", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	again := wiretest.NewRig(t, transport, nil, func(c *chat.Config) { c.Store = r.Store })
	again.Ask(t, "Still there?")
	if err := again.NewSession(); err != nil {
		t.Fatal(err)
	}
	again.Ask(t, "Hi")
	reqs := r.server.Requests(t)
	if reqs[1]["previous_response_id"] != "r1" || !strings.Contains(input(reqs[1]), `"call_id":"e"`) {
		t.Errorf("after a restart: %v", reqs[1])
	}
	if reqs[2]["previous_response_id"] != nil || strings.Contains(input(reqs[2]), "call_id") {
		t.Errorf("after a reset: %v", reqs[2])
	}
}

// Where the address leaves /v1 open, a new process sends a lost id once, to the place that gave it, and looks nowhere else.
func TestLostChainOverProcesses(t *testing.T) {
	for _, prefix := range []string{"", "/v1"} {
		lost := false
		r := newRig(t, nil, []change{{wire: func(w *responses.Config) { w.BaseURL = strings.TrimSuffix(w.BaseURL, "/v1") }}},
			func(w http.ResponseWriter, req *http.Request) {
				if req.URL.Path != prefix+"/responses" || lost && strings.Contains(wiretest.Body(req), "previous_response_id") {
					http.NotFound(w, req)
					return
				}
				stream("r", delta("Hello."))(w, req)
			})
		r.Ask(t, "Hi")
		before := len(r.server.Paths())
		transport, err := responses.New(responses.Config{BaseURL: strings.TrimSuffix(r.server.URL, "/v1"), Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		lost = true
		again := wiretest.NewRig(t, transport, nil, func(c *chat.Config) { c.Store = r.Store })
		if d := again.Ask(t, "Still there?"); d.Text != "Hello." {
			t.Errorf("%q: got %+v", prefix, d)
		}
		at := prefix + "/responses"
		if got := r.server.Paths()[before:]; !slices.Equal(got, []string{at, at}) || r.server.Requests(t)[before]["previous_response_id"] != "r" {
			t.Errorf("%q: asked at %v", prefix, got)
		}
	}
}

// An id means nothing to another server.
func TestChainBelongsToItsServer(t *testing.T) {
	r := newRig(t, nil, nil, stream("r1", delta("Hello.")))
	r.Ask(t, "Hi")
	other := wiretest.NewServer(t, schema, stream("x1", delta("Hello.")))
	transport, err := responses.New(responses.Config{BaseURL: other.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	r.SetBackend(chat.Backend{Transport: transport})
	r.Ask(t, "Hi")
	if reqs := other.Requests(t); reqs[0]["previous_response_id"] != nil || reqs[0]["model"] != nil {
		t.Errorf("request %v", reqs[0])
	}
}

// A stopped turn leaves the chain where it was: the server's half answer is not part of the conversation.
func TestStoppedTurnDoesNotChain(t *testing.T) {
	r := newRig(t, nil, nil, stream("r1", delta("Hello.")), wiretest.Hang(created("r2"), delta("Half")), stream("r3", delta("Yes.")))
	r.Ask(t, "Hi")
	turn := r.Say(context.Background(), "Go", nil)
	for len(wiretest.Told[chat.Speech](r.Rig)) < 2 {
		time.Sleep(time.Millisecond)
	}
	r.Stop()
	<-turn.Done()
	r.Ask(t, "And?")
	if req := r.server.Requests(t)[2]; req["previous_response_id"] != "r1" {
		t.Errorf("chained on %v", req["previous_response_id"])
	}
}
