package render

import (
	"fmt"
	"math"
	"sort"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// limits of what is uploaded: far beyond any character, small enough to keep a hostile file from filling memory.
const (
	maxVertices = 2_000_000
	maxIndices  = 6_000_000
)

// bone is one matrix of the skinning palette: a node's world matrix times an inverse bind matrix.
type bone struct {
	node    int
	inverse geom.Mat4
	plain   bool // inverse is the identity
}

// run is a stretch of vertices skinned alike: rigidly by one bone, or (bone -1) blended.
type run struct {
	first, count int32
	bone         int32
}

// batch is one draw: all triangles of one material.
type batch struct {
	material     int // index into mesh.materials
	baked        bool
	first, count int // in indices
	bone         int // a bone of its vertices: tells whether the pose mirrors it
}

// fixedVertex is the part of a vertex that never changes. Colours are square roots of linear light: what the textures
// say there (times the vertex colour if that counts); of a material that is not toon and not baked, the vertex
// colour. Lit[3] is the shading shift or the vertex colour's alpha, Shade[3] the outline's width factor.
type fixedVertex struct {
	UV         [2]float32
	Lit, Shade [4]uint8
}

// morph is one target of one mesh node: sparse differences.
type morph struct {
	vertex   []uint32
	position []geom.Vec3
	normal   []geom.Vec3 // nil, or as long as vertex
	rest     float32     // the mesh's default weight
}

// bind is one morph bind of an expression.
type bind struct {
	morph  int
	weight float32
}

// mesh is a model flattened for drawing, without GL: vertices of one material lie together and in drawing order.
type mesh struct {
	position, normal []geom.Vec3
	fixed            []fixedVertex
	index            []uint32
	batches          []batch
	materials        []vrm.Material // only those used
	modelMaterial    []int          // their number in the model

	bones   []bone
	runs    []run
	joints  [][4]uint16 // one entry for each blended vertex in order
	weights [][4]float32

	morphs []morph
	binds  [][]bind    // for each expression
	rest   []geom.Mat4 // the model's rest pose
	reach  float32     // no vertex of the rest pose is farther from the origin
}

// build flattens a model; bake puts palette textures into the vertices.
func build(m *vrm.Model, bake bool) (*mesh, error) {
	b := builder{bake: bake, model: m, out: &mesh{}, bone: map[boneKey]int{}, morph: map[[2]int]int{},
		pictures: map[textureKey]picture{}, moved: map[int]bool{}}
	for e := range m.Expressions {
		for _, u := range m.Expressions[e].UVs {
			b.moved[u.Material] = true
		}
	}
	groups, err := b.group()
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		b.addBatch(g)
	}
	b.finish()
	return b.out, nil
}

type boneKey struct{ skin, joint, node int }

type builder struct {
	bake     bool
	model    *vrm.Model
	out      *mesh
	bone     map[boneKey]int
	morph    map[[2]int]int
	pictures map[textureKey]picture
	moved    map[int]bool // model materials whose texture coordinates an expression moves
	vertex   []influence
}

// influence is what moves one vertex.
type influence struct {
	joint  [4]uint16
	weight [4]float32
	n      int
}

// instance of a primitive at a node.
type placed struct {
	node int
	prim *vrm.Primitive
}

type group struct {
	material int // in the model, -1 for the default
	prims    []placed
}

// group collects the primitives of each material, in the order in which materials must be drawn (VRMC_materials_mtoon,
// Render Queue): opaque, masked, blended with depth, blended; then by queue offset, then by the model's order.
func (b *builder) group() ([]group, error) {
	m := b.model
	at := map[int]int{}
	var groups []group
	vertices, indices := 0, 0
	for _, n := range m.Order {
		if n < 0 || n >= len(m.Nodes) || n >= len(m.Rest) {
			return nil, fmt.Errorf("upload model: node %d of %d", n, len(m.Nodes))
		}
		mi := m.Nodes[n].Mesh
		if mi < 0 {
			continue
		}
		if mi >= len(m.Meshes) {
			return nil, fmt.Errorf("upload model: mesh %d of %d", mi, len(m.Meshes))
		}
		for p := range m.Meshes[mi].Primitives {
			prim := &m.Meshes[mi].Primitives[p]
			if err := checkPrimitive(prim, len(m.Materials)); err != nil {
				return nil, fmt.Errorf("upload model: mesh %d primitive %d: %w", mi, p, err)
			}
			vertices, indices = vertices+len(prim.Positions), indices+len(prim.Indices)
			if vertices > maxVertices || indices > maxIndices {
				return nil, fmt.Errorf("upload model: more than %d vertices or %d indices", maxVertices, maxIndices)
			}
			g, ok := at[prim.Material]
			if !ok {
				g = len(groups)
				at[prim.Material] = g
				groups = append(groups, group{material: prim.Material})
			}
			groups[g].prims = append(groups[g].prims, placed{n, prim})
		}
	}
	sort.SliceStable(groups, func(i, j int) bool {
		a, c := b.material(groups[i].material), b.material(groups[j].material)
		if ra, rc := queue(a), queue(c); ra != rc {
			return ra < rc
		}
		return false
	})
	return groups, nil
}

func queue(m vrm.Material) int {
	switch {
	case m.Alpha == vrm.Opaque:
		return 0
	case m.Alpha == vrm.Mask:
		return 100
	case m.DepthWrite:
		return 200 + min(max(m.QueueOffset, 0), 9)
	}
	return 309 + min(max(m.QueueOffset, -9), 0)
}

func (b *builder) material(i int) vrm.Material {
	if i < 0 {
		return vrm.DefaultMaterial()
	}
	return b.model.Materials[i]
}

func checkPrimitive(p *vrm.Primitive, materials int) error {
	n := len(p.Positions)
	for _, l := range []int{len(p.Normals), len(p.UVs), len(p.Colors), len(p.Joints), len(p.Weights)} {
		if l != 0 && l != n {
			return fmt.Errorf("attribute of %d entries for %d vertices", l, n)
		}
	}
	if len(p.Indices)%3 != 0 {
		return fmt.Errorf("%d indices are not whole triangles", len(p.Indices))
	}
	for _, i := range p.Indices {
		if int(i) >= n {
			return fmt.Errorf("index %d of %d vertices", i, n)
		}
	}
	for t := range p.Targets {
		for _, l := range []int{len(p.Targets[t].Positions), len(p.Targets[t].Normals)} {
			if l != 0 && l != n {
				return fmt.Errorf("morph target %d of %d entries for %d vertices", t, l, n)
			}
		}
	}
	if p.Material >= materials {
		return fmt.Errorf("material %d of %d", p.Material, materials)
	}
	return nil
}

// addBatch adds one material's triangles, those that need no texture first, each part ordered for the vertex cache, and
// their vertices in the order of their first use.
func (b *builder) addBatch(g group) {
	mat := b.material(g.material)
	bk := newBaker(b.model, &mat, b.pictures)
	may := b.bake && bakeable(&mat, b.moved[g.material])
	var (
		raw   [2][]uint32 // textured, baked
		where []source
	)
	for pi, p := range g.prims {
		total := uint32(len(where))
		var even []bool
		if may {
			even = bk.evenOnes(p.prim)
		}
		for i := 0; i+2 < len(p.prim.Indices); i += 3 {
			t := p.prim.Indices[i : i+3]
			if t[0] == t[1] || t[1] == t[2] || t[0] == t[2] {
				continue
			}
			k := 0
			if may && even[i/3] {
				k = 1
			}
			raw[k] = append(raw[k], total+t[0], total+t[1], total+t[2])
		}
		for v := range p.prim.Positions {
			where = append(where, source{pi, v})
		}
	}
	out := b.out
	first := true
	for k := 1; k >= 0; k-- { // a vertex of both kinds of triangle exists twice: it holds different things
		if len(raw[k]) == 0 {
			continue
		}
		if first {
			out.materials = append(out.materials, mat)
			out.modelMaterial = append(out.modelMaterial, g.material)
			first = false
		}
		b.addPart(g, raw[k], where, bk, k == 1)
	}
}

func (b *builder) addPart(g group, raw []uint32, where []source, bk *baker, baked bool) {
	out := b.out
	remap := make([]int32, len(where))
	for i := range remap {
		remap[i] = -1
	}
	firstIndex, firstVertex := len(out.index), len(out.position)
	toon := b.material(g.material).Kind == vrm.MToon
	var added []source
	for _, v := range orderTriangles(raw, len(where)) {
		if remap[v] < 0 {
			remap[v] = int32(len(out.position))
			s := where[v]
			b.addVertex(g.prims[s.prim], s.vertex, bk, toon, baked)
			added = append(added, s)
		}
		out.index = append(out.index, uint32(remap[v]))
	}
	b.addMorphs(g, added, firstVertex)
	out.batches = append(out.batches, batch{material: len(out.materials) - 1, baked: baked, first: firstIndex,
		count: len(raw), bone: int(b.vertex[firstVertex].joint[0])})
}

func uvAt(p *vrm.Primitive, v uint32) [2]float32 {
	if p.UVs == nil {
		return [2]float32{}
	}
	return p.UVs[v]
}

// source is where a drawn vertex comes from: a primitive of its group and a vertex of that.
type source struct{ prim, vertex int }

func (b *builder) addVertex(p placed, v int, bk *baker, toon, baked bool) {
	out, prim := b.out, p.prim
	normal := geom.Vec3{0, 0, 1}
	if prim.Normals != nil {
		normal = prim.Normals[v]
	}
	color := [4]float32{1, 1, 1, 1}
	if !toon && prim.Colors != nil { // MToon ignores vertex colours (VRMC_materials_mtoon, Vertex Colors)
		color = prim.Colors[v]
	}
	f := fixedVertex{UV: uvAt(prim, uint32(v))}
	pt := point{lit: [3]float32{1, 1, 1}, shade: [3]float32{1, 1, 1}}
	if toon || baked {
		pt = bk.at(f.UV)
	}
	for c := range 3 {
		k := float32(math.Sqrt(float64(max(color[c], 0))))
		f.Lit[c], f.Shade[c] = toByte(pt.lit[c]*k), toByte(pt.shade[c]*k)
	}
	f.Lit[3], f.Shade[3] = toByte(pt.shift), toByte(bk.widthAt(f.UV))
	if !toon && !baked {
		f.Lit[3] = toByte(color[3])
	}
	out.position = append(out.position, prim.Positions[v])
	out.normal = append(out.normal, normal)
	out.fixed = append(out.fixed, f)
	b.vertex = append(b.vertex, b.influences(p, v))
}

func toByte(x float32) uint8 { return uint8(min(max(x, 0), 1)*255 + 0.5) }
