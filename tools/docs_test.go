package tools

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestWorkedExample takes the tool out of docs/tools.md, builds it as a file of this package, and runs it.
func TestWorkedExample(t *testing.T) {
	doc, err := os.ReadFile("../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(doc, -1)
	if len(blocks) != 2 || !bytes.HasPrefix(blocks[0][1], []byte("package tools\n")) {
		t.Fatalf("the page has %d blocks of Go, not a file and its registration", len(blocks))
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := map[string]string{
		"dice.go": string(blocks[0][1]),
		"dice_test.go": `package tools

import (
	"context"
	"testing"
)

func TestDice(t *testing.T) {
	r, err := NewRegistry(NewExpress(&words{}), NewRollDice(func(n int) int { return n - 1 }))
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		` + "`{\"sides\":6}`" + `: "6 of 6",
		` + "`{\"sides\":1}`" + `: "error: invalid arguments: /sides: minimum: got 1, want 2",
		` + "`{}`" + `: "error: invalid arguments: missing property 'sides'",
	} {
		if got := r.Run(context.Background(), "roll_dice", Call{Args: []byte(args)}).Text; got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}
`,
		// The registration, as it stands on the page, where math/rand/v2 is imported as own.go would.
		"registration_test.go": `package tools_test

import (
	"math/rand/v2"
	"testing"

	"yui/tools"
)

func TestRegistration(t *testing.T) {
	var list []tools.Tool
	` + string(blocks[1][1]) + `
	if len(list) != 1 || list[0].Name != "roll_dice" {
		t.Errorf("%v", list)
	}
}
`,
	}
	var overlay strings.Builder
	overlay.WriteString(`{"Replace":{`)
	first := true
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if !first {
			overlay.WriteString(",")
		}
		first = false
		overlay.WriteString(`"` + filepath.Join(here, "worked_"+name) + `":"` + file + `"`)
	}
	overlay.WriteString(`}}`)
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, []byte(overlay.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "test", "-overlay", list, "-run", "^(TestDice|TestRegistration)$", "-v", ".")
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestDice")) || !bytes.Contains(out, []byte("--- PASS: TestRegistration")) {
		t.Errorf("the example of docs/tools.md#adding-a-tool, compiled into this package, fails; where a name is declared twice, rename the example's: %v\n%s", err, out)
	}
}
