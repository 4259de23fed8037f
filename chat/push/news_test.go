package push

import (
	"fmt"
	"testing"

	"yui/chat"
)

// "vocabulary {type,vocabulary} whenever it changes while connected".
func TestVocabularyChanges(t *testing.T) {
	words := make(chan []string, 1)
	words <- []string{"wave"}
	r := newRig(t, nil, func(c *Config) {
		c.Vocabulary = func() Vocabulary { w := <-words; words <- w; return Vocabulary{MotionIDs: w} }
	})
	r.push.VocabularyChanged() // not connected: hello tells it
	w := r.open(t)
	r.push.VocabularyChanged() // nothing has changed
	<-words
	words <- []string{"wave", "nod"}
	r.push.VocabularyChanged()
	r.push.VocabularyChanged()
	if f := w.next("vocabulary"); fmt.Sprint(f.Vocabulary["motion_ids"]) != "[wave nod]" {
		t.Errorf("%+v", f)
	}
	w.quiet()
}

// A change between hello and ready is told behind ready.
func TestVocabularyChangesBeforeReady(t *testing.T) {
	words := make(chan []string, 1)
	words <- nil
	r := newRig(t, nil, func(c *Config) {
		c.Vocabulary = func() Vocabulary { w := <-words; words <- w; return Vocabulary{MotionIDs: w} }
	})
	r.push.Open(r.Session)
	w := r.wire(t)
	w.next("hello")
	<-words
	words <- []string{"nod"}
	w.ready()
	w.next("vocabulary")
}

// "reset {type}": at once where connected, else ahead of everything on the next connection.
func TestReset(t *testing.T) {
	r := newRig(t, nil, nil)
	r.push.Reset()
	w := r.open(t)
	w.next("reset")
	r.push.Reset()
	w.next("reset")
	_ = w.conn.CloseNow()
	w = r.meet(t)
	w.quiet()
}

// The enums of tools are those of the moment of hello.
func TestToolsAreReadAtHello(t *testing.T) {
	count := 0
	r := newRig(t, nil, func(c *Config) {
		c.Tools = boxFunc(func() []chat.Tool {
			count++
			return []chat.Tool{{Name: fmt.Sprintf("tool_%d", count)}}
		})
	})
	r.push.Open(r.Session)
	for i := 1; i < 3; i++ {
		w := r.wire(t)
		hello := w.next("hello")
		if name := hello.Tools[0]["function"].(map[string]any)["name"]; name != fmt.Sprintf("tool_%d", i) {
			t.Errorf("%v", name)
		}
		_ = w.conn.CloseNow()
	}
}

type boxFunc func() []chat.Tool

func (b boxFunc) Declared() []chat.Tool        { return b() }
func (b boxFunc) Switches() []chat.SwitchState { return nil }
