package mcp

import (
	"maps"
	"reflect"
	"slices"
	"testing"
)

// A changed config ends servers that are gone and begins new ones; one whose table is another begins anew, and what it says
// then is not accepted unseen; the others notice nothing.
func TestUse(t *testing.T) {
	p := newPuppet(t)
	first := evil(t, "changes", p.env())
	r := newRig(t, map[string]Config{"a": first, "b": evil(t, "changes")})
	r.turn("a", true)
	r.running("a")
	server := func(name string) *server {
		for _, s := range r.m.list() {
			if s.name == name {
				return s
			}
		}
		t.Fatalf("no server %s", name)
		return nil
	}
	use := func(servers map[string]Config) {
		t.Helper()
		if err := r.m.Use(servers, nil); err != nil {
			t.Fatal(err)
		}
	}
	kept, gone, version := server("a"), server("b"), r.m.Version()
	use(map[string]Config{"a": first, "c": evil(t, "changes")})
	if server("a") != kept || !r.state("a").Running || r.m.Version() == version || !slices.Equal(r.m.Names(), []string{"a", "c"}) {
		t.Errorf("%v, version %d, states %+v", r.m.Names(), r.m.Version(), r.m.States())
	}
	<-gone.over
	r.turn("c", true)
	r.running("c")

	other := first
	other.Env = maps.Clone(first.Env)
	other.Env["MORE"] = "$NAME"
	before := r.names()
	use(map[string]Config{"a": other, "c": evil(t, "changes")})
	<-kept.over
	r.running("a")
	if server("a") == kept || !reflect.DeepEqual(r.names(), before) {
		t.Errorf("tools %v, before it %v", r.names(), before)
	}

	last := server("a")
	if err := r.m.Use(map[string]Config{"c": evil(t, "changes"), "bad": {}}, nil); err == nil {
		t.Error("a table that cannot be was taken in silence")
	}
	<-last.over
	if !slices.Equal(r.m.Names(), []string{"c"}) || !r.state("c").Running {
		t.Errorf("%v %+v", r.m.Names(), r.m.States())
	}
	for _, name := range r.names() {
		if name[:5] != "mcp_c" {
			t.Errorf("%s is still offered", name)
		}
	}
}
