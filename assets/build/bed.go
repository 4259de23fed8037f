package main

import (
	"fmt"
	"math"
)

// bedTop is the height of the surface on which a pet lies, in metres.
const bedTop = 0.06

// bedShape is a low oval cushion with a soft lip: 1.53 long, 1.3 times Yui with her ears. The lip is lower in front, so
// that it hides little of who lies on it.
func bedShape() *character {
	ring := frame{at: vec{0, 0.058, -0.005}, rot: vec{6.5, 0, 0}, scale: vec{1.275, 1, 0.84}}
	floor := halfSpace(frame{at: vec{0, 0.002, 0}}, vec{0, -1, 0}).k(0.03).as(intersect)
	// The lip is stuffed in sixteen puffs, seams between them.
	puffs := prim{d: ring.in(func(q vec) float64 {
		seam := math.Abs(math.Sin(8 * math.Atan2(q[2], q[0])))
		return math.Hypot(math.Hypot(q[0], q[2])-0.515, q[1]) - 0.079 - 0.007*seam
	})}
	return &character{
		id: "bed", name: "bed", fine: fineness{stray: 0.0014, longest: 0.09},
		palette: []colour{
			{"lip", "#E39A86", "#C37766"},
			{"band", "#FBEAD2", "#E5C7A4"},
			{"cushion", "#FFF4E3", "#EDD3B2"},
		},
		groups: []group{{name: "lip", outline: "#84463B"}, {name: "cushion", outline: "#9A6A48"}},
		joints: skeleton{{"bed", "", vec{}}},
		parts: []part{
			{name: "lip", group: "lip", base: "lip", cell: vec{0.042, 0.032, 0.038}, relax: 3, lo: vec{-0.84, -0.06, -0.60}, hi: vec{0.84, 0.24, 0.60},
				skin: rigid("bed"), prims: []prim{puffs, floor},
				paints: []paint{{row: "band", region: func(p vec) float64 {
					// The lower flank is a second cloth with a scalloped border.
					return p[1] - 0.050 - 0.010*math.Sin(16*math.Atan2(p[2]/0.84, p[0]/1.275)-math.Pi/2)
				}}}},
			{name: "cushion", group: "cushion", base: "cushion", cell: vec{0.050, 0.026, 0.046}, relax: 3, lo: vec{-0.76, -0.05, -0.50}, hi: vec{0.76, 0.13, 0.50},
				skin: rigid("bed"), hiddenIn: []string{"lip"}, prims: []prim{
					ellipsoid(vec{0, 0.026, 0}, vec{0.655, 0.085, 0.425}),
					halfSpace(frame{at: vec{0, bedTop, 0}}, vec{0, 1, 0}).k(0.03).as(intersect),
					floor,
				}},
		},
	}
}

// bed returns the bed as a plain GLB with MToon materials, standing on the floor, its middle at the origin.
func bed() ([]byte, error) {
	c := bedShape()
	d := newDocument()
	d.ExtensionsUsed = []string{"VRMC_materials_mtoon"}
	d.Extras = object{"yui": object{"top": bedTop}}
	tex := d.toonTextures(c.palette)
	surfaces, err := c.build()
	if err != nil {
		return nil, err
	}
	m := gltfMesh{Name: "bed"}
	for i, s := range surfaces {
		p, err := d.primitive(s)
		if err != nil {
			return nil, fmt.Errorf("build bed: %w", err)
		}
		p.Material = d.toon(tex, c.groups[i].name, c.groups[i].outline)
		m.Primitives = append(m.Primitives, p)
	}
	d.Meshes = []gltfMesh{m}
	d.Nodes = []node{{Name: "bed", Mesh: ptr(0)}}
	d.Scenes = []scene{{[]int{0}}}
	return d.encode()
}
