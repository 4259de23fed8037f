package proc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// starters are the ways to start a program that name no environment.
var starters = map[string][]string{
	"os/exec": {"Command", "CommandContext", "Cmd"},
	"os":      {"StartProcess", "Setenv"}, // and to give all programs something
	"syscall": {"ForkExec", "StartProcess", "Exec", "Setenv"},

	"golang.org/x/sys/unix":    {"Exec", "Setenv"},
	"github.com/joho/godotenv": {"Load", "Overload", "Exec"},
}

// allowed are calls that start no program, by file and name.
var allowed = map[string]string{
	"overlay/window/x11.go": "Setenv", // of the OpenGL driver, no secret
}

// Every program that YUI starts is started here, with an environment that its caller names; and nothing puts .env into
// the environment of the process.
func TestEveryProgramIsStartedHere(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", `{{if .Module}}{{if .Module.Main}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}
{{end}}{{range .CgoFiles}}{{$d}}/{{.}}
{{end}}{{end}}{{end}}`, "yui/cmd/yui").Output()
	if err != nil {
		t.Fatalf("list the files of the program: %v", err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files := strings.Fields(string(out))
	if len(files) < 100 {
		t.Fatalf("only %d files", len(files))
	}
	for _, file := range files {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Dir(name) == "internal/proc" {
			continue
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		imports := map[string]string{}
		for _, i := range parsed.Imports {
			path := strings.Trim(i.Path.Value, `"`)
			as := path[strings.LastIndexByte(path, '/')+1:]
			if i.Name != nil {
				as = i.Name.Name
			}
			imports[as] = path
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			if !ok || allowed[name] == sel.Sel.Name {
				return true
			}
			for _, what := range starters[imports[pkg.Name]] {
				if sel.Sel.Name == what {
					t.Errorf("%s: %s.%s: programs are started by package proc", fset.Position(sel.Pos()), pkg.Name, what)
				}
			}
			return true
		})
	}
}
