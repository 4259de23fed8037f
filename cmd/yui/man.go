package main

import (
	"fmt"
	"os"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"
)

// manCmd prints the manual page, for whoever packages YUI.
type manCmd struct{}

// Run prints the page in roff.
func (*manCmd) Run(k *kong.Kong) error {
	page := mangokong.NewManPage(1, k.Model).
		WithSection("Files", "~/.config/yui/config.toml: the settings. ~/.config/yui/.env: keys. ~/.local/share/yui: characters and what is remembered. "+
			"~/.local/state/yui: logs. With YUI_HOME in the environment all of it lies in that folder.")
	if _, err := fmt.Fprint(os.Stdout, page.Build(roff.NewDocument())); err != nil {
		return fmt.Errorf("print manual: %w", err)
	}
	return nil
}
