package push_test

import (
	"context"
	"fmt"

	"yui/chat"
	"yui/chat/push"
)

// A pet's conversation over Push: the same toolbox declares the tools in hello and runs their calls.
func Example() {
	transport, err := push.New(push.Config{
		BaseURL: "http://127.0.0.1:8646",
		Key:     "the key",
		ChatID:  push.NewChatID(), // made once, then kept
		Vocabulary: func() push.Vocabulary {
			return push.Vocabulary{EmotionIDs: []string{"joy"}, MotionIDs: []string{"wave"}}
		},
		OnState: func(s push.State) { fmt.Println(s.Phase) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	session := chat.NewSession(chat.Config{Backend: chat.Backend{Transport: transport}})
	transport.Open(session) // replies that nobody asked for go to the session

	session.Say(context.Background(), "Good morning", nil)
	session.Stop() // the stop button: both
	transport.Cut()
	_ = session.NewSession() // a new session: both
	transport.Reset()

	_ = session.Close(context.Background())
	transport.Close()
}
