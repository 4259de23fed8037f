package lang

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// shows are the functions whose texts a person sees, by package, type and name; of some only what stands behind the first
// arguments.
var shows = []struct {
	of   *regexp.Regexp
	skip int
}{
	{regexp.MustCompile(`^\(\*yui/cmd/yui/app\.\w+\)\.(tell|say|warn)$`), 0},
	{regexp.MustCompile(`^\(\*yui/cmd/yui/doctor\.checkup\)\.(ok|warn|fail)$`), 1}, // the name of a line is for scripts, too
	{regexp.MustCompile(`^\(\*?yui/overlay/ui\.\w+\)\.(label|cell|pillButton|titled|fieldOf|editor|SetStatus|PassStatus|SetNote|SetText|Fail)$`), 0},
	{regexp.MustCompile(`^yui/platform\.Notify$`), 1},
}

// shownFields are the fields of the types of overlay/ui, tray and tools.Question that a person sees.
var shownFields = []string{"Label", "Text", "Title", "Body", "Allow", "Deny", "About", "Hint", "Delete", "Toward", "When"}

// word is what makes a constant one for people; units and abbreviations are none.
var word = regexp.MustCompile(`[a-z]{3}`)

// names are the same in every language.
var names = []string{"Wayland"}

// No constant with words reaches what shows texts to a person.
func TestWhatIsShownHasKeys(t *testing.T) {
	found := map[string]bool{}
	for _, p := range program(t) {
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					name, skip := shower(p, n)
					if name == "" {
						return true
					}
					found[name] = true
					for _, arg := range n.Args[min(skip, len(n.Args)):] {
						plain(t, p, arg)
					}
				case *ast.CompositeLit:
					if !isShown(p.TypesInfo.Types[n].Type) {
						return true
					}
					for _, e := range n.Elts {
						if pair, ok := e.(*ast.KeyValueExpr); ok && slices.Contains(shownFields, ident(pair.Key)) {
							plain(t, p, pair.Value)
						}
					}
				}
				return true
			})
		}
	}
	for _, name := range []string{"(*yui/cmd/yui/app.pet).tell", "(*yui/cmd/yui/app.notices).warn", "(*yui/cmd/yui/doctor.checkup).warn", "(*yui/overlay/ui.Talk).SetStatus", "yui/platform.Notify"} {
		if !found[name] {
			t.Errorf("%s is called nowhere: has it another name?", name)
		}
	}
}

// shower is the full name of a function that shows texts, "" for any other.
func shower(p *packages.Package, call *ast.CallExpr) (name string, skip int) {
	var id *ast.Ident
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.Ident:
		id = f
	default:
		return "", 0
	}
	f, ok := p.TypesInfo.Uses[id].(*types.Func)
	if !ok {
		return "", 0
	}
	for _, s := range shows {
		if s.of.MatchString(f.FullName()) {
			return f.FullName(), s.skip
		}
	}
	return "", 0
}

func isShown(t types.Type) bool {
	return t != nil && (strings.HasPrefix(t.String(), "yui/overlay/ui.") || strings.HasPrefix(t.String(), "yui/tray.") || t.String() == "yui/tools.Question")
}

func ident(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// plain fails for a constant with words in a text: as it is, as a part of a sum, or as what fmt and errors make a text of.
func plain(t *testing.T, p *packages.Package, e ast.Expr) {
	if v := p.TypesInfo.Types[e].Value; v != nil {
		if v.Kind() == constant.String && !isKey(p.TypesInfo.Types[e].Type) && word.MatchString(constant.StringVal(v)) && !slices.Contains(names, constant.StringVal(v)) {
			t.Errorf("%s: %s is shown, and is no key of assets/lang", fset.Position(e.Pos()), v)
		}
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		plain(t, p, e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			plain(t, p, e.X)
			plain(t, p, e.Y)
		}
	case *ast.CallExpr:
		if sel, ok := e.Fun.(*ast.SelectorExpr); ok && (ident(sel.X) == "fmt" || ident(sel.X) == "errors") {
			for _, arg := range e.Args {
				plain(t, p, arg)
			}
		}
	}
}
