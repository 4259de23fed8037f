package chat

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"yui/assets/lang"
	"yui/internal/protocol"
)

// The notices that transports and the session give.
const (
	NoticeNoTools   lang.Key = "chat.notice.no_tools"   // the model takes no tools
	NoticeChainLost lang.Key = "chat.notice.chain_lost" // the server has forgotten the conversation
	NoticeCallText  lang.Key = "chat.notice.call_text"  // the model wrote its call as text
	NoticeNoImages  lang.Key = "chat.notice.no_images"  // the model takes no pictures
	NoticeFresh     lang.Key = "chat.notice.fresh"      // what a server refuses again and again is left out from now on
	NoticeNoRoom    lang.Key = "chat.notice.no_room"    // the turn's pictures did not fit and were left out
	NoticeUnkept    lang.Key = "chat.notice.unkept"     // the transcript did not take the turn
)

// failureWords are the sentences of the reasons. Two reasons have a second one, below.
var failureWords = map[Reason]lang.Key{
	NoServer:       "chat.failure.no_server",
	BadAddress:     "chat.failure.bad_address",
	Unreachable:    "chat.failure.unreachable",
	UnknownHost:    "chat.failure.unknown_host",
	BadCertificate: "chat.failure.bad_certificate",
	NotTLS:         "chat.failure.not_tls",
	WantsTLS:       "chat.failure.wants_tls",
	WrongKey:       "chat.failure.wrong_key",
	Forbidden:      "chat.failure.forbidden",
	NotFound:       "chat.failure.not_found",
	NoSocket:       "chat.failure.no_socket",
	UnknownModel:   "chat.failure.unknown_model",
	TooLong:        "chat.failure.too_long",
	NoImages:       "chat.failure.no_images",
	SettingRefused: "chat.failure.setting_refused",
	RateLimited:    "chat.failure.rate_limited",
	Refused:        "chat.failure.refused",
	ServerFailed:   "chat.failure.server_failed",
	Redirected:     "chat.failure.redirected",
	NotAnAPI:       "chat.failure.not_an_api",
	Garbled:        "chat.failure.garbled",
	CutOff:         "chat.failure.cut_off",
	Stalled:        "chat.failure.stalled",
	ProviderError:  "chat.failure.provider_error",
	Other:          "chat.failure.failed",
}

// Plain says to the person, in one sentence with the provider's words behind it, what happened and what to change.
func (f *Failure) Plain(w *lang.Words) string {
	sentence := f.sentence(w)
	if f.Detail == "" {
		return sentence
	}
	return sentence + " (" + f.Detail + ")"
}

func (f *Failure) sentence(w *lang.Words) string {
	host := f.Host
	if host == "" {
		host = w.Text("chat.failure.some_server")
	}
	sentence := w.Text(f.key(), lang.Args{"host": host, "model": f.Model, "setting": f.Setting, "status": f.Status, "wait": wait(w, f.RetryAfter)})
	if f.Host == "" {
		first, size := utf8.DecodeRuneInString(sentence)
		sentence = string(unicode.ToUpper(first)) + sentence[size:]
	}
	return sentence
}

func (f *Failure) key() lang.Key {
	switch {
	case f.Reason == UnknownModel && f.Model == "":
		return "chat.failure.model_missing"
	case f.Reason == RateLimited && f.RetryAfter > 0:
		return "chat.failure.rate_limited_wait"
	case f.Reason == ServerFailed && f.RetryAfter > 0:
		return "chat.failure.server_failed_wait"
	}
	if key, ok := failureWords[f.Reason]; ok {
		return key
	}
	return failureWords[Other]
}

// wait is a time to wait in whole seconds, and in minutes where it is long.
func wait(w *lang.Words, d time.Duration) string {
	if d > 2*time.Minute {
		return w.Text("chat.failure.minutes", lang.Args{lang.Count: int((d + time.Minute - 1) / time.Minute)})
	}
	return w.Text("chat.failure.seconds", lang.Args{lang.Count: int((d + time.Second - 1) / time.Second)})
}

// markers are the user content of turns that nobody typed: what happened, from the person's side, never how to react.
// A name that ends in a dot or an underscore stands for its family.
var markers = map[string]lang.Key{
	protocol.TapBored:               "chat.marker.proactive_tap_bored",
	protocol.HeadPat:                "chat.marker.proactive_head_pat",
	protocol.DragHeld:               "chat.marker.proactive_drag_held",
	protocol.WindowSit:              "chat.marker.proactive_window_sit",
	protocol.PeekPlaced:             "chat.marker.proactive_peek",
	protocol.Dropped:                "chat.marker.proactive_dropped",
	protocol.AppSwitched:            "chat.marker.proactive_screen_app_switched",
	protocol.LongSession:            "chat.marker.proactive_screen_long_session",
	"agent.done":                    "chat.marker.agent_done",
	"agent.needs_input":             "chat.marker.agent_needs_input",
	"agent.catchup":                 "chat.marker.agent_catchup",
	"signals.push":                  "chat.marker.signals_push",
	"signals.batch":                 "chat.marker.signals_batch",
	"signals.catchup":               "chat.marker.signals_catchup",
	"time_milestone.first_activity": "chat.marker.time_milestone_first_activity",
	protocol.Proactive + "touch_":   "chat.marker.proactive_touch",
	protocol.Proactive:              "chat.marker.proactive",
	"schedule.":                     "chat.marker.schedule",
	"":                              "chat.marker.something",
}

// maxName and maxNames bound whom a marker names (docs/rules/chat.md#context-lines).
const (
	maxName  = 40
	maxNames = 8
)

// marker gives the line for an event, by its family where it has none of its own. names are filled in where it names
// anybody.
func marker(w *lang.Words, event string, names ...string) string {
	return w.Text(markerOf(event), lang.Args{"names": listNames(names)})
}

func markerOf(event string) lang.Key {
	if m, ok := markers[event]; ok {
		return m
	}
	for _, family := range []string{protocol.Proactive + "touch_", protocol.Proactive, "schedule."} {
		if strings.HasPrefix(event, family) {
			return markers[family]
		}
	}
	return markers[""]
}

// listNames joins foreign names, each clamped; brackets of their own cannot end the marker.
func listNames(names []string) string {
	var list []string
	for _, n := range names {
		if n = strings.Trim(cleanTo(n, maxName), "()[]（）"); n == "" {
			continue
		}
		if len(list) == maxNames {
			list[maxNames-1] = "…"
			break
		}
		list = append(list, n)
	}
	if len(list) == 0 {
		return "…"
	}
	return strings.Join(list, ", ")
}
