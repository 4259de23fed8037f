package main

// small makes the variant of a character that is worn up to about 320 pixels: the same looks from two thirds of the
// triangles, since software GL pays for every one of them in every frame.
func small(c *character) *character {
	s := *c
	s.id += "-small"
	s.fine = fineness{stray: 0.0011, longest: 0.06}
	return &s
}
