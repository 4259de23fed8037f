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
