//go:build !race && !windows && !darwin

package tray

const menusRace = false
