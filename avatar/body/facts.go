// Package body decides where a pet is and what it does there: posture, perch geometry, walking, falling, bed.
// Desktop facts + time -> Frame. It is pure: no clock, no goroutine, no GL, no X. All positions are physical pixels
// of the root window, y down. Call it from one goroutine only (the main thread).
package body

import (
	"time"

	"yui/avatar/clips"
	"yui/internal/protocol"
)

// Point is a place on the desktop in physical pixels, y down.
type Point struct{ X, Y float64 }

// Rect is a rectangle on the desktop in physical pixels.
type Rect struct{ X, Y, W, H float64 }

// Window is a foreign window that can be a host.
type Window struct {
	ID    uint32
	App   string   // shown name: class, or instance, or executable (docs/rules/body.md#names-of-programs)
	Names []string // all three, tried in this order when matching
	Title string
	Rect  Rect // outer frame, shadows taken off
}

// Monitor is one screen. The list's order is platform's (primary first).
type Monitor struct {
	Rect, WorkArea Rect
	Scale          float64
}

// Desktop is what the platform knows at one moment. Windows are front to back: visible, foreign, this workspace.
type Desktop struct {
	Windows  []Window
	Monitors []Monitor
}

// Shape is the pet's present size in physical pixels.
type Shape struct {
	Height    float64 // soles to the top of the mesh: H of docs/rules/body.md
	HeadTop   float64 // soles to the top of the head
	SeatDrop  float64 // not used for placing (the root stands on the edge); the seat's height above the root when standing
	HalfWidth float64
	Unit      float64 // H of the motion study in pixels
	// Box is the pet window relative to the root point: X, Y are negative offsets of its top left corner.
	Box Rect
}

// Result is the one word that body_action answers.
type Result string

// The results of body_action (docs/rules/body.md#results).
const (
	OK          Result = protocol.OK
	NotFound    Result = protocol.NotFound
	Blocked     Result = protocol.Blocked
	Interrupted Result = protocol.Interrupted
	Busy        Result = protocol.Busy
	Unsupported Result = protocol.Unsupported
	Timeout     Result = protocol.Timeout
)

// Command is one body_action, already parsed; see ParseCommand.
type Command struct {
	Action  string // one of protocol.Actions
	App     string
	Side    string // one of protocol.Sides
	Spot    string // one of protocol.Spots
	Monitor *int
}

// Posture names how she holds herself (docs/rules/body.md#postures).
type Posture string

// The postures.
const (
	Standing Posture = "standing"
	Sitting  Posture = "sitting"
	Peeking  Posture = "peeking"
	Dragging Posture = "dragging"
	Walking  Posture = "walking"
	Climbing Posture = "climbing"
	Falling  Posture = "falling"
	Lying    Posture = "lying"
)

// Perch is the host she holds on to.
type Perch struct {
	App   string `json:"app"`
	Title string `json:"window_title"`
}

// State is what `yui state` and look tell of the body.
type State struct {
	Posture Posture
	Perch   *Perch // nil if she holds on to nothing
	Since   time.Time
	Moving  bool // a command is running
	Root    Point
}

// Cut hides what lies behind a window's edge: everything on one side of a vertical line.
type Cut struct {
	X        float64 // desktop pixels
	HideLeft bool    // hide what is left of X, otherwise what is right of it
}

// Frame is what to show now.
type Frame struct {
	Root Point // where the model's root (between the feet) is on the desktop
	// Clip is the motion that the body imposes, "" if she is free for idle, states and cues.
	Clip clips.ID
	// Serial changes whenever the clip must start again.
	Serial int
	// Start is where Clip begins, in seconds into it: a drop on a top edge leaves out the standing part of sit_down.
	Start float64
	// Jump changes whenever the root was set elsewhere at once: springs must be reset, not dragged along.
	Jump int
	// Fade is the crossfade into Clip in seconds, 0 for the clip's own.
	Fade float64
	// Origin is where the clip's own root lies, in pixels from Root, y down: the corner of the edge for climb_up_done, the
	// foot of the wall for climb_down_landing, otherwise zero. The clip is drawn from there; what it fades out of, and what
	// fades out after it, keeps its own last Origin. Root itself never leaps.
	Origin Point
	// Back plays the clip from its end to its start; only with Clips.Backward.
	Back bool
	// Flight is set while she flies on a path of her own: the clip's own rise and fall of the hips is left out.
	Flight bool
	// Phase is a named span to hold ("enter", "hold", "leave" of peek; "crouch", "launch", "air", "land" of jump, each
	// of which goes on from the one before), otherwise "".
	Phase  clips.Phase
	Mirror bool
	// Yaw in radians: 0 faces the viewer, positive the viewer's right.
	Yaw float64
	// Scruff, if set, is the desktop point to which the nape is pinned (dragging), Ease (0..1) how far that holds.
	// Root has it worked in already, by the last SetScruff; Scruff is the pivot about which the body may swing.
	// It and Cut point into the Body and are overwritten by the next Step.
	Scruff *Point
	Ease   float64
	Cut    *Cut
	// Velocity of the root in pixels a second, y down, for springs.
	Velocity Point
	Bed      float64 // 0..1: how visible the bed is
}
