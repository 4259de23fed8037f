package main

// coarser says by how much the cells of a part grow in the small variant. What is seen at a few hundred pixels stays: the
// bell keeps its slit and thin parts keep two cells across.
var coarser = map[string]float64{
	"head": 1.25, "tuft": 1.25, "ear": 1.3, "tail": 1.4, "body": 1.4, "scarf": 1.45, "scarfTail": 1.3,
	"cape": 1.3, "horn": 1.2, "crest": 1.2, "fin": 1.1, "wing": 1.1, "spade": 1.1,
}

// small makes the variant of a character that is worn up to about 320 pixels: the same looks from three fifths of the
// triangles, since software GL pays for every one of them in every frame.
func small(c *character) *character {
	c.id += "-small"
	for i := range c.parts {
		if k, ok := coarser[c.parts[i].name]; ok {
			c.parts[i].cell = c.parts[i].cell.mul(k)
		}
	}
	return c
}
