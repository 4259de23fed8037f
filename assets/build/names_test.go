package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// declared returns the string constants of a Go file by their types.
func declared(t *testing.T, src []byte) map[string][]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "names.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if !ast.IsGenerated(f) {
		t.Error("the file does not say that it is generated")
	}
	out := map[string][]string{}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			name, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			kind := v.Type.(*ast.Ident).Name
			out[kind] = append(out[kind], v.Names[0].Name+" "+name)
		}
	}
	return out
}

// Every motion, pool, group, phase and moment is a constant of its type, and a pool lists its clips in their order.
func TestNamesAreThoseOfTheMotions(t *testing.T) {
	f := &motionFile{Pools: []string{"idle"}, Motions: []clip{
		{Name: "idle_shift", Group: "idle"}, {Name: "sit_down", Group: "sit", Moments: map[string]float64{"seat": 1}},
		{Name: "idle_look", Group: "idle"}, {Name: "peek", Group: "peek", Phases: map[string][2]float64{"hold": {1, 2}, "enter": {0, 1}}},
	}}
	b, err := f.names()
	if err != nil {
		t.Fatal(err)
	}
	got := declared(t, b)
	for kind, want := range map[string]string{
		"ID": "IdleShift idle_shift,SitDown sit_down,IdleLook idle_look,Peek peek,Idle idle", "Moment": "MomentSeat seat",
		"Group": "GroupIdle idle,GroupPeek peek,GroupSit sit", "Phase": "PhaseEnter enter,PhaseHold hold",
	} {
		if have := strings.Join(got[kind], ","); have != want {
			t.Errorf("%s: %s, want %s", kind, have, want)
		}
	}
	if !strings.Contains(string(b), "{Idle, []ID{IdleShift, IdleLook}}") {
		t.Errorf("the pool is not in:\n%s", b)
	}
}

func TestNamesThatGoCannotTellApartAreRefused(t *testing.T) {
	for want, f := range map[string]*motionFile{
		"same name":         {Motions: []clip{{Name: "sit_down"}, {Name: "sit__down"}}},
		"cannot be spelled": {Motions: []clip{{Name: "sit-down"}}},
		"has no clips":      {Pools: []string{"walk"}, Motions: []clip{{Name: "sit_down", Group: "sit"}}},
	} {
		if _, err := f.names(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
