//go:build !windows && !darwin

package platform

import (
	"context"
	"fmt"
	"html"
	"slices"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	notifyName  = "org.freedesktop.Notifications"
	notifyPath  = "/org/freedesktop/Notifications"
	notifyLimit = 5 * time.Second // the service may have to be started first
	notifyText  = 1000            // characters of a notification's body
)

// Notify shows a desktop notification that stays until the person has seen it. The texts are plain: nothing in them is
// markup. An error means that nobody shows any: no session bus, no notification service, or one that does not answer
// within five seconds.
func Notify(ctx context.Context, title, text string) error {
	ctx, cancel := context.WithTimeout(ctx, notifyLimit)
	defer cancel()
	conn, err := sessionBus(ctx)
	if err != nil {
		return fmt.Errorf("show notification: %w", err)
	}
	defer conn.Close()
	service := conn.Object(notifyName, notifyPath)
	can, err := capabilities(ctx, service)
	if err != nil {
		return fmt.Errorf("show notification: %w", err)
	}
	if r := []rune(text); len(r) > notifyText {
		text = string(r[:notifyText]) + "…"
	}
	if slices.Contains(can, "body-markup") {
		text = html.EscapeString(text)
	}
	const critical byte = 2 // a lesser one goes by itself after some seconds
	hints := map[string]dbus.Variant{"urgency": dbus.MakeVariant(critical)}
	call := service.CallWithContext(ctx, notifyName+".Notify", 0, "YUI", uint32(0), "dialog-warning", title, text, []string{}, hints, int32(0))
	if call.Err != nil {
		return fmt.Errorf("show notification: %w", call.Err)
	}
	return nil
}

// CanNotify says why Notify would fail, nil if it would not. It shows nothing.
func CanNotify(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, notifyLimit)
	defer cancel()
	conn, err := sessionBus(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = capabilities(ctx, conn.Object(notifyName, notifyPath))
	return err
}

func capabilities(ctx context.Context, service dbus.BusObject) (can []string, err error) {
	err = service.CallWithContext(ctx, notifyName+".GetCapabilities", 0).Store(&can)
	return can, err
}
