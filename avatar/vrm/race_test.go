//go:build race

package vrm

// underRace tells that the race detector slows this down.
const underRace = true
