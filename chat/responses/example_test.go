package responses_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"yui/chat"
	"yui/chat/responses"
)

// A session over Responses: the second turn chains on the first one's response.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stream("resp_1", delta("Good evening."))(w, r)
	}))
	defer server.Close()
	transport, err := responses.New(responses.Config{BaseURL: server.URL + "/v1", Model: "a-model"})
	if err != nil {
		fmt.Println(err)
		return
	}
	session := chat.NewSession(chat.Config{Backend: chat.Backend{Transport: transport, Instructions: "You are Yui."}})
	done, err := session.Say(context.Background(), "Hello!", nil).Wait(context.Background())
	fmt.Println(done.Text, done.Outcome, err)
	// Output: Good evening. ok <nil>
}
