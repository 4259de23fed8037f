package logs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets the test binary be the program that ends by a fault.
func TestMain(m *testing.M) {
	if dir := os.Getenv("YUI_CRASH_IN"); dir != "" {
		crash(dir, os.Getenv("YUI_CRASH_HOW"))
	}
	os.Exit(m.Run())
}

func crash(dir, how string) {
	_, stop, err := Watch(dir, "0.1.0-crashed")
	if err != nil {
		os.Exit(3)
	}
	switch how {
	case "panic":
		panic(`parse "what she said": no end`)
	case "nil":
		m := map[bool]map[string]int{}
		m[true]["x"] = 1
	case "peace":
		stop()
	}
	os.Exit(0)
}

func end(t *testing.T, dir, how string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "YUI_CRASH_IN="+dir, "YUI_CRASH_HOW="+how)
	out, err := cmd.CombinedOutput()
	if failed := err != nil; failed != (how == "panic" || how == "nil") {
		t.Fatalf("%s: %v\n%s", how, err, out)
	}
}

func TestReport(t *testing.T) {
	for how, want := range map[string]string{"panic": `panic: parse "…": no end`, "nil": "assignment to entry in nil map"} {
		dir := filepath.Join(t.TempDir(), "logs")
		log := Open(dir)
		if _, err := log.Write([]byte("level=INFO msg=started\n")); err != nil {
			t.Fatal(err)
		}
		end(t, dir, how)
		c, stop, err := Watch(dir, "0.2.0")
		if err != nil || c.Report == "" {
			t.Fatalf("%s: no report: %v", how, err)
		}
		got := read(t, c.Report)
		for _, part := range []string{"version: 0.1.0-crashed", want, "goroutine 1", "logs.crash", "level=INFO msg=started"} {
			if !strings.Contains(got, part) {
				t.Errorf("%s: no %q in\n%s", how, part, got)
			}
		}
		if strings.Contains(got, "what she said") {
			t.Errorf("%s: words are in the report:\n%s", how, got)
		}
		if st, err := os.Stat(c.Report); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", st.Mode(), err)
		}
		if all := Reports(dir); len(all) != 1 || all[0] != c.Report {
			t.Errorf("%v", all)
		}
		stop()
		if again, stop, err := Watch(dir, "0.2.0"); err != nil || again.Report != "" {
			t.Errorf("told twice: %v, %v", again, err)
		} else {
			stop()
		}
	}
}

// What is killed from outside, or ends as it should, left no last words.
func TestNoReport(t *testing.T) {
	for _, how := range []string{"peace", "killed"} {
		dir := t.TempDir()
		end(t, dir, how)
		if c, stop, err := Watch(dir, "0.2.0"); err != nil || c.Report != "" {
			t.Errorf("%s: %v, %v", how, c, err)
		} else {
			stop()
		}
		if left := Reports(dir); len(left) != 0 {
			t.Errorf("%s: left %v", how, left)
		}
	}
}

func TestReasonIsCut(t *testing.T) {
	got := withoutWords("panic: " + strings.Repeat("あ", 500) + "\n\ngoroutine 1 [running]:\nmain.main()\n\t/x.go:1")
	if len(got) > mostReason+100 || !strings.HasSuffix(got, "goroutine 1 [running]:\nmain.main()\n\t/x.go:1") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}
