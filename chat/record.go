package chat

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"yui/internal/private"
)

// Record is one line of the turn record log (docs/rules/chat.md#turn-records).
type Record struct {
	Type      string       `json:"type"` // "turn" or "skip"
	At        time.Time    `json:"ts"`
	Event     string       `json:"event_name"`
	Trigger   string       `json:"trigger_kind,omitempty"`
	Context   string       `json:"client_context,omitempty"`
	SpokeText string       `json:"spoke_text"`
	Outcome   Outcome      `json:"outcome,omitempty"`
	Calls     []CallRecord `json:"calls,omitempty"`
	Source    string       `json:"source,omitempty"`
	Reason    string       `json:"reason,omitempty"`
	Rule      string       `json:"rule,omitempty"` // the rule that asked for the turn or joined it
	Why       string       `json:"why,omitempty"`  // what made it fire
}

// CallRecord is one executed call in a Record.
type CallRecord struct {
	Name   string `json:"name"`
	Result string `json:"result"`
	Images int    `json:"images,omitempty"`
}

// Recorder takes the records of turns. It is best effort: an error is logged and never breaks a turn.
type Recorder interface {
	Record(r Record) error
}

// FileRecorder writes turns_YYYY-MM-DD.jsonl files into a folder, which it makes. It is safe for several sessions.
type FileRecorder struct {
	Dir string
	mu  sync.Mutex
}

// Record implements Recorder.
func (f *FileRecorder) Record(r Record) error { return f.Line(r.At, r) }

// Line writes one line of another kind, as the JSON of v, into the file of its day.
func (f *FileRecorder) Line(at time.Time, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode turn record: %w", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := private.Folder(f.Dir); err != nil {
		return fmt.Errorf("make record folder: %w", err)
	}
	name := filepath.Join(f.Dir, "turns_"+at.Format("2006-01-02")+".jsonl")
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open turn record: %w", err)
	}
	_, err = file.Write(append(line, '\n'))
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("write turn record: %w", err)
	}
	return nil
}
