//go:build !windows && !darwin

package platform

import (
	"fmt"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// atoms are the names of ICCCM, EWMH and GTK that this package reads, interned once.
type atoms struct {
	clientList, clientListStacking, activeWindow, currentDesktop, desktopViewport, workArea, gtkWorkAreas xproto.Atom
	supportingWMCheck, wmDesktop, wmState, wmName, wmPID, wmStrut, wmStrutPartial                         xproto.Atom
	frameExtents, gtkFrameExtents, windowType, utf8String, compoundText, icccmState                       xproto.Atom
	stateHidden, stateFullscreen, stateShaded, resourceManager, clientMachine                             xproto.Atom
	typeDesktop, typeDock, typeMenu, typeDropdown, typePopup, typeTooltip, typeNotify                     xproto.Atom
	typeCombo, typeDND, typeSplash, typeToolbar, compositorSelection                                      xproto.Atom
	typeNormal, typeDialog, typeUtility                                                                   xproto.Atom
}

func internAtoms(conn *xgb.Conn, screen int) (*atoms, error) {
	a := &atoms{}
	names := []struct {
		name string
		into *xproto.Atom
	}{
		{"_NET_CLIENT_LIST", &a.clientList}, {"_NET_CLIENT_LIST_STACKING", &a.clientListStacking},
		{"_NET_ACTIVE_WINDOW", &a.activeWindow}, {"_NET_CURRENT_DESKTOP", &a.currentDesktop},
		{"_NET_DESKTOP_VIEWPORT", &a.desktopViewport},
		{"_NET_WORKAREA", &a.workArea}, {"_GTK_WORKAREAS_D0", &a.gtkWorkAreas},
		{"_NET_SUPPORTING_WM_CHECK", &a.supportingWMCheck}, {"_NET_WM_DESKTOP", &a.wmDesktop},
		{"_NET_WM_STATE", &a.wmState}, {"_NET_WM_NAME", &a.wmName}, {"_NET_WM_PID", &a.wmPID},
		{"_NET_WM_STRUT", &a.wmStrut}, {"_NET_WM_STRUT_PARTIAL", &a.wmStrutPartial},
		{"_NET_FRAME_EXTENTS", &a.frameExtents}, {"_GTK_FRAME_EXTENTS", &a.gtkFrameExtents},
		{"_NET_WM_WINDOW_TYPE", &a.windowType}, {"UTF8_STRING", &a.utf8String}, {"COMPOUND_TEXT", &a.compoundText},
		{"WM_STATE", &a.icccmState}, {"_NET_WM_STATE_HIDDEN", &a.stateHidden},
		{"_NET_WM_STATE_FULLSCREEN", &a.stateFullscreen}, {"_NET_WM_STATE_SHADED", &a.stateShaded},
		{"RESOURCE_MANAGER", &a.resourceManager}, {"WM_CLIENT_MACHINE", &a.clientMachine},
		{"_NET_WM_WINDOW_TYPE_DESKTOP", &a.typeDesktop}, {"_NET_WM_WINDOW_TYPE_DOCK", &a.typeDock},
		{"_NET_WM_WINDOW_TYPE_MENU", &a.typeMenu}, {"_NET_WM_WINDOW_TYPE_DROPDOWN_MENU", &a.typeDropdown},
		{"_NET_WM_WINDOW_TYPE_POPUP_MENU", &a.typePopup}, {"_NET_WM_WINDOW_TYPE_TOOLTIP", &a.typeTooltip},
		{"_NET_WM_WINDOW_TYPE_NOTIFICATION", &a.typeNotify}, {"_NET_WM_WINDOW_TYPE_COMBO", &a.typeCombo},
		{"_NET_WM_WINDOW_TYPE_DND", &a.typeDND}, {"_NET_WM_WINDOW_TYPE_SPLASH", &a.typeSplash},
		{"_NET_WM_WINDOW_TYPE_TOOLBAR", &a.typeToolbar},
		{"_NET_WM_WINDOW_TYPE_NORMAL", &a.typeNormal}, {"_NET_WM_WINDOW_TYPE_DIALOG", &a.typeDialog},
		{"_NET_WM_WINDOW_TYPE_UTILITY", &a.typeUtility},
		{fmt.Sprintf("_NET_WM_CM_S%d", screen), &a.compositorSelection},
	}
	cookies := make([]xproto.InternAtomCookie, len(names))
	for i, n := range names {
		cookies[i] = xproto.InternAtom(conn, false, uint16(len(n.name)), n.name)
	}
	for i, n := range names {
		reply, err := cookies[i].Reply()
		if err != nil {
			return nil, fmt.Errorf("intern atom %s: %w", n.name, err)
		}
		*n.into = reply.Atom
	}
	return a, nil
}

// kind is what a window is. It names types in the order of its preference, some of them known to one desktop only: the
// first that EWMH has counts, 0 if none is.
func (a *atoms) kind(types []uint32) xproto.Atom {
	for _, t := range types {
		switch kind := xproto.Atom(t); {
		case kind == 0: // an atom that was not interned
		case a.passing(kind), kind == a.typeNormal, kind == a.typeDialog, kind == a.typeUtility:
			return kind
		}
	}
	return 0
}

// passing are the window types that are no place to sit and nothing that a person works in.
func (a *atoms) passing(kind xproto.Atom) bool {
	switch kind {
	case a.typeDesktop, a.typeDock, a.typeMenu, a.typeDropdown, a.typePopup, a.typeTooltip, a.typeNotify, a.typeCombo,
		a.typeDND, a.typeSplash, a.typeToolbar:
		return true
	}
	return false
}

// property limits: what is longer is cut by the server, never read whole.
const (
	titleWords = 600  // 2400 bytes: 512 runes of up to four bytes, and some
	nameWords  = 128  // WM_CLASS and the like
	listWords  = 8192 // window lists
)

func ask(conn *xgb.Conn, w xproto.Window, property xproto.Atom, words uint32) xproto.GetPropertyCookie {
	return xproto.GetProperty(conn, false, w, property, xproto.GetPropertyTypeAny, 0, words)
}

// numbers reads a reply of format 32; none if the property is missing or of another format.
func numbers(reply *xproto.GetPropertyReply) []uint32 {
	if reply == nil || reply.Format != 32 {
		return nil
	}
	out := make([]uint32, 0, len(reply.Value)/4)
	for v := reply.Value; len(v) >= 4; v = v[4:] {
		out = append(out, xgb.Get32(v))
	}
	return out
}

func first(values []uint32) uint32 {
	if len(values) == 0 {
		return 0
	}
	return values[0]
}

func (x *x11) rootNumbers(property xproto.Atom) []uint32 {
	reply, err := ask(x.conn, x.root, property, listWords).Reply()
	if err != nil {
		return nil // the root window has no way to refuse but a lost connection, which ends the loop
	}
	return numbers(reply)
}
