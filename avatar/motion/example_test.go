package motion_test

import (
	"fmt"
	"time"

	"yui/assets"
	"yui/avatar/clips"
	"yui/avatar/motion"
	"yui/avatar/vrm"
)

// A pet sits down on a window's edge, gets a cue that she cannot follow there, and stands up again.
func ExamplePlayer() {
	lib := motion.NewLibrary()
	for _, id := range assets.Motions() {
		data, _ := assets.Motion(id)
		clip, err := vrm.LoadAnimation(data)
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := lib.Add(clips.ID(id), clip); err != nil {
			fmt.Println(err)
			return
		}
	}
	data, _ := assets.Character("yui")
	model, err := vrm.Load(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := motion.NewPlayer(model, lib, 1)
	play := func(d time.Duration) {
		for ; d > 0; d -= time.Second / 30 {
			p.Step(time.Second/30, motion.Input{})
		}
	}
	play(time.Second)
	fmt.Println(p.Current())

	p.Hold("sit_down", motion.HoldOpts{})
	for !p.HoldDone() {
		play(time.Second / 30)
	}
	p.Hold("window_sit", motion.HoldOpts{})
	play(time.Second)
	fmt.Println(p.Current(), p.Cue("dance"), p.Emotion("happy", 1))

	p.Hold("stand_up", motion.HoldOpts{})
	play(2 * time.Second)
	p.Hold("", motion.HoldOpts{})
	play(time.Second)
	fmt.Println(p.Current(), p.Cue("dance"))
	// Output:
	// idle
	// window_sit false true
	// idle true
}
