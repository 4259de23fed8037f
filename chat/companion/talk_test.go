package companion

import "testing"

func TestTranscriptEnglish(t *testing.T) {
	newSession(t, "Yui").script(
		"hello", "I'm Kim", "how are you?", "sit on the terminal", "why?", "where are you?", "what's my name?",
		"sit on the moon", "come here", "go to the top left corner", "dance for me!", "another one", "what can you see on my screen?",
		"quantum chromodynamics is fun", "what is the capital of Peru?", "say hi to Momo", "peek from the left", "go to bed", "wake up", "lol",
	)
}
