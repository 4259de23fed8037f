// Package vrm reads VRM models (0.x and 1.0), plain humanoid glTF binaries and VRM animations into plain data.
// It knows nothing of time or of OpenGL. Everything here is read-only once loaded, so pets may share a Model.
package vrm

import (
	"encoding/json"
	"image"

	"yui/avatar/vrm/geom"
)

// Bone is a VRM humanoid bone by its number; see BoneNames for the wire names.
type Bone int

// The humanoid bones of VRM 1.0 that YUI knows by name. The others are found by ParseBone.
const (
	Hips Bone = iota
	Spine
	Chest
	UpperChest
	Neck
	Head
	LeftEye
	RightEye
	Jaw
	LeftUpperLeg
	LeftLowerLeg
	LeftFoot
	LeftToes
	RightUpperLeg
	RightLowerLeg
	RightFoot
	RightToes
	LeftShoulder
	LeftUpperArm
	LeftLowerArm
	LeftHand
	RightShoulder
	RightUpperArm
	RightLowerArm
	RightHand
	firstFinger
	// BoneCount counts all bones, the thirty finger bones after RightHand included.
	BoneCount = firstFinger + 30
)

// Model is one character as its file describes it, in its rest pose, facing +z (0.x models are turned on loading).
type Model struct {
	Version string // "1.0", "0.x", or "" for a plain glTF
	Meta    Meta

	Nodes []Node
	Order []int // every node, parents before children
	Roots []int

	Meshes    []Mesh
	Skins     []Skin
	Materials []Material
	Textures  []Texture

	Humanoid    [BoneCount]int // node of each bone, -1 if the model has none
	Expressions []Expression
	LookAt      LookAt
	Springs     []Spring
	Constraints []Constraint

	// Rest holds each node's world matrix in the rest pose, the bone lengths and so the sizes come from it.
	Rest []geom.Mat4
	// Min and Max bound the rest-pose mesh, in metres.
	Min, Max geom.Vec3

	// Extras is the JSON of extras.yui in the file's root (bundled characters and props: unit, seatDrop …), nil for others.
	Extras json.RawMessage
	// Warnings say in plain words what was odd about the file and what was left out; they may be shown.
	Warnings []string
}

// Meta is what the maker says of the model. Untrusted text: show it, never act on it.
type Meta struct {
	Name, Version, Copyright, License string
	Authors                           []string
}

// Node is one joint or mesh holder with its rest transform.
type Node struct {
	Name        string
	Parent      int // -1 for a root
	Children    []int
	Translation geom.Vec3
	Rotation    geom.Quat
	Scale       geom.Vec3
	Mesh        int // -1 for none
	Skin        int // -1 for none
}

// Mesh is a list of primitives that share morph targets.
type Mesh struct {
	Name       string
	Primitives []Primitive
	Weights    []float32 // default weight of each morph target
}

// Primitive is one triangle list with one material. All slices but Indices have one entry a vertex or are nil.
type Primitive struct {
	Positions []geom.Vec3
	Normals   []geom.Vec3
	UVs       [][2]float32
	Colors    [][4]float32
	Joints    [][4]uint16
	Weights   [][4]float32
	Indices   []uint32
	Targets   []Target
	Material  int // -1 for the default material
}

// Target is one morph target: differences to the base. Nil slices mean no difference.
type Target struct {
	Name      string
	Positions []geom.Vec3
	Normals   []geom.Vec3
}

// Skin binds joints to a mesh.
type Skin struct {
	Joints      []int
	InverseBind []geom.Mat4
	Skeleton    int
}

// AlphaMode is how alpha is used, by glTF.
type AlphaMode int

// The alpha modes of glTF 2.0.
const (
	Opaque AlphaMode = iota
	Mask
	Blend
)

// OutlineMode is MToon's outlineWidthMode.
type OutlineMode int

// The outline modes of VRMC_materials_mtoon.
const (
	OutlineNone OutlineMode = iota
	OutlineWorld
	OutlineScreen
)

// ShadeKind says by which rules a material is lit.
type ShadeKind int

// The kinds of material that are drawn.
const (
	MToon ShadeKind = iota
	Unlit
	Lit // PBR: metallic and roughness
)

// TexRef points at a texture; Index is -1 for none. Offset and Scale are KHR_texture_transform (rotation in radians).
type TexRef struct {
	Index         int
	Offset, Scale [2]float32
	Rotation      float32
}

// Material has linear colours (sRGB decoded) and MToon 1.0 parameters; 0.x materials are converted on loading.
type Material struct {
	Name        string
	Kind        ShadeKind
	Alpha       AlphaMode
	Cutoff      float32
	DoubleSided bool
	DepthWrite  bool // for Blend: transparentWithZWrite
	QueueOffset int
	Color       [4]float32
	ColorTex    TexRef
	Emissive    [3]float32
	EmissiveTex TexRef
	NormalTex   TexRef
	NormalScale float32

	Toon
	Metal
	RimLight
	Contour
	UVMotion
}

// Toon is how a material of kind MToon goes from light to shade.
type Toon struct {
	Shade        [3]float32
	ShadeTex     TexRef
	ShadingShift float32
	ShiftTex     TexRef
	ShiftScale   float32
	ShadingToony float32
	GIEqual      float32
}

// Metal is how a material of kind Lit shines.
type Metal struct {
	Metallic  float32
	Roughness float32
	MetalTex  TexRef // green: roughness, blue: metallic
}

// RimLight is what an MToon material adds to its colour by the direction in which it is seen.
type RimLight struct {
	Matcap     [3]float32
	MatcapTex  TexRef
	Rim        [3]float32
	RimTex     TexRef
	RimMix     float32
	RimFresnel float32
	RimLift    float32
}

// Contour is the line round an MToon material.
type Contour struct {
	Outline        OutlineMode
	OutlineWidth   float32 // metres, or part of the screen height
	OutlineTex     TexRef
	OutlineColor   [3]float32
	OutlineMix     float32
	ExtrasMinWidth float32 // bundled models: least outline width in screen pixels, 0 for none
}

// UVMotion moves a material's textures by themselves.
type UVMotion struct {
	UVMaskTex TexRef
	UVScroll  [2]float32 // per second
	UVRotate  float32    // radians per second
}

// Texture is a decoded image with its sampler. SRGB is how the materials use it.
type Texture struct {
	Name         string
	Image        *image.NRGBA
	WrapS, WrapT int // GL enums: 10497 repeat, 33071 clamp, 33648 mirror
	Nearest      bool
	NoMipmaps    bool
}

// Override is how an expression treats blink, look-at and mouth (VRMC_vrm expressions).
type Override int

// The override kinds.
const (
	OverrideNone Override = iota
	OverrideBlock
	OverrideBlend
)

// Expression is a named face. Preset names are those of VRM 1.0 ("happy", "blinkLeft", "lookUp" …), 0.x names are mapped.
type Expression struct {
	Name                       string
	Preset                     bool
	Binary                     bool
	Morphs                     []MorphBind
	Colors                     []ColorBind
	UVs                        []UVBind
	Blink, LookAt, MouthPolicy Override
}

// MorphBind sets one morph target of the mesh at a node.
type MorphBind struct {
	Node, Target int
	Weight       float32
}

// ColorBind moves a material colour toward Target (linear).
type ColorBind struct {
	Material int
	Type     string // color, shadeColor, emissionColor, matcapColor, rimColor, outlineColor
	Target   [4]float32
}

// UVBind moves a material's texture transform.
type UVBind struct {
	Material      int
	Offset, Scale [2]float32
}

// RangeMap is VRMC_vrm's lookAt range map: input degrees up to InMax become 0..OutScale (degrees, or weight).
type RangeMap struct{ InMax, OutScale float32 }

// LookAt is how the eyes follow.
type LookAt struct {
	Type                           string // "bone", "expression" or ""
	Offset                         geom.Vec3
	HorizInner, HorizOuter, Dn, Up RangeMap
}

// Spring is one chain of joints, root first; the last joint is the tip and is not turned itself.
type Spring struct {
	Name      string
	Joints    []SpringJoint
	Colliders []Collider
	Center    int // node, -1 for none
}

// SpringJoint is one joint of VRMC_springBone.
type SpringJoint struct {
	Node                       int
	HitRadius, Stiffness, Drag float32
	GravityPower               float32
	GravityDir                 geom.Vec3
	VirtualTail                bool // 0.x leaf: the tail is 7 cm beyond the joint
}

// ColliderShape is the form of a spring collider.
type ColliderShape int

// The collider shapes, the extended ones included.
const (
	Sphere ColliderShape = iota
	Capsule
	Plane
	SphereInside
	CapsuleInside
)

// Collider pushes springs away. Offset, Tail and Normal are in the node's space.
type Collider struct {
	Node                 int
	Shape                ColliderShape
	Offset, Tail, Normal geom.Vec3
	Radius               float32
}

// Constraint is VRMC_node_constraint.
type Constraint struct {
	Node, Source int
	Kind         string // roll, aim, rotation
	Axis         geom.Vec3
	Weight       float32
}

// Animation is a VRM animation (.vrma): tracks for humanoid bones and expressions, not yet fitted to a model.
type Animation struct {
	Name     string
	Duration float64 // seconds
	// Rotations are in the animation's own rest pose; RestLocal and RestWorld hold that rest pose's rotations.
	Bones []BoneTrack
	// HipsMove is the hips' translation in metres; RestHips is the hips' rest position there, its y the scale.
	HipsMove    *Track
	RestHips    geom.Vec3
	Expressions []ExpressionTrack
	// LookAt turns the direction of the eyes (Width 4, x y z w), nil if the animation leaves them alone.
	LookAt *Track
	// Warnings say in plain words what was odd about the file and what was left out.
	Warnings []string
	// Extras is the JSON of animations[0].extras.yui, nil for other makers' files; see docs/avatar.md.
	Extras json.RawMessage
}

// Interp is glTF's interpolation.
type Interp int

// The interpolations of glTF animation samplers.
const (
	Linear Interp = iota
	Step
	Cubic
)

// Track is keyframes. Values hold Width floats a key; for Cubic in-tangent, value, out-tangent a key, as in glTF.
type Track struct {
	Interp Interp
	Width  int
	Times  []float32
	Values []float32
}

// BoneTrack turns one bone (Width 4, x y z w).
type BoneTrack struct {
	Bone      Bone
	Rotation  Track
	RestLocal geom.Quat
	RestWorld geom.Quat
}

// ExpressionTrack weighs one expression (Width 1); Name as in Expression.
type ExpressionTrack struct {
	Name   string
	Weight Track
}
