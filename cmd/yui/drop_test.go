package main_test

import (
	"encoding/base64"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"yui/platform/desktoptest"
	"yui/platform/xconn"
)

// fileSource is a window from which files are dragged, as a file manager's: it speaks XDND 5 and follows the real mouse.
type fileSource struct {
	conn  *xgb.Conn
	root  xproto.Window
	id    xproto.Window
	atoms map[string]xproto.Atom
	list  []byte // text/uri-list

	over     xproto.Window
	accepted bool
	ended    chan bool // whether the target took what was dropped
}

const xdndVersion = 5

// dragFiles drags files onto a place of the desktop and tells whether whoever is there took them.
func dragFiles(t *testing.T, desk *desktoptest.Desktop, x, y int, files ...string) bool {
	t.Helper()
	conn, err := xconn.Dial(desk.Display)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	s := &fileSource{conn: conn, root: xproto.Setup(conn).DefaultScreen(conn).Root, atoms: map[string]xproto.Atom{}, ended: make(chan bool, 1)}
	for _, f := range files {
		s.list = append(s.list, (&url.URL{Scheme: "file", Path: f}).String()+"\r\n"...)
	}
	if err := s.open(); err != nil {
		t.Fatal(err)
	}
	go s.serve()
	desk.Drag(40, 40, x, y, 10)
	taken := false
	desktoptest.WaitFor(t, settleWait, "the end of the drag", func() bool {
		select {
		case taken = <-s.ended:
			return true
		default:
			return false
		}
	})
	return taken
}

func (s *fileSource) atom(name string) xproto.Atom {
	if _, has := s.atoms[name]; !has {
		r, err := xproto.InternAtom(s.conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			return xproto.AtomNone
		}
		s.atoms[name] = r.Atom
	}
	return s.atoms[name]
}

func (s *fileSource) open() (err error) {
	if s.id, err = xproto.NewWindowId(s.conn); err != nil {
		return err
	}
	const events = xproto.EventMaskButtonPress | xproto.EventMaskButtonRelease | xproto.EventMaskButtonMotion
	if err := xproto.CreateWindowChecked(s.conn, 0, s.id, s.root, 20, 20, 60, 40, 0, xproto.WindowClassInputOutput, 0,
		xproto.CwBackPixel|xproto.CwOverrideRedirect|xproto.CwEventMask, []uint32{0xF2C14E, 1, events}).Check(); err != nil {
		return err
	}
	if err := xproto.SetSelectionOwnerChecked(s.conn, s.id, s.atom("XdndSelection"), xproto.TimeCurrentTime).Check(); err != nil {
		return err
	}
	return xproto.MapWindowChecked(s.conn, s.id).Check()
}

func (s *fileSource) serve() {
	for {
		event, err := s.conn.WaitForEvent()
		if event == nil && err == nil {
			return // closed
		}
		switch e := event.(type) {
		case xproto.MotionNotifyEvent:
			s.move(e.RootX, e.RootY, e.Time)
		case xproto.ButtonReleaseEvent:
			s.move(e.RootX, e.RootY, e.Time)
			if s.over == 0 {
				s.ended <- false
				return
			}
			s.tell("XdndDrop", 0, uint32(e.Time))
		case xproto.SelectionRequestEvent:
			s.hand(e)
		case xproto.ClientMessageEvent:
			switch e.Type {
			case s.atom("XdndStatus"):
				s.accepted = e.Data.Data32[1]&1 != 0
			case s.atom("XdndFinished"):
				s.ended <- s.accepted && e.Data.Data32[1] != 0
				return
			}
		}
	}
}

// move tells whoever is under the pointer.
func (s *fileSource) move(x, y int16, at xproto.Timestamp) {
	if w := s.awareAt(x, y); w != s.over {
		if s.over != 0 {
			s.tell("XdndLeave")
		}
		if s.over = w; w != 0 {
			s.tell("XdndEnter", xdndVersion<<24, uint32(s.atom("text/uri-list")))
		}
	}
	if s.over != 0 {
		s.tell("XdndPosition", 0, uint32(x)<<16|uint32(y), uint32(at), uint32(s.atom("XdndActionCopy")))
	}
}

// awareAt is the window below a point that takes drops.
func (s *fileSource) awareAt(x, y int16) xproto.Window {
	for w := s.root; ; {
		r, err := xproto.TranslateCoordinates(s.conn, s.root, w, x, y).Reply()
		if err != nil || r.Child == 0 {
			return 0
		}
		w = r.Child
		if p, err := xproto.GetProperty(s.conn, false, w, s.atom("XdndAware"), xproto.GetPropertyTypeAny, 0, 1).Reply(); err == nil && p.ValueLen > 0 {
			return w
		}
	}
}

func (s *fileSource) tell(message string, data ...uint32) {
	all := make([]uint32, 5)
	all[0] = uint32(s.id)
	copy(all[1:], data)
	e := xproto.ClientMessageEvent{Format: 32, Window: s.over, Type: s.atom(message), Data: xproto.ClientMessageDataUnionData32New(all)}
	xproto.SendEvent(s.conn, false, s.over, 0, string(e.Bytes()))
}

func (s *fileSource) hand(e xproto.SelectionRequestEvent) {
	answer := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target}
	if e.Target == s.atom("text/uri-list") {
		xproto.ChangeProperty(s.conn, xproto.PropModeReplace, e.Requestor, e.Property, e.Target, 8, uint32(len(s.list)), s.list)
		answer.Property = e.Property
	}
	xproto.SendEvent(s.conn, false, e.Requestor, 0, string(answer.Bytes()))
}

// testDroppedFiles drops cards on her by the mouse: a good one comes to the desktop, a bad one is told about.
func testDroppedFiles(t *testing.T, y *instance) {
	dir := filepath.Join(t.TempDir(), "my cards & models")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	card := `{"spec":"chara_card_v2","data":{"name":"Kaede \u202e\u3042","description":"{{char}} is a maple spirit."}}`
	good, bad, picture := filepath.Join(dir, "楓.json"), filepath.Join(dir, "bad.json"), filepath.Join(dir, "holiday.png")
	for file, data := range map[string][]byte{
		good: []byte(card), bad: []byte("[]"), picture: cardPNG("tEXt", "chara", base64.StdEncoding.EncodeToString([]byte(strings.ReplaceAll(card, "Kaede", "Ume")))),
	} {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	drop := func(files ...string) {
		t.Helper()
		x, at := belly(y.onFloor(0))
		if !dragFiles(t, y.desk, x, at, files...) {
			t.Errorf("%q was not taken", files)
		}
	}
	drop(good)
	y.waitState(settleWait, "the new one", func(s state) bool {
		return len(s.Presets) == 2 && s.Presets[1].Name == "Kaede あ" && s.Presets[1].Frames > 0
	})
	y.keep("a card was dropped")
	drop(bad, picture)
	y.waitState(settleWait, "the picture's character, and what is wrong with the other", func(s state) bool {
		return len(s.Presets) == 3 && s.Presets[2].Name == "Ume あ" && strings.Contains(s.Presets[0].Talk.Bubble, "bad.json: it holds no character card")
	})
	for _, p := range y.state().Presets[1:] {
		y.must("delete", p.ID)
	}
}
