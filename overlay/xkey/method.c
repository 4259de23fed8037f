//go:build linux || freebsd || netbsd || openbsd

#include <X11/Xlib.h>
#include <X11/Xresource.h>
#include <X11/Xutil.h>
#include <stdlib.h>

// The linker sends GLFW's calls of the input method here (xkey.go). GLFW 3.3 keeps what Xlib gave it for as long as it
// runs, but an input method's server may end before, start anew, or only be started later, and what Xlib gave is dangling
// then. So GLFW gets contexts of ours, behind which Xlib's come and go. While there is no server Xlib's own method stands in:
// letters of the layout and dead keys. Main thread only, as GLFW is.
typedef struct context {
	struct context *next;
	XIC real; // NULL while there is no method
	XIMStyle style;
	Window window;
	Bool focused;
} context;

static context *contexts;
static XIM method;     // NULL while there is none
static Bool local;     // it is Xlib's own, and a server is waited for
static Display *waits; // where Xlib tells of new servers, once there was none; it may not be asked to stop while it tells

extern XIM __real_XOpenIM(Display *display, XrmDatabase db, char *name, char *class);
extern Status __real_XCloseIM(XIM im);
extern XIC __real_XCreateIC(XIM im, ...);
extern void __real_XDestroyIC(XIC ic);
extern char *__real_XGetICValues(XIC ic, ...);
extern void __real_XSetICFocus(XIC ic);
extern void __real_XUnsetICFocus(XIC ic);
extern int __real_Xutf8LookupString(XIC ic, XKeyPressedEvent *event, char *buffer, int size, KeySym *sym, Status *status);

static void begin(Display *display, XPointer unused, XPointer unused2);

static void await(Display *display) {
	if (!waits && XRegisterIMInstantiateCallback(display, NULL, NULL, NULL, begin, NULL))
		waits = display;
}

// lost is told by Xlib, which frees the method and its contexts itself.
static void lost(XIM im, XPointer display, XPointer unused) {
	method = NULL;
	for (context *c = contexts; c; c = c->next)
		c->real = NULL;
	await((Display *)display);
}

// openMethod opens the server's method, NULL where there is none.
static void openMethod(Display *display) {
	method = __real_XOpenIM(display, NULL, NULL, NULL);
	local = False;
	if (!method)
		return;
	XIMCallback gone = {(XPointer)display, lost};
	XSetIMValues(method, XNDestroyCallback, &gone, NULL);
}

static void attach(context *c) {
	c->real = __real_XCreateIC(method, XNInputStyle, c->style, XNClientWindow, c->window, XNFocusWindow, c->window, NULL);
	if (c->real && c->focused)
		__real_XSetICFocus(c->real);
}

static void attachAll(void) {
	for (context *c = contexts; method && c; c = c->next)
		attach(c);
}

// openLocal opens Xlib's own method.
static void openLocal(Display *display) {
	XSetLocaleModifiers("@im=none");
	method = __real_XOpenIM(display, NULL, NULL, NULL);
	XSetLocaleModifiers(""); // what the person's environment says, for the next server
	local = method != NULL;
}

// closeLocal ends Xlib's own method, which a server's takes the place of.
static void closeLocal(void) {
	for (context *c = contexts; c; c = c->next) {
		if (c->real)
			__real_XDestroyIC(c->real);
		c->real = NULL;
	}
	__real_XCloseIM(method);
	method = NULL;
	local = False;
}

// begin is told by Xlib when a server has come.
static void begin(Display *display, XPointer unused, XPointer unused2) {
	if (method && !local)
		return;
	if (method)
		closeLocal();
	openMethod(display);
	attachAll();
}

// xkeyReady is called before each key is filtered: whatever has gone, a method is there. One that goes is not replaced at
// once, since Xlib is still taking it apart when it tells.
void xkeyReady(Display *display) {
	if (method || !contexts)
		return;
	openLocal(display);
	attachAll();
}

// GLFW asks its method for the styles right after it opened it, and gives it only to XCreateIC and XCloseIM later.
XIM __wrap_XOpenIM(Display *display, XrmDatabase db, char *name, char *class) {
	openMethod(display);
	if (!method) {
		await(display);
		if (!method) // none has come just now
			openLocal(display);
	}
	return method;
}

Status __wrap_XCloseIM(XIM im) {
	if (waits)
		XUnregisterIMInstantiateCallback(waits, NULL, NULL, NULL, begin, NULL);
	waits = NULL;
	im = method;
	method = NULL;
	return im ? __real_XCloseIM(im) : 0;
}

// GLFW's arguments: the style, the client's window, the window that is focused, which is the same.
XIC __wrap_XCreateIC(XIM im, char *n1, XIMStyle style, char *n2, Window window, char *n3, Window focus, void *end) {
	context *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->style = style;
	c->window = window;
	c->next = contexts;
	contexts = c;
	if (method)
		attach(c);
	return (XIC)c;
}

char *__wrap_XGetICValues(XIC ic, char *name, unsigned long *value, void *end) {
	XIC real = ((context *)ic)->real;
	return real ? __real_XGetICValues(real, name, value, NULL) : name; // the name of what could not be had
}

void __wrap_XDestroyIC(XIC ic) {
	context *gone = (context *)ic;
	for (context **c = &contexts; *c; c = &(*c)->next)
		if (*c == gone) {
			*c = gone->next;
			break;
		}
	if (gone->real)
		__real_XDestroyIC(gone->real);
	free(gone);
}

void __wrap_XSetICFocus(XIC ic) {
	context *c = (context *)ic;
	c->focused = True;
	if (c->real)
		__real_XSetICFocus(c->real);
}

void __wrap_XUnsetICFocus(XIC ic) {
	context *c = (context *)ic;
	c->focused = False;
	if (c->real)
		__real_XUnsetICFocus(c->real);
}

int __wrap_Xutf8LookupString(XIC ic, XKeyPressedEvent *event, char *buffer, int size, KeySym *sym, Status *status) {
	XIC real = ((context *)ic)->real;
	if (real)
		return __real_Xutf8LookupString(real, event, buffer, size, sym, status);
	int n = XLookupString(event, buffer, size, sym, NULL); // in Latin-1
	unsigned char letter = n == 1 ? buffer[0] : 0;
	if (letter >= 0x80 && size > 1) {
		buffer[n++ - 1] = 0xC0 | letter >> 6;
		buffer[1] = 0x80 | (letter & 0x3F);
	}
	*status = n ? XLookupBoth : XLookupKeySym;
	return n;
}
