package completions_test

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas are what every request body of these tests is checked against: our own strict one, and, where the files
// beside the project are there, the provider's.
var schemas = sync.OnceValues(func() ([]*jsonschema.Schema, error) {
	compile := func(path, pointer string) (*jsonschema.Schema, error) {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("file:///schema.json", doc); err != nil {
			return nil, err
		}
		return c.Compile("file:///schema.json" + pointer)
	}
	own, err := compile(filepath.Join("testdata", "request.schema.json"), "")
	if err != nil {
		return nil, err
	}
	list := []*jsonschema.Schema{own}
	if folder := os.Getenv("YUI_TEST_FILES"); folder != "" {
		theirs, err := compile(filepath.Join(folder, "schemas", "openai-schemas.json"), "#/components/schemas/CreateChatCompletionRequest")
		if err != nil {
			return nil, err
		}
		list = append(list, theirs)
	}
	return list, nil
})

// validate checks a request body.
func validate(t *testing.T, raw []byte) {
	t.Helper()
	list, err := schemas()
	if err != nil {
		t.Fatalf("read schemas: %v", err)
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("request is no JSON: %v\n%s", err, raw)
	}
	for _, s := range list {
		if err := s.Validate(body); err != nil {
			t.Errorf("request does not fit the schema: %v\n%s", err, raw)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	list, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		`{"stream":true,"stream_options":{"include_usage":true},"messages":[]}`,
		`{"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"assistant","content":null}]}`,
		`{"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"tool","content":"x","tool_call_id":""}]}`,
	} {
		body, _ := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(bad)))
		if list[0].Validate(body) == nil {
			t.Errorf("accepted %s", bad)
		}
	}
	if len(list) == 1 {
		t.Skip("YUI_TEST_FILES is not set: the provider's own schema was not used")
	}
}
