package figure

import (
	"yui/avatar/body"
	"yui/avatar/clips"
	"yui/avatar/motion"
)

// bodyClips tells the body of the loaded clips what it waits for and goes by. What is not loaded, or does not say, is zero.
func bodyClips(lib *motion.Library) body.Clips {
	info := func(id clips.ID) loaded { i, _ := lib.Info(id); return loaded(i) }
	down, land, lie := info(clips.SitDown), info(clips.Landing), info(clips.BedLie)
	jump := info(clips.Jump)
	up, over := info(clips.ClimbUp), info(clips.ClimbUpDone)
	sink, foot := info(clips.ClimbDown), info(clips.ClimbDownLanding)
	return body.Clips{
		Sit:  body.SitClips{Down: down.whole(), Settle: down.moment(clips.MomentSeat), Up: info(clips.StandUp).whole()},
		Land: body.LandClips{Whole: land.whole(), Low: land.end(clips.PhaseRecover)},
		Bed:  body.BedClips{Lie: lie.whole(), Wake: info(clips.BedWake).whole(), Seat: lie.moment(clips.MomentLower)},
		Climb: body.ClimbClips{
			Up: up.whole(), UpDone: over.whole(), Down: sink.whole(), DownLanding: foot.whole(),
			Rise: float64(up.Rise), Sink: -float64(sink.Rise),
			Wall: -float64(over.Entry[2]), Reach: -float64(over.Entry[1]), In: float64(over.Exit[2]),
			Floor: float64(foot.Entry[1]), Away: -float64(foot.Exit[2]),
		},
		Jump: body.JumpClips{
			Whole: jump.whole(), Crouch: jump.end(clips.PhaseCrouch), Off: jump.moment(clips.MomentOff),
			Air: jump.start(clips.PhaseAir), Ready: jump.start(clips.PhaseLand), Land: jump.moment(clips.MomentTouch),
		},
		PeekEnter: info(clips.Peek).end(clips.PhaseEnter),
		WalkSpeed: float64(info(clips.Walk).Speed),
		Backward:  true,
	}
}

// loaded is what a clip says of itself, in seconds; the zero value is a clip that is not there.
type loaded motion.Info

func (l loaded) whole() float64                { return l.Duration.Seconds() }
func (l loaded) start(p clips.Phase) float64   { return l.Phases[p][0].Seconds() }
func (l loaded) end(p clips.Phase) float64     { return l.Phases[p][1].Seconds() }
func (l loaded) moment(m clips.Moment) float64 { return l.Moments[m].Seconds() }
