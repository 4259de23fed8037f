// Package ingress is the door by which other programs on this computer reach the pet: HTTP on a listener on
// 127.0.0.1 and over a Unix socket that somebody else accepts, off by default (docs/rules/chat.md#ingress).
//
// Coding agents report to /agent-event and anything else to /signals; what they say becomes turns that nobody typed.
// While the person is away, or the pet is busy, reports wait in small buffers and come as one catch-up turn. Under
// /avatar/ another program sees where the pet is and moves it.
//
// Whatever arrives is data of strangers: it is capped, cleaned of what does not show, and written into lines that it
// can neither leave nor forge. There is no token: a peer has to be a program of the same user (see owner.go), and a browser
// is kept out by the Host, Origin, Sec-Fetch-Site and content type that a page cannot choose.
package ingress
