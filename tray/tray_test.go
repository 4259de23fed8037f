//go:build !windows && !darwin

package tray

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log"
	"os"
	"strings"
	"testing"
	"time"

	"yui/assets/lang"
	"yui/platform/desktoptest"
)

const limit = 10 * time.Second

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard) // the library reports every row of a menu that it cannot tell a dead bus
	os.Exit(m.Run())
}

func icon(t testing.TB) []byte {
	picture := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for i := range 32 * 32 {
		picture.Set(i%32, i/32, color.NRGBA{0xf0, 0x60, 0x90, 0xff})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func example() Menu {
	return Menu{
		Pets:     []Pet{{"yui", "Yui", true}},
		Presets:  []Preset{{"yui", "Yui · warm", true}, {"momo", "Momo", false}},
		Switches: switches("Relations", "Browser", "Screen look"),
	}
}

// switches have these labels; the first is on.
func switches(labels ...string) (list []Switch) {
	for i, l := range labels {
		list = append(list, Switch{ID: "the " + l, Label: l, On: i == 0})
	}
	return list
}

func run(t *testing.T, d *desktoptest.Desktop, m Menu) (*Tray, chan Intent) {
	t.Helper()
	d.Setenv(t)
	intents := make(chan Intent, 100)
	tray := Run(context.Background(), icon(t), m, func(i Intent) { intents <- i })
	t.Cleanup(tray.Close)
	return tray, intents
}

func state(t *testing.T, tray *Tray, want bool, reason string) {
	t.Helper()
	desktoptest.WaitFor(t, limit, fmt.Sprintf("registered %v (%s)", want, reason), func() bool {
		got, why := tray.State()
		return got == want && strings.Contains(why, reason)
	})
}

// readsMenus skips where the race detector would find the library's own race.
func readsMenus(t *testing.T) {
	t.Helper()
	if menusRace {
		t.Skip("runs in TestMenusWithoutRaceDetector")
	}
}

func item(t *testing.T, d *desktoptest.Desktop) desktoptest.TrayItem {
	t.Helper()
	client, err := d.TrayClient()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	found, err := client.WaitItem(limit)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func next(t *testing.T, intents <-chan Intent) Intent {
	t.Helper()
	select {
	case i := <-intents:
		return i
	case <-time.After(limit):
		t.Fatal("no intent")
		return Intent{}
	}
}

// shape draws a menu as text.
func shape(n desktoptest.MenuNode, indent string) string {
	var b strings.Builder
	for _, c := range n.Children {
		if !c.Visible {
			continue
		}
		mark := ""
		switch {
		case c.Separator:
			mark = "--"
		case c.Checkbox && c.Checked:
			mark = "[x] "
		case c.Checkbox:
			mark = "[ ] "
		}
		b.WriteString(indent + mark + c.Label + "\n" + shape(c, indent+"  "))
	}
	return b.String()
}

func menuText(t *testing.T, i desktoptest.TrayItem) string {
	t.Helper()
	menu, err := i.Menu()
	if err != nil {
		t.Fatal(err)
	}
	return shape(menu, "")
}

func TestMenuOverTheBus(t *testing.T) {
	readsMenus(t)
	d := desktoptest.Start(t, desktoptest.Options{WM: "none", Tray: desktoptest.TrayWatcher})
	tray, intents := run(t, d, example())
	state(t, tray, true, "")
	i := item(t, d)
	for name, want := range map[string]any{"Status": "Active", "Title": "YUI", "ItemIsMenu": true} {
		if got, err := i.Property(name); got != want || err != nil {
			t.Errorf("%s is %v, want %v: %v", name, got, want, err)
		}
	}
	want := `Hide Yui
--
Presets
  [x] Yui · warm
  [ ] Momo
Characters…
--
[x] Relations
Relations…
[ ] Browser
[ ] Screen look
--
Reset position
Settings…
--
Quit
`
	if got := menuText(t, i); got != want {
		t.Errorf("menu:\n%swant:\n%s", got, want)
	}
	clicks := []struct {
		path []string
		want Intent
	}{
		{[]string{"Hide Yui"}, Intent{TogglePet, "yui", false}},
		{[]string{"Presets", "Yui · warm"}, Intent{TogglePreset, "yui", false}},
		{[]string{"Presets", "Momo"}, Intent{TogglePreset, "momo", true}},
		{[]string{"Characters…"}, Intent{Action: OpenPresets}},
		{[]string{"Relations"}, Intent{SetSwitch, "the Relations", false}},
		{[]string{"Relations…"}, Intent{Action: OpenRelations}},
		{[]string{"Browser"}, Intent{SetSwitch, "the Browser", true}},
		{[]string{"Screen look"}, Intent{SetSwitch, "the Screen look", true}},
		{[]string{"Reset position"}, Intent{Action: ResetPosition}},
		{[]string{"Settings…"}, Intent{Action: OpenSettings}},
		{[]string{"Quit"}, Intent{Action: Quit}},
	}
	for _, c := range clicks {
		if err := i.Click(c.path...); err != nil {
			t.Error(err)
			continue
		}
		if got := next(t, intents); got != c.want {
			t.Errorf("%v: %v, want %v", c.path, got, c.want)
		}
	}
	if got := menuText(t, i); got != want {
		t.Errorf("a click alone changed the menu:\n%s", got)
	}
}

func TestUpdateBothWays(t *testing.T) {
	readsMenus(t)
	d := desktoptest.Start(t, desktoptest.Options{WM: "none", Tray: desktoptest.TrayWatcher})
	m := example()
	tray, intents := run(t, d, m)
	i := item(t, d)
	for on := range 4 {
		m.Switches[1].On = on%2 == 0
		tray.Update(m)
		desktoptest.WaitFor(t, limit, "the mark", func() bool {
			return strings.Contains(menuText(t, i), "[ ] Browser") != m.Switches[1].On
		})
		if err := i.Click("Browser"); err != nil {
			t.Fatal(err)
		}
		if got := next(t, intents); got.On == m.Switches[1].On {
			t.Errorf("%v where it is %v", got, m.Switches[1].On)
		}
	}
	m.Switches = append(switches("関係", "ブラウザ", "画面を見る"), Switch{"the camera", "カメラ", true}) // one more than at first
	m.Pets = append(m.Pets, Pet{"a_b", "A_B\n", false})
	m.Presets = []Preset{{"yui", "Yui · close", true}}
	m.Words = lang.In("ja")
	tray.Update(m)
	want := `Yui を隠す
A__B を表示
--
プリセット
  [x] Yui · close
キャラクター…
--
[x] 関係
関係を見る…
[ ] ブラウザ
[ ] 画面を見る
[x] カメラ
--
位置を戻す
設定…
--
YUI を終了
`
	desktoptest.WaitFor(t, limit, "the other menu", func() bool { return menuText(t, i) == want })
	if err := i.Click("A__B を表示"); err != nil {
		t.Fatal(err)
	}
	if got := next(t, intents); got != (Intent{TogglePet, "a_b", true}) {
		t.Error(got)
	}
}

func TestManyPetsAndPresets(t *testing.T) {
	readsMenus(t)
	d := desktoptest.Start(t, desktoptest.Options{WM: "none", Tray: desktoptest.TrayWatcher})
	var m Menu
	for n := range 30 {
		m.Pets = append(m.Pets, Pet{fmt.Sprint("p", n), fmt.Sprint("Pet ", n), true})
		m.Presets = append(m.Presets, Preset{fmt.Sprint("p", n), fmt.Sprint("Pet ", n), true})
	}
	tray, intents := run(t, d, m)
	i := item(t, d)
	desktoptest.WaitFor(t, limit, "all pets", func() bool { return strings.Count(menuText(t, i), "Hide Pet") == 30 })
	if err := i.Click("More pets", "Hide Pet 29"); err != nil {
		t.Fatal(err)
	}
	if got := next(t, intents); got.ID != "p29" {
		t.Error(got)
	}
	m.Pets, m.Presets = m.Pets[:1], nil
	tray.Update(m)
	desktoptest.WaitFor(t, limit, "one pet", func() bool {
		text := menuText(t, i)
		return strings.Count(text, "Pet") == 1 && !strings.Contains(text, "More")
	})
}

// A burst of clicks loses none, however slow the one who receives them.
func TestNoClickIsLost(t *testing.T) {
	readsMenus(t)
	d := desktoptest.Start(t, desktoptest.Options{WM: "none", Tray: desktoptest.TrayWatcher})
	d.Setenv(t)
	intents := make(chan Intent)
	tray := Run(t.Context(), icon(t), example(), func(i Intent) { time.Sleep(5 * time.Millisecond); intents <- i })
	t.Cleanup(tray.Close)
	i := item(t, d)
	menu, err := i.Menu()
	if err != nil {
		t.Fatal(err)
	}
	row, ok := menu.Find("Settings…")
	if !ok {
		t.Fatalf("no row in %+v", menu)
	}
	for range 12 {
		if err := i.ClickID(row.ID); err != nil {
			t.Fatal(err)
		}
	}
	for range 12 {
		next(t, intents)
	}
}

func TestHostComesLaterAndRestarts(t *testing.T) {
	readsMenus(t)
	for _, host := range []string{desktoptest.TrayWatcher, desktoptest.TrayPanel} {
		t.Run(host, func(t *testing.T) {
			d := desktoptest.Start(t, desktoptest.Options{Tray: host})
			d.KillTray()
			tray, intents := run(t, d, example())
			state(t, tray, false, "no tray host")
			for range 2 {
				if err := d.StartTray(t.Context()); err != nil {
					t.Fatal(err)
				}
				state(t, tray, true, "")
				i := item(t, d)
				if err := i.Click("Browser"); err != nil {
					t.Fatal(err)
				}
				if got := next(t, intents); got.ID != "the Browser" {
					t.Error(got)
				}
				d.KillTray()
				state(t, tray, false, "no tray host")
			}
		})
	}
}

func TestBusIsKilledAndComesBack(t *testing.T) {
	readsMenus(t)
	d := desktoptest.Start(t, desktoptest.Options{WM: "none", Tray: desktoptest.TrayWatcher})
	m := example()
	tray, intents := run(t, d, m)
	state(t, tray, true, "")
	d.KillTray()
	d.KillBus()
	state(t, tray, false, "no session bus")
	m.Switches[1].On = true
	tray.Update(m)
	if err := d.StartBus(t.Context()); err != nil {
		t.Fatal(err)
	}
	state(t, tray, false, "no tray host")
	if err := d.StartTray(t.Context()); err != nil {
		t.Fatal(err)
	}
	state(t, tray, true, "")
	i := item(t, d)
	if text := menuText(t, i); !strings.Contains(text, "[x] Browser") {
		t.Errorf("menu after the bus came back:\n%s", text)
	}
	if err := i.Click("Quit"); err != nil {
		t.Fatal(err)
	}
	if got := next(t, intents); got.Action != Quit {
		t.Error(got)
	}
}

func TestNoBusAtAll(t *testing.T) {
	for name, address := range map[string]string{"unset": "", "nobody listens": "unix:path=/nonexistent/bus", "nonsense": "what"} {
		t.Run(name, func(t *testing.T) {
			if address == "" {
				if _, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid())); err == nil {
					t.Skip("this machine has a session bus that is found without the variable")
				}
			}
			t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
			t.Setenv("PATH", "/nonexistent") // no dbus-launch
			tray := Run(t.Context(), icon(t), example(), func(Intent) {})
			tray.Update(example())
			state(t, tray, false, "no session bus")
			tray.Close()
			tray.Close()
			state(t, tray, false, "closed")
		})
	}
}

// The bus refuses a connection (another user's bus, as under sudo).
func TestBusRefuses(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{WM: "none"})
	d.Setenv(t)
	if err := os.Chmod(strings.TrimPrefix(d.BusAddr, "unix:path="), 0); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", d.BusAddr+",guid=00000000000000000000000000000000")
	}
	tray := Run(t.Context(), icon(t), example(), func(Intent) {})
	tray.Update(example())
	desktoptest.WaitFor(t, limit, "a reason", func() bool { _, why := tray.State(); return why != "starting" })
	tray.Close()
}

func TestCloseInEachState(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{WM: "none", Tray: desktoptest.TrayWatcher})
	client, err := d.TrayClient()
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	t.Run("at once", func(t *testing.T) {
		tray, _ := run(t, d, example())
		tray.Close()
	})
	t.Run("registered", func(t *testing.T) {
		tray, _ := run(t, d, example())
		state(t, tray, true, "")
		tray.Close()
		desktoptest.WaitFor(t, limit, "the icon to go", func() bool { return len(client.Items()) == 0 })
	})
	t.Run("host gone", func(t *testing.T) {
		tray, _ := run(t, d, example())
		state(t, tray, true, "")
		d.KillTray()
		state(t, tray, false, "no tray host")
		tray.Close()
	})
	t.Run("bus gone", func(t *testing.T) {
		tray, _ := run(t, d, example())
		state(t, tray, false, "no tray host")
		d.KillBus()
		state(t, tray, false, "no session bus")
		tray.Close()
	})
}

func TestItemsForThePetsOwnMenu(t *testing.T) {
	items := example().Items()
	if len(items) != 14 || items[0].Intent != (Intent{TogglePet, "yui", false}) || len(items[2].Children) != 2 {
		t.Errorf("%+v", items)
	}
	long := Menu{Pets: []Pet{{"x", strings.Repeat("あ", 100) + "\xff", false}}}.Items()[0].Label
	if n := len([]rune(long)); n > 70 || !strings.HasSuffix(long, "…") {
		t.Errorf("%d runes: %q", n, long)
	}
}

// A real panel shows the icon, and its menu opens with the presets in it, also after the panel restarted.
func TestPanelShowsIcon(t *testing.T) {
	readsMenus(t)
	d := desktoptest.Start(t, desktoptest.Options{Tray: desktoptest.TrayPanel, Wallpaper: "#406080"})
	tray, intents := run(t, d, example())
	for round := range 2 {
		state(t, tray, true, "")
		var x, y int
		desktoptest.WaitFor(t, limit, "the icon on the panel", func() bool {
			picture, err := d.Screenshot()
			if err != nil {
				return false
			}
			for y = 770; y < 800; y++ {
				for x = 0; x < 1280; x++ {
					if picture.RGBAAt(x, y) == (color.RGBA{0xf0, 0x60, 0x90, 0xff}) {
						return true
					}
				}
			}
			return false
		})
		d.Click(x+5, y+5, 1)
		desktoptest.WaitFor(t, limit, "the menu", func() bool { at := d.WindowAt(x-20, y-60); return at != 0 })
		d.Picture(t, fmt.Sprint("tray-menu-", round))
		d.Key(0xff54) // Down: the first row
		d.Key(0xff0d) // Return
		if got := next(t, intents); got.Action != TogglePet {
			t.Error(got)
		}
		d.Click(x+5, y+5, 1)
		time.Sleep(500 * time.Millisecond)
		d.Key(0xff54)
		d.Key(0xff54)
		d.Key(0xff53) // Right: into the presets
		time.Sleep(500 * time.Millisecond)
		d.Picture(t, fmt.Sprint("tray-presets-", round))
		d.Key(0xff0d)
		if got := next(t, intents); got.Action != TogglePreset {
			t.Error(got)
		}
		if round == 0 {
			d.KillTray()
			state(t, tray, false, "no tray host")
			if err := d.StartTray(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}
