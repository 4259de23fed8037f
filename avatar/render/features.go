package render

import "strings"

//go:generate go run ./generate

// features is what a material needs, for both back ends alike: GL chooses a variant of its program by it, package raster
// what it does for a pixel.
type features uint32

// String lists the features, for errors and tests.
func (f features) String() string {
	var names []string
	for i, n := range featureNames {
		if f&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, " ")
}
