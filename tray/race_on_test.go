//go:build race && !windows && !darwin

package tray

import (
	"os/exec"
	"testing"
)

// menusRace: the library's GetLayout reads its menu version while a goroutine that the first GetLayout started writes
// it, without a lock in common (fyne.io/systray v1.12.2, refresh in systray_menu_unix.go). The number is at most one
// behind and harms nobody, but the race detector ends a test that reads menus.
const menusRace = true

// So those tests skip themselves here, and run in a process of their own without the detector.
func TestMenusWithoutRaceDetector(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "test", "-count=1", ".").CombinedOutput()
	if err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}
