package main

// meta allows everything that VRM 1.0 can allow: the bundled characters are the project's own work.
func (c *character) meta() object {
	return object{
		"name": c.name, "version": "1.0", "authors": []string{"The YUI authors"},
		"copyrightInformation": "The YUI authors", "licenseUrl": "https://vrm.dev/licenses/1.0/",
		"avatarPermission": "everyone", "allowExcessivelyViolentUsage": false, "allowExcessivelySexualUsage": false,
		"commercialUsage": "corporation", "allowPoliticalOrReligiousUsage": false, "allowAntisocialOrHateUsage": false,
		"creditNotation": "unnecessary", "allowRedistribution": true, "modification": "allowModificationRedistribution",
	}
}

func (c *character) humanBones() object {
	out := object{}
	for i, j := range c.joints {
		if b := humanBone(j.name); b != "" {
			out[b] = object{"node": i}
		}
	}
	return out
}

// lookAt measures from between the eyes. Full gaze is reached at 45 degrees aside and 30 up or down.
func (c *character) lookAt() object {
	e := c.face.eye
	reach := func(deg float64) object { return object{"inputMaxValue": deg, "outputScale": 1.0} }
	return object{
		"type":                    "expression",
		"offsetFromHeadBone":      []float32{0, float32(c.face.height + e.v - c.joints.at("head")[1]), 0.24},
		"rangeMapHorizontalInner": reach(45), "rangeMapHorizontalOuter": reach(45),
		"rangeMapVerticalDown": reach(30), "rangeMapVerticalUp": reach(30),
	}
}

func (c *character) expressions(faceNode int, mats faceMaterials) object {
	index := map[string]int{}
	for i, s := range shapes() {
		index[s.name] = i
	}
	preset, custom := object{}, object{}
	for _, e := range expressions() {
		x := object{"isBinary": false}
		override := func(key, value string) {
			if value == "" {
				value = "none"
			}
			x[key] = value
		}
		override("overrideBlink", e.blink)
		override("overrideLookAt", e.lookAt)
		override("overrideMouth", e.mouth)
		var morphs []object
		for _, s := range e.shapes {
			morphs = append(morphs, object{"node": faceNode, "index": index[s], "weight": 1.0})
		}
		if morphs != nil {
			x["morphTargetBinds"] = morphs
		}
		if o := e.eyeOffset; o != nil {
			x["textureTransformBinds"] = []object{{"material": mats.eye, "scale": []float64{1, 1}, "offset": o}}
		}
		if e.blushAlpha != 0 {
			x["materialColorBinds"] = []object{{"material": mats.blush, "type": "color", "targetValue": []float64{1, 1, 1, e.blushAlpha}}}
		}
		if e.custom {
			custom[e.name] = x
		} else {
			preset[e.name] = x
		}
	}
	return object{"preset": preset, "custom": custom}
}

// springBone writes the springs; every set of colliders that a spring meets is one group.
func (c *character) springBone() object {
	var balls, groups, springs []object
	at := map[string]int{}
	for i, b := range colliders() {
		at[b.name] = i
		shape := object{"sphere": object{"offset": b.offset, "radius": b.radius}}
		if b.tail != nil {
			shape = object{"capsule": object{"offset": b.offset, "radius": b.radius, "tail": *b.tail}}
		}
		balls = append(balls, object{"node": c.joints.index(b.bone), "shape": shape})
	}
	known := map[string]int{}
	for _, s := range c.springs {
		out := object{"name": s.name}
		if len(s.against) > 0 {
			key := ""
			var set []int
			for _, a := range s.against {
				key += a + " "
				set = append(set, at[a])
			}
			g, ok := known[key]
			if !ok {
				g = len(groups)
				known[key] = g
				groups = append(groups, object{"name": s.name, "colliders": set})
			}
			out["colliderGroups"] = []int{g}
		}
		var joints []object
		for _, j := range s.joints {
			joints = append(joints, object{
				"node": c.joints.index(j), "hitRadius": s.hitSize, "stiffness": s.stiffness,
				"gravityPower": s.gravity, "gravityDir": []float32{0, -1, 0}, "dragForce": s.drag,
			})
		}
		out["joints"] = joints
		springs = append(springs, out)
	}
	return object{"specVersion": "1.0", "colliders": balls, "colliderGroups": groups, "springs": springs}
}
