package main

import (
	"fmt"
	"strings"
)

// spring is one chain of VRMC_springBone for a model of one metre; the last joint is the end that only marks the tip.
type spring struct {
	name                              string
	joints                            []string
	stiffness, drag, gravity, hitSize float32
	against                           []string
}

// collider is a sphere that pushes springs away, in the space of its bone; a capsule if it has a second end.
type collider struct {
	name, bone string
	offset     [3]float32
	radius     float32
	tail       *[3]float32
}

func colliders() []collider {
	return []collider{
		{name: "head", bone: "head", offset: [3]float32{0, 0.215, -0.01}, radius: 0.235},
		{name: "hips", bone: "hips", offset: [3]float32{0, 0.05, 0}, radius: 0.105},
		{name: "chest", bone: "chest", offset: [3]float32{0, 0.03, 0}, radius: 0.085},
		{name: "handL", bone: "handL", offset: [3]float32{0.033, 0, 0}, radius: 0.05},
		{name: "handR", bone: "handR", offset: [3]float32{-0.033, 0, 0}, radius: 0.05},
		{name: "upperArmL", bone: "upperArmL", offset: [3]float32{0.02, 0, 0}, radius: 0.046, tail: &[3]float32{0.084, 0, 0}},
		{name: "upperArmR", bone: "upperArmR", offset: [3]float32{-0.02, 0, 0}, radius: 0.046, tail: &[3]float32{-0.084, 0, 0}},
		{name: "armL", bone: "lowerArmL", radius: 0.05, tail: &[3]float32{0.104, 0, 0}}, // to the middle of the hand
		{name: "armR", bone: "lowerArmR", radius: 0.05, tail: &[3]float32{-0.104, 0, 0}},
		{name: "legL", bone: "upperLegL", offset: [3]float32{0, -0.05, 0}, radius: 0.05},
		{name: "legR", bone: "upperLegR", offset: [3]float32{0, -0.05, 0}, radius: 0.05},
	}
}

// object is free JSON for extensions; its keys come out sorted.
type object = map[string]any

// humanBone is the VRM name of a joint of the trunk, "" for the others.
func humanBone(joint string) string {
	switch joint {
	case "hips", "spine", "chest", "neck", "head":
		return joint
	}
	for _, limb := range []string{"UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot"} {
		switch joint {
		case strings.ToLower(limb[:1]) + limb[1:] + "L":
			return "left" + limb
		case strings.ToLower(limb[:1]) + limb[1:] + "R":
			return "right" + limb
		}
	}
	return ""
}

// Nodes of a model: the joints in their order, then the two meshes, then the root.
func (c *character) vrm() ([]byte, error) {
	d := newDocument()
	d.ExtensionsUsed = []string{"VRMC_vrm", "VRMC_materials_mtoon", "VRMC_springBone"}
	d.Extras = object{"yui": object{"unit": 1.0, "seatDrop": 0.087}}
	d.addSkeleton(c.joints)
	tex := d.toonTextures(c.palette)
	surfaces, err := c.build()
	if err != nil {
		return nil, err
	}
	body := gltfMesh{Name: "body"}
	for i, s := range surfaces {
		p, err := d.primitive(s)
		if err != nil {
			return nil, fmt.Errorf("build %s: %w", c.id, err)
		}
		p.Material = d.toon(tex, c.groups[i].name, c.groups[i].outline)
		body.Primitives = append(body.Primitives, p)
	}
	faceMesh, mats, err := c.faceMesh(d, tex)
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", c.id, err)
	}
	d.Meshes = []gltfMesh{body, faceMesh}
	n := len(c.joints)
	d.Nodes = append(d.Nodes,
		node{Name: "body", Mesh: ptr(0), Skin: ptr(0)},
		node{Name: "face", Mesh: ptr(1), Skin: ptr(0)},
		node{Name: c.id, Children: []int{0, n, n + 1}},
	)
	d.Scenes = []scene{{[]int{n + 2}}}
	d.Extensions = object{
		"VRMC_vrm": object{
			"specVersion": "1.0",
			"meta":        c.meta(),
			"humanoid":    object{"humanBones": c.humanBones()},
			"firstPerson": object{"meshAnnotations": []object{{"node": n, "type": "auto"}, {"node": n + 1, "type": "auto"}}},
			"lookAt":      c.lookAt(),
			"expressions": c.expressions(n+1, mats),
		},
		"VRMC_springBone": c.springBone(),
	}
	return d.encode()
}

func (d *document) addSkeleton(s skeleton) {
	joints := make([]int, len(s))
	var inverse []float32
	for i, j := range s {
		joints[i] = i
		rel := j.at
		if p := s.index(j.parent); p >= 0 {
			rel = rel.sub(s[p].at)
			d.Nodes[p].Children = append(d.Nodes[p].Children, i)
		}
		d.Nodes = append(d.Nodes, node{Name: j.name, Translation: &[3]float32{float32(rel[0]), float32(rel[1]), float32(rel[2])}})
		inverse = append(inverse, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, float32(-j.at[0]), float32(-j.at[1]), float32(-j.at[2]), 1)
	}
	d.Skins = []gltfSkin{{InverseBindMatrices: d.floatAccessor("MAT4", inverse, 0, false), Skeleton: 0, Joints: joints}}
}

// primitive stores a surface in the smallest types that plain glTF allows.
func (d *document) primitive(s *surface) (primitive, error) {
	if len(s.pos) > 65535 {
		return primitive{}, fmt.Errorf("store surface: %d vertices are too many", len(s.pos))
	}
	p := primitive{Attributes: map[string]int{
		"POSITION":   d.floatAccessor("VEC3", vecFloats(s.pos), vertexTarget, true),
		"NORMAL":     d.floatAccessor("VEC3", vecFloats(s.nor), vertexTarget, false),
		"TEXCOORD_0": d.texcoords(s.uv),
	}}
	if len(d.Skins) > 0 {
		p.Attributes["JOINTS_0"] = d.bytes4(s.joints, false)
		p.Attributes["WEIGHTS_0"] = d.bytes4(s.weights, true)
	}
	p.Indices = d.indices(s.tris)
	return p, nil
}

// faceMaterials are the material numbers that expressions move.
type faceMaterials struct{ eye, blush int }

// faceMesh has three primitives: flat decals, eyes and blush, each with one morph target a shape.
func (c *character) faceMesh(d *document, tex toonSet) (gltfMesh, faceMaterials, error) {
	eye := d.image("eye", eyeImage(c.face.iris), true)
	blush := d.image("blush", blushImage(c.face.blushColour), true)
	mats := map[string]int{"": d.flat("face", tex.lit, 1), "eye": d.flat("eye", eye, 1), "blush": d.flat("blush", blush, blushStrength)}
	head, memo := blended(c.part("head").prims), map[uv][2]vec{}
	base := drawFace(c.face, head, look{}, memo)
	m := gltfMesh{Name: "face"}
	var names []string
	looks := map[string][]*decal{}
	for _, s := range shapes() {
		looks[s.name] = drawFace(c.face, head, s.look, memo)
		names = append(names, s.name)
	}
	for _, kind := range []string{"", "eye", "blush"} {
		s := c.faceSurface(base, kind)
		p, err := d.primitive(s)
		if err != nil {
			return gltfMesh{}, faceMaterials{}, err
		}
		p.Material = mats[kind]
		for _, name := range names {
			to := c.faceSurface(looks[name], kind)
			if len(to.pos) != len(s.pos) {
				return gltfMesh{}, faceMaterials{}, fmt.Errorf("morph %s: %d vertices instead of %d", name, len(to.pos), len(s.pos))
			}
			p.Targets = append(p.Targets, map[string]int{"POSITION": d.deltas(s.pos, to.pos)})
		}
		m.Primitives = append(m.Primitives, p)
	}
	m.Weights = make([]float32, len(names))
	m.Extras = object{"targetNames": names}
	return m, faceMaterials{eye: mats["eye"], blush: mats["blush"]}, nil
}

// faceSurface gathers the decals of one material, bound to the head. Kind "" is all that is painted from the palette.
func (c *character) faceSurface(decals []*decal, kind string) *surface {
	s := &surface{}
	head := uint8(c.joints.index("head"))
	for _, d := range decals {
		flat := d.kind != "eye" && d.kind != "blush"
		if flat != (kind == "") || !flat && d.kind != kind {
			continue
		}
		first := len(s.pos)
		s.pos, s.nor = append(s.pos, d.pos...), append(s.nor, d.nor...)
		for _, t := range d.uv {
			if flat {
				t = [2]float64{0.5, c.rowV(c.row(d.kind))}
			}
			s.uv = append(s.uv, t)
			s.joints, s.weights = append(s.joints, [4]uint8{head}), append(s.weights, [4]uint8{255})
		}
		for _, t := range d.tris {
			s.tris = append(s.tris, [3]int{first + t[0], first + t[1], first + t[2]})
		}
	}
	return s
}
