package overlay

import (
	"image"
	"time"

	"yui/avatar/motion"
	"yui/avatar/render"
)

// portraitSize is the side of a portrait in pixels: enough for a dense screen.
const portraitSize = 192

// Portrait is her head as she looks at rest, for panels, whatever she does now; nil where it cannot be drawn. It is drawn
// once and kept while she wears the same model.
func (p *Pet) Portrait() image.Image {
	if p.portrait == nil {
		img, err := p.drawPortrait()
		if err != nil {
			p.loop.log.Warn("draw portrait", "pet", p.opt.ID, "error", err)
			return nil
		}
		p.portrait = img
	}
	return p.portrait
}

func (p *Pet) drawPortrait() (img image.Image, err error) {
	defer recovered("draw portrait", &err)
	player := motion.NewPlayer(p.opt.Model, p.dress.clips, 1)
	player.Emotion("neutral", 1)
	var pose *motion.Pose
	for range 3 { // hair, ears and tail come to rest
		pose = player.Step(100*time.Millisecond, motion.Input{ReducedMotion: true})
	}
	p.loop.Shared()
	target, err := render.NewTarget(p.dress.renderer, portraitSize, portraitSize)
	if err != nil {
		return nil, err
	}
	defer target.Release()
	target.SetQuality(render.On)
	if err := target.Draw(p.scene, pose, p.portraitView(pose)); err != nil {
		return nil, err
	}
	return target.Snapshot()
}

// portraitView looks at the head from the neck to the tips of the ears.
func (p *Pet) portraitView(pose *motion.Pose) render.View {
	low := pose.Scruff[1] - 0.06*(pose.HeadTop[1]-pose.Scruff[1])
	side := (p.anat.Height - low) * 1.04
	v := render.View{Width: portraitSize, Height: portraitSize, PixelsPerMetre: portraitSize / side, RootX: portraitSize / 2}
	v.RootX -= pose.HeadTop[0] * v.PixelsPerMetre
	v.RootY = portraitSize + low*v.PixelsPerMetre
	return v
}
