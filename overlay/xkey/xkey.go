//go:build linux || freebsd || netbsd || openbsd

// Package xkey is the part of the keyboard that GLFW leaves out: keys that an input method took, input methods that end,
// start anew or come late, and the letters of the layout. It is a package of its own so that its cgo part is built once.
// Linking it is enough for the first two.
package xkey

// #cgo LDFLAGS: -lX11 -Wl,--wrap=XFilterEvent -Wl,--wrap=XOpenIM -Wl,--wrap=XCloseIM -Wl,--wrap=XCreateIC -Wl,--wrap=XDestroyIC
// #cgo LDFLAGS: -Wl,--wrap=XGetICValues -Wl,--wrap=XSetICFocus -Wl,--wrap=XUnsetICFocus -Wl,--wrap=Xutf8LookupString
// #include <X11/XKBlib.h>
import "C"

import "unsafe"

// groups is how many layouts a keyboard of X has at most.
const groups = 4

// Letter is the Latin letter of a key, 'A' to 'Z', by the first of the keyboard's layouts that has one there; 0 for none.
// display is Xlib's. Call it on the thread that reads its events.
func Letter(display unsafe.Pointer, keycode int) rune {
	for g := range groups {
		sym := C.XkbKeycodeToKeysym((*C.Display)(display), C.KeyCode(keycode), C.int(g), 0)
		if l := Latin(rune(sym)); l != 0 { // a keysym of ASCII is its character
			return l
		}
	}
	return 0
}

// Latin is r as a capital letter of A to Z, 0 for anything else.
func Latin(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return r - 'a' + 'A'
	case r >= 'A' && r <= 'Z':
		return r
	}
	return 0
}
