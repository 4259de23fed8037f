package tray

import (
	"context"
	"strings"
	"sync"

	"fyne.io/systray"
)

// rows is the library's menu. The library only appends, so rows are kept and shown or hidden, with spare ones where the
// menu grows in its middle. All methods belong to the goroutine that owns the tray.
type rows struct {
	pets     []*row // sparePets in the menu, further ones in more
	more     *row
	presets  *row
	manage   *row
	preset   []*row
	switches []*row
	others   []*row
	stop     context.CancelFunc // ends the receivers of clicks
	make     func(parent *systray.MenuItem, checkbox bool) *row
}

const sparePets = 12

// row is one entry and what it shows now.
type row struct {
	item *systray.MenuItem
	now  Item
	seen bool

	mu     sync.Mutex // a click comes from the library's goroutine
	intent Intent
}

// clickRoom holds clicks that come faster than their receiver wakes: the library drops a click that nobody waits for.
const clickRoom = 16

func (t *Tray) newRows(ctx context.Context) *rows {
	ctx, stop := context.WithCancel(ctx)
	r := &rows{stop: stop, make: func(parent *systray.MenuItem, checkbox bool) *row { return t.newRow(ctx, parent, checkbox) }}
	for range sparePets {
		r.pets = append(r.pets, r.make(nil, false))
	}
	r.more = r.make(nil, false)
	systray.AddSeparator()
	r.presets = r.make(nil, false)
	r.manage = r.make(nil, false)
	systray.AddSeparator()
	for i := range mostSwitches + 1 {
		r.switches = append(r.switches, r.make(nil, i != 1)) // see Menu.switchItems
	}
	systray.AddSeparator()
	r.others = append(r.others, r.make(nil, false), r.make(nil, false))
	systray.AddSeparator()
	r.others = append(r.others, r.make(nil, false))
	return r
}

// drop ends the rows before the library removes them. Removing closes the row's channel, and a click at the same moment
// would send on it, which ends the process; a row without a channel is left alone, and a click on it comes to nothing.
// The library reads the channel without a lock: a signal over its connection first puts us behind every click that was
// answered.
func (r *rows) drop() {
	if r == nil {
		return
	}
	systray.SetTooltip(tooltip)
	r.stop()
	for _, list := range [][]*row{r.pets, {r.more, r.presets, r.manage}, r.preset, r.switches, r.others} {
		for _, row := range list {
			row.item.ClickedCh = nil
		}
	}
}

func (t *Tray) newRow(ctx context.Context, parent *systray.MenuItem, checkbox bool) *row {
	r := &row{seen: true, now: Item{Checkbox: checkbox}}
	switch {
	case parent == nil && checkbox:
		r.item = systray.AddMenuItemCheckbox("", "", false)
	case parent == nil:
		r.item = systray.AddMenuItem("", "")
	case checkbox:
		r.item = parent.AddSubMenuItemCheckbox("", "", false)
	default:
		r.item = parent.AddSubMenuItem("", "")
	}
	clicked := make(chan struct{}, clickRoom)
	r.item.ClickedCh = clicked
	r.hide() // takes the library's lock: after it a click sees the new channel
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case _, open := <-clicked:
				if !open {
					return
				}
				r.mu.Lock()
				intent := r.intent
				r.mu.Unlock()
				if intent.Action == "" {
					continue // hidden meanwhile, or only a submenu
				}
				select {
				case t.clicks <- func() { t.intents(intent) }:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return r
}

// show brings the row to the wanted state, with signals only for what differs.
func (r *row) show(want Item) {
	r.mu.Lock()
	r.intent = want.Intent
	r.mu.Unlock()
	if want.Label != r.now.Label {
		// An underscore marks a key in menus of this protocol, and is written twice to be seen.
		r.item.SetTitle(strings.ReplaceAll(want.Label, "_", "__"))
	}
	if want.Checked != r.now.Checked {
		if want.Checked {
			r.item.Check()
		} else {
			r.item.Uncheck()
		}
	}
	if !r.seen {
		r.item.Show()
		r.seen = true
	}
	r.now = want
}

func (r *row) hide() {
	r.mu.Lock()
	r.intent = Intent{}
	r.mu.Unlock()
	if r.seen {
		r.item.Hide()
		r.seen = false
	}
}

// apply shows a menu.
func (r *rows) apply(m Menu) {
	pets := m.petItems()
	first := pets[:min(len(pets), sparePets)]
	fill(r.pets[:sparePets], first)
	for len(r.pets) < len(pets) {
		r.pets = append(r.pets, r.make(r.more.item, false))
	}
	fill(r.pets[sparePets:], pets[len(first):])
	if len(pets) > sparePets {
		r.more.show(Item{Label: m.Words.Text("tray.more_pets")})
	} else {
		r.more.hide()
	}
	presets := m.presetItems()
	for len(r.preset) < len(presets) {
		r.preset = append(r.preset, r.make(r.presets.item, true))
	}
	fill(r.preset, presets)
	r.presets.show(Item{Label: m.Words.Text("tray.presets")})
	r.manage.show(m.manageItem())
	fill(r.switches, m.switchItems())
	fill(r.others, m.lastItems())
}

// fill shows the items in the rows and hides what is left of them.
func fill(rows []*row, items []Item) {
	for i, r := range rows {
		if i < len(items) {
			r.show(items[i])
		} else {
			r.hide()
		}
	}
}
