// Package protocol has the words that models, backends and YUI's own tools pass to each other, each defined once. Packages
// that know nothing of one another (chat, tools, the body, the built-in companion) agree on them here. None may be changed:
// they are what models were taught and what servers send.
package protocol

// Silent is what a model answers that has nothing to say (docs/rules/chat.md#silence).
const Silent = "[SILENT]"

// The names of YUI's own tools (docs/tools.md).
const (
	Express      = "generate_express"
	BodyAction   = "body_action"
	Look         = "look"
	RateRelation = "rate_relation"
	Address      = "address_character"
	Browser      = "browser"
	Camera       = "see_camera"
	WebSearch    = "web_search"
	Effect       = "show_effect"
	Discord      = "discord_share"
)

// Tools lists the names of YUI's own tools.
func Tools() []string {
	return []string{Express, BodyAction, Look, RateRelation, Address, Browser, Camera, WebSearch, Effect, Discord}
}

// Results of calls that more than one package gives or looks for. Every failure of a tool begins with ErrorPrefix, but for
// those that have words of their own.
const (
	ErrorPrefix = "error:"
	TurnStopped = "error: turn stopped"
	UnknownTool = "error: unknown tool"
	Unable      = "error: unsupported"           // look, where there is nothing to look at
	ScreenOff   = "error: screen capture is off" // look at the screen, against the person's switch
	BadMonitor  = "error: invalid field monitor" // look at a screen that is not there
)

// Where look looks, its argument "at".
const (
	AtBody    = "body"
	AtPerches = "perch_targets"
	AtScreen  = "screen"
)

// The actions of body_action.
const (
	SitOnWindow = "sit_on_window"
	Peek        = "peek"
	MoveTo      = "move_to"
	Stand       = "stand"
	GoToBed     = "go_to_bed"
)

// Actions lists the actions of body_action.
func Actions() []string { return []string{SitOnWindow, Peek, MoveTo, Stand, GoToBed} }

// The words that body_action answers (docs/rules/body.md#results).
const (
	OK          = "ok"
	NotFound    = "not_found"
	Blocked     = "blocked"
	Interrupted = "interrupted"
	Busy        = "busy"
	Unsupported = "unsupported"
	Timeout     = "timeout"
)

// The sides of peek.
const (
	Left  = "left"
	Right = "right"
)

// Sides lists the sides of peek.
func Sides() []string { return []string{Left, Right} }

// The spots of move_to.
const (
	Center      = "center"
	TopLeft     = "top-left"
	TopRight    = "top-right"
	BottomLeft  = "bottom-left"
	BottomRight = "bottom-right"
)

// Spots lists the spots of move_to.
func Spots() []string { return []string{Center, TopLeft, TopRight, BottomLeft, BottomRight} }

// Proactive begins the names of the turns that she takes by herself.
const Proactive = "proactive."

// The names of what happens on the desktop and may get a turn of its own (docs/rules/body.md#touch).
const (
	WindowSit   = "proactive.window_sit"
	PeekPlaced  = "proactive.peek"
	Dropped     = "proactive.dropped"
	DragHeld    = "proactive.drag_held"
	HeadPat     = "proactive.head_pat"
	TouchChest  = "proactive.touch_chest"
	TouchHips   = "proactive.touch_hips"
	Wake        = "proactive.wake"
	TapBored    = "proactive.tap_bored"
	AppSwitched = "proactive.screen_app_switched"
	LongSession = "proactive.screen_long_session"
)
