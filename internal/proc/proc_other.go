//go:build !unix

package proc

import "os/exec"

// own has nothing to do if there are no process groups.
func own(*exec.Cmd) {}

// killGroup ends the command itself.
func killGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	return cmd.Process.Kill()
}

// termGroup has no gentler way there.
func termGroup(cmd *exec.Cmd) error { return killGroup(cmd) }
