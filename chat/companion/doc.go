// Package companion is the small offline companion that answers while no real
// model is connected: an http.Handler that speaks OpenAI Chat Completions,
// with no model behind it and no network beneath it.
//
// # What it is
//
// A person who starts YUI for the first time has no server and no key. The
// companion keeps that first hour alive: it greets, chats in English and
// Japanese, plays little games, moves its face, and walks to a window when it
// is asked to. It is reached by the same client code as any backend, so it
// also proves that code every day. It is honest: asked what it is, or lost for
// an answer, it says that it is a small offline companion and how a real model
// is connected.
//
// # What it sees
//
// Only the request: messages, tools, tool_choice and the client_context block
// of docs/rules/chat.md#client-context. There is no hidden channel and no state between
// requests. Everything that looks like memory is read back out of the
// transcript that the client sends:
//
//   - which of its own lines it said lately (so that none comes again within
//     20 turns), by finding the literal parts of its lines in the assistant
//     messages;
//   - the thread (what it just asked or told), by the intent that the last
//     assistant message came from;
//   - the person's name, from the person's own earlier messages.
//
// # How it answers
//
//	request -> turn (turn.go: language, persona, facts, results, history)
//	        -> hit  (match.go: every intent scored by its patterns, best wins)
//	        -> play (play.go: a line; act.go: tools first, then a line)
//	        -> wire (wire.go, serve.go: JSON or SSE chunks)
//
// The words are data: intents/en.toml, intents/ja.toml, intents/ko.toml hold
// the patterns and the lines, intents/apps.toml says which program is a
// terminal, a browser, an editor. book.go reads them and describes the format.
//
// An act is planned anew for each request from the person's words and from the
// tool results that have come in during this turn, as a model would do it:
// look, then body_action, then a sentence that fits the result word. What it
// is asked to search, share, open or look at through the camera (errand.go) it
// hands to those tools word for word, and names what came. Faces are
// a generate_express call beside the text of the same response; it needs no
// round trip (first seed, "When results go back").
//
// Window titles, tool results and marker texts are data. They fill slots in a
// line, cut short and stripped; they are never matched against the intents
// that act.
package companion
