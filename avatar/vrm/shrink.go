package vrm

import "image"

// fitted halves a size until it is no longer than side.
func fitted(w, h, side int) (int, int) {
	for w > side || h > side {
		w, h = max(w/2, 1), max(h/2, 1)
	}
	return w, h
}

// shrinker takes the rows of a picture from the top down and halves it on the way until no side is longer than asked for:
// a larger one never exists whole.
type shrinker struct {
	row      []byte // the next row goes here, then add
	img      *image.NRGBA
	at       int // rows of img that are there
	halvings []halving
}

// halving makes one row of two.
type halving struct {
	upper, half []byte
	waits       bool // upper is there
	single      bool // there is one row only, which stays
	right       int  // how far the second pixel of a pair is from the first
}

func newShrinker(w, h, side int) *shrinker {
	s := &shrinker{row: make([]byte, 4*w)}
	for w > side || h > side {
		next := halving{upper: make([]byte, 4*w), single: h == 1, right: 4 * min(w-1, 1)}
		w, h = max(w/2, 1), max(h/2, 1)
		next.half = make([]byte, 4*w)
		s.halvings = append(s.halvings, next)
	}
	s.img = image.NewNRGBA(image.Rect(0, 0, w, h))
	return s
}

// add takes in the row.
func (s *shrinker) add() {
	row := s.row
	for i := range s.halvings {
		h := &s.halvings[i]
		upper := h.upper
		switch {
		case h.single:
			upper = row
		case !h.waits:
			copy(h.upper, row)
			h.waits = true
			return
		}
		h.waits = false
		halveRows(h.half, upper, row, h.right)
		row = h.half
	}
	copy(s.img.Pix[s.at*s.img.Stride:], row)
	s.at++
}

// halveRows makes a row of two; right is how far the second pixel of each pair is from the first, 4 or 0. Colours are
// weighed by alpha, so that the unseen colour of empty pixels does not bleed in.
func halveRows(to, upper, lower []byte, right int) {
	step := 2
	if right == 0 {
		step = 1
	}
	for x := 0; x < len(to); x += 4 {
		d := (*[4]uint8)(to[x:])
		a, b := upper[step*x:], lower[step*x:]
		p, q, r, s := (*[4]uint8)(a), (*[4]uint8)(a[right:]), (*[4]uint8)(b), (*[4]uint8)(b[right:])
		if p[3]&q[3]&r[3]&s[3] == 255 {
			d[0] = uint8((uint32(p[0]) + uint32(q[0]) + uint32(r[0]) + uint32(s[0]) + 2) / 4)
			d[1] = uint8((uint32(p[1]) + uint32(q[1]) + uint32(r[1]) + uint32(s[1]) + 2) / 4)
			d[2] = uint8((uint32(p[2]) + uint32(q[2]) + uint32(r[2]) + uint32(s[2]) + 2) / 4)
			d[3] = 255
			continue
		}
		pa, qa, ra, sa := uint32(p[3]), uint32(q[3]), uint32(r[3]), uint32(s[3])
		alpha := pa + qa + ra + sa
		d[3] = uint8((alpha + 2) / 4)
		if alpha == 0 {
			pa, qa, ra, sa, alpha = 1, 1, 1, 1, 4
		}
		for c := range 3 {
			d[c] = uint8((uint32(p[c])*pa + uint32(q[c])*qa + uint32(r[c])*ra + uint32(s[c])*sa + alpha/2) / alpha)
		}
	}
}
