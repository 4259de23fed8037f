package mcp

import (
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"yui/tools/internal/output"
)

// What is kept of a server's schema. Each request carries it, and each call is checked against it.
const (
	schemaBytes = 16 << 10
	schemaNodes = 400
	schemaDepth = 10
	noteMost    = 300 // code points of a description inside a schema
	valueMost   = 256 // bytes of a text in an enum, and of the name of a property
)

// errSchema says that a tool cannot be used, since nobody could write its arguments.
var errSchema = errors.New("its schema cannot be used")

// cleaner rewrites a schema: keywords that are known, references written out, texts cleaned, no more than the limits.
// What is left is a tree: checking arguments against it costs no more than its size times theirs.
type cleaner struct {
	root  map[string]any
	nodes int
}

// cleanSchema makes a server's schema one of ours.
func cleanSchema(raw any) (json.RawMessage, error) {
	root, ok := raw.(map[string]any)
	if !ok {
		if raw != nil {
			return nil, errSchema
		}
		root = map[string]any{}
	}
	if t, has := root["type"]; has && t != "object" {
		return nil, errSchema
	}
	c := &cleaner{root: root}
	out, err := c.clean(root, 0)
	if err != nil {
		return nil, err
	}
	object, ok := out.(map[string]any)
	if !ok { // its reference leads nowhere
		object = map[string]any{}
	}
	object["type"] = "object"
	if _, has := object["properties"]; !has {
		object["properties"] = map[string]any{} // some backends want it
	}
	b, err := json.Marshal(object)
	if err != nil || len(b) > schemaBytes {
		return nil, errSchema
	}
	return b, nil
}

// The keywords by what stands behind them.
var (
	numberWords = []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
		"minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"}
	schemaWords = []string{"items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"}
	listWords   = []string{"anyOf", "oneOf", "allOf", "prefixItems"}
)

// clean rewrites one schema, which may be true or false.
func (c *cleaner) clean(raw any, depth int) (any, error) {
	if b, ok := raw.(bool); ok {
		return b, nil
	}
	in, ok := raw.(map[string]any)
	if !ok {
		return nil, errSchema
	}
	c.nodes++
	if depth > schemaDepth || c.nodes > schemaNodes {
		return true, nil // anything goes below here; the server checks for itself
	}
	if ref, has := in["$ref"]; has {
		to, err := c.resolve(ref)
		if err != nil {
			return nil, err
		}
		if to == nil {
			return true, nil
		}
		return c.clean(to, depth+1)
	}
	out := map[string]any{}
	for _, part := range []func(in, out map[string]any, depth int) error{c.plain, c.values, c.inner, c.properties} {
		if err := part(in, out, depth); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// resolve follows a reference within the document (RFC 6901, section 6): percent-encoded, then with ~1 and ~0. One that
// leads nowhere is nil: it allows anything. No other document is ever read.
func (c *cleaner) resolve(ref any) (any, error) {
	path, ok := ref.(string)
	if id, has := c.root["$id"].(string); has && ok { // the document by its own name
		path = strings.TrimPrefix(path, strings.TrimSuffix(id, "#"))
	}
	if !ok || !strings.HasPrefix(path, "#") {
		return nil, errSchema
	}
	path, err := url.PathUnescape(path[1:])
	if err != nil || path != "" && path[0] != '/' {
		return nil, nil
	}
	var at any = c.root
	for _, step := range strings.Split(path, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch v := at.(type) {
		case map[string]any:
			at = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil, nil
			}
			at = v[i]
		default:
			return nil, nil
		}
	}
	switch at.(type) {
	case map[string]any, bool:
		return at, nil
	}
	return nil, nil // no schema
}

// plain takes over words, numbers and types.
func (c *cleaner) plain(in, out map[string]any, _ int) error {
	for _, word := range []string{"description", "title"} {
		if s, ok := in[word].(string); ok {
			if s = output.Short(output.Plain(s), noteMost); s != "" {
				out[word] = s
			}
		}
	}
	for _, word := range numberWords {
		if n, ok := in[word].(float64); ok {
			out[word] = n
		}
	}
	if b, ok := in["uniqueItems"].(bool); ok {
		out["uniqueItems"] = b
	}
	if s, ok := in["pattern"].(string); ok && len(s) <= valueMost && shows(s) {
		if _, err := regexp.Compile(s); err == nil { // ours is not the dialect of every server
			out["pattern"] = s
		}
	}
	if s, ok := in["format"].(string); ok && len(s) <= 40 && shows(s) {
		out["format"] = s
	}
	switch t := in["type"].(type) {
	case string:
		if slices.Contains(typeNames, t) {
			out["type"] = t
		}
	case []any:
		var list []any
		for _, one := range t {
			if s, ok := one.(string); ok && slices.Contains(typeNames, s) && !slices.Contains(list, any(s)) {
				list = append(list, s)
			}
		}
		if len(list) > 0 {
			out["type"] = list
		}
	}
	return nil
}

var typeNames = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// values takes over enum, const and default. A text that does not show as it is cannot be chosen by anybody.
func (c *cleaner) values(in, out map[string]any, _ int) error {
	if list, ok := in["enum"].([]any); ok {
		var kept []any
		for _, v := range list {
			if c.nodes++; c.nodes <= schemaNodes && simple(v) {
				kept = append(kept, v)
			}
		}
		if len(kept) == len(list) && len(kept) > 0 {
			out["enum"] = kept
		}
	}
	for _, word := range []string{"const", "default"} {
		if v, has := in[word]; has && simple(v) {
			out[word] = v
		}
	}
	return nil
}

// simple tells whether a value is a short text that shows, a number, a bool or null.
func simple(v any) bool {
	switch v := v.(type) {
	case string:
		return len(v) <= valueMost && shows(v)
	case float64, bool, nil:
		return true
	}
	return false
}

// shows tells whether a text is what it looks like.
func shows(s string) bool { return utf8.ValidString(s) && output.Plain(s) == strings.TrimSpace(s) }

// inner takes over the schemas in a schema.
func (c *cleaner) inner(in, out map[string]any, depth int) error {
	for _, word := range schemaWords {
		raw, has := in[word]
		if !has {
			continue
		}
		if _, tuple := raw.([]any); tuple && word == "items" {
			continue // as older drafts write prefixItems
		}
		s, err := c.clean(raw, depth+1)
		if err != nil {
			return err
		}
		out[word] = s
	}
	for _, word := range listWords {
		list, ok := in[word].([]any)
		if !ok && word == "prefixItems" {
			list, ok = in["items"].([]any)
		}
		if !ok || len(list) == 0 {
			continue
		}
		kept := make([]any, len(list))
		for i, raw := range list {
			if c.nodes > schemaNodes { // an alternative that is missing would forbid what the server allows
				kept = nil
				break
			}
			s, err := c.clean(raw, depth+1)
			if err != nil {
				return err
			}
			kept[i] = s
		}
		if kept != nil {
			out[word] = kept
		}
	}
	return nil
}

// properties takes over the names of an object's fields. Where one that is required cannot be shown nobody can call the
// tool.
func (c *cleaner) properties(in, out map[string]any, depth int) error {
	props, ok := in["properties"].(map[string]any)
	if ok {
		names := make([]string, 0, len(props))
		for name := range props {
			names = append(names, name)
		}
		slices.Sort(names)
		kept := map[string]any{}
		for _, name := range names {
			if name == "" || len(name) > valueMost/2 || !shows(name) || name != strings.TrimSpace(name) {
				continue
			}
			s, err := c.clean(props[name], depth+1)
			if err != nil {
				return err
			}
			kept[name] = s
		}
		out["properties"] = kept
	}
	list, ok := in["required"].([]any)
	if !ok {
		return nil
	}
	var required []any
	for _, r := range list {
		name, ok := r.(string)
		if !ok || len(name) > valueMost/2 || !shows(name) || len(required) >= schemaNodes {
			return errSchema
		}
		if !slices.Contains(required, any(name)) {
			required = append(required, name)
		}
	}
	if len(required) > 0 {
		out["required"] = required
	}
	return nil
}
