package completions_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"yui/assets/lang"
	"yui/chat"
	"yui/chat/completions"
	"yui/chat/internal/wiretest"
)

// A conversation with a server, from the address to the words.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(wiretest.SSE(text("Good "), text("evening."), finish("stop"), done)))
	defer server.Close()

	transport, err := completions.New(completions.Config{BaseURL: server.URL, Model: "gemma3"})
	if err != nil {
		var failure *chat.Failure
		if errors.As(err, &failure) {
			fmt.Println(failure.Plain(lang.In("en")))
		}
		return
	}
	session := chat.NewSession(chat.Config{
		Backend: chat.Backend{Transport: transport, Instructions: "You are Yui, a small desktop pet."},
		Observer: func(e chat.Event) {
			switch e := e.(type) {
			case chat.Speech:
				fmt.Printf("bubble: %q\n", e.Text)
			case chat.TurnDone:
				fmt.Println("done:", e.Outcome)
			}
		},
	})
	turn := session.Say(context.Background(), "Hello", nil)
	if done, err := turn.Wait(context.Background()); err == nil {
		fmt.Println(done.Text)
	}
	// Output:
	// bubble: "Good "
	// bubble: "evening."
	// done: ok
	// Good evening.
}
