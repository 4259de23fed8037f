package vrm

import (
	"image/color"
)

// fullCharacter is a VRM 1.0 character with one of everything: a skinned, morphed, textured MToon mesh, springs with all
// colliders, constraints, expressions with every kind of bind, and a look-at by expression.
func fullCharacter() []byte {
	return vrm1(func(g *glb, v obj, at map[string]int) {
		mesh, node := g.triangle("smile", "blink")
		prim := g.at("meshes", mesh)["primitives"].([]any)[0].(obj)
		a := prim["attributes"].(obj)
		a["NORMAL"] = g.floats("VEC3", 0, 0, 1, 0, 0, 1, 0, 0, 1)
		a["TEXCOORD_0"] = g.floats("VEC2", 0, 0, 1, 0, 0, 1)
		a["JOINTS_0"] = g.shorts("VEC4", 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0)
		a["WEIGHTS_0"] = g.floats("VEC4", 1, 0, 0, 0, 1, 0, 0, 0, 3, 1, 0, 0)
		prim["indices"] = g.shorts("SCALAR", 0, 1, 2)
		g.at("nodes", node)["skin"] = g.add("skins", obj{"joints": []int{at["hips"], at["head"]}, "inverseBindMatrices": g.floats("MAT4",
			1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.8, 0, 1,
			1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1.3, 0, 1)})
		tex := g.texture(picture(4, 2, color.NRGBA{200, 100, 50, 255}), "image/png")
		g.paint(mesh, mtoonMaterial(tex))
		g.at("nodes", at["head"])["children"] = []any{
			g.add("nodes", obj{"name": "hair1", "translation": []float32{0, 0.1, 0}, "children": []any{len(g.js["nodes"].([]any)) + 1}}),
			g.add("nodes", obj{"name": "hair2", "translation": []float32{0, 0.1, 0}, "children": []any{len(g.js["nodes"].([]any)) + 1}}),
		}[:1]
		tip := g.add("nodes", obj{"name": "hair3", "translation": []float32{0, 0.1, 0}})
		g.ext("VRMC_springBone", springs(at, tip-2, tip-1, tip))
		g.at("nodes", at["leftLowerArm"])["extensions"] = obj{"VRMC_node_constraint": obj{"specVersion": "1.0",
			"constraint": obj{"roll": obj{"source": at["leftHand"], "rollAxis": "X", "weight": 0.5}}}}
		v["expressions"] = faces(node)
		v["lookAt"] = obj{"type": "expression", "offsetFromHeadBone": []float32{0, 0.06, 0.02},
			"rangeMapHorizontalInner": obj{"inputMaxValue": 30, "outputScale": 1}, "rangeMapVerticalUp": obj{"inputMaxValue": 0, "outputScale": 0.5}}
		g.js["extras"] = obj{"yui": obj{"unit": 1.0, "seatDrop": 0.087}}
	})
}

func mtoonMaterial(tex int) obj {
	t := obj{"index": tex}
	return obj{
		"name": "skin", "alphaMode": "BLEND", "doubleSided": true, "emissiveFactor": []float32{0.1, 0.2, 0.3},
		"pbrMetallicRoughness": obj{"baseColorFactor": []float32{0.5, 0.6, 0.7, 0.8}, "baseColorTexture": obj{"index": tex,
			"extensions": obj{"KHR_texture_transform": obj{"offset": []float32{0.1, 0.2}, "scale": []float32{2, 3}, "rotation": 0.5}}}},
		"extras": obj{"yui": obj{"minOutlinePx": 1.5}},
		"extensions": obj{"KHR_materials_emissive_strength": obj{"emissiveStrength": 2}, "KHR_materials_unlit": obj{}, "VRMC_materials_mtoon": obj{
			"specVersion": "1.0", "transparentWithZWrite": true, "renderQueueOffsetNumber": 3, "shadeColorFactor": []float32{0.3, 0.2, 0.1},
			"shadeMultiplyTexture": t, "shadingShiftFactor": -0.2, "shadingShiftTexture": obj{"index": tex, "scale": 0.7}, "shadingToonyFactor": 0.95,
			"giEqualizationFactor": 0.4, "matcapFactor": []float32{0.9, 0.8, 0.7}, "matcapTexture": t, "parametricRimColorFactor": []float32{0.4, 0.5, 0.6},
			"rimMultiplyTexture": t, "rimLightingMixFactor": 0.3, "parametricRimFresnelPowerFactor": 4, "parametricRimLiftFactor": 0.05,
			"outlineWidthMode": "worldCoordinates", "outlineWidthFactor": 0.003, "outlineWidthMultiplyTexture": t, "outlineColorFactor": []float32{0.2, 0.1, 0.1},
			"outlineLightingMixFactor": 0.6, "uvAnimationMaskTexture": t, "uvAnimationScrollXSpeedFactor": 0.1, "uvAnimationScrollYSpeedFactor": 0.2,
			"uvAnimationRotationSpeedFactor": 0.3,
		}},
	}
}

func springs(at map[string]int, joints ...int) obj {
	var list []any
	for _, j := range joints {
		list = append(list, obj{"node": j, "hitRadius": 0.02, "stiffness": 2, "gravityPower": 0.3, "gravityDir": []float32{0, -2, 0}, "dragForce": 0.4})
	}
	head := at["head"]
	return obj{
		"specVersion": "1.0",
		"colliders": []any{
			obj{"node": head, "shape": obj{"sphere": obj{"offset": []float32{0, 0.1, 0}, "radius": 0.2}}},
			obj{"node": head, "shape": obj{"capsule": obj{"offset": []float32{0, 0.1, 0}, "tail": []float32{0, 0.3, 0}, "radius": 0.1}}},
			obj{"node": head, "shape": obj{"sphere": obj{"radius": 0.01}}, "extensions": obj{"VRMC_springBone_extended_collider": obj{
				"specVersion": "1.0", "shape": obj{"plane": obj{"offset": []float32{0, -1, 0}, "normal": []float32{0, 2, 0}}}}}},
			obj{"node": head, "extensions": obj{"VRMC_springBone_extended_collider": obj{"shape": obj{"sphere": obj{"radius": 0.5, "inside": true}}}}},
			obj{"node": head, "extensions": obj{"VRMC_springBone_extended_collider": obj{"shape": obj{"capsule": obj{"radius": 0.4, "tail": []float32{1, 0, 0}, "inside": true}}}}},
		},
		"colliderGroups": []any{obj{"name": "head", "colliders": []int{0, 1}}, obj{"name": "rest", "colliders": []int{2, 3, 4}}},
		"springs":        []any{obj{"name": "hair", "joints": list, "colliderGroups": []int{0, 1}, "center": at["hips"]}},
	}
}

func faces(node int) obj {
	return obj{
		"preset": obj{
			"happy": obj{"isBinary": true, "overrideBlink": "block", "overrideMouth": "blend", "morphTargetBinds": []any{obj{"node": node, "index": 0, "weight": 0.8}},
				"materialColorBinds": []any{obj{"material": 0, "type": "shadeColor", "targetValue": []float32{1, 0, 0, 1}}}},
			"lookLeft": obj{"textureTransformBinds": []any{obj{"material": 0, "offset": []float32{0.1, 0}, "scale": []float32{1, 1}}}},
			"neutral":  obj{},
		},
		"custom": obj{"ex_wink": obj{"morphTargetBinds": []any{obj{"node": node, "index": 1, "weight": 1}}}},
	}
}

// animated returns a small VRMA with a scaled root, hips, an arm, an expression and a gaze; change adds to it.
func animated(change func(g *glb, vrma, anim obj)) []byte {
	g := newGLB()
	root := g.add("nodes", obj{"name": "root", "scale": []float32{0.01, 0.01, 0.01}, "children": []int{1}})
	hips := g.add("nodes", obj{"name": "hips", "translation": []float32{0, 90, 0}, "rotation": []float32{0, 0.6, 0, 0.8}, "children": []int{2}})
	arm := g.add("nodes", obj{"name": "arm", "rotation": []float32{0.6, 0, 0, 0.8}})
	face := g.add("nodes", obj{"name": "happy"})
	gaze := g.add("nodes", obj{"name": "lookAt"})
	_ = root
	times := g.floats("SCALAR", 0, 1, 2)
	sampler := func(kind string, v ...float32) obj { return obj{"input": times, "output": g.floats(kind, v...)} }
	to := func(node int, path string, s int) obj {
		return obj{"sampler": s, "target": obj{"node": node, "path": path}}
	}
	anim := obj{"name": "test", "extras": obj{"yui": obj{"loop": true}},
		"samplers": []any{
			sampler("VEC3", 0, 90, 0, 0, 100, 0, 0, 90, 0),
			sampler("VEC4", 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 1),
			sampler("VEC3", 0, 0, 0, 2, 0, 0, 0.5, 0, 0),
			sampler("VEC4", 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1),
		},
		"channels": []any{to(hips, "translation", 0), to(arm, "rotation", 1), to(face, "translation", 2), to(gaze, "rotation", 3), to(arm, "scale", 0)},
	}
	v := obj{"specVersion": "1.0", "humanoid": obj{"humanBones": obj{"hips": obj{"node": hips}, "leftUpperArm": obj{"node": arm}}},
		"expressions": obj{"preset": obj{"happy": obj{"node": face}}}, "lookAt": obj{"node": gaze}}
	if change != nil {
		change(g, v, anim)
	}
	g.js["animations"] = []any{anim}
	g.ext("VRMC_vrm_animation", v)
	return g.bytes()
}

// oldCharacter is a VRM 0.x character with faces, springs and materials.
func oldCharacter() []byte {
	return vrm0(func(g *glb, v obj, at map[string]int) {
		mesh, node := g.triangle("あ", "smile / 笑い", "unused")
		prim := g.at("meshes", mesh)["primitives"].([]any)[0].(obj)
		prim["attributes"].(obj)["JOINTS_0"] = g.shorts("VEC4", make([]uint16, 12)...)
		prim["attributes"].(obj)["WEIGHTS_0"] = g.floats("VEC4", 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
		g.at("nodes", node)["skin"] = g.add("skins", obj{"joints": []int{at["head"]}, "inverseBindMatrices": g.floats("MAT4",
			1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, -1.3, 0.25, 1)})
		g.texture(picture(2, 2, color.White), "image/png")
		g.texture(picture(2, 2, color.Black), "image/png")
		g.paint(mesh, obj{"name": "Skin"})
		v["materialProperties"] = []any{oldMToon()}
		v["firstPerson"] = obj{"firstPersonBone": at["head"], "firstPersonBoneOffset": obj{"x": 0.01, "y": 0.06, "z": 0.1}, "lookAtTypeName": "BlendShape",
			"lookAtHorizontalInner": obj{"curve": []float32{0, 0, 0, 1}, "xRange": 90, "yRange": 8}, "lookAtVerticalUp": obj{"xRange": 60}}
		v["blendShapeMaster"] = obj{"blendShapeGroups": []any{
			obj{"name": "A", "presetName": "a", "binds": []any{obj{"mesh": mesh, "index": 0, "weight": 50}}},
			obj{"name": "Joy", "presetName": "joy", "isBinary": true, "binds": []any{obj{"mesh": mesh, "index": 1, "weight": 100}, obj{"mesh": 7, "index": 0, "weight": 1}},
				"materialValues": []any{
					obj{"materialName": "Skin", "propertyName": "_Color", "targetValue": []float32{0.5, 0.5, 0.5, 1}},
					obj{"materialName": "Skin", "propertyName": "_MainTex_ST", "targetValue": []float32{1, 0.5, 0.25, 0.25}},
					obj{"materialName": "Skin", "propertyName": "_EmissionColor", "targetValue": []float32{0.5, 0.5, 0.5, 1}}}},
			obj{"name": "Surprised", "presetName": "unknown"},
			obj{"name": "BLINK_L", "presetName": ""},
			obj{"name": "笑い", "presetName": "unknown"},
		}}
		hair := g.add("nodes", obj{"name": "hair", "children": []int{0, 0}})
		a := g.add("nodes", obj{"name": "hairA", "translation": []float32{0, 0.1, 0}})
		b := g.add("nodes", obj{"name": "hairB", "translation": []float32{0.1, 0, 0}})
		g.at("nodes", hair)["children"] = []int{a, b}
		g.at("nodes", at["head"])["children"] = []int{hair}
		v["secondaryAnimation"] = obj{
			"boneGroups": []any{obj{"comment": "hair", "stiffiness": 2.5, "gravityPower": 0.5, "gravityDir": obj{"x": 0.6, "y": -0.8, "z": 0},
				"dragForce": 0.4, "center": -1, "hitRadius": 0.02, "bones": []int{hair, hair, 999}, "colliderGroups": []int{0, 5}}},
			"colliderGroups": []any{obj{"node": at["head"], "colliders": []any{obj{"offset": obj{"x": 0.1, "y": 0.2, "z": 0.3}, "radius": 0.15}}}},
		}
	})
}

func oldMToon() obj {
	return obj{"name": "Skin", "shader": "VRM/MToon", "renderQueue": 3000,
		"floatProperties": obj{"_Cutoff": 0.4, "_BumpScale": 0.5, "_ShadeShift": -0.5, "_ShadeToony": 0.8, "_IndirectLightIntensity": 0.25,
			"_RimLightingMix": 0.5, "_RimFresnelPower": 2, "_RimLift": 0.1, "_OutlineWidth": 0.5, "_OutlineWidthMode": 2, "_OutlineColorMode": 1,
			"_OutlineLightingMix": 0.75, "_BlendMode": 2, "_CullMode": 0, "_UvAnimScrollX": 0.1, "_UvAnimScrollY": 0.2, "_UvAnimRotation": 0.5},
		"vectorProperties": obj{"_Color": []float32{0.5, 1, 0, 0.9}, "_ShadeColor": []float32{0.5, 0.5, 0.5, 1}, "_EmissionColor": []float32{0.5, 0, 0, 1},
			"_RimColor": []float32{0.5, 0, 0, 1}, "_OutlineColor": []float32{0.5, 0, 0, 1}, "_MainTex": []float32{0.25, 0.125, 0.5, 0.5}},
		"textureProperties": obj{"_MainTex": 1, "_SphereAdd": 0},
	}
}
