package vrmtest

// Sheets is a small VRM 1.0 character of bones alone, with n nearly clear sheets before her, each as wide and high as she
// is tall: some hundred bytes a sheet that cost a frame her whole square each.
func Sheets(n int) []byte {
	g := &glb{json: object{"asset": object{"version": "2.0"}, "scene": 0, "extensionsUsed": []string{"VRMC_vrm", "KHR_materials_unlit"}}}
	bones := g.skeleton()
	var pos []float32
	var index []uint32
	for i := range n {
		at, z := uint32(len(pos)/3), float32(i)*0.1/float32(n)
		pos = append(pos, -.8, 0, z, .8, 0, z, -.8, 1.6, z, .8, 1.6, z)
		index = append(index, at, at+1, at+2, at+2, at+1, at+3)
	}
	mat := g.add("materials", object{"alphaMode": "BLEND", "pbrMetallicRoughness": object{"baseColorFactor": []float64{.2, .4, .8, .02}},
		"extensions": object{"KHR_materials_unlit": object{}}})
	mesh := g.add("meshes", object{"primitives": []any{object{"material": mat, "indices": g.accessor("SCALAR", 5125, 1, len(index), index),
		"attributes": object{"POSITION": g.floats("VEC3", 3, pos)}}}})
	g.add("scenes", object{"nodes": []int{0, g.add("nodes", object{"mesh": mesh})}})
	g.json["extensions"] = object{"VRMC_vrm": object{"specVersion": "1.0", "humanoid": object{"humanBones": bones},
		"meta": object{"name": "Sheets", "version": "1", "authors": []string{"YUI"}, "licenseUrl": "https://vrm.dev/licenses/1.0/"}}}
	return g.bytes()
}
