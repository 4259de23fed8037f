package command

import (
	"path/filepath"
	"slices"
	"strings"
)

// interpreter is how a program takes a script in its arguments.
type interpreter struct {
	names   []string
	letters string   // of short options with a script: "c" for -c and -lc; the script may be in the same argument
	long    []string // long options with a script
	values  string   // letters of short options whose value is the argument behind them
	from    string   // letters of short options that name a file with the script, or a module: what follows is not the script
	operand bool     // the first argument that is no option is the script, unless an option gave it
	verb    string   // the first argument that has the script behind it, as an option of long has
	remote  bool     // all behind the first argument that is no option goes to a shell elsewhere
}

// interpreters are the programs that are known to run what they are given. The config is the person's own: this is to
// keep them from a mistake, no wall.
var interpreters = []interpreter{
	{names: []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "fish", "ash", "csh", "tcsh", "su"}, letters: "c", long: []string{"--command"}, values: "oO"},
	{names: []string{"python", "pypy"}, letters: "c", values: "WX", from: "m"},
	{names: []string{"perl"}, letters: "eE", values: "I"},
	{names: []string{"ruby"}, letters: "e", values: "CEIr"},
	{names: []string{"deno"}, verb: "eval"},
	{names: []string{"node", "nodejs", "bun"}, letters: "ep", long: []string{"--eval", "--print"}, values: "rC"},
	{names: []string{"php"}, letters: "rBRE", values: "cd", from: "f"},
	{names: []string{"lua", "luajit"}, letters: "e", values: "l"},
	{names: []string{"pwsh", "powershell"}, letters: "c", long: []string{"-command", "-encodedcommand"}, from: "f"},
	{names: []string{"osascript", "Rscript"}, letters: "e"},
	{names: []string{"awk", "gawk", "mawk", "nawk", "original-awk"}, letters: "e", long: []string{"--source"}, values: "Fv", from: "f", operand: true},
	{names: []string{"sed", "gsed"}, letters: "e", long: []string{"--expression"}, values: "l", from: "f", operand: true},
	{names: []string{"ssh"}, values: "BbcDEeFIiJLlmOopQRSWw", remote: true},
	{names: []string{"env"}, letters: "S", long: []string{"--split-string"}, values: "uC"},
}

// interpreterOf tells whether an argument names an interpreter, whatever its folder and version.
func interpreterOf(arg string) (interpreter, bool) {
	name := strings.TrimSuffix(filepath.Base(arg), ".exe")
	bare := strings.TrimRight(name, "0123456789.-")
	i := slices.IndexFunc(interpreters, func(p interpreter) bool {
		return slices.Contains(p.names, name) || slices.Contains(p.names, bare)
	})
	if i < 0 {
		return interpreter{}, false
	}
	return interpreters[i], true
}

// scriptOf tells of which program the argument at i is a script, or a part of one; "" where it is of none. The program may
// stand behind others that start it, as in "env sh -c …".
func scriptOf(argv []string, i int) string {
	for at, arg := range argv[:i] {
		p, is := interpreterOf(arg)
		if p.remote && at > 0 {
			continue // a word for another program, as in "rsync -e ssh …"
		}
		if is && p.script(argv[at+1:], i-at-1) {
			return arg
		}
	}
	return ""
}

// script tells whether the argument at i is a script. A script behind its option may have more options before it, as in
// "sh -c -e …".
func (p interpreter) script(args []string, i int) bool {
	next, given, done := false, false, false // the next argument is the script; there was one; no options follow
	for k := 0; k <= i; k++ {
		arg := args[k]
		switch flag, value := p.option(arg); {
		case k == 0 && k < i && arg == p.verb:
			next, given = true, true
		case done || !strings.HasPrefix(arg, "-") && !(next && strings.HasPrefix(arg, "+")) || arg == "-":
			if next || p.operand && !given {
				return k == i
			}
			if p.remote {
				return k < i
			}
			return false // a file with the script, or an argument of it
		case arg == "--":
			done = true
		case flag == isScript && value:
			if k == i {
				return true
			}
			given = true
		case flag == isScript:
			next, given = true, true
		case flag == isFile:
			return false
		case flag == takesValue && !value:
			k++ // the value
			if k > i {
				return false
			}
		}
	}
	return false
}

// What an option is to an interpreter.
const (
	other = iota
	isScript
	isFile
	takesValue
)

// option reads an option; value tells whether what it takes is in the same argument.
func (p interpreter) option(arg string) (kind int, value bool) {
	name, _, equals := strings.Cut(arg, "=")
	if slices.Contains(p.long, strings.ToLower(name)) {
		return isScript, equals
	}
	if strings.HasPrefix(arg, "--") || len(arg) < 2 {
		return other, false
	}
	letters := arg[1:]
	if strings.ContainsRune(letters, '{') { // what a placeholder holds is no option of the person's
		letters = letters[:strings.IndexByte(letters, '{')]
	}
	for n, r := range letters {
		rest := len(arg) > 1+n+1
		switch {
		case strings.ContainsRune(p.letters, r):
			if p.names[0] == "sh" { // a shell's -c takes no value: the letters behind it are options
				return isScript, false
			}
			return isScript, rest
		case strings.ContainsRune(p.from, r):
			return isFile, rest
		case strings.ContainsRune(p.values, r):
			return takesValue, rest
		}
	}
	return other, false
}
