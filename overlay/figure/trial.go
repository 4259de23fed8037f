package figure

import (
	"fmt"
	"math"
	"time"

	"yui/avatar/body"
	"yui/avatar/motion"
	"yui/avatar/render"
)

// How many frames a stranger's model gets to show that one of them can be drawn in trialLimit of the processor's time
// (docs/rules/avatar.md#bounds-of-a-model).
const (
	trialFrames = 3
	trialLimit  = 250 * time.Millisecond
)

// SlowError says that a model costs more than a pet may.
type SlowError struct {
	Frame time.Duration // processor time of the quickest trial frame
}

func (e *SlowError) Error() string {
	return fmt.Sprintf("its frames take %d ms of the processor's time, and %d ms is the most", e.Frame.Milliseconds(), trialLimit.Milliseconds())
}

// Try draws trial frames of the model that she wears, which nobody sees. It returns a *SlowError if she had better be
// closed.
func (p *Pet) Try() error { return p.art.try(p.size, p.art.scene, p.player) }

// try draws a model as large as she would be with it, until a frame is quick enough: the first one also pays for what is
// made only once.
func (d *drawing) try(s size, scene *render.Scene, player *motion.Player) error {
	view := s.viewOf(s.box, body.Frame{})
	d.surf.Current()
	least := time.Duration(math.MaxInt64)
	for range trialFrames {
		began := threadTime()
		if err := d.target.Draw(scene, player.Step(time.Second/10, motion.Input{}), view); err != nil {
			return err
		}
		d.surf.Finish()
		if least = min(least, threadTime()-began); least <= trialLimit {
			return nil
		}
	}
	return &SlowError{least}
}
