package main

import (
	"context"
	"fmt"
	"time"
)

// freeze opens the first bubble and measures for how long the pets stand still at most: what they are drawn by answers
// questions about its state, too, and does so at once unless it is held up.
func (s *stage) freeze(ctx context.Context) error {
	said := make(chan error, 1)
	go func() { _, err := s.pet.run(ctx, "say", "hello"); said <- err }()
	var longest time.Duration
	for {
		select {
		case err := <-said:
			fmt.Printf("%-34s %.0f ms\n", "first bubble: longest stand-still", ms(longest))
			return err
		default:
		}
		began := time.Now()
		if _, err := s.pet.bubble(ctx); err != nil {
			return err
		}
		longest = max(longest, time.Since(began))
		time.Sleep(5 * time.Millisecond)
	}
}
