package settings

//go:generate go run ./gen ../../../docs/config.md

import (
	"fmt"
	"slices"

	"yui/assets/lang"
	"yui/avatar/clips"
	"yui/chat/ingress"
	"yui/chat/rules"
)

// The keys of the database that something asks for by name (docs/rules/tools.md#declaring, docs/rules/tools.md#vocabulary,
// docs/rules/chat.md#screenshots, docs/rules/chat.md#guardrails).
const (
	KeyBrowser    = "yui.browser"
	KeyRelations  = "yui.relations"
	KeyLook       = "yui.look_screen"
	KeyCamera     = "yui.camera"
	KeyScreenshot = "yui.screenshot"
	KeyMotions    = "yui.express_motions"
	KeyIdle       = "yui.idle_motions"
	KeyTasks      = "yui.delegation_history"
	KeyProactive  = "yui.proactive"    // pets speak first
	KeyWatch      = "yui.screen_watch" // and of what is in front
	KeyGuardrails = "yui.guardrails"
	KeyPacer      = "yui.proactive-pacer-gap"
	KeyIngress    = "yui.agentNotify"
	KeyPresence   = "yui.presence"
	KeyGaze       = "yui.gaze"
	KeyWalk       = "yui.walk"
	KeyClimb      = "yui.climb"
	KeyFall       = "yui.fall"
)

// The secrets, by their names in the environment and in .env.
const (
	KeyChat    = "YUI_CHAT_KEY"
	KeyOllama  = "OLLAMA_API_KEY"
	KeyDiscord = "DISCORD_WEBHOOK_URL"
)

// What a pet's height may be, in logical pixels.
const (
	LeastHeight = 80
	MostHeight  = 1200
)

const (
	yes, no = "true", "false"
	longest = 20000 // code points of a persona
)

// text is an entry of lists and tables.
var text = &Setting{Kind: Text}

// table has every setting once. A new one is a row here (and for config.toml its field in Config), its words in
// assets/lang, and the place that reads it; docs/config.md follows by `go generate ./cmd/yui/settings`.
var table = slices.Concat(general, chatRows, toolRows, talkingRows, bodyRows, windowRows, pluginRows, agentRows, presetRows)

var general = []Setting{
	{Key: "language", Kind: Choice, Kept: File, Group: General, Shown: InWindow, Choices: languages(), Unset: "the system's",
		Stirs: Words, Doc: "of menus, status words, and what plugins tell; what models are told of tools follows with the next conversation"},
	{Key: KeyRelations, Kind: Switch, Kept: Database, Group: General, Shown: InMenu | InWindow, Default: yes, Switch: "relations", Name: "tray.relations",
		Doc: "feelings are kept and told to the model"},
}

// languages are those that there is a file for.
func languages() []string {
	var codes []string
	for _, l := range lang.Bundled().Languages() {
		codes = append(codes, l.Code)
	}
	return codes
}

var chatRows = []Setting{
	{Key: "chat.api", Kind: Choice, Kept: File, Group: Chat, Shown: InWindow, Choices: []string{APICompanion, APICompletions, APIResponses, APIPush},
		Unset: "`chat_completions` where `base_url` is set, else `companion`", Stirs: Backend, Doc: "who answers; `companion` is built in and offline"},
	{Key: "chat.base_url", Kind: Text, Kept: File, Group: Chat, Shown: InWindow, Stirs: Backend,
		Doc: "the server's address, with or without `/v1`; `http://` where it names no scheme"},
	{Key: "chat.model", Kind: Text, Kept: File, Group: Chat, Shown: InWindow, Most: 200, Stirs: Backend, Doc: "the model's name as the server lists it"},
	{Key: "chat.api_key", Kind: Secret, Kept: File, Group: Chat, Stirs: Backend,
		Doc: "better: `YUI_CHAT_KEY` in `.env`, or the keyring"},
	{Key: KeyChat, Kind: Secret, Kept: Env, Group: Chat, Shown: InWindow, Stirs: Backend, Doc: "the chat server's key; in the keyring the user `chat`"},
	{Key: "chat.instructions", Kind: Text, Kept: File, Group: Chat, Shown: InWindow, Most: longest, Unset: "the persona", Stirs: Backend,
		Doc: "replaces the character's own persona"},
	{Key: "chat.reasoning_effort", Kind: Text, Kept: File, Group: Chat, Shown: InWindow, Most: 40, Unset: "not sent", Stirs: Backend,
		Doc: "what the server knows, for example `none`, `minimal`, `low`, `medium`"},
	{Key: "chat.context_window", Kind: Number, Kept: File, Group: Chat, Shown: InWindow, Min: 512, Max: 1 << 24, Whole: true, Unit: "tokens", Unset: "200000",
		Stirs: Backend, Doc: "the model's window"},
	{Key: "chat.broker_base_url", Kind: Text, Kept: File, Group: Chat, Stirs: Backend | Publisher,
		Doc: "an Expression Broker (`responses` only; deprecated, will be removed in v0.6.0: YUI declares its tools itself)"},
	{Key: KeyScreenshot, Kind: Switch, Kept: Database, Group: Chat, Shown: InWindow, Default: no, Doc: "every turn carries a picture of her display"},
	{Key: KeyMotions, Kind: List, Kept: Database, Group: Chat, Shown: InWindow, Default: "[]", Of: text, Stirs: Vocabulary,
		Doc: "gestures that the model is not offered, for example `[\"sulk\"]`"},
	{Key: "voice.tags", Kind: Table, Kept: File, Group: Chat, Of: text, Stirs: Gear,
		Doc: "tone tags and their meanings, for a voice engine that has a fixed set; a change counts from the next turn on"},
	{Key: KeyTasks, Kind: List, Kept: Database, Group: Chat, Default: "[]", Most: 200, Doc: "what others have done for the Push backend, the last 200"},
}

var talkingRows = []Setting{
	{Key: KeyProactive, Kind: Switch, Kept: Database, Group: Talking, Shown: InMenu | InWindow, Default: yes, Switch: "proactive", Name: "tray.speaks_first", Stirs: Moment,
		Doc: "she may speak first ([rules.md](rules.md))"},
	{Key: KeyWatch, Kind: Switch, Kept: Database, Group: Talking, Shown: InWindow, Default: no, Stirs: Moment,
		Doc: "and of what is in front: another application, long in one"},
	{Key: KeyPacer, Kind: Number, Kept: Database, Group: Talking, Shown: InWindow, Default: "600000", Max: 10_800_000, Unit: "ms", Stirs: Limits,
		Doc: "how long after a turn she does not; 0 for no gap"},
	{Key: KeyGuardrails, Kind: Fields, Kept: Database, Group: Talking, Shown: InWindow, Default: "{}", Stirs: Limits, Parts: []Setting{
		{Key: "tier2_max", Kind: Number, Max: 999, Whole: true}, {Key: "overall_max", Kind: Number, Max: 999, Whole: true},
		{Key: "cooldown_ms", Kind: Number, Max: 3_600_000, Whole: true, Unit: "ms"}, {Key: "addressed_chain_max", Kind: Number, Max: 10, Whole: true},
	}, Doc: fmt.Sprintf("caps in an hour: `{\"tier2_max\":%d,\"overall_max\":%d,\"cooldown_ms\":%d}`, 0 or left out for these; `\"addressed_chain_max\":%d`: turns in a row in which characters answer each other",
		limits.Tier2, limits.Overall, limits.Cooldown.Milliseconds(), limits.Chain)},
	{Key: KeyPresence, Kind: Number, Kept: Database, Group: Talking, Shown: InWindow, Default: "180000", Min: 10_000, Max: 604_800_000, Unit: "ms", Stirs: Moment,
		Doc: "after how long without mouse and keyboard you count as away"},
}

var limits = rules.DefaultLimits()

var toolRows = []Setting{
	{Key: KeyBrowser, Kind: Switch, Kept: Database, Group: Tools, Shown: InMenu | InWindow, Default: no, Switch: "browser", Name: "tray.browser", Stirs: Browsing,
		Doc: "the browser tool"},
	{Key: KeyLook, Kind: Switch, Kept: Database, Group: Tools, Shown: InMenu | InWindow, Default: no, Switch: "screen", Name: "tray.screen_look",
		Doc: "she may take a picture of a display when the model asks (`look` at `screen`)"},
	{Key: KeyCamera, Kind: Switch, Kept: Database, Group: Tools, Shown: InMenu | InWindow, Default: no, Switch: "camera", Name: "tray.camera", Doc: "the camera tool"},
	{Key: "camera.device", Kind: Path, Kept: File, Group: Tools, Shown: InWindow, Unset: "the first camera", Stirs: Gear,
		Doc: "what `see_camera` looks through, for example `/dev/video0`"},
	{Key: "camera.file", Kind: Path, Kept: File, Group: Tools, Stirs: Gear, Doc: "or a picture"},
	{Key: "camera.command", Kind: List, Kept: File, Group: Tools, Of: text, Stirs: Gear, Doc: "or a program and its arguments that print one"},
	{Key: "vision.provider", Kind: Choice, Kept: File, Group: Tools, Shown: InWindow, Choices: []string{"ollama", "openai", "chat"}, Unset: "nobody", Stirs: Gear,
		Doc: "who looks at the picture: `openai` is any server of that kind, `chat` the chat model itself"},
	{Key: "vision.model", Kind: Text, Kept: File, Group: Tools, Shown: InWindow, Most: 200, Unset: "`llava:7b` for `ollama`", Stirs: Gear, Doc: "its model"},
	{Key: "vision.base_url", Kind: Text, Kept: File, Group: Tools, Shown: InWindow, Unset: "this machine for `ollama`", Stirs: Gear, Doc: "its address"},
	{Key: "vision.api_key", Kind: Secret, Kept: File, Group: Tools, Shown: InWindow, Stirs: Gear, Doc: "its key"},
	{Key: "search.searxng", Kind: Text, Kept: File, Group: Tools, Shown: InWindow, Stirs: Gear, Doc: "the address of a SearXNG server for `web_search`; else `OLLAMA_API_KEY` serves"},
	{Key: KeyOllama, Kind: Secret, Kept: Env, Group: Tools, Shown: InWindow, Stirs: Gear, Doc: "for web search; in the keyring the user `ollama`"},
	{Key: KeyDiscord, Kind: Secret, Kept: Env, Group: Tools, Shown: InWindow, Stirs: Gear, Doc: "for sharing; in the keyring the user `discord`"},
	{Key: "tools.ask", Kind: Switch, Kept: File, Group: Tools, Shown: InWindow, Default: yes, Stirs: Gear,
		Doc: "off, she never asks before a tool sends or runs something"},
	{Key: "tools.command", Kind: Table, Kept: File, Group: Tools, Stirs: Gear, entry: takeCommand, Doc: "programs as tools, a table each: [command tools](tools.md#command-tools)"},
	{Key: "mcp", Kind: Table, Kept: File, Group: Tools, Most: 16, Stirs: Servers, entry: takeServer, Doc: "MCP servers, a table each: [MCP servers](tools.md#mcp-servers)"},
}

var bodyRows = []Setting{
	{Key: "body.height", Kind: Number, Kept: File, Group: Body, Shown: InWindow, Default: "240", Min: LeastHeight, Max: MostHeight, Whole: true, Unit: "pixels", Stirs: Height,
		Doc: "how tall she is in logical pixels, ears included"},
	{Key: "body.ride", Kind: Switch, Kept: File, Group: Body, Shown: InWindow, Default: yes, Stirs: Figures,
		Doc: "she rides along on a window that moves; off, she lets go after 12 pixels"},
	{Key: "body.walk", Kind: Switch, Kept: File, Group: Body, Default: yes, Stirs: Figures, Doc: "she strolls by herself"},
	{Key: "body.fall", Kind: Switch, Kept: File, Group: Body, Default: yes, Stirs: Figures, Doc: "she falls when let go in the air"},
	{Key: KeyWalk, Kind: Switch, Kept: Database, Group: Body, Shown: InWindow, Default: yes, Stirs: Figures, Doc: "strolls"},
	{Key: KeyClimb, Kind: Switch, Kept: Database, Group: Body, Shown: InWindow, Default: yes, Stirs: Figures, Doc: "climbing up windows"},
	{Key: KeyFall, Kind: Switch, Kept: Database, Group: Body, Shown: InWindow, Default: yes, Stirs: Figures, Doc: "falls"},
	{Key: KeyGaze, Kind: Switch, Kept: Database, Group: Body, Shown: InWindow, Default: yes, Stirs: Gaze, Doc: "her eyes follow the pointer"},
	{Key: "body.stroll_every", Kind: List, Kept: File, Group: Body, Shown: InWindow, Default: "[30, 60]", Unit: "s", Most: 2, Stirs: Figures,
		Of: &Setting{Kind: Number, Min: 1, Max: 86400, Whole: true, Unit: "s"}, check: rising, Doc: "seconds between two strolls on the floor, the least and the most"},
	{Key: "body.reduced_motion", Kind: Switch, Kept: File, Group: Body, Shown: InWindow, Unset: "the desktop's setting", Stirs: Figures, Doc: "no strolls, no bed, no sway"},
	{Key: "body.wake_timeout", Kind: Number, Kept: File, Group: Body, Shown: InWindow, Default: "120", Min: 10, Max: 3600, Whole: true, Unit: "s", Stirs: Figures,
		Doc: "how long she sleeps by herself"},
	{Key: KeyIdle, Kind: List, Kept: Database, Group: Body, Shown: InWindow, Default: "[]", Of: text, Stirs: Idling,
		Doc: fmt.Sprintf("clips that she leaves out of idling and sitting, by their names in `assets/motions`, for example `[\"%s\", \"%s\"]`", clips.LivelyHop, clips.IdleStretch)},
}

// rising wants the least and the most.
func rising(v any) string {
	list := v.([]any)
	if len(list) == 2 && list[0].(int64) <= list[1].(int64) {
		return ""
	}
	return "two numbers of seconds, the least and the most"
}

var windowRows = []Setting{
	{Key: "window.all_workspaces", Kind: Switch, Kept: File, Group: Window, Shown: InWindow, Default: yes, Stirs: Workspaces,
		Doc: "she follows you to every workspace; without it she is hidden while hers is not shown, and is where she was when you come back"},
	{Key: "window.pause_fullscreen", Kind: Switch, Kept: File, Group: Window, Shown: InWindow, Default: yes, Stirs: FullScreen,
		Doc: "she goes away while a program is full screen on her monitor"},
	{Key: "window.theme", Kind: Choice, Kept: File, Group: Window, Shown: InWindow, Choices: []string{"light", "dark"}, Unset: "the desktop's", Stirs: Palette, Doc: "of bubbles and panels"},
	{Key: "window.fps", Kind: Number, Kept: File, Group: Window, Shown: InWindow, Default: "30", Min: 5, Max: 60, Whole: true, Unit: "frames a second", Stirs: Figures,
		Doc: "how often she is drawn while she is active; half of it while nobody looks"},
	{Key: "window.anti_aliasing", Kind: Switch, Kept: File, Group: Window, Shown: InWindow, Default: yes, Stirs: Edges, Doc: "smooth edges"},
}

var pluginRows = []Setting{
	{Key: "plugins.clock.enabled", Kind: Switch, Kept: File, Group: Plugins, Shown: InWindow, Default: yes, Stirs: Knowledge, Doc: "weekday, date and part of the day"},
	{Key: "plugins.weather.enabled", Kind: Switch, Kept: File, Group: Plugins, Shown: InWindow, Unset: "on where there is a place", Stirs: Knowledge, Doc: "the weather"},
	{Key: "plugins.weather.place", Kind: Text, Kept: File, Group: Plugins, Shown: InWindow, Most: 100, Stirs: Knowledge,
		Doc: "your town; with `latitude` and `longitude` just its name, without them it is looked up once and kept"},
	{Key: "plugins.weather.latitude", Kind: Number, Kept: File, Group: Plugins, Shown: InWindow, Min: -90, Max: 90, Unit: "degrees", Stirs: Knowledge, Doc: "south negative"},
	{Key: "plugins.weather.longitude", Kind: Number, Kept: File, Group: Plugins, Shown: InWindow, Min: -180, Max: 180, Unit: "degrees", Stirs: Knowledge, Doc: "west negative"},
	{Key: "plugins.weather.units", Kind: Choice, Kept: File, Group: Plugins, Shown: InWindow, Choices: []string{"metric", "imperial"}, Unset: "`metric`", Stirs: Knowledge, Doc: "of temperatures and winds"},
	{Key: "plugins.weather.base_url", Kind: Text, Kept: File, Group: Plugins, Unset: "Open-Meteo's", Stirs: Knowledge, Doc: "another server of the same kind"},
	{Key: "plugins.weather.geocoding_url", Kind: Text, Kept: File, Group: Plugins, Unset: "Open-Meteo's", Stirs: Knowledge, Doc: "where places are looked up"},
	{Key: "plugins.calendar.enabled", Kind: Switch, Kept: File, Group: Plugins, Shown: InWindow, Unset: "on where there is one", Stirs: Knowledge, Doc: "the calendar"},
	{Key: "plugins.calendar.file", Kind: Path, Kept: File, Group: Plugins, Shown: InWindow, Stirs: Knowledge, Doc: "an iCalendar file, `/…` or `~/…`"},
	{Key: "plugins.calendar.url", Kind: Secret, Kept: File, Group: Plugins, Shown: InWindow, Stirs: Knowledge, Doc: "or an address: `https://`, `http://`, `webcal://`"},
	{Key: "plugins.calendar.reminders", Kind: Switch, Kept: File, Group: Plugins, Shown: InWindow, Default: yes, Stirs: Knowledge, Doc: "she reminds you of events"},
	{Key: "plugins.calendar.lead_minutes", Kind: Number, Kept: File, Group: Plugins, Shown: InWindow, Default: "10", Min: 1, Max: 1440, Whole: true, Unit: "minutes", Stirs: Knowledge,
		Doc: "how long before an event that has no alarm of its own"},
	{Key: "plugins.calendar.grace_minutes", Kind: Number, Kept: File, Group: Plugins, Shown: InWindow, Default: "60", Min: 1, Max: 1440, Whole: true, Unit: "minutes", Stirs: Knowledge,
		Doc: "how long after its start a reminder that could not be told is still worth telling"},
}

var agentRows = []Setting{
	{Key: KeyIngress, Kind: Fields, Kept: Database, Group: Agents, Shown: InWindow, Default: fmt.Sprintf(`{"enabled":false,"port":%d}`, ingress.Port), Stirs: Listener,
		Parts: []Setting{{Key: "enabled", Kind: Switch}, {Key: "port", Kind: Number, Min: ingress.MinPort, Max: ingress.MaxPort, Whole: true}},
		Doc:   fmt.Sprintf("programs on this computer may tell her things and move her, at 127.0.0.1 and a port from %d to %d ([ingress.md](ingress.md))", ingress.MinPort, ingress.MaxPort)},
}

var presetRows = []Setting{
	{Key: OwnPrefix + "name", Kind: Text, Kept: Preset, Group: Looks, Shown: InWindow, Most: 60, Doc: "her name"},
	{Key: OwnPrefix + "persona", Kind: Text, Kept: Preset, Group: Looks, Shown: InWindow, Most: longest, Unset: "of a bundled one, what she is shipped with", Doc: "who she is"},
	{Key: OwnPrefix + "voice", Kind: Text, Kept: Preset, Group: Looks, Shown: InWindow, Doc: "how she sounds, told to the model"},
	{Key: OwnPrefix + "height", Kind: Number, Kept: Preset, Group: Looks, Shown: InWindow, Min: LeastHeight, Max: MostHeight, Whole: true, Unit: "pixels",
		Unset: "`body.height`", Doc: "how tall she is in logical pixels"},
	{Key: OwnPrefix + "wears", Kind: Text, Kept: Preset, Group: Looks, Shown: InWindow, Most: 64, Unset: "her own model", Doc: "a bundled character's model, by its id"},
	{Key: OwnPrefix + "chat.api", Kind: Choice, Kept: Preset, Group: Chat, Choices: []string{APICompanion, APICompletions, APIResponses, APIPush},
		Unset: "`chat_completions` where she has a `base_url`, else the backend that all share", Doc: "a backend of her own"},
	{Key: OwnPrefix + "chat.base_url", Kind: Text, Kept: Preset, Group: Chat, Shown: InWindow, Doc: "its address; another address forgets its key"},
	{Key: OwnPrefix + "chat.model", Kind: Text, Kept: Preset, Group: Chat, Shown: InWindow, Most: 200, Doc: "its model"},
	{Key: OwnPrefix + "chat.api_key", Kind: Secret, Kept: Preset, Group: Chat, Unset: "the shared one, for the same server", Doc: "its key"},
	{Key: OwnPrefix + "chat.instructions", Kind: Text, Kept: Preset, Group: Chat, Most: longest, Unset: "the persona", Doc: "replaces her persona toward any backend"},
	{Key: OwnPrefix + "chat.reasoning_effort", Kind: Text, Kept: Preset, Group: Chat, Most: 40, Unset: "not sent", Doc: "of that backend"},
	{Key: OwnPrefix + "chat.context_window", Kind: Number, Kept: Preset, Group: Chat, Min: 512, Max: 1 << 24, Whole: true, Unit: "tokens", Unset: "200000", Doc: "of that backend's model"},
}
