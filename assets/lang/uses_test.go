package lang

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"golang.org/x/tools/go/packages"
)

const self = "yui/assets/lang"

// loaded is the program's packages with their types, without tests; both tests read them.
var loaded = sync.OnceValues(func() ([]*packages.Package, error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	return packages.Load(&packages.Config{Dir: root, Fset: fset,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedExportFile}, "./...")
})

var fset = token.NewFileSet()

func program(t *testing.T) []*packages.Package {
	list, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
	}
	return list
}

// Every key that the program names stands in en.toml with the arguments that the call gives, every key of en.toml is
// named somewhere, and no key is put together from parts.
func TestKeysAndUses(t *testing.T) {
	english := read(t, "en.toml")
	used := map[Key]bool{nameKey: true}
	for _, p := range program(t) {
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if tv := p.TypesInfo.Types[n.Fun]; tv.IsType() && isKey(tv.Type) && p.TypesInfo.Types[n].Value == nil {
						t.Errorf("%s: a key is made at run time", fset.Position(n.Pos()))
					}
					checkArgs(t, p, n, english)
				case ast.Expr:
					tv := p.TypesInfo.Types[n]
					if tv.Value == nil || !isKey(tv.Type) {
						return true
					}
					key := Key(constant.StringVal(tv.Value))
					if english[key] == nil && key != "" {
						t.Errorf("%s: there is no %q in en.toml", fset.Position(n.Pos()), key)
					}
					used[key] = true
				}
				return true
			})
		}
	}
	for key := range english {
		if !used[key] {
			t.Errorf("nobody uses %s", key)
		}
	}
}

func isKey(t types.Type) bool { return t != nil && t.String() == self+".Key" }

// checkArgs compares the arguments of w.Text("key", lang.Args{…}) with the placeholders, if both are written out.
func checkArgs(t *testing.T, p *packages.Package, call *ast.CallExpr, english map[Key]message) {
	if sign := p.TypesInfo.Types[call.Fun].Type; sign == nil || !strings.HasSuffix(sign.String(), "...yui/assets/lang.Args) string") {
		return // it hands the key on
	}
	tv := p.TypesInfo.Types[call.Args[0]]
	if tv.Value == nil || !isKey(tv.Type) || english[Key(constant.StringVal(tv.Value))] == nil {
		return
	}
	key := Key(constant.StringVal(tv.Value))
	want := english[key].placeholders()
	if len(english[key]) > 1 && !slices.Contains(want, Count) {
		want = append(want, Count)
	}
	var got []string
	if len(call.Args) > 1 {
		literal, ok := call.Args[1].(*ast.CompositeLit)
		if !ok {
			return
		}
		for _, e := range literal.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok && p.TypesInfo.Types[pair.Key].Value != nil {
				got = append(got, constant.StringVal(p.TypesInfo.Types[pair.Key].Value))
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %s takes %v, not %v", fset.Position(call.Pos()), key, want, got)
	}
}

// foreign are the packages whose Go holds words in other scripts: the companion has a corpus of its own.
var foreign = []string{"yui/chat/companion"}

// No Go file but those of the companion holds a text in the letters of another language: it would be one for people.
func TestNoSentencesInGo(t *testing.T) {
	for _, p := range program(t) {
		if slices.Contains(foreign, p.PkgPath) {
			continue
		}
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && strings.ContainsFunc(l.Value, isForeign) {
					t.Errorf("%s: %s belongs into assets/lang", fset.Position(l.Pos()), l.Value)
				}
				return true
			})
		}
	}
}

func isForeign(r rune) bool {
	return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han, unicode.Hangul)
}
