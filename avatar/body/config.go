package body

import "time"

// Span is a range from which a value is drawn uniformly.
type Span struct{ Min, Max float64 }

// Config holds every figure of how the body behaves. Distances, speeds and accelerations are logical pixels: they are
// multiplied by the scale of the monitor she is on. Fractions named H are of Shape.Height. DefaultConfig has the
// figures of spec/body.md.
type Config struct {
	// Ride lets a perched pet follow its moving host (setting body.ride); off, the reference's RideSlack holds.
	Ride bool
	// RideSlack is how far a host may move from where it was when she perched, with Ride off.
	RideSlack float64
	// LoseAfter is the time between the two bad observations that end a perch with Ride off.
	LoseAfter time.Duration
	// CoverAfter is how long another window must cover her seat, with Ride on, before she falls: a window that only
	// passes by does not throw her off.
	CoverAfter time.Duration
	// ShakeSpeed is the edge speed that shakes her off; ShakeTurns hard reversals within ShakeWindow do as well.
	ShakeSpeed  float64
	ShakeTurns  int
	ShakeWindow time.Duration
	// HardTravel and HardSpeed say when a reversal is hard: at least that far back, on average at least that fast.
	HardTravel, HardSpeed float64

	// Fall lets her fall (setting yui.fall); off, she stays where she is put and never steps off.
	Fall          bool
	Gravity       float64 // px/s²
	MaxFall       float64 // px/s
	MinDrop       float64 // H: smaller drops are settled without a fall
	LandRoom      float64 // of the body's width: what must lie on an uncovered stretch to each side
	StepOff       float64 // chance that a perched stroll walks off the end
	DroppedPause  time.Duration
	LowDrop       float64 // of Shape.Unit: lower falls play only the start of landing
	FloorSlack    float64 // px
	DescendChance float64 // that a floor walk ending at a lower monitor goes over the edge

	// Walk lets her stroll on the floor and along a perch of her own accord.
	Walk          bool
	WalkEvery     [2]time.Duration
	WalkDistance  Span
	TurnTime      time.Duration // 90 degrees
	RampTime      time.Duration // to full speed
	PerchDwell    [2]time.Duration
	PerchDistance Span
	EdgeMargin    float64 // H
	LevelSlack    float64 // px: tops of neighbours this level are one ledge

	// Climb lets her climb up the sides of windows and screens, and down again (setting yui.climb).
	Climb       bool
	ClimbEvery  [2]time.Duration
	ClimbDwell  [2]time.Duration // sitting on top
	ClimbHeight Span             // H: how high a window may be
	ClimbHang   float64          // H: how far below a window's bottom her feet may hang
	ClimbLedge  Span             // H: how far she walks in along the top
	ClimbSlide  time.Duration    // getting hold of a wall
	// ClimbDownChance is that a descent to a lower monitor climbs instead of stepping off.
	ClimbDownChance float64

	// Jump is the chance that a perched stroll with a neighbour in reach jumps over to it.
	Jump             float64
	JumpUp, JumpDown float64 // H
	JumpGap          float64 // of the body's width
	JumpLift         float64 // H: the apex above the straight way
	FlightTimeout    time.Duration

	// Crowd is how much of the narrower one's width two pets may share before one steps aside, CrowdAfter how long.
	Crowd      float64
	CrowdAfter time.Duration

	// CatchAbove, CatchBelow, SideOut and SideIn are the catch zones of a drop, in H.
	CatchAbove, CatchBelow, SideOut, SideIn float64
	EdgeInset                               float64 // of move_to's corners

	// GrabEase is the time in which the grab point moves to the scruff; DragHeld is when a drag counts as held long.
	GrabEase, DragHeld time.Duration
	// Glide is the time in which a drop's last bit of way is smoothed.
	Glide time.Duration
	// KeepAfter is the rest after which a pet off every monitor is brought back.
	KeepAfter time.Duration

	// WakeTimeout is how long she sleeps by herself (10 s to an hour).
	WakeTimeout time.Duration
	BedFade     time.Duration
	// ReducedMotion: no walks, no bed, falls and sits are placed directly.
	ReducedMotion bool

	// CommandTimeout ends a command with Timeout.
	CommandTimeout time.Duration
	// FrameTime is the pause between frames that Next asks for while she moves.
	FrameTime time.Duration
}

// DefaultConfig returns the figures of spec/body.md and spec/decisions.md.
func DefaultConfig() Config {
	return Config{
		Ride: true, RideSlack: 12, LoseAfter: 700 * time.Millisecond, CoverAfter: 250 * time.Millisecond,
		ShakeSpeed: 2500, ShakeTurns: 3, ShakeWindow: time.Second, HardTravel: 40, HardSpeed: 500,

		Fall: true, Gravity: 1600, MaxFall: 1200, MinDrop: 0.2, LandRoom: 0.5, StepOff: 0.1,
		DroppedPause: time.Minute, LowDrop: 0.4, FloorSlack: 24, DescendChance: 0.5,

		Walk: true, WalkEvery: [2]time.Duration{30 * time.Second, time.Minute},
		WalkDistance: Span{200, 600}, TurnTime: 400 * time.Millisecond, RampTime: 200 * time.Millisecond,
		PerchDwell:    [2]time.Duration{45 * time.Second, 2 * time.Minute},
		PerchDistance: Span{80, 400}, EdgeMargin: 0.2, LevelSlack: 8,

		Climb: true, ClimbEvery: [2]time.Duration{90 * time.Second, 3 * time.Minute},
		ClimbDwell: [2]time.Duration{time.Minute, 2 * time.Minute}, ClimbHeight: Span{0.5, 4}, ClimbHang: 0.3,
		ClimbLedge: Span{0.5, 1.5}, ClimbSlide: 400 * time.Millisecond, ClimbDownChance: 0.5,

		Jump: 0.3, JumpUp: 0.5, JumpDown: 1, JumpGap: 1.5, JumpLift: 0.15, FlightTimeout: 4 * time.Second,
		Crowd: 1.0 / 3, CrowdAfter: time.Second,

		CatchAbove: 0.28, CatchBelow: 0.23, SideOut: 0.28, SideIn: 0.23, EdgeInset: 24,

		GrabEase: 150 * time.Millisecond, DragHeld: 5 * time.Second, Glide: 150 * time.Millisecond,
		KeepAfter: 300 * time.Millisecond,

		WakeTimeout: 2 * time.Minute, BedFade: 600 * time.Millisecond,

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
	if !(c.Gravity > 0) {
		c.Gravity = d.Gravity
	}
	if !(c.MaxFall > 0) {
		c.MaxFall = d.MaxFall
	}
	if c.TurnTime <= 0 {
		c.TurnTime = d.TurnTime
	}
	if c.LoseAfter <= 0 {
		c.LoseAfter = d.LoseAfter
	}
	c.WakeTimeout = min(max(c.WakeTimeout, 10*time.Second), time.Hour)
	if !(c.Crowd > 0) {
		c.Crowd = d.Crowd
	}
	if c.CrowdAfter <= 0 {
		c.CrowdAfter = d.CrowdAfter
	}
	if c.ClimbSlide <= 0 {
		c.ClimbSlide = d.ClimbSlide
	}
	for _, every := range [...]*[2]time.Duration{&c.WalkEvery, &c.PerchDwell, &c.ClimbEvery, &c.ClimbDwell} {
		every[0] = max(every[0], time.Second)
		every[1] = max(every[1], every[0])
	}
	return c
}

// Clips says how long the motions take that the body waits for, in seconds of the loaded clips. A zero means that the
// clip is not loaded: its step is then left out, and without the bed's three clips go_to_bed is unsupported.
type Clips struct {
	SitDown float64
	// SitSettle is where in sit_down the seat reaches the edge: a drop starts the clip there.
	SitSettle float64
	StandUp   float64

	Landing float64
	// LandLow is where landing may end after a low drop (the end of its phase recover).
	LandLow float64

	BedLie, BedWake float64
	// BedSeat is how long bed_lie keeps the feet planted: until then she can simply stop lying down.
	BedSeat float64

	PeekEnter float64
	// WalkSpeed is in Shape.Unit a second.
	WalkSpeed float64

	// ClimbUp and ClimbDown are one cycle, ClimbRise the way of one in Shape.Unit. The other ways are in Shape.Unit too:
	// ClimbWall is how far the root stays from the wall, ClimbReach how far it is below the edge where climb_up gives way
	// to climb_up_done, ClimbIn how far in from the corner that one ends; ClimbFloor is how far the floor is below the feet
	// where climb_down gives way to climb_down_landing, ClimbAway how far behind the root that one ends.
	ClimbUp, ClimbUpDone, ClimbDown, ClimbDownLanding                float64
	ClimbRise, ClimbWall, ClimbReach, ClimbIn, ClimbFloor, ClimbAway float64
	// Backward says that the player can play a clip backward (Frame.Back): she then goes over the edge by climb_up_done
	// backward; else she slides over it.
	Backward bool

	// Jump is the whole clip. She crouches until JumpCrouch, leaves the ground at JumpOff, is launched at JumpAir, is ready
	// to land at JumpReady and lands at JumpLand.
	Jump, JumpCrouch, JumpOff, JumpAir, JumpReady, JumpLand float64
}

// DefaultClips returns the lengths of the bundled motions (look/motion).
func DefaultClips() Clips {
	return Clips{
		SitDown: 1.5, SitSettle: 0.86, StandUp: 1.35, Landing: 2.6, LandLow: 0.8,
		BedLie: 3.4, BedWake: 3.6, BedSeat: 1.2, PeekEnter: 1.3, WalkSpeed: 0.325,
		ClimbUp: 1, ClimbUpDone: 1.9, ClimbDown: 1, ClimbDownLanding: 1.5,
		ClimbRise: 0.15, ClimbWall: 0.15, ClimbReach: 0.45, ClimbIn: 0.17, ClimbFloor: 0.12, ClimbAway: 0.13,
		Jump: 1.6, JumpCrouch: 0.34, JumpOff: 0.42, JumpAir: 0.46, JumpReady: 0.86, JumpLand: 0.9,
	}
}
