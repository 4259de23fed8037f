//go:build linux || freebsd || netbsd || openbsd

#include <X11/Xlib.h>

// The linker sends every call of XFilterEvent here (xkey.go). GLFW 3.3 reports a key although an input method took it;
// a key that was taken is therefore made an event of no kind, which GLFW lets fall. What an input method does not want
// after all it sends back, as an event that is not filtered any more.
extern Bool __real_XFilterEvent(XEvent *event, Window window);

void xkeyReady(Display *display); // method.c

Bool __wrap_XFilterEvent(XEvent *event, Window window) {
	int key = event->type == KeyPress || event->type == KeyRelease;
	if (key)
		xkeyReady(event->xkey.display);
	Bool taken = __real_XFilterEvent(event, window);
	if (taken && key)
		event->type = 0;
	return taken;
}
