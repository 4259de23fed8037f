//go:build windows

package platform

import (
	"context"
	"fmt"
	"log/slog"
)

// Open answers ErrUnsupported: Windows comes later.
func Open(context.Context, *slog.Logger) (*Desktop, error) {
	return nil, fmt.Errorf("open desktop: Windows: %w", ErrUnsupported)
}
