package render

import (
	"bytes"
	"testing"

	gl "github.com/go-gl/gl/v3.1/gles2"

	"yui/avatar/vrm"
	"yui/avatar/vrm/vrmtest"
)

// TestDeliverBoundsEveryPiece sends a model of large textures: no piece is more than a slice, and what arrives is what was
// made.
func TestDeliverBoundsEveryPiece(t *testing.T) {
	m, err := vrm.Load(vrmtest.Dressed())
	if err != nil {
		t.Fatal(err)
	}
	onGL(t, 64, 64, func(t T, win window) {
		r, err := New(Options{Exact: true, KeepTextures: true})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Release()
		d, err := r.Deliver(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Drop()
		d.todo = d.todo[:1]
		k := d.scene.stock.(*glStock)
		slices := 0
		var last *shipment
		for d.Make() {
			at := 0
			if k.sending != nil {
				last = k.sending
				at = last.sent()
			}
			if err := d.Send(); err != nil {
				t.Fatal(err)
			}
			if last == nil {
				continue
			}
			slices++
			if n := last.sent() - at; n <= 0 || n > sliceBytes {
				t.Fatalf("piece %d is %d bytes, want 1 to %d", slices, n, sliceBytes)
			}
		}
		if last == nil || slices < 2 {
			t.Fatalf("%d slices: nothing large was sent", slices)
		}
		p := last.art.levels[0]
		var frame uint32
		gl.GenFramebuffers(1, &frame)
		defer gl.DeleteFramebuffers(1, &frame)
		gl.BindFramebuffer(gl.FRAMEBUFFER, frame)
		defer gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
		gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, last.id, 0)
		got := make([]byte, len(p.pix))
		gl.ReadPixels(0, 0, int32(p.w), int32(p.h), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(got))
		if err := glError("read texture"); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, p.pix) {
			t.Error("the texture is not what was made")
		}
	})
}

// sent is how many bytes of the shipment have gone.
func (a *shipment) sent() (n int) {
	for _, p := range a.art.levels[:a.level] {
		n += len(p.pix)
	}
	if a.level < len(a.art.levels) {
		n += 4 * a.art.levels[a.level].w * a.row
	}
	return n
}
