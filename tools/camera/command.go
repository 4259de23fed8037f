package camera

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os/exec"
	"time"

	"yui/internal/proc"
	"yui/tools"
)

// Command is a program with its arguments that prints a picture, or a stream of pictures, of which the first is taken.
// No shell is between.
type Command []string

// lastBreath is how long the output of a killed command may stay open, should a child of it have left the group.
const lastBreath = time.Second

// Frame implements Source. The command and its children are killed once there is a picture, and when ctx ends.
func (c Command) Frame(ctx context.Context) (image.Image, error) {
	if len(c) == 0 {
		return nil, fmt.Errorf("run camera command: %w", tools.ErrNoCamera)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := proc.Command(ctx, proc.Env(), c[0], c[1:]...)
	cmd.Whole(lastBreath)
	out, in := io.Pipe()
	cmd.Stdout = in
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("run camera command: %w: %w", tools.ErrNoCamera, err)
		}
		return nil, reason("run camera command", err)
	}
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		in.Close() // the reader sees the end, whoever still holds the pipe
		ended <- err
	}()
	img, err := decode(out)
	stopped := ctx.Err()
	cancel()
	_ = cmd.Kill() // also what a command that has ended left behind
	out.Close()    // what the command still prints goes nowhere
	exit := <-ended
	switch {
	case stopped != nil:
		return nil, stopped
	case err != nil && exit != nil:
		return nil, fmt.Errorf("run camera command: %w (%w)", err, exit)
	}
	return img, err
}
