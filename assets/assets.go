// Package assets holds what is built into the program: characters, motions, props and icons, all made by assets/build.
//
// What VRM and glTF have no place for travels as "yui" in their extras, which other readers ignore:
//
//   - of a character: unit, the motion study's H in metres, and seatDrop, from the hips joint down to the underside of
//     the thighs in H;
//   - of an outlined material: minOutlinePx, the least width of its outline on the screen;
//   - of a motion's first animation: name, group, loop ("loop" or "once"), duration, and if they apply phases, moments,
//     speed, stride, rise, entry, exit, bpm, stage, feet, contacts, ears, tail; seconds, degrees and H;
//   - of the bed: top, the height of the surface to lie on in metres.
package assets

import (
	"embed"
	"fmt"
	"path"
	"strconv"
	"strings"
)

//go:generate go run ./build

//go:embed characters/*.vrm motions/*.vrma props/*.glb icons/*.png
var files embed.FS

// Character returns the VRM 1.0 file of a bundled character: yui, momo or sora. The bytes are the caller's own.
func Character(id string) ([]byte, error) { return read("character", "characters/"+id+".vrm") }

// Motion returns the VRM animation of a bundled motion by its name, one of Motions.
func Motion(name string) ([]byte, error) { return read("motion", "motions/"+name+".vrma") }

// Motions lists the names of all bundled motions, sorted.
func Motions() []string {
	var out []string
	// A folder that is embedded can always be read.
	entries, _ := files.ReadDir("motions")
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".vrma"))
	}
	return out
}

// Bed returns the GLB of the bed, a low cushion round the origin; the y of its top is in the file's extras.yui.top.
func Bed() []byte { b, _ := files.ReadFile("props/bed.glb"); return b }

// IconSizes lists the sizes of the icon in pixels, smallest first.
func IconSizes() []int { return []int{22, 24, 32, 48, 64, 128} }

// Icon returns Yui's head as a square PNG of the given size in pixels, or of the next larger size there is, or of the
// largest.
func Icon(size int) []byte {
	sizes := IconSizes()
	best := sizes[len(sizes)-1]
	for _, s := range sizes {
		if s >= size {
			best = s
			break
		}
	}
	b, _ := files.ReadFile(fmt.Sprintf("icons/yui-%d.png", best))
	return b
}

func read(kind, name string) ([]byte, error) {
	b, err := files.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("open %s %s: not bundled", kind, strconv.Quote(strings.TrimSuffix(path.Base(name), path.Ext(name))))
	}
	return b, nil
}
