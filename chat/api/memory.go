package api

import (
	"net/http"
	"regexp"
	"sync"

	"yui/chat"
)

// Shape is what a model has taught us that it does not take (decisions.md 5).
type Shape struct {
	// NoTools: it refuses requests that declare tools.
	NoTools bool
	// Folded: no system message behind the first position; the context goes into the user message.
	Folded bool
	// NoImages: it takes no pictures (cases.md A34). Nothing is retried for it: the next turn goes without them.
	NoImages bool
}

// Memory keeps the shapes of models for the life of the process. It is safe for use by several goroutines.
type Memory struct {
	mu     sync.Mutex
	shapes map[string]Shape
}

// Shape gives what is known of a model.
func (m *Memory) Shape(model string) Shape {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shapes[model]
}

// Learn remembers a model's shape.
func (m *Memory) Learn(model string, s Shape) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shapes == nil {
		m.shapes = map[string]Shape{}
	}
	m.shapes[model] = s
}

var (
	toolsRefused = regexp.MustCompile(`(?i)(not support|n't support|unsupported|without support|not enabled|not available|requires? --jinja|--enable-auto-tool-choice).{0,80}|tools?\b.{0,40}(not|n't).{0,20}(support|allow|enable)`)
	aboutTools   = regexp.MustCompile(`(?i)\btools?\b|tool[-_ ]?(call|choice|use|parser)|function[-_ ]?call`)
	aboutSchema  = regexp.MustCompile(`(?i)tools?(\[|\.)\d+|schema|parameters`) // one tool is wrong, not all tools
	aboutSystem  = regexp.MustCompile(`(?i)system (message|role|prompt).{0,80}(begin|first|start|only|must|position|not)|(only|must|first).{0,60}system (message|role)|roles? must alternate|alternate.{0,30}roles?|after the optional system|unexpected role.{0,10}system`)
	aboutImages  = regexp.MustCompile(`(?i)\b(image|images|image_url|input_image|vision|multi-?modal|mmproj)\b`)
	noImages     = regexp.MustCompile(`(?i)not support|n't support|unsupported|support image|only supported by|unknown variant|not (a )?(multi-?modal|vision)|at most 0 image|missing data required|no vision|mmproj`)
	aboutPicture = regexp.MustCompile(`(?i)\bformats?\b|\bmime|too (large|big)|\bpixels?\b|\bsize\b|corrupt`) // one picture is wrong, not all
	lostResponse = regexp.MustCompile(`(?i)previous[_ ]response|response.{0,80}(not found|does ?n[o']t exist|expired)|no (such )?response`)
)

// refused says whether a status may mean that the request's form is wrong: 400, 422, and the 5xx of servers whose
// templates throw.
func refused(f *chat.Failure) bool {
	return f.Status == http.StatusBadRequest || f.Status == http.StatusUnprocessableEntity || f.Status >= http.StatusInternalServerError
}

// RefusesTools says whether the server's words mean that this model takes no tools at all.
func RefusesTools(f *chat.Failure) bool {
	return refused(f) && aboutTools.MatchString(f.Detail) && toolsRefused.MatchString(f.Detail) && !aboutSchema.MatchString(f.Detail)
}

// RefusesSystem says whether the server's words mean that a system message must come first.
func RefusesSystem(f *chat.Failure) bool { return refused(f) && aboutSystem.MatchString(f.Detail) }

// RefusesImages says whether the server's words mean that this model takes no pictures, where the request held some.
func RefusesImages(f *chat.Failure, req *chat.Request) bool {
	return pictured(req) && (refused(f) || f.Status == http.StatusNotFound) &&
		aboutImages.MatchString(f.Detail) && noImages.MatchString(f.Detail) && !aboutPicture.MatchString(f.Detail)
}

// pictured says whether a request carries pictures.
func pictured(req *chat.Request) bool {
	if len(req.Images) > 0 {
		return true
	}
	for _, round := range req.Rounds {
		for _, a := range round.Calls {
			if len(a.Result.Images) > 0 {
				return true
			}
		}
	}
	return false
}

// LeftOut stands in the text where a picture would be that the model does not take.
const LeftOut = "[the image is left out: this model takes no pictures]"

// WithoutImages gives the request as a model gets it that takes no pictures: a note stands for each.
func WithoutImages(req *chat.Request) *chat.Request {
	if !pictured(req) {
		return req
	}
	blind := *req
	if len(req.Images) > 0 {
		blind.Images, blind.Text = nil, noted(req.Text)
	}
	blind.Rounds = make([]chat.Round, len(req.Rounds))
	for i, round := range req.Rounds {
		round.Calls = append([]chat.Answer(nil), round.Calls...)
		for j, a := range round.Calls {
			if len(a.Result.Images) > 0 {
				round.Calls[j].Result = chat.Result{Text: noted(a.Result.Text)}
			}
		}
		blind.Rounds[i] = round
	}
	return &blind
}

func noted(text string) string {
	if text == "" {
		return LeftOut
	}
	return text + "\n" + LeftOut
}

// LostResponse says whether the failure means that the server does not have the response that the request chains on:
// a 404, as seed 1 has it, or the 400 by which the provider of the protocol says the same.
func LostResponse(f *chat.Failure) bool {
	switch f.Status {
	case http.StatusNotFound:
		return f.Reason != chat.UnknownModel
	case http.StatusBadRequest:
		return lostResponse.MatchString(f.Detail)
	}
	return false
}
