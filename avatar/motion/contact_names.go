package motion

// limb is a part of the body that touches something.
type limb uint8

const (
	leftHand limb = iota
	rightHand
	hipsLimb
	headLimb
	noLimb
)

// landmark is a place that a limb touches (docs/rules/avatar.md#other-bodies).
type landmark uint8

const (
	markJaw landmark = iota
	markCheek
	markEar
	markHeadBack
	markMouth
	markBelly
	markHip
	markThigh
	markSeat
	markEdgeTop
	markEdgeTopBehind
	markFloor
	markSideEdge
	markWall
	markCorner
	markCount
	noMark = markCount
)

func limbOf(name string) limb {
	switch name {
	case "leftHand":
		return leftHand
	case "rightHand":
		return rightHand
	case "hips":
		return hipsLimb
	case "head":
		return headLimb
	}
	return noLimb
}

// markOf leaves out the pointer, which belongs to the app.
func markOf(name string) landmark {
	switch name {
	case "jaw":
		return markJaw
	case "cheek":
		return markCheek
	case "ear":
		return markEar
	case "headBack":
		return markHeadBack
	case "mouth":
		return markMouth
	case "belly":
		return markBelly
	case "hip":
		return markHip
	case "thigh":
		return markThigh
	case "seat":
		return markSeat
	case "edgeTop":
		return markEdgeTop
	case "edgeTopBehind":
		return markEdgeTopBehind
	case "floor":
		return markFloor
	case "verticalEdge":
		return markSideEdge
	case "wall":
		return markWall
	case "edgeCorner":
		return markCorner
	}
	return noMark
}
