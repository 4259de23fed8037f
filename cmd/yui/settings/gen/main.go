// Command gen writes the tables of settings into docs/config.md: go generate ./cmd/yui/settings.
package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"yui/cmd/yui/settings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen FILE.md")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func write(file string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text, err := filled(string(old))
	if err != nil {
		return fmt.Errorf("fill %s: %w", file, err)
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// region is a table in the document, between two comments.
var region = regexp.MustCompile(`(?s)(<!-- settings: ([a-z]+) -->\n).*?(<!-- end of settings -->)`)

// regions say which rows a table has.
var regions = map[string]func(s settings.Setting) bool{
	"file":     func(s settings.Setting) bool { return s.Kept == settings.File && s.Group != settings.Plugins },
	"plugins":  func(s settings.Setting) bool { return s.Kept == settings.File && s.Group == settings.Plugins },
	"database": func(s settings.Setting) bool { return s.Kept == settings.Database },
	"presets":  func(s settings.Setting) bool { return s.Own() },
	"secrets":  func(s settings.Setting) bool { return s.Kept == settings.Env },
}

// filled puts the present tables into the document.
func filled(text string) (string, error) {
	found := map[string]bool{}
	out := region.ReplaceAllStringFunc(text, func(old string) string {
		part := region.FindStringSubmatch(old)
		name := part[2]
		found[name] = true
		if regions[name] == nil {
			return old
		}
		return part[1] + rows(regions[name]) + part[3]
	})
	for name := range regions {
		if !found[name] {
			return "", fmt.Errorf("there is no table of %s", name)
		}
	}
	return out, nil
}

func rows(belongs func(s settings.Setting) bool) string {
	var b strings.Builder
	b.WriteString("\n| key | value | default | |\n| --- | --- | --- | --- |\n")
	for _, s := range settings.All() {
		if belongs(s) {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", key(s), value(s), standard(s), s.Doc)
		}
	}
	return b.String() + "\n"
}

// key is how the key is written where it is set; a star marks what is in the menu.
func key(s settings.Setting) string {
	name := "`" + s.Key + "`"
	if i := strings.LastIndexByte(s.Key, '.'); i >= 0 && s.Kept == settings.File {
		name = fmt.Sprintf("`[%s] %s`", s.Key[:i], s.Key[i+1:])
	}
	switch {
	case s.Kept == settings.File && s.Kind == settings.Table && s.Of == nil:
		return fmt.Sprintf("`[%s.<name>]`", s.Key)
	case s.Shown&settings.InMenu != 0:
		return name + " *"
	}
	return name
}

// value is what it may be.
func value(s settings.Setting) string {
	switch s.Kind {
	case settings.Switch:
		return "`true`, `false`"
	case settings.Choice:
		return "`" + strings.Join(s.Choices, "`, `") + "`"
	case settings.Number:
		return strings.TrimSpace(fmt.Sprintf("%.10g to %.10g %s", s.Min, s.Max, s.Unit))
	case settings.Secret, settings.Text:
		return "a text"
	case settings.Path:
		return "a path"
	case settings.List:
		return "a list"
	}
	return "a table"
}

func standard(s settings.Setting) string {
	switch {
	case s.Default != "":
		return "`" + s.Default + "`"
	case s.Unset != "":
		return s.Unset
	}
	return ""
}
