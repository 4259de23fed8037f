package render

import (
	"image"
	"image/color"
	"math"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// Models built in code: what the product must never lose is seen without any file.

func noTex() vrm.TexRef { return vrm.TexRef{Index: -1, Scale: [2]float32{1, 1}} }

func tex(i int) vrm.TexRef { return vrm.TexRef{Index: i, Scale: [2]float32{1, 1}} }

// srgb makes linear factors of screen bytes.
func srgb(r, g, b uint8) [3]float32 {
	return [3]float32{decodeSRGB(float32(r) / 255), decodeSRGB(float32(g) / 255), decodeSRGB(float32(b) / 255)}
}

func toon(lit, shade [3]float32) vrm.Material {
	m := vrm.DefaultMaterial()
	m.Kind, m.Color, m.Shade, m.ShadingToony = vrm.MToon, [4]float32{lit[0], lit[1], lit[2], 1}, shade, 0.97
	m.DepthWrite, m.OutlineMix = false, 0 // blended without depth, a line of one colour
	return m
}

// modelOf wraps primitives, one node and mesh each, into a model of the given materials and textures.
func modelOf(mats []vrm.Material, texs []vrm.Texture, prims ...vrm.Primitive) *vrm.Model {
	m := &vrm.Model{Version: "1.0", Materials: mats, Textures: texs}
	for i := range m.Humanoid {
		m.Humanoid[i] = -1
	}
	inf := float32(math.Inf(1))
	m.Min, m.Max = geom.Vec3{inf, inf, inf}, geom.Vec3{-inf, -inf, -inf}
	for i, p := range prims {
		m.Nodes = append(m.Nodes, vrm.Node{Parent: -1, Mesh: i, Skin: -1, Rotation: geom.Ident, Scale: geom.Vec3{1, 1, 1}})
		m.Order = append(m.Order, i)
		m.Roots = append(m.Roots, i)
		m.Rest = append(m.Rest, geom.IdentMat)
		m.Meshes = append(m.Meshes, vrm.Mesh{Primitives: []vrm.Primitive{p}})
		for _, v := range p.Positions {
			for k := range 3 {
				m.Min[k], m.Max[k] = min(m.Min[k], v[k]), max(m.Max[k], v[k])
			}
		}
	}
	return m
}

// sphere of a radius about a centre, rings x 2*rings.
func sphere(c geom.Vec3, radius float32, rings, material int) vrm.Primitive {
	p := vrm.Primitive{Material: material}
	cols := 2 * rings
	for i := 0; i <= rings; i++ {
		st, ct := math.Sincos(math.Pi * float64(i) / float64(rings))
		for j := 0; j <= cols; j++ {
			sp, cp := math.Sincos(2 * math.Pi * float64(j) / float64(cols))
			n := geom.Vec3{float32(st * sp), float32(ct), float32(st * cp)}
			p.Positions = append(p.Positions, c.Add(n.Mul(radius)))
			p.Normals = append(p.Normals, n)
			p.UVs = append(p.UVs, [2]float32{float32(j) / float32(cols), float32(i) / float32(rings)})
		}
	}
	w := uint32(cols + 1)
	for i := range uint32(rings) {
		for j := range uint32(cols) {
			a := i*w + j
			p.Indices = append(p.Indices, a, a+w, a+1, a+1, a+w, a+w+1)
		}
	}
	return p
}

// quad in the plane z, from (x0,y0) to (x1,y1), facing +z, uv with v down.
func quad(x0, y0, x1, y1, z float32, material int) vrm.Primitive {
	return vrm.Primitive{Material: material,
		Positions: []geom.Vec3{{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}},
		Normals:   []geom.Vec3{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
		UVs:       [][2]float32{{0, 1}, {1, 1}, {1, 0}, {0, 0}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3}}
}

// cube with smooth normals (so that its hull has no gaps), half edge h about c.
func cube(c geom.Vec3, h float32, material int) vrm.Primitive {
	p := vrm.Primitive{Material: material}
	for i := range 8 {
		v := geom.Vec3{h, h, h}
		for k := range 3 {
			if i>>k&1 == 0 {
				v[k] = -h
			}
		}
		p.Positions = append(p.Positions, c.Add(v))
		p.Normals = append(p.Normals, v.Unit())
		p.UVs = append(p.UVs, [2]float32{})
	}
	for _, f := range [][4]uint32{{4, 5, 7, 6}, {1, 0, 2, 3}, {5, 1, 3, 7}, {0, 4, 6, 2}, {6, 7, 3, 2}, {0, 1, 5, 4}} {
		p.Indices = append(p.Indices, f[0], f[1], f[2], f[0], f[2], f[3])
	}
	return p
}

// crate is a cube whose faces have corners and normals of their own, as modelling programs write hard edges.
func crate(c geom.Vec3, h float32, material int) vrm.Primitive {
	p := vrm.Primitive{Material: material}
	for axis := range 3 {
		for _, side := range []float32{-1, 1} {
			at := uint32(len(p.Positions))
			for _, corner := range [][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				var v, n geom.Vec3
				v[axis], v[(axis+1)%3], v[(axis+2)%3] = side*h, corner[0]*side*h, corner[1]*h
				n[axis] = side
				p.Positions = append(p.Positions, c.Add(v))
				p.Normals = append(p.Normals, n)
				p.UVs = append(p.UVs, [2]float32{})
			}
			p.Indices = append(p.Indices, at, at+1, at+2, at, at+2, at+3)
		}
	}
	return p
}

func texture(w, h int, at func(x, y int) color.NRGBA) vrm.Texture {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, at(x, y))
		}
	}
	return vrm.Texture{Image: img, WrapS: 33071, WrapT: 33071}
}
