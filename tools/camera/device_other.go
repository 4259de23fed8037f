//go:build !linux

package camera

import (
	"context"
	"fmt"
	"image"

	"yui/tools"
)

// take knows no cameras on this system yet: a command can stand in.
func (d *Device) take(context.Context) (image.Image, error) {
	return nil, fmt.Errorf("open camera: %w", tools.ErrNoCamera)
}
