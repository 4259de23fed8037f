package body

// DefaultClips returns the lengths of a set of motions like the bundled one.
func DefaultClips() Clips {
	return Clips{
		Sit: SitClips{Down: 1.5, Settle: 0.86, Up: 1.35}, Land: LandClips{Whole: 2.6, Low: 0.8},
		Bed: BedClips{Lie: 3.4, Wake: 3.6, Seat: 1.2}, PeekEnter: 1.3, WalkSpeed: 0.325,
		Climb: ClimbClips{Up: 1, UpDone: 1.9, Down: 1, DownLanding: 1.5, Rise: 0.15, Sink: 0.15, Wall: 0.15, Reach: 0.45, In: 0.17, Floor: 0.12, Away: 0.13},
		Jump:  JumpClips{Whole: 1.6, Crouch: 0.34, Off: 0.42, Air: 0.46, Ready: 0.86, Land: 0.9},
	}
}
