package main

import (
	"github.com/alecthomas/kong"
	"github.com/posener/complete"
	"github.com/willabides/kongplete"

	"yui/cmd/yui/presets"
	"yui/cmd/yui/settings"
)

// answerShell prints what could come next where a shell asks for it by COMP_LINE, and ends the parse. A field's predictor
// tag names what its value is.
func answerShell(parser *kong.Kong, paths settings.Paths) {
	kongplete.Complete(parser,
		kongplete.WithPredictor("file", complete.PredictFiles("*")),
		kongplete.WithPredictor("preset", complete.PredictFunc(func(complete.Args) (ids []string) {
			list, _ := presets.Load(paths.Presets) // a broken one is doctor's affair; the others complete
			for _, p := range list {
				ids = append(ids, p.ID)
			}
			return ids
		})))
}
