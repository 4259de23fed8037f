package main

import (
	"context"
	"fmt"
	"time"
)

// hidden hides her by the tray's menu and reports what she costs then: no frame may be drawn.
func (s *stage) hidden(ctx context.Context) error {
	tray, err := s.TrayClient()
	if err != nil {
		return err
	}
	defer tray.Close()
	icon, err := tray.WaitItem(10 * time.Second)
	if err != nil {
		return err
	}
	st, err := s.pet.state(ctx)
	if err != nil {
		return err
	}
	if len(st.Presets) == 0 {
		return fmt.Errorf("hide: no pet is open")
	}
	name := st.Presets[0].Name
	if err := icon.Click("Hide " + name); err != nil {
		return fmt.Errorf("hide: %w", err)
	}
	time.Sleep(time.Second)
	if err := s.report(ctx, "hidden by the tray"); err != nil {
		return err
	}
	if err := icon.Click("Show " + name); err != nil {
		return fmt.Errorf("show: %w", err)
	}
	return nil
}
