//go:build linux || freebsd || netbsd || openbsd

package window

import (
	"unicode/utf8"
	"unsafe"

	"gioui.org/io/key"
	"github.com/go-gl/glfw/v3.3/glfw"

	"yui/overlay/xkey"
)

// listen hands what GLFW tells of a window to hear.
func listen(w *glfw.Window, hear func(Event)) {
	w.SetCharCallback(func(_ *glfw.Window, r rune) { hear(Typed{r}) })
	w.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, code int, a glfw.Action, m glfw.ModifierKey) {
		if name, ok := keyName(k, func() rune { return letter(k, code) }); ok {
			hear(Key{Name: name, Modifiers: modifiers(m), Down: a != glfw.Release})
		}
	})
	w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) { hear(Move{float32(x), float32(y)}) })
	w.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, a glfw.Action, _ glfw.ModifierKey) {
		if b <= glfw.MouseButtonMiddle {
			hear(Press{Button(b), a == glfw.Press}) // ours are in GLFW's order
		}
	})
	w.SetScrollCallback(func(_ *glfw.Window, dx, dy float64) { hear(Scroll{float32(dx), float32(dy)}) })
	w.SetCursorEnterCallback(func(w *glfw.Window, in bool) {
		x, y := w.GetCursorPos()
		hear(Cross{in, float32(x), float32(y)})
	})
	w.SetRefreshCallback(func(*glfw.Window) { hear(Exposed{}) })
	w.SetSizeCallback(func(*glfw.Window, int, int) { hear(Resized{}) })
	w.SetFocusCallback(func(_ *glfw.Window, in bool) { hear(Focus{in}) })
	w.SetDropCallback(func(_ *glfw.Window, paths []string) { hear(Drop{paths}) })
	w.SetCloseCallback(func(w *glfw.Window) { w.SetShouldClose(false) })
}

func modifiers(m glfw.ModifierKey) (all key.Modifiers) {
	for _, mod := range []struct {
		from glfw.ModifierKey
		to   key.Modifiers
	}{{glfw.ModControl, key.ModCtrl}, {glfw.ModShift, key.ModShift}, {glfw.ModAlt, key.ModAlt}, {glfw.ModSuper, key.ModSuper}} {
		if m&mod.from != 0 {
			all |= mod.to
		}
	}
	return all
}

// keyName translates GLFW's key tokens, which name places of the keyboard. Letters go to Gio only for shortcuts, so they
// are those that the layout has there; text comes by the char callback.
func keyName(k glfw.Key, letter func() rune) (key.Name, bool) {
	n, ok := map[glfw.Key]key.Name{
		glfw.KeyEnter: key.NameReturn, glfw.KeyKPEnter: key.NameEnter, glfw.KeyEscape: key.NameEscape, glfw.KeyTab: key.NameTab,
		glfw.KeyBackspace: key.NameDeleteBackward, glfw.KeyDelete: key.NameDeleteForward, glfw.KeyLeft: key.NameLeftArrow,
		glfw.KeyRight: key.NameRightArrow, glfw.KeyUp: key.NameUpArrow, glfw.KeyDown: key.NameDownArrow, glfw.KeyHome: key.NameHome,
		glfw.KeyEnd: key.NameEnd, glfw.KeyPageUp: key.NamePageUp, glfw.KeyPageDown: key.NamePageDown, glfw.KeySpace: key.NameSpace,
	}[k]
	if ok {
		return n, true
	}
	if l := letter(); l != 0 {
		return key.Name(l), true
	}
	return "", false
}

// letter is the Latin letter of a key: of the layout in use, else of another one that the person has (a Cyrillic layout
// beside a Latin one), else that of the place on an American keyboard. 0 for keys without one.
func letter(k glfw.Key, code int) rune {
	if name := []rune(glfw.GetKeyName(glfw.KeyUnknown, code)); len(name) == 1 {
		if name[0] < utf8.RuneSelf {
			return xkey.Latin(name[0]) // a layout of Latin letters: what is no letter in it is none
		}
	}
	if l := xkey.Letter(unsafe.Pointer(glfw.GetX11Display()), code); l != 0 {
		return l
	}
	if k >= glfw.KeyA && k <= glfw.KeyZ {
		return rune(k) // GLFW's tokens of letters are their ASCII
	}
	return 0
}
