// Package mcp makes tools of what MCP servers offer. Nothing of a server is started while its switch is off; what it says
// of its tools is a stranger's text: capped, cleaned, and never used changed before the person has seen the change
// (docs/rules/tools.md#declaring, docs/rules/tools.md#asking).
package mcp

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"yui/tools"
)

const (
	defaultDeadline = 30 * time.Second
	mostDeadline    = 10 * time.Minute
	// mostServers keeps the list of tools that every request carries within reason.
	mostServers = 16
)

// Config is one table [mcp.<name>] of config.toml: a program, or an address.
type Config struct {
	Command  []string          `toml:"command"`  // program and arguments, spoken to over its stdin and stdout
	Env      map[string]string `toml:"env"`      // further variables for the program; "$NAME" is the value of that variable
	Dir      string            `toml:"dir"`      // its working folder; the home folder where empty
	URL      string            `toml:"url"`      // of a server of the streamable HTTP kind
	Headers  map[string]string `toml:"headers"`  // for each request; "$NAME" in a value is the value of that variable of .env
	Deadline float64           `toml:"deadline"` // seconds of a call; 30 where 0, at most 600
	Sends    bool              `toml:"sends"`    // its tools are ways out: the person is asked before each call
}

// nameShape keeps switch ids, keys of settings and function names readable.
var nameShape = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,23}$`)

// Switch is the id of a server's switch (docs/rules/tools.md#declaring).
func Switch(server string) string { return "mcp_" + server }

// Key is the stored key of a server's switch.
func Key(server string) string { return "yui.mcp_" + server }

// target is a checked Config.
type target struct {
	name string
	// ambiguous tells that its tools' names need a mark, since another server's name begins like its own.
	ambiguous bool
	command   []string
	env       []string // NAME=value
	hidden    []string // names of the environment that the program does not get
	dir       string
	url       string
	headers   map[string]tools.Secret
	deadline  time.Duration
	sends     bool
}

// CheckAll tells what is wrong with the tables of all servers, nil where nothing is. It looks at no variable.
func CheckAll(servers map[string]Config) error {
	if len(servers) > mostServers {
		return fmt.Errorf("there are %d servers; at most %d can be", len(servers), mostServers)
	}
	for name, c := range servers {
		if _, err := read(name, c, func(string) string { return "" }); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// read checks a table. variable gives the value of a variable of the environment.
func read(name string, c Config, variable func(string) string) (target, error) {
	t := target{name: name, command: c.Command, url: c.URL, deadline: defaultDeadline, sends: c.Sends, headers: map[string]tools.Secret{}}
	if !nameShape.MatchString(name) {
		return t, errors.New("a server's name has 1 to 24 small letters, digits, _ and -, and begins with a letter or digit")
	}
	switch {
	case len(c.Command) > 0 && c.URL != "":
		return t, errors.New("command and url exclude each other")
	case len(c.Command) > 0 && c.Command[0] != "":
		if len(c.Headers) > 0 {
			return t, errors.New("headers need a url")
		}
	case c.URL != "":
		u, err := url.Parse(c.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
			return t, errors.New("url must begin with http:// or https:// and name a host; keys belong into headers")
		}
		if len(c.Env) > 0 || c.Dir != "" {
			return t, errors.New("env and dir need a command")
		}
	default:
		return t, errors.New("command or url is missing")
	}
	if c.Deadline < 0 || c.Deadline > mostDeadline.Seconds() {
		return t, fmt.Errorf("deadline is %g; it must be from 0 to %g seconds", c.Deadline, mostDeadline.Seconds())
	}
	if c.Deadline > 0 {
		t.deadline = time.Duration(c.Deadline * float64(time.Second))
	}
	for k, v := range c.Env {
		if k == "" || strings.ContainsAny(k, "=\x00") || strings.ContainsRune(v, 0) {
			return t, fmt.Errorf("env: %q is no name of a variable", k)
		}
		t.env = append(t.env, k+"="+os.Expand(v, variable))
	}
	slices.Sort(t.env)
	for k, v := range c.Headers {
		if !headerName.MatchString(k) {
			return t, fmt.Errorf("headers: %q is no name of a header", k)
		}
		filled := os.Expand(v, variable)
		if strings.ContainsAny(filled, "\r\n\x00") {
			return t, fmt.Errorf("headers: the value of %s has more than one line", k)
		}
		t.headers[k] = tools.Secret(filled)
	}
	return t, t.folder(c.Dir)
}

var headerName = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

func (t *target) folder(dir string) error {
	if len(t.command) == 0 {
		return nil
	}
	home, err := os.UserHomeDir()
	switch {
	case err != nil && (dir == "" || strings.HasPrefix(dir, "~")):
		return fmt.Errorf("dir: %w", err)
	case dir == "", dir == "~":
		t.dir = home
	case strings.HasPrefix(dir, "~/"):
		t.dir = filepath.Join(home, dir[2:])
	case !filepath.IsAbs(dir):
		return fmt.Errorf("dir is %q; it must begin with / or ~/", dir)
	default:
		t.dir = dir
	}
	return nil
}
