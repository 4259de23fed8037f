//go:build !unix

package camera

import "os/exec"

// group has nothing to do where there are no process groups: the end of ctx kills the command itself.
func group(*exec.Cmd) {}

func killGroup(*exec.Cmd) error { return nil }
