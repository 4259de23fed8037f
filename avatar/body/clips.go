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
	// backward; otherwise she slides over it.
	Backward bool
}

// SitClips are sit_down and stand_up. Settle is where in sit_down the seat reaches the edge: a drop starts the clip there.
type SitClips struct{ Down, Settle, Up float64 }

// LandClips is landing. Low is where it may end after a low drop (the end of its phase recover).
type LandClips struct{ Whole, Low float64 }

// BedClips are bed_lie and bed_wake. Seat is how long bed_lie keeps the feet planted: until then she can simply stop lying
// down.
type BedClips struct{ Lie, Wake, Seat float64 }

// ClimbClips are one cycle of climb_up and climb_down, and the ends of both. The ways are in Shape.Unit: Rise and Sink are
// how far one cycle goes up or down, Wall how far the root stays from the wall, Reach how far it is below the edge where
// climb_up gives way to climb_up_done, In how far in from the corner that one ends; Floor is how far the floor is below the
// feet where climb_down gives way to climb_down_landing, Away how far behind the root that one ends.
type ClimbClips struct {
	Up, UpDone, Down, DownLanding            float64
	Rise, Sink, Wall, Reach, In, Floor, Away float64
}

// JumpClips is the whole of jump. She crouches until Crouch, leaves the ground at Off, is launched at Air, is ready to
// land at Ready and lands at Land.
type JumpClips struct{ Whole, Crouch, Off, Air, Ready, Land float64 }
