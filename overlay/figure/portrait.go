package figure

import (
	"image"
	"time"

	"yui/avatar/motion"
	"yui/avatar/render"
	"yui/avatar/vrm"
	"yui/overlay/window"
)

// portraitHeight is in pixels: enough for a dense screen. portraitWidth leaves room for ears and fins that stick out.
const portraitHeight, portraitWidth = 192, 288

// Portrait is her head as she looks at rest, for panels, whatever she does now; nil where it cannot be drawn. It is drawn
// once and kept while she wears the same model.
func (p *Pet) Portrait() image.Image {
	if p.portrait == nil {
		img, err := p.dress.portrait(p.opt.Model, p.art.scene, p.size.anat)
		if err != nil {
			p.loop.Log().Warn("draw portrait", "pet", p.opt.ID, "error", err)
			return nil
		}
		p.portrait = img
	}
	return p.portrait
}

func (w *Wardrobe) portrait(m *vrm.Model, scene *render.Scene, a motion.Anatomy) (img image.Image, err error) {
	defer window.Recovered("draw portrait", &err)
	player := motion.NewPlayer(m, w.clips, 1)
	player.Emotion("neutral", 1)
	var pose *motion.Pose
	for range 3 { // hair, ears and tail come to rest
		pose = player.Step(100*time.Millisecond, motion.Input{ReducedMotion: true})
	}
	w.loop.Shared()
	target, err := render.NewTarget(w.renderer, portraitWidth, portraitHeight)
	if err != nil {
		return nil, err
	}
	defer target.Release()
	target.SetQuality(render.On)
	if err := target.Draw(scene, pose, portraitView(pose, a)); err != nil {
		return nil, err
	}
	picture, err := target.Snapshot()
	if err != nil {
		return nil, err
	}
	return picture.SubImage(headOf(picture)), nil
}

// headOf is where in a portrait the head is: as wide as what is seen above the cheeks, so that a tail beside them is left
// out.
func headOf(img *image.NRGBA) image.Rectangle {
	all := img.Rect
	r := image.Rectangle{}
	for y := all.Min.Y; y < all.Min.Y+all.Dy()*3/4; y++ {
		for x := all.Min.X; x < all.Max.X; x++ {
			if img.Pix[img.PixOffset(x, y)+3] > 8 {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if r.Empty() {
		return all
	}
	r.Max.Y = all.Max.Y
	return r
}

// portraitView looks at the head from the neck to the tips of the ears.
func portraitView(pose *motion.Pose, a motion.Anatomy) render.View {
	low := pose.Scruff[1] - 0.06*(pose.HeadTop[1]-pose.Scruff[1])
	v := render.View{Width: portraitWidth, Height: portraitHeight, PixelsPerMetre: portraitHeight / ((a.Height - low) * 1.04), RootX: portraitWidth / 2}
	v.RootX -= pose.HeadTop[0] * v.PixelsPerMetre
	v.RootY = portraitHeight + low*v.PixelsPerMetre
	return v
}
