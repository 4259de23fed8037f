package chat

import (
	"context"
	"testing"
)

// "At end a partial prefix is spoken" (docs/rules/chat.md#silence), and so is what might have become a tag or a call and did not.
func TestWhatIsHeldBackIsSpokenAtTheEnd(t *testing.T) {
	for _, pieces := range [][]string{
		{"1 <"}, {"Is a ", "<thi"}, {"[SIL"}, {"See [TOOL_"}, {"Well:\n", `{"name":`, `"Ada"`}, {"Type `"}, {"A\n", "```"},
	} {
		b := newBench(t, says(pieces...))
		want := ""
		for _, p := range pieces {
			want += p
		}
		b.Say(context.Background(), "Hi", nil)
		if d := until[TurnDone](t, b); d.Text != want || d.Outcome != OK {
			t.Errorf("%q: said %q", pieces, d.Text)
		}
	}
}
