package motion

import (
	"math"

	"yui/avatar/vrm/geom"
)

const rad = math.Pi / 180

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
func sin(x float32) float32  { return float32(math.Sin(float64(x))) }
func abs(x float32) float32  { return max(x, -x) }

func clamp(x, lo, hi float32) float32 { return min(max(x, lo), hi) }

func mix(a, b, t float32) float32 { return a + (b-a)*t }

// sign is -1 for what is below 0, otherwise 1.
func sign(x float32) float32 {
	if x < 0 {
		return -1
	}
	return 1
}

// smooth is smoothstep of a value clamped to 0..1.
func smooth(t float32) float32 {
	t = clamp(t, 0, 1)
	return t * t * (3 - 2*t)
}

// approach is how much of the way an exponential easing of the given rate (1/s) goes in dt.
func approach(rate, dt float32) float32 { return 1 - float32(math.Exp(float64(-rate*dt))) }

// mirrorTurn reflects a rotation at the plane x = 0.
func mirrorTurn(q geom.Quat) geom.Quat { return geom.Quat{q[0], -q[1], -q[2], q[3]} }
