package body

import "time"

// Span is a range from which a value is drawn uniformly.
type Span struct{ Min, Max float64 }

// Config holds every figure of how the body behaves, part by part. Distances, speeds and accelerations are logical
// pixels: they are multiplied by the scale of the monitor she is on. Fractions named H are of Shape.Height. DefaultConfig
// has the figures of docs/rules/body.md.
type Config struct {
	Ride   RideConfig
	Fall   FallConfig
	Walk   WalkConfig
	Stroll StrollConfig
	Climb  ClimbConfig
	Jump   JumpConfig
	Crowd  CrowdConfig
	Drop   DropConfig
	Drag   DragConfig
	Bed    BedConfig

	// EdgeInset is how far move_to's corners are from the work area's.
	EdgeInset float64
	// Glide is the time in which a drop's last bit of way is smoothed.
	Glide time.Duration
	// KeepAfter is the rest after which a pet off every monitor is brought back.
	KeepAfter time.Duration
	// ReducedMotion: no walks, no bed, falls and sits are placed directly.
	ReducedMotion bool
	// CommandTimeout ends a command with Timeout.
	CommandTimeout time.Duration
	// FrameTime is the pause between frames that Next asks for while she moves.
	FrameTime time.Duration
}

// RideConfig is how she holds on to a host.
type RideConfig struct {
	// On lets a perched pet follow its moving host (setting body.ride); off, Slack holds.
	On bool
	// Slack is how far a host may move from where it was when she perched, with riding off; a wall or the target of a
	// jump may move as far.
	Slack float64
	// LoseAfter is the time between the two bad observations that end a perch with riding off.
	LoseAfter time.Duration
	// CoverAfter is how long another window must cover her seat, with riding on, before she falls: a window that only
	// passes by does not throw her off.
	CoverAfter time.Duration
	// ShakeSpeed is the edge speed that shakes her off; ShakeTurns hard reversals within ShakeWindow do as well.
	ShakeSpeed  float64
	ShakeTurns  int
	ShakeWindow time.Duration
	// HardTravel and HardSpeed say when a reversal is hard: at least that far back, on average at least that fast.
	HardTravel, HardSpeed float64
}

// FallConfig is how she falls.
type FallConfig struct {
	On        bool          // setting yui.fall; off, she stays where she is put and never steps off
	Gravity   float64       // px/s²
	Fastest   float64       // px/s
	Least     float64       // H: smaller drops are settled without a fall
	Room      float64       // of the body's width: what must lie on an uncovered stretch to each side
	TellAfter time.Duration // the pause between two touchdowns that are told to the model
	Low       float64       // of Shape.Unit: lower falls play only the start of landing
}

// WalkConfig lets her stroll on the floor and along a perch of her own accord.
type WalkConfig struct {
	On            bool
	Every         [2]time.Duration
	Distance      Span
	TurnTime      time.Duration // 90 degrees
	RampTime      time.Duration // to full speed
	FloorSlack    float64       // px
	DescendChance float64       // that a floor walk ending at a lower monitor goes over the edge
}

// StrollConfig is how she strolls along a perch.
type StrollConfig struct {
	Dwell      [2]time.Duration
	Distance   Span
	EdgeMargin float64 // H
	LevelSlack float64 // px: tops of neighbours this level are one ledge
	StepOff    float64 // chance that a stroll walks off the end
}

// ClimbConfig lets her climb up the sides of windows and screens, and down again (setting yui.climb).
type ClimbConfig struct {
	On         bool
	Every      [2]time.Duration
	Dwell      [2]time.Duration // sitting on top
	Height     Span             // H: how high a window may be
	Hang       float64          // H: how far below a window's bottom her feet may hang
	Ledge      Span             // H: how far she walks in along the top
	Slide      time.Duration    // getting hold of a wall
	DownChance float64          // that a descent to a lower monitor climbs instead of stepping off
}

// JumpConfig is how she jumps from window to window.
type JumpConfig struct {
	Chance   float64 // that a perched stroll with a neighbour in reach jumps over to it
	Up, Down float64 // H
	Gap      float64 // of the body's width
	Lift     float64 // H: the apex above the straight way
	Longest  time.Duration
}

// CrowdConfig is when pets make room: how much of the narrower one's width two may share before one steps aside, and for
// how long.
type CrowdConfig struct {
	Share float64
	After time.Duration
}

// DropConfig has the catch zones of a drop, in H: above and below a top edge, outside and inside of a side.
type DropConfig struct{ Above, Below, Out, In float64 }

// DragConfig is the time in which the grab point moves to the scruff, and when a drag counts as held long.
type DragConfig struct{ Ease, Held time.Duration }

// BedConfig is how long she sleeps by herself (10 s to an hour), and how fast the bed fades.
type BedConfig struct{ WakeAfter, Fade time.Duration }

// DefaultConfig returns the figures of docs/rules/body.md.
func DefaultConfig() Config {
	return Config{
		Ride: RideConfig{On: true, Slack: 12, LoseAfter: 700 * time.Millisecond, CoverAfter: 250 * time.Millisecond,
			ShakeSpeed: 2500, ShakeTurns: 3, ShakeWindow: time.Second, HardTravel: 40, HardSpeed: 500},
		Fall: FallConfig{On: true, Gravity: 1600, Fastest: 1200, Least: 0.2, Room: 0.5, TellAfter: time.Minute, Low: 0.4},
		Walk: WalkConfig{On: true, Every: [2]time.Duration{30 * time.Second, time.Minute}, Distance: Span{200, 600},
			TurnTime: 400 * time.Millisecond, RampTime: 200 * time.Millisecond, FloorSlack: 24, DescendChance: 0.5},
		Stroll: StrollConfig{Dwell: [2]time.Duration{45 * time.Second, 2 * time.Minute}, Distance: Span{80, 400},
			EdgeMargin: 0.2, LevelSlack: 8, StepOff: 0.1},
		Climb: ClimbConfig{On: true, Every: [2]time.Duration{90 * time.Second, 3 * time.Minute},
			Dwell: [2]time.Duration{time.Minute, 2 * time.Minute}, Height: Span{0.5, 4}, Hang: 0.3, Ledge: Span{0.5, 1.5},
			Slide: 400 * time.Millisecond, DownChance: 0.5},
		Jump:  JumpConfig{Chance: 0.3, Up: 0.5, Down: 1, Gap: 1.5, Lift: 0.15, Longest: 4 * time.Second},
		Crowd: CrowdConfig{Share: 1.0 / 3, After: time.Second},
		Drop:  DropConfig{Above: 0.28, Below: 0.23, Out: 0.28, In: 0.23},
		Drag:  DragConfig{Ease: 150 * time.Millisecond, Held: 5 * time.Second},
		Bed:   BedConfig{WakeAfter: 2 * time.Minute, Fade: 600 * time.Millisecond},

		EdgeInset: 24, Glide: 150 * time.Millisecond, KeepAfter: 300 * time.Millisecond,
		CommandTimeout: 15 * time.Second, FrameTime: 33 * time.Millisecond,
	}
}

// cleaned returns c with what would break the arithmetic put right: settings are written by people.
func (c Config) cleaned() Config {
	d := DefaultConfig()
	if c.FrameTime <= 0 {
		c.FrameTime = d.FrameTime
	}
	if c.CommandTimeout <= 0 {
		c.CommandTimeout = d.CommandTimeout
	}
	if !(c.Fall.Gravity > 0) {
		c.Fall.Gravity = d.Fall.Gravity
	}
	if !(c.Fall.Fastest > 0) {
		c.Fall.Fastest = d.Fall.Fastest
	}
	if c.Walk.TurnTime <= 0 {
		c.Walk.TurnTime = d.Walk.TurnTime
	}
	if c.Ride.LoseAfter <= 0 {
		c.Ride.LoseAfter = d.Ride.LoseAfter
	}
	c.Bed.WakeAfter = min(max(c.Bed.WakeAfter, 10*time.Second), time.Hour)
	if !(c.Crowd.Share > 0) {
		c.Crowd.Share = d.Crowd.Share
	}
	if c.Crowd.After <= 0 {
		c.Crowd.After = d.Crowd.After
	}
	if c.Climb.Slide <= 0 {
		c.Climb.Slide = d.Climb.Slide
	}
	for _, every := range [...]*[2]time.Duration{&c.Walk.Every, &c.Stroll.Dwell, &c.Climb.Every, &c.Climb.Dwell} {
		every[0] = max(every[0], time.Second)
		every[1] = max(every[1], every[0])
	}
	return c
}
