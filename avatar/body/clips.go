package body

// Clips says how long the motions take that the body waits for, in seconds of the loaded clips. A zero means that the
// clip is not loaded: its step is then left out, and without the bed's three clips go_to_bed is unsupported.
type Clips struct {
	Sit   SitClips
	Land  LandClips
	Bed   BedClips
	Climb ClimbClips
	Jump  JumpClips

	PeekEnter float64
	// WalkSpeed is in Shape.Unit a second.
	WalkSpeed float64
	// Backward says that the player can play a clip backward (Frame.Back): she then goes over the edge by climb_up_done
	// backward; else she slides over it.
	Backward bool
}

// SitClips are sit_down and stand_up. Settle is where in sit_down the seat reaches the edge: a drop starts the clip there.
type SitClips struct{ Down, Settle, Up float64 }

// LandClips is landing. Low is where it may end after a low drop (the end of its phase recover).
type LandClips struct{ Whole, Low float64 }

// BedClips are bed_lie and bed_wake. Seat is how long bed_lie keeps the feet planted: until then she can simply stop lying
// down.
type BedClips struct{ Lie, Wake, Seat float64 }

// ClimbClips are one cycle of climb_up and climb_down, and the ends of both. The ways are in Shape.Unit: Rise is that of
// one cycle, Wall how far the root stays from the wall, Reach how far it is below the edge where climb_up gives way to
// climb_up_done, In how far in from the corner that one ends; Floor is how far the floor is below the feet where
// climb_down gives way to climb_down_landing, Away how far behind the root that one ends.
type ClimbClips struct {
	Up, UpDone, Down, DownLanding      float64
	Rise, Wall, Reach, In, Floor, Away float64
}

// JumpClips is the whole of jump. She crouches until Crouch, leaves the ground at Off, is launched at Air, is ready to
// land at Ready and lands at Land.
type JumpClips struct{ Whole, Crouch, Off, Air, Ready, Land float64 }

// DefaultClips returns the lengths of the bundled motions.
func DefaultClips() Clips {
	return Clips{
		Sit: SitClips{Down: 1.5, Settle: 0.86, Up: 1.35}, Land: LandClips{Whole: 2.6, Low: 0.8},
		Bed: BedClips{Lie: 3.4, Wake: 3.6, Seat: 1.2}, PeekEnter: 1.3, WalkSpeed: 0.325,
		Climb: ClimbClips{Up: 1, UpDone: 1.9, Down: 1, DownLanding: 1.5, Rise: 0.15, Wall: 0.15, Reach: 0.45, In: 0.17, Floor: 0.12, Away: 0.13},
		Jump:  JumpClips{Whole: 1.6, Crouch: 0.34, Off: 0.42, Air: 0.46, Ready: 0.86, Land: 0.9},
	}
}
