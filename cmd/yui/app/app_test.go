package app

import (
	"testing"

	"yui/cmd/yui/settings"
)

func pathsIn(t *testing.T) settings.Paths {
	t.Helper()
	t.Setenv("YUI_HOME", t.TempDir())
	p, err := settings.FindPaths()
	if err != nil {
		t.Fatal(err)
	}
	return p
}
