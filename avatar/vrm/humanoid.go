package vrm

import (
	"errors"
	"fmt"
	"strings"
)

// needed are the bones without which nothing of YUI's motion has a place to act. All others may be missing.
var needed = []Bone{Hips, Head}

func noBones() (h [BoneCount]int) {
	for i := range h {
		h[i] = -1
	}
	return h
}

// setBone gives a bone its node; numbers that lead nowhere and second claims are dropped.
func (f *file) setBone(m *Model, b Bone, node int) {
	switch {
	case node < 0 || node >= len(m.Nodes):
		f.warn("bone %s names node %d, which does not exist", b, node)
	case m.Humanoid[b] >= 0:
		f.warn("bone %s is named twice", b)
	default:
		for other, n := range m.Humanoid {
			if n == node {
				f.warn("bones %s and %s are the same node", Bone(other), b)
				return
			}
		}
		m.Humanoid[b] = node
	}
}

func (m *Model) checkBones() error {
	var missing []string
	for _, b := range needed {
		if m.Humanoid[b] < 0 {
			missing = append(missing, b.String())
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("read humanoid: the model has no %s bone: YUI needs a humanoid character", strings.Join(missing, " and no "))
	}
	// A head that does not hang below the hips would be left behind at the first step.
	for n := m.Humanoid[Head]; n != m.Humanoid[Hips]; n = m.Nodes[n].Parent {
		if n < 0 {
			return errors.New("read humanoid: the head bone does not belong to the hips bone's tree")
		}
	}
	return nil
}

// old thumbs: 0.x names the three joints one step further out than 1.0.
var thumbs0 = map[string]string{
	"leftThumbProximal": "leftThumbMetacarpal", "leftThumbIntermediate": "leftThumbProximal",
	"rightThumbProximal": "rightThumbMetacarpal", "rightThumbIntermediate": "rightThumbProximal",
}

// parseBone0 finds a bone by its 0.x name.
func parseBone0(name string) (Bone, bool) {
	if n, ok := thumbs0[name]; ok {
		name = n
	}
	return ParseBone(name)
}
