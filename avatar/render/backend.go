package render

import "image"

// backend is one of the two ways in which frames are drawn: by GL (gl.go), or by the processor (soft.go). All that both
// need alike is made before and handed over: the mesh and its textures, skinned vertices, colours, the faces of outlines,
// and what each material needs (features). A back end draws what it is given. What belongs to one back end is never
// given to another.
type backend interface {
	// stock makes room for a scene, whose batches want the textures of these keys. Any goroutine.
	stock(s *Scene, wanted wants) stock
	// canvas makes a window's side of drawing.
	canvas() canvas
	// release frees what all scenes and canvases share. They have been released before.
	release()
}

// stock is what a back end holds of one scene.
type stock interface {
	// take takes a texture that has been painted. Any goroutine, but not during send.
	take(key textureKey, a painting)
	// waits reports whether send has something to do. As take.
	waits() bool
	// send brings one piece of bounded size to where it is drawn from. On the thread that draws.
	send() error
	// release frees everything. On the thread that draws.
	release()
}

// canvas is one window's side of a back end. All on the thread that draws, with the window's context current if there
// is one.
type canvas interface {
	// draw draws a frame where the window shows it: into the bound framebuffer, or into memory. It turns the frame's
	// quality off if there is no room for smooth edges.
	draw(f *frame) error
	// snapshot draws a frame beside the window, straight alpha.
	snapshot(f *frame) (*image.NRGBA, error)
	// mask is Target.Mask of the frame that was drawn last, which dst has room for.
	mask(f *frame, dst []byte, step int) (ok bool, err error)
	// picture is the frame drawn last, in memory, premultiplied; nil if it is not there.
	picture() *image.RGBA
	// release frees everything. Twice is fine.
	release()
}

// wants are the textures that a scene's batches want for each unit; nil for none.
type wants [][unitCount]*textureKey

// frame is what is to be drawn: the pet first, then its props, each at a place of its own that it keeps.
type frame struct {
	view    View
	quality Quality
	layers  []layer
}

// layer is one wearer of a frame; nil if its place is empty this time.
type layer struct {
	w       *wearer
	opacity float32
}

// news is what of a wearer a back end has not seen yet. The back end clears it.
type news struct {
	vertices bool   // shown
	lines    bool   // lines, line
	frame    bool   // frame
	colors   bool   // any of stale
	stale    []bool // for each material, values
}

func (n *news) seen() {
	clear(n.stale)
	*n = news{stale: n.stale}
}
