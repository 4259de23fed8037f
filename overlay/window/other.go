//go:build !linux && !freebsd && !netbsd && !openbsd

package window

import (
	"errors"
	"log/slog"
)

// openDriver has no windows to offer on this system yet.
func openDriver(*slog.Logger, func(func())) (driver, error) {
	return nil, errors.New("open display: windows are not supported on this system yet")
}
