// Package clips holds the names in which the parts of a pet speak of its motions. The names are generated from the motions
// themselves (go generate ./assets), so that a motion that is renamed or taken away no longer compiles where it is asked
// for.
package clips

// ID names a clip, or a pool of clips that are variants of one motion. The empty ID is no motion.
type ID string

// Group is the family that a clip belongs to.
type Group string

// Phase names a span of a clip. The empty Phase is the whole clip.
type Phase string

// Moment names a point in time of a clip.
type Moment string

// pool is one motion with several clips.
type pool struct {
	id    ID
	clips []ID
}

// Pool returns the clips of a pool in their order, nil if id is none. The caller must not change them.
func Pool(id ID) []ID {
	for i := range pools {
		if pools[i].id == id {
			return pools[i].clips
		}
	}
	return nil
}

// PoolOf returns the pool that a clip is a variant of, "" if it stands for itself.
func PoolOf(clip ID) ID {
	for i := range pools {
		for _, c := range pools[i].clips {
			if c == clip {
				return pools[i].id
			}
		}
	}
	return ""
}
