package render

import (
	"image/color"
	"testing"

	"yui/avatar/vrm"
)

// TestProcessorDrawsWhatTheDriverDraws compares package raster's frames with those of the driver's own programs
// (docs/rules/avatar.md#drawing).
func TestProcessorDrawsWhatTheDriverDraws(t *testing.T) {
	models := needy()
	for _, n := range []string{"yui", "momo", "sora", "yui-small"} {
		models[n] = character(t, n)
	}
	for name, m := range models {
		for _, q := range []Quality{Off, On} {
			if (name == "normals" || name == "cloth") && q == Off {
				continue // Mesa 22.3 turns dFdy over in a framebuffer that is bound after the window's
			}
			t.Run(name+map[Quality]string{On: "-on"}[q], func(t *testing.T) { compareDrivers(t, m, q) })
		}
	}
}

// TestProcessorDrawsGodette is the same for a whole character by others.
func TestProcessorDrawsGodette(t *testing.T) { compareDrivers(t, godette(t), Off) }

func compareDrivers(t *testing.T, m *vrm.Model, q Quality) {
	onGL(t, 240, 320, func(t T, win window) {
		r, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, soft := r.back.(*softBackend)
		r.Release()
		if !soft {
			t.Skip("there is hardware")
		}
		p, v := turned(m, 20, nil), fit(m, 240, 320)
		got := shoot(t, Options{Quality: q}, m, p, v)
		want := shoot(t, Options{Quality: q, Driver: true}, m, p, v)
		if covered(want) < 1000 {
			t.Fatal("nothing is drawn")
		}
		if mean, far := difference(got, want); mean > 0.5 || far > 0.01 {
			t.Errorf("%.2f steps on average, %.2f %% of the pixels by more than 24", mean, far*100)
			savePNG(t, "processor.png", got)
			savePNG(t, "driver.png", want)
		} else {
			t.Logf("%.3f steps on average, %.2f %% of the pixels by more than 24", mean, far*100)
		}
	})
}

// bumps is a normal map of round dents.
func bumps() vrm.Texture {
	return texture(64, 64, func(x, y int) color.NRGBA {
		dx, dy := float64(x%16)-7.5, float64(y%16)-7.5
		return color.NRGBA{uint8(128 + 12*dx), uint8(128 + 12*dy), 220, 255}
	})
}

// needy are the golden pictures and materials of others that want more of a back end.
func needy() map[string]*vrm.Model {
	models := pictures()
	normals := toon(srgb(246, 164, 92), srgb(120, 60, 69))
	normals.NormalTex, normals.NormalScale, normals.Rim, normals.RimFresnel = tex(0), 1, srgb(90, 90, 90), 4
	models["normals"] = modelOf([]vrm.Material{normals}, []vrm.Texture{bumps()}, sphere([3]float32{}, 0.75, 24, 0))
	metal := toon(srgb(240, 200, 150), srgb(0, 0, 0))
	metal.Kind, metal.Metallic, metal.Roughness, metal.MetalTex = vrm.Lit, 0.8, 0.35, noTex()
	cloth := metal
	cloth.Metallic, cloth.Roughness, cloth.MetalTex, cloth.NormalTex, cloth.Emissive = 1, 1, tex(1), tex(0), srgb(20, 0, 30)
	models["cloth"] = modelOf([]vrm.Material{cloth}, []vrm.Texture{bumps(), texture(8, 8, func(x, y int) color.NRGBA {
		return color.NRGBA{0, uint8(30 * x), uint8(32 * y), 255}
	})}, sphere([3]float32{}, 0.75, 24, 0))
	models["metal"] = modelOf([]vrm.Material{metal}, nil, sphere([3]float32{}, 0.75, 24, 0))
	return models
}
