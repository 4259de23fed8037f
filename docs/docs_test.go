package docs

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// root is the repository.
const root = ".."

// texts calls each with every text file of the repository that people wrote, by its slashed path.
func texts(t *testing.T, each func(name, text string)) {
	t.Helper()
	endings := []string{".go", ".md", ".sql", ".toml", ".mjs", ".js", ".sh", ".html", ".yml"}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if d.IsDir() {
			if slices.Contains([]string{".git", "bin", "out", "node_modules", ".warm"}, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains(endings, path.Ext(name)) && d.Name() != "Makefile" && name != ".ci/run" {
			return nil
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		each(name, string(b))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// anchor is what a heading is called in a link, as the usual hosts make it.
func anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(heading)) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

var headings = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)

// pages are the anchors of every page.
func pages(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	texts(t, func(name, text string) {
		if path.Ext(name) != ".md" {
			return
		}
		out[name] = []string{""}
		for _, h := range headings.FindAllStringSubmatch(text, -1) {
			out[name] = append(out[name], anchor(strings.ReplaceAll(h[1], "`", "")))
		}
	})
	if len(out) < 10 {
		t.Fatalf("only %d pages were found", len(out))
	}
	return out
}

var reference = regexp.MustCompile(`\bdocs/[a-z/]+\.md(#[a-z0-9_-]+)?`)

// TestReferences: every rule that code or a page refers to is there.
func TestReferences(t *testing.T) {
	known, found := pages(t), 0
	texts(t, func(name, text string) {
		if name == "docs/docs_test.go" {
			return
		}
		for _, ref := range reference.FindAllString(text, -1) {
			found++
			page, at, _ := strings.Cut(ref, "#")
			if anchors, ok := known[page]; !ok || !slices.Contains(anchors, at) {
				t.Errorf("%s refers to %s, which is not there", name, ref)
			}
		}
	})
	if found < 200 {
		t.Errorf("only %d references were found: does the pattern still fit?", found)
	}
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks: every link between pages leads somewhere.
func TestLinks(t *testing.T) {
	known := pages(t)
	texts(t, func(name, text string) {
		if path.Ext(name) != ".md" {
			return
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			u, err := url.Parse(m[1])
			if err != nil || u.Scheme != "" {
				continue
			}
			to := name
			if u.Path != "" {
				to = path.Join(path.Dir(name), u.Path)
			}
			anchors, page := known[to]
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(to))); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			} else if u.Fragment != "" && (!page || !slices.Contains(anchors, u.Fragment)) {
				t.Errorf("%s links to %s: no such heading", name, m[1])
			}
		}
	})
}

// elsewhere are papers that are not in the repository: whoever reads the code cannot check what they say.
var elsewhere = regexp.MustCompile(`\bspec/(chat|body|avatar|desktop|decisions|mirror)|\b(decisions|design|house|motions|recipe|cases)\.md|\b[Ss]eeds? \d|\b[Ii]ssue \d`)

// TestStandsAlone: no comment and no page names a paper that is not here.
func TestStandsAlone(t *testing.T) {
	texts(t, func(name, text string) {
		if name == "docs/docs_test.go" {
			return
		}
		for i, line := range strings.Split(text, "\n") {
			if m := elsewhere.FindString(line); m != "" {
				t.Errorf("%s:%d names %q: state the rule in docs/rules and refer to that", name, i+1, m)
			}
		}
	})
}

// TestNotice: the licence of every module that the program is built with is named.
func TestNotice(t *testing.T) {
	notice, err := os.ReadFile(filepath.Join(root, "NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/yui")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	for _, m := range slices.Compact(modules) {
		if m != "yui" && !strings.Contains(string(notice), fmt.Sprintf("  %s ", m)) {
			t.Errorf("NOTICE does not name %s", m)
		}
	}
}
