package body

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"yui/internal/protocol"
)

// ParseCommand reads the arguments of a body_action call (docs/rules/body.md#arguments). false means malformed, which is answered
// with Unsupported. A monitor that is no whole number becomes -1, which no desktop has; one that is no number at all
// counts as left out.
func ParseCommand(args json.RawMessage) (Command, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(args, &fields) != nil || fields == nil {
		return Command{}, false
	}
	text := func(key string) string {
		var s *string
		if json.Unmarshal(fields[key], &s) != nil || s == nil {
			return ""
		}
		return *s
	}
	c := Command{Action: text("action")}
	switch c.Action {
	case protocol.SitOnWindow:
		c.App = strings.TrimSpace(text("app"))
	case protocol.Peek:
		c.Side = text("side")
	case protocol.MoveTo:
		c.Spot = text("spot")
		c.Monitor = parseMonitor(fields["monitor"])
	}
	return c, c.valid()
}

func parseMonitor(raw json.RawMessage) *int {
	raw = json.RawMessage(strings.TrimSpace(string(raw)))
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return nil
	}
	none := -1
	var f float64
	if json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) || math.Abs(f) > 1e6 {
		return &none
	}
	n := int(f)
	return &n
}

// valid is the parse step's judgement of a command.
func (c *Command) valid() bool {
	switch c.Action {
	case protocol.SitOnWindow:
		return strings.TrimSpace(c.App) != ""
	case protocol.Peek:
		return slices.Contains(protocol.Sides(), c.Side)
	case protocol.MoveTo:
		return slices.Contains(protocol.Spots(), c.Spot)
	case protocol.Stand, protocol.GoToBed:
		return true
	}
	return false
}

// running is the one command that has not been answered yet.
type running struct {
	action   string
	done     func(Result)
	deadline time.Time
	result   Result // "" until it is known; delivered by the next Step
}

// Do runs c. done is called exactly once, with the one word of the result, during Do or during a later Step; it may
// call any method. The order of the checks is docs/rules/body.md#order-of-checks.
func (b *Body) Do(c Command, now time.Time, done func(Result)) {
	switch {
	case !c.valid():
		done(Unsupported)
		return
	case b.mode == modeDrag:
		done(Interrupted)
		return
	case b.cmd != nil:
		done(Busy)
		return
	}
	b.cmd = &running{action: c.Action, done: done, deadline: now.Add(b.cfg.CommandTimeout)}
	if r := b.run(c, now); r != "" {
		b.resolve(r)
	}
	b.deliver()
}

// Cancel answers a running command with Interrupted at the next Step. What it began goes on as her own doing.
func (b *Body) Cancel() { b.resolve(Interrupted) }

func (b *Body) resolve(r Result) {
	if b.cmd != nil && b.cmd.result == "" {
		b.cmd.result = r
	}
}

// deliver hands out a result that is known.
func (b *Body) deliver() {
	if c := b.cmd; c != nil && c.result != "" {
		b.cmd = nil
		c.done(c.result)
	}
}

// runs reports whether an unanswered command with this action is under way.
func (b *Body) runs(action string) bool {
	return b.cmd != nil && b.cmd.result == "" && b.cmd.action == action
}

// run starts c and returns its result, or "" if it is not known yet.
func (b *Body) run(c Command, now time.Time) Result {
	if b.shape.Height <= 0 && c.Action != protocol.Stand {
		return Unsupported
	}
	if b.sleeping.under() {
		switch c.Action {
		case protocol.Stand:
			b.sleeping.wake("", now)
			return OK
		case protocol.GoToBed:
			if b.mode == modeBedLie || b.mode == modeBedSleep {
				return OK
			}
		}
		return Busy
	}
	switch c.Action {
	case protocol.SitOnWindow:
		return b.perching.do(c.App, now)
	case protocol.Peek:
		return b.peeking.do(c.Side, now)
	case protocol.MoveTo:
		return b.doMove(c.Spot, c.Monitor, now)
	case protocol.GoToBed:
		return b.sleeping.do(now)
	}
	return b.doStand(now)
}

func (b *Body) doStand(now time.Time) Result {
	if b.climbing.hanging() || b.mode == modeFlight {
		b.letGo(false, now)
		return OK
	}
	if b.host.id != 0 && !b.host.settled && !b.walking.walk.overEnd(b.mode) {
		// She has landed on a window and does not sit yet: there is nothing to leave.
		b.emit(EventSitExit)
		b.standStill(now)
		b.standing.ambient = now.Add(b.dice.span(b.cfg.Stroll.Dwell))
		return OK
	}
	grounded := b.host.id == 0 && b.mode != modeFall
	avoid := b.host.id
	if !b.host.settled {
		b.emit(EventSitExit)
	}
	b.releaseHost(true, now)
	if grounded {
		b.standStill(now)
	} else if b.mode != modeFall {
		b.falling.start(fall{avoid: avoid}, now)
	}
	return OK
}

// matching calls try with the number of each window whose application is app, best first, until it returns true: exact
// names front to back, then names that contain it (docs/rules/body.md#sit, docs/rules/body.md#names-of-programs).
func (d *Desktop) matching(app string, try func(int) bool) (found bool) {
	needle := strings.ToLower(strings.TrimSpace(app))
	if needle == "" {
		return false
	}
	const exact, part = 0, 1
	for kind := exact; kind <= part; kind++ {
		for i := range d.Windows {
			if matchKind(&d.Windows[i], needle) != kind {
				continue
			}
			found = true
			if try(i) {
				return true
			}
		}
	}
	return found
}

// matchKind is 0 if one of w's names is needle, 1 if one contains it, -1 otherwise.
func matchKind(w *Window, needle string) int {
	kind := -1
	check := func(name string) {
		switch name = strings.ToLower(name); {
		case name == "":
		case name == needle:
			kind = 0
		case kind < 0 && strings.Contains(name, needle):
			kind = 1
		}
	}
	check(w.App)
	for _, name := range w.Names {
		check(name)
	}
	return kind
}

// reachable returns the window that sit_on_window would take for app: the first matching one whose seat, the middle of
// its top edge, no window in front covers and that has room above. Otherwise the result says why there is none.
func (b *perching) reachable(app string) (window int, r Result) {
	window = -1
	found := b.desk.matching(app, func(i int) bool {
		seat := middleTop(b.desk.Windows[i].Rect)
		if b.desk.coveredAt(i, seat) || !b.roomToSit(seat) {
			return false
		}
		window = i
		return true
	})
	switch {
	case !found:
		return -1, NotFound
	case window < 0:
		return -1, Blocked
	}
	return window, OK
}

func (b *perching) do(app string, now time.Time) Result {
	chosen, r := b.reachable(app)
	if r != OK {
		return r
	}
	seat := middleTop(b.desk.Windows[chosen].Rect)
	if b.mode == modeSit && b.host.id == b.desk.Windows[chosen].ID && math.Abs(b.root.X-seat.X) <= 1 {
		return OK
	}
	b.releaseHost(false, now)
	b.cut(seat)
	b.holdTop(chosen)
	b.start(0, now)
	if b.mode == modeSit {
		return OK
	}
	return ""
}

func middleTop(r Rect) Point { return Point{r.X + r.W/2, r.Y} }

func (b *peeking) do(side string, now time.Time) Result {
	if len(b.desk.Windows) == 0 {
		return NotFound
	}
	r := b.desk.Windows[0].Rect
	left := side == protocol.Left
	middle := r.Y + r.H/2
	if !b.room(edgeX(r, left), middle, left) {
		return Blocked
	}
	b.releaseHost(false, now)
	b.start(0, left, middle, now)
	return OK
}

func (b *Body) doMove(spot string, monitor *int, now time.Time) Result {
	if len(b.desk.Monitors) == 0 {
		return Unsupported
	}
	m := b.desk.monitorAt(b.origin())
	if m == nil {
		m = &b.desk.Monitors[0]
	}
	if monitor != nil {
		if *monitor < 0 || *monitor >= len(b.desk.Monitors) {
			return NotFound
		}
		m = &b.desk.Monitors[*monitor]
	}
	b.releaseHost(true, now)
	b.cut(b.spot(spot, m))
	b.setPosture(Standing, now)
	b.since = now
	b.standStill(now)
	b.falling.start(fall{}, now)
	return OK
}

// origin is the top left corner of her window.
func (b *Body) origin() Point { return Point{b.root.X + b.shape.Box.X, b.root.Y + b.shape.Box.Y} }

// spot is where the root goes for a named spot of m (docs/rules/body.md#move).
func (b *Body) spot(name string, m *Monitor) Point {
	wa, box := m.WorkArea, b.shape.Box
	inset := b.cfg.EdgeInset * m.scale()
	var o Point // of her window
	switch name {
	case protocol.Center:
		o = Point{wa.X + (wa.W-box.W)/2, wa.Y + (wa.H-box.H)/2}
	case protocol.TopLeft, protocol.BottomLeft:
		o = Point{wa.X + inset, wa.Y + inset}
	default:
		o = Point{wa.Right() - box.W - inset, wa.Y + inset}
	}
	root := Point{math.Round(o.X) - box.X, math.Round(o.Y) - box.Y}
	if strings.HasPrefix(name, "bottom-") {
		r := b.desk.floorRange(m, root.X, box)
		root = Point{clamp(root.X, r.lo, r.hi), r.floor}
	}
	return root
}
