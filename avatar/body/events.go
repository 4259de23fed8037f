package body

import "yui/internal/protocol"

// EventName says what happened to the body.
type EventName string

// What the person does to her (docs/rules/body.md#touch). The data of the first three are region, and but for EventPatEnd
// motion, emotion and hold_ms, how long the emotion is kept; motion and emotion are left out where that motion plays
// already.
const (
	EventPatStart  EventName = "user.pat_start"
	EventPatEnd    EventName = "user.pat_end"
	EventTouch     EventName = "user.touch"
	EventDragStart EventName = "user.drag_start"
	EventDragEnd   EventName = "user.drag_end"
	EventFallLand  EventName = "user.fall_land"       // on: what she landed on
	EventSitDrop   EventName = "user.window_sit_drop" // app, window_title, edge_local_ypx
	EventSitExit   EventName = "user.window_sit_exit"
	EventPeekDrop  EventName = "user.peek_drop" // app, window_title, side, target_local_xpx
	EventPeekExit  EventName = "user.peek_exit"
)

// What she does by herself.
const (
	EventWalkStart  EventName = "avatar.walk_start"
	EventWalkEnd    EventName = "avatar.walk_end"
	EventClimbStart EventName = "avatar.climb_start"
	EventClimbEnd   EventName = "avatar.climb_end"
	EventJumpStart  EventName = "avatar.jump_start"
	EventJumpEnd    EventName = "avatar.jump_end"
	EventBedStart   EventName = "avatar.bed_start"
	EventBedEnd     EventName = "avatar.bed_end"
)

// What the model may be told of.
const (
	EventWindowSit  EventName = protocol.WindowSit // app, window_title
	EventPeek       EventName = protocol.PeekPlaced
	EventDropped    EventName = protocol.Dropped // on
	EventDragHeld   EventName = protocol.DragHeld
	EventWake       EventName = protocol.Wake    // cause
	EventHeadPat    EventName = protocol.HeadPat // context
	EventTouchChest EventName = protocol.TouchChest
	EventTouchHips  EventName = protocol.TouchHips
	EventTapBored   EventName = protocol.TapBored
)

// Event is something that happened to the body.
type Event struct {
	Name EventName
	Data map[string]string
}

func newEvent(name EventName, pairs []string) Event {
	var data map[string]string
	if len(pairs) > 0 {
		data = make(map[string]string, len(pairs)/2)
		for i := 0; i+1 < len(pairs); i += 2 {
			data[pairs[i]] = pairs[i+1]
		}
	}
	return Event{Name: name, Data: data}
}
