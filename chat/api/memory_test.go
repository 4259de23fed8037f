package api

import (
	"testing"

	"yui/chat"
)

// "One user message with the image; none for text-only models" (docs/rules/servers.md#a34): what servers say where a model takes
// no pictures, and what they say where one picture is wrong.
func TestRefusesImages(t *testing.T) {
	seen := &chat.Request{Images: []string{"data:image/png;base64,AA=="}}
	tool := &chat.Request{Rounds: []chat.Round{{Calls: []chat.Answer{{Result: chat.Result{Images: seen.Images}}}}}}
	for words, want := range map[string]bool{
		"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj":           true,
		"Invalid content type. image_url is only supported by certain models.":                                     true,
		"This model does not support image inputs":                                                                 true,
		"messages[1]: unknown variant `image_url`, expected `text`":                                                true,
		"At most 0 image(s) may be provided in one request.":                                                       true,
		"No endpoints found that support image input":                                                              true,
		"m is not a multimodal model":                                                                              true,
		"this model is missing data required for image input":                                                      true,
		"You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png']": false,
		"image exceeds the maximum size":                                                                           false,
		"m does not support tools":                                                                                 false,
		"temperature must not be negative":                                                                         false,
	} {
		f := &chat.Failure{Status: 400, Detail: words}
		if RefusesImages(f, seen) != want || RefusesImages(f, tool) != want {
			t.Errorf("%s: %v", words, !want)
		}
		if RefusesImages(f, &chat.Request{}) {
			t.Errorf("%s: there were no pictures", words)
		}
	}
	if RefusesImages(&chat.Failure{Status: 401, Detail: "image input is not supported"}, seen) {
		t.Error("a wrong key is another matter")
	}
}

// Only a 400 or a 422 refuses the system role, or its place; a service in trouble may say anything.
func TestRefusesSystem(t *testing.T) {
	for words, want := range map[string]bool{
		"System message must be at the beginning.": true, "System role not supported": true,
		"Conversation roles must alternate user/assistant/user/assistant/...": true, "Unexpected role 'system'": true,
		"the system is overloaded": false, "file system not found": false,
	} {
		for status, refuses := range map[int]bool{400: want, 422: want, 401: false, 404: false, 429: false, 500: false, 503: false} {
			if RefusesSystem(&chat.Failure{Status: status, Detail: words}) != refuses {
				t.Errorf("%d %s: %v", status, words, !refuses)
			}
		}
	}
}
