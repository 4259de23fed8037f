package platform

import (
	"context"
	"image"
	"time"
)

// Memory is a desktop that a test makes up, beside window.NewHeadless: what Show is given is what the Desktop tells.
type Memory struct{ d *Desktop }

// NewMemory makes a Desktop that shows s. Nobody has touched anything for an hour there, and its pictures are grey.
func NewMemory(s Snapshot) (*Desktop, *Memory) {
	m := &Memory{newDesktop()}
	m.d.sys = m
	m.Show(s)
	return m.d, m
}

// Show replaces what is on the desktop. Any goroutine.
func (m *Memory) Show(s Snapshot) { m.d.publish(&s) }

func (m *Memory) name() string { return "memory" }

func (m *Memory) pointer() (x, y int, err error) { return 0, 0, nil }

func (m *Memory) idle() (time.Duration, error) { return time.Hour, nil }

func (m *Memory) capture(_ context.Context, area Rect) (image.Image, error) {
	return image.NewGray(image.Rect(0, 0, area.W, area.H)), nil
}

func (m *Memory) exclude(WindowID) {}

func (m *Memory) virtual() bool { return false }

func (m *Memory) close() {}
