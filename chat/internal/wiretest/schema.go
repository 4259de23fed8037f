package wiretest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is what request bodies are checked against: our own strict one, and, where the files beside the project are
// there (YUI_TEST_FILES), the provider's.
type Schema struct {
	own, name string
	once      sync.Once
	list      []*jsonschema.Schema
	err       error
}

// NewSchema names our own schema's file, with the pointer to a part of it behind a # where that part is meant, and the
// provider's component.
func NewSchema(own, component string) *Schema { return &Schema{own: own, name: component} }

func compile(path, pointer string) (*jsonschema.Schema, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	disambiguate(doc)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("file:///schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("file:///schema.json" + pointer)
}

// disambiguate mends a slip of the provider's schema: a user message with parts is both an easy message and an item,
// and "one of" the two therefore refuses the very examples of the documentation.
func disambiguate(doc any) {
	for _, key := range []string{"components", "schemas", "InputItem"} {
		m, _ := doc.(map[string]any)
		doc = m[key]
	}
	if item, ok := doc.(map[string]any); ok && item["oneOf"] != nil {
		item["anyOf"] = item["oneOf"]
		delete(item, "oneOf")
	}
}

func (s *Schema) load() {
	file, pointer, _ := strings.Cut(s.own, "#")
	own, err := compile(file, "#"+pointer)
	if err != nil {
		s.err = err
		return
	}
	s.list = []*jsonschema.Schema{own}
	if folder := os.Getenv("YUI_TEST_FILES"); folder != "" {
		theirs, err := compile(filepath.Join(folder, "schemas", "openai-schemas.json"), "#/components/schemas/"+s.name)
		if err != nil {
			s.err = err
			return
		}
		s.list = append(s.list, theirs)
	}
}

// Check fails the test where a body does not fit.
func (s *Schema) Check(t testing.TB, raw []byte) {
	t.Helper()
	if s == nil {
		return
	}
	for _, err := range s.errors(t, raw) {
		t.Errorf("request does not fit the schema: %v\n%s", err, raw)
	}
}

// Refuses says whether our own schema refuses a body.
func (s *Schema) Refuses(t testing.TB, raw string) bool {
	t.Helper()
	return len(s.errors(t, []byte(raw))) > 0
}

// Whole says whether the provider's schema is used, too.
func (s *Schema) Whole() bool {
	s.once.Do(s.load)
	return len(s.list) > 1
}

func (s *Schema) errors(t testing.TB, raw []byte) (errs []error) {
	t.Helper()
	s.once.Do(s.load)
	if s.err != nil {
		t.Fatalf("read schemas: %v", s.err)
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("request is no JSON: %v\n%s", err, raw)
	}
	for _, schema := range s.list {
		if err := schema.Validate(body); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}
