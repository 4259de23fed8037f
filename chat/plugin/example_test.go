package plugin_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"yui/assets/lang"
	"yui/chat/plugin"
)

// battery tells how full the battery is. It is the example of docs/plugins.md.
type battery struct {
	file  string       // /sys/class/power_supply/BAT0/capacity
	level atomic.Int64 // per cent; -1 before the first success
}

func newBattery(file string) *battery {
	b := &battery{file: file}
	b.level.Store(-1)
	return b
}

func (b *battery) Name() string         { return "battery" }
func (b *battery) Lasts() time.Duration { return time.Minute }

func (b *battery) Fetch(context.Context, time.Time) error {
	text, err := os.ReadFile(b.file)
	if err != nil {
		return fmt.Errorf("read battery: %w", err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return fmt.Errorf("read battery: %w", err)
	}
	b.level.Store(n)
	return nil
}

func (b *battery) Line(time.Time) string {
	n := b.level.Load()
	if n < 0 {
		return ""
	}
	return fmt.Sprintf("battery: %d %%", n)
}

// end of the example

func ExampleSet() {
	dir, err := os.MkdirTemp("", "battery")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "capacity")
	if err := os.WriteFile(file, []byte("83\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	set, err := plugin.NewSet(plugin.Options{Deadline: 10 * time.Second}, plugin.NewClock(lang.In("en")), newBattery(file))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer set.Close()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for _, line := range set.Lines(context.Background(), now) {
		fmt.Println(line)
	}
	// Output:
	// date: Monday, 2 March 2026, morning
	// battery: 83 %
}

// The page shows the code above, word for word.
func TestExampleIsInTheDocs(t *testing.T) {
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "plugins.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(source), "// battery tells")
	code, _, ok := strings.Cut("// battery tells"+code, "\n// end of the example")
	if !ok || !strings.Contains(string(page), strings.TrimSpace(code)) {
		t.Error("docs/plugins.md does not show the example as it is")
	}
}
