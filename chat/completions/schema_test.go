package completions_test

import "testing"

// The check can fail.
func TestSchemaRefuses(t *testing.T) {
	for _, bad := range []string{
		`{"stream":true,"stream_options":{"include_usage":true},"messages":[]}`,
		`{"stream":true,"messages":[{"role":"user","content":"Hi"}]}`,
		`{"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"assistant","content":null}]}`,
		`{"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"tool","content":"x","tool_call_id":""}]}`,
	} {
		if !schema.Refuses(t, bad) {
			t.Errorf("accepted %s", bad)
		}
	}
	if !schema.Whole() {
		t.Skip("YUI_TEST_FILES is not set: the provider's own schema was not used")
	}
}
