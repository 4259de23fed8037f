//go:build darwin

package platform

import (
	"context"
	"fmt"
	"log/slog"
)

// Open answers ErrUnsupported: macOS comes later.
func Open(context.Context, *slog.Logger) (*Desktop, error) {
	return nil, fmt.Errorf("open desktop: macOS: %w", ErrUnsupported)
}
