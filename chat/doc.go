// Package chat is what one conversation is: a Session per pet, its turns, its transcript, the context lines and the
// playback clock. It knows a tool as "a name, a schema, a run" and a backend as a Transport; the concrete ones meet
// it in cmd/yui/app. Nothing here opens a window, a file of the store or a socket.
//
// A turn in data (docs/architecture.md#one-turn):
//
//	Session.Say -> context lines + transcript + schemas -> Transport.Stream -> Sink
//	  Speech -> filters, the [SILENT] gate -> the observer's Speech event and the Playback
//	  Call   -> its cue, then Tool.Run -> back to the model, at most MaxRoundTrips times
//	  done   -> transcript, record, "previous:" line
//
// Each turn is one goroutine and one context. A Session at rest holds none.
package chat
