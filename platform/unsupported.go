//go:build windows || darwin

package platform

import (
	"context"
	"fmt"
)

// Notify answers ErrUnsupported: nobody shows notifications for us here yet.
func Notify(context.Context, string, string) error {
	return fmt.Errorf("show notification: %w", ErrUnsupported)
}

// CanNotify answers ErrUnsupported, as Notify would.
func CanNotify(context.Context) error { return fmt.Errorf("show notification: %w", ErrUnsupported) }

// DarkMode answers ErrUnsupported: what the person chose is not looked up here yet.
func DarkMode(context.Context) (bool, error) {
	return false, fmt.Errorf("ask for dark mode: %w", ErrUnsupported)
}

// ReducedMotion answers ErrUnsupported: what the person chose is not looked up here yet.
func ReducedMotion(context.Context) (bool, error) {
	return false, fmt.Errorf("ask for reduced motion: %w", ErrUnsupported)
}
