package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"yui/tools/internal/output"
)

const (
	// argsLimit is how much a call of a tool of one's own may carry, in bytes.
	argsLimit = 256 << 10
	// complaintLimit is how much of a complaint a model is told, in code points.
	complaintLimit = 400
)

// Schema is a compiled JSON schema of a tool's arguments. Safe from any goroutine.
type Schema struct{ compiled *jsonschema.Schema }

// CompileSchema compiles the schema of an arguments object. Draft 2020-12 is tried first, then draft 7, which older
// tools write. A schema that names another document is refused: nothing is ever fetched.
func CompileSchema(raw json.RawMessage) (*Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	object, ok := doc.(map[string]any)
	if !ok {
		return nil, errors.New("read schema: it is no object")
	}
	if t, has := object["type"]; has && t != "object" {
		return nil, errors.New(`read schema: the type of the arguments must be "object"`)
	}
	var first error
	for _, draft := range []*jsonschema.Draft{jsonschema.Draft2020, jsonschema.Draft7} {
		c := jsonschema.NewCompiler()
		c.DefaultDraft(draft)
		c.UseLoader(nowhere{})
		const name = "urn:yui:arguments"
		if err := c.AddResource(name, doc); err != nil {
			return nil, fmt.Errorf("read schema: %w", err)
		}
		compiled, err := c.Compile(name)
		if err == nil {
			return &Schema{compiled}, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("compile schema: %s", output.Line(first.Error(), complaintLimit))
}

// nowhere is the loader of a compiler that loads nothing.
type nowhere struct{}

// Load implements jsonschema.URLLoader.
func (nowhere) Load(string) (any, error) { return nil, errors.New("other documents are not read") }

// Check tells what is wrong with the arguments of a call as a result for the model, "" where nothing is. Empty
// arguments are an empty object.
func (s *Schema) Check(args json.RawMessage) (complaint string) {
	const head = "error: invalid arguments: "
	defer func() {
		if p := recover(); p != nil { // the library fails at numbers that no double holds
			complaint = head + "they cannot be checked"
		}
	}()
	if len(args) > argsLimit {
		return head + fmt.Sprintf("more than %d bytes", argsLimit)
	}
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(args))
	if err != nil {
		return head + "they are no JSON"
	}
	if _, ok := value.(map[string]any); !ok {
		return head + "they are no object"
	}
	err = s.compiled.Validate(value)
	if err == nil {
		return ""
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return head + output.Line(err.Error(), complaintLimit)
	}
	return head + output.Short(strings.Join(complaints(invalid, nil), "; "), complaintLimit)
}

// complaints lists the innermost causes, each with the place that it is about.
func complaints(e *jsonschema.ValidationError, list []string) []string {
	const most = 4
	if len(e.Causes) == 0 && len(list) < most {
		place := ""
		if len(e.InstanceLocation) > 0 {
			place = output.Line("/"+strings.Join(e.InstanceLocation, "/"), 80) + ": "
		}
		return append(list, place+output.Line(e.ErrorKind.LocalizedString(message.NewPrinter(language.English)), 160))
	}
	for _, c := range e.Causes {
		list = complaints(c, list)
	}
	return list
}

// Checked returns the tool with its arguments checked against its own schema before anything runs. A schema that does
// not compile lets no call through. For tools of one's own; the built-in ones answer in the words of their contract.
func Checked(tool Tool) Tool {
	run, define := tool.Run, tool.Define
	tool.Run = func(ctx context.Context, call Call) Result {
		schema, err := CompileSchema(define().Parameters)
		if err != nil {
			return Result{Text: "error: " + err.Error()}
		}
		if complaint := schema.Check(call.Args); complaint != "" {
			return Result{Text: complaint}
		}
		return run(ctx, call)
	}
	return tool
}
