package vrm

import "encoding/json"

// The JSON of glTF 2.0, as far as YUI reads it. References are pointers, so that a missing one is never taken for 0.

type jsonFile struct {
	Asset struct {
		Version    string          `json:"version"`
		MinVersion string          `json:"minVersion"`
		Copyright  string          `json:"copyright"`
		Extras     json.RawMessage `json:"extras"`
	} `json:"asset"`
	Used        []string         `json:"extensionsUsed"`
	Required    []string         `json:"extensionsRequired"`
	Scene       *int             `json:"scene"`
	Scenes      []jsonScene      `json:"scenes"`
	Nodes       []jsonNode       `json:"nodes"`
	Meshes      []jsonMesh       `json:"meshes"`
	Skins       []jsonSkin       `json:"skins"`
	Materials   []jsonMaterial   `json:"materials"`
	Textures    []jsonTexture    `json:"textures"`
	Images      []jsonImage      `json:"images"`
	Samplers    []jsonSampler    `json:"samplers"`
	Accessors   []jsonAccessor   `json:"accessors"`
	BufferViews []jsonBufferView `json:"bufferViews"`
	Buffers     []jsonBuffer     `json:"buffers"`
	Animations  []jsonAnimation  `json:"animations"`
	Extras      json.RawMessage  `json:"extras"`
	Extensions  struct {
		VRM0      json.RawMessage `json:"VRM"`
		VRM1      json.RawMessage `json:"VRMC_vrm"`
		Spring    json.RawMessage `json:"VRMC_springBone"`
		Animation json.RawMessage `json:"VRMC_vrm_animation"`
	} `json:"extensions"`
}

type jsonScene struct {
	Nodes  []int           `json:"nodes"`
	Extras json.RawMessage `json:"extras"`
}

type jsonNode struct {
	Name        string    `json:"name"`
	Children    []int     `json:"children"`
	Mesh        *int      `json:"mesh"`
	Skin        *int      `json:"skin"`
	Matrix      []float32 `json:"matrix"`
	Translation []float32 `json:"translation"`
	Rotation    []float32 `json:"rotation"`
	Scale       []float32 `json:"scale"`
	Extensions  *struct {
		Constraint json.RawMessage `json:"VRMC_node_constraint"`
	} `json:"extensions"`
}

type jsonMesh struct {
	Name       string          `json:"name"`
	Primitives []jsonPrimitive `json:"primitives"`
	Weights    []float32       `json:"weights"`
	Extras     json.RawMessage `json:"extras"`
}

type jsonPrimitive struct {
	Attributes map[string]int   `json:"attributes"`
	Indices    *int             `json:"indices"`
	Material   *int             `json:"material"`
	Mode       *int             `json:"mode"`
	Targets    []map[string]int `json:"targets"`
	Extras     json.RawMessage  `json:"extras"`
	Extensions *struct {
		Draco json.RawMessage `json:"KHR_draco_mesh_compression"`
	} `json:"extensions"`
}

// targetNames is where exporters put the names of morph targets: the mesh's extras or, older, the primitive's.
type targetNames struct {
	Names []string `json:"targetNames"`
}

type jsonSkin struct {
	Joints      []int `json:"joints"`
	InverseBind *int  `json:"inverseBindMatrices"`
	Skeleton    *int  `json:"skeleton"`
}

type jsonTexture struct {
	Name    string `json:"name"`
	Source  *int   `json:"source"`
	Sampler *int   `json:"sampler"`

	Extensions *struct {
		WebP *struct {
			Source *int `json:"source"`
		} `json:"EXT_texture_webp"`
	} `json:"extensions"`
}

type jsonImage struct {
	Name       string `json:"name"`
	URI        string `json:"uri"`
	MimeType   string `json:"mimeType"`
	BufferView *int   `json:"bufferView"`
}

type jsonSampler struct {
	Mag   int `json:"magFilter"`
	Min   int `json:"minFilter"`
	WrapS int `json:"wrapS"`
	WrapT int `json:"wrapT"`
}

type jsonAccessor struct {
	BufferView    *int   `json:"bufferView"`
	ByteOffset    int64  `json:"byteOffset"`
	ComponentType int    `json:"componentType"`
	Normalized    bool   `json:"normalized"`
	Count         int64  `json:"count"`
	Type          string `json:"type"`
	Sparse        *struct {
		Count   int64 `json:"count"`
		Indices struct {
			BufferView    *int  `json:"bufferView"`
			ByteOffset    int64 `json:"byteOffset"`
			ComponentType int   `json:"componentType"`
		} `json:"indices"`
		Values struct {
			BufferView *int  `json:"bufferView"`
			ByteOffset int64 `json:"byteOffset"`
		} `json:"values"`
	} `json:"sparse"`
}

type jsonBufferView struct {
	Buffer     int   `json:"buffer"`
	ByteOffset int64 `json:"byteOffset"`
	ByteLength int64 `json:"byteLength"`
	ByteStride int64 `json:"byteStride"`
}

type jsonBuffer struct {
	URI        string `json:"uri"`
	ByteLength int64  `json:"byteLength"`
}

type jsonAnimation struct {
	Name     string `json:"name"`
	Channels []struct {
		Sampler int `json:"sampler"`
		Target  struct {
			Node *int   `json:"node"`
			Path string `json:"path"`
		} `json:"target"`
	} `json:"channels"`
	Samplers []struct {
		Input         int    `json:"input"`
		Output        int    `json:"output"`
		Interpolation string `json:"interpolation"`
	} `json:"samplers"`
	Extras json.RawMessage `json:"extras"`
}

// textureInfo is glTF's textureInfo with what its relatives add.
type textureInfo struct {
	Index      *int     `json:"index"`
	TexCoord   int      `json:"texCoord"`
	Scale      *float32 `json:"scale"` // normal and shading shift textures
	Extensions *struct {
		Transform *struct {
			Offset   []float32 `json:"offset"`
			Scale    []float32 `json:"scale"`
			Rotation float32   `json:"rotation"`
			TexCoord *int      `json:"texCoord"`
		} `json:"KHR_texture_transform"`
	} `json:"extensions"`
}

type jsonMaterial struct {
	Name string `json:"name"`
	PBR  struct {
		Color     []float32    `json:"baseColorFactor"`
		ColorTex  *textureInfo `json:"baseColorTexture"`
		Metallic  *float32     `json:"metallicFactor"`
		Roughness *float32     `json:"roughnessFactor"`
		MetalTex  *textureInfo `json:"metallicRoughnessTexture"`
	} `json:"pbrMetallicRoughness"`
	Normal      *textureInfo    `json:"normalTexture"`
	Emissive    []float32       `json:"emissiveFactor"`
	EmissiveTex *textureInfo    `json:"emissiveTexture"`
	AlphaMode   string          `json:"alphaMode"`
	Cutoff      *float32        `json:"alphaCutoff"`
	DoubleSided bool            `json:"doubleSided"`
	Extras      json.RawMessage `json:"extras"`
	Extensions  struct {
		Unlit            *struct{} `json:"KHR_materials_unlit"`
		EmissiveStrength *struct {
			Strength *float32 `json:"emissiveStrength"`
		} `json:"KHR_materials_emissive_strength"`
		MToon json.RawMessage `json:"VRMC_materials_mtoon"`
	} `json:"extensions"`
}
