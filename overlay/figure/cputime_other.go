//go:build !linux

package figure

import "time"

// threadTime is not known here: nothing is too slow.
func threadTime() time.Duration { return 0 }
