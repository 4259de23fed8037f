//go:build linux || freebsd || netbsd || openbsd

// Package xerror sets Xlib's error handler. It is a package of its own so that its cgo part is built once.
package xerror

// #cgo LDFLAGS: -lX11
// #include <X11/Xlib.h>
// static int goOn(Display *d, XErrorEvent *e) { return 0; }
// static void install(void) { XSetErrorHandler(goOn); }
import "C"

// Install replaces Xlib's default handler, which ends the process, by one that goes on. GLFW traps errors
// around few of its calls only; a paste requestor or a drop source that dies would end YUI (docs/rules/desktop.md#faults-of-x).
// Call it once, after glfw.Init.
func Install() { C.install() }
