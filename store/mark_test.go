package store

import (
	"context"
	"path/filepath"
	"testing"
	"time"
)

func TestMarks(t *testing.T) {
	ctx, file := context.Background(), filepath.Join(t.TempDir(), "yui.db")
	s, err := Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	at := time.UnixMilli(1000)
	for _, list := range [][]Mark{{{MarkSource, "search", at}, {MarkGrant, "browser", at}}, {{MarkSource, "mcp", at}}} {
		if err := s.SetMarks(ctx, "yui", list); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetMarks(ctx, "momo", nil); err != nil {
		t.Fatal(err)
	}
	if err := s.SetMarks(ctx, "yui", []Mark{{MarkSource, "a", at}, {"other", "b", at}}); err == nil {
		t.Error("a mark of no kind is stored")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(ctx, file); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got, err := s.Marks(ctx, "yui"); err != nil || len(got) != 1 || got[0] != (Mark{MarkSource, "mcp", at}) {
		t.Errorf("%v, %v", got, err)
	}
}
