//go:build linux || freebsd || netbsd || openbsd

// Package xerror sets Xlib's error handler. It is a package of its own so that its cgo part is built once.
package xerror

// #cgo LDFLAGS: -lX11
// #include <X11/Xlib.h>
// #include <stdatomic.h>
// static atomic_long seen;
// static int note(Display *d, XErrorEvent *e) { atomic_fetch_add(&seen, 1); return 0; }
// static void install(void) { XSetErrorHandler(note); }
// static long count(void) { return atomic_load(&seen); }
import "C"

// Install replaces Xlib's default handler, which ends the process, by one that counts and goes on. GLFW traps errors
// around few of its calls only; a paste requestor or a drop source that dies would end YUI (docs/rules/desktop.md#faults-of-x).
// Call it once, after glfw.Init.
func Install() { C.install() }

// Count returns how many X errors came since Install.
func Count() int64 { return int64(C.count()) }
