// Package push is the Push transport: one WebSocket between a pet and a backend that speaks by itself, too. A turn's
// answer arrives as frames, and so do replies that nobody asked for; the tools that the backend calls are answered
// inside the stream. The frames are in schemas/, the rules in docs/wire.md.
//
// A Transport holds one connection. Open starts it, and from then on it keeps itself connected: every loss is followed
// by a further try, after 1 s and doubling to 30 s, but for close code 4401, a wrong key, after which nothing is tried
// until Settings is called. One goroutine owns the connection; turns run in their own; Close ends all of them.
package push
