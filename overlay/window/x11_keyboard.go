//go:build linux || freebsd || netbsd || openbsd

package window

import (
	"sync/atomic"

	"github.com/jezek/xgb/xproto"
)

// keyboard gives the focus back to the window that had it before one of ours took it. A window manager does so by
// itself when ours is unmapped; a bubble that stays after its input has closed would keep what is typed for itself.
type keyboard struct {
	x   *xside
	own xproto.Window
	was atomic.Uint32 // the window that had it, 0 where it is not known
}

// taken is to be called before own asks for the focus. It does not wait for the answer.
func (k *keyboard) taken() {
	cookie := k.x.askActive()
	go func() {
		if w := activeOf(cookie); w != k.own {
			k.was.Store(uint32(w))
		}
	}()
}

// giveBack returns it, unless the person has gone elsewhere by then. It does not wait.
func (k *keyboard) giveBack() {
	to := k.was.Swap(0)
	if to == 0 {
		return
	}
	cookie := k.x.askActive()
	go func() {
		if activeOf(cookie) == k.own {
			k.x.activate(xproto.Window(to), k.own)
		}
	}()
}

func (x *xside) askActive() xproto.GetPropertyCookie {
	return xproto.GetProperty(x.conn, false, x.root, x.atoms["_NET_ACTIVE_WINDOW"], xproto.AtomWindow, 0, 1)
}

// activeOf is the window that has the focus, 0 for none.
func activeOf(c xproto.GetPropertyCookie) xproto.Window {
	w, _ := windowIn(c)
	return w
}

// activate asks the window manager to give the focus to a window. Source 2 says that a person wants it: the word of an
// application would be weighed against times of use that are not ours to know.
func (x *xside) activate(w, from xproto.Window) {
	const byPerson = 2
	x.tell(w, "_NET_ACTIVE_WINDOW", byPerson, xproto.TimeCurrentTime, uint32(from))
}
