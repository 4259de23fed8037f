package api

import (
	"net/http"
	"regexp"
	"sync"

	"yui/assets/lang"
	"yui/chat"
)

// Shape is what a model has taught us that it does not take (docs/rules/chat.md#retries).
type Shape struct {
	// NoTools: it refuses requests that declare tools.
	NoTools bool
	// Folded: no system message behind the first position; the context goes into the user message.
	Folded bool
	// NoSystem: no system message at all; the instructions go before the first user message. Folded goes with it.
	NoSystem bool
	// NoUsage: it refuses stream_options, so that the count of tokens stays unknown.
	NoUsage bool
	// NoImages: it takes no pictures. A note stands for each.
	NoImages bool
}

// Memory keeps the shapes of one server's models for the life of a transport, so until the settings change. It is safe
// for use by several goroutines.
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
	noTools      = regexp.MustCompile(`(?i)(not support|n't support|unsupported|without support for|not enabled:?) (the )?(use of )?(tools?|tool (use|calls?|calling)|functions?|function calls?|function calling)\b|\b(tools?|tool (use|calls?|calling)|functions?|function calls?|function calling)( param(eter)?)? ((is|are) )?(not|n't|un)[ -]?(supported|allowed|enabled)|\btools?\b.{0,20}requires? --jinja|--enable-auto-tool-choice`)
	otherSubject = regexp.MustCompile(`(?i)tools?(\[|\.)\d+|schema|parameters|\bimages?\b|try again|\b(parallel|strict|streaming)\b`) // one tool or another feature
	aboutSystem  = regexp.MustCompile(`(?i)system (message|role|prompt).{0,80}(begin|first|start|only|must|position|not)|(only|must|first).{0,60}system (message|role)|roles? must alternate|alternate.{0,30}roles?|after the optional system|(unexpected|unsupported|unknown|invalid) role.{0,10}system|role.{0,10}system.{0,20}not (supported|allowed)`)
	noSystem     = regexp.MustCompile(`(?i)system (message|role|prompt)s?'? ?(is|are)? ?(not|n't|un)[ -]?(supported|allowed|accepted)|(not|n't) (support|allow|accept).{0,20}system (message|role|prompt)|(unexpected|unsupported|unknown|invalid) role.{0,10}system|role.{0,10}system.{0,20}not (supported|allowed)`)
	aboutUsage   = regexp.MustCompile(`(?i)stream_options|include_usage`)
	aboutEffort  = regexp.MustCompile(`(?i)reasoning[._ -]?effort|\breasoning\b.{0,40}(not|un|n't)[ -]?(support|permit|allow)|(not|n't) support.{0,20}\breasoning\b|param.{0,10}reasoning\b`)
	aboutImages  = regexp.MustCompile(`(?i)\b(image|images|image_url|input_image|vision|multi-?modal|mmproj)\b`)
	noImages     = regexp.MustCompile(`(?i)not support|n't support|unsupported|support image|only supported by|unknown variant|not (a )?(multi-?modal|vision)|at most 0 image|missing data required|no vision|mmproj`)
	aboutPicture = regexp.MustCompile(`(?i)\bformats?\b|\bmime|too (large|big)|\bpixels?\b|\bsize\b|corrupt`) // one picture is wrong, not all
	lostResponse = regexp.MustCompile(`(?i)previous[_ ]response.{0,80}(not found|does ?n[o']t exist|expired|unknown|no longer)|\bresponse.{0,80}(not found|does ?n[o']t exist|expired)|no (such )?(previous )?response\b|(unknown|expired) previous[_ ]response`)
	aboutCalls   = regexp.MustCompile(`(?i)\b(tool|function|output)s?\b|call_`)
)

// lostCode is what the provider of the protocol calls a previous response that is gone.
const lostCode = "previous_response_not_found"

// refused says whether a status means that the request's form is wrong. A service that is away says nothing about it.
func refused(f *chat.Failure) bool {
	return f.Status == http.StatusBadRequest || f.Status == http.StatusUnprocessableEntity
}

// RefusesTools says whether the server's words mean that this model takes no tools at all. Words about one tool, about
// tool_choice, about pictures in tool messages or about a service behind a tool do not.
func RefusesTools(f *chat.Failure) bool {
	return refused(f) && noTools.MatchString(f.Detail) && !otherSubject.MatchString(f.Detail)
}

// RefusesSystem says whether the server's words mean that a system message must come first, or that there may be none.
func RefusesSystem(f *chat.Failure) bool { return refused(f) && aboutSystem.MatchString(f.Detail) }

// After gives the form of the next request where a refusal says what the model does not take, and whether the request
// is worth one more try in it. Each form is given up once, so that no request is repeated for the same reason twice. A
// setting of the person's that is refused is not given up: the failure then names it.
func (s Shape) After(f *chat.Failure, req *chat.Request, sent Forms) (next Shape, again bool) {
	next = s
	switch {
	case sent.Tools && !s.NoTools && len(req.Tools) > 0 && RefusesTools(f):
		next.NoTools = true
	case sent.System && !s.NoSystem && RefusesSystem(f):
		next.NoSystem = s.Folded || req.Context == "" || noSystem.MatchString(f.Detail)
		next.Folded = true
	case sent.Usage && !s.NoUsage && refused(f) && aboutUsage.MatchString(f.Detail):
		next.NoUsage = true
	case !s.NoImages && RefusesImages(f, req):
		next.NoImages = true
		if !refused(f) {
			f.Reason = chat.NoImages
			return next, false
		}
	case sent.Effort != "" && refused(f) && aboutEffort.MatchString(f.Detail):
		f.Reason, f.Setting = chat.SettingRefused, "reasoning_effort"
		return s, false
	default:
		return s, false
	}
	return next, true
}

// Forms says what of that which a server may refuse a request held.
type Forms struct {
	Tools, System, Usage bool
	Effort               string // the setting, "" where none was sent
}

// Notice is what the person should know of a form that was given up, "" for nothing.
func (s Shape) Notice(next Shape) lang.Key {
	switch {
	case next.NoTools && !s.NoTools:
		return chat.NoticeNoTools
	case next.NoImages && !s.NoImages:
		return chat.NoticeNoImages
	}
	return ""
}

// RefusesImages says whether the server's words mean that this model takes no pictures, where the request held some.
func RefusesImages(f *chat.Failure, req *chat.Request) bool {
	return pictured(req) && (refused(f) || f.Status == http.StatusNotFound || f.Status >= http.StatusInternalServerError) &&
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

// LostResponse says whether the failure of a request that chains on a response means that the server does not have
// it: any 404, or a 400 that says so by its code or in words. A 400 about outputs that calls miss is another matter.
func LostResponse(f *chat.Failure) bool {
	switch f.Status {
	case http.StatusNotFound:
		return true
	case http.StatusBadRequest:
		return f.Code == lostCode || lostResponse.MatchString(f.Detail) && !aboutCalls.MatchString(f.Detail)
	}
	return false
}
