#!/bin/sh
# report.sh TOOL: reads an agent's event from standard input and reports it to the pet, within about a second.
#
#   YUI_INGRESS        where to report instead of the pet's own socket, for example http://127.0.0.1:8771
#   YUI_HOME           the folder of a pet that has one
#   YUI_HOOK_SUMMARY   0 leaves out what the agent said last
#
# It needs curl, and jq, python3 or node to read the JSON; where one of them is missing nothing is sent.
# What is sent: tool, folder and its name, done or needs_input, at most 500 characters of what the agent said, the time
# and the session's name. Events that are neither an end nor a question are left out.
tool=$1
summary=${YUI_HOOK_SUMMARY:-1}

with_jq() {
  jq -c --arg tool "$tool" --arg summary "$summary" '
    def text: if type == "string" then . else "" end;
    (.hook_event_name // .type | text) as $event
    | (.notification_type // "permission_prompt" | text) as $kind
    | (if $event == "Stop" or $event == "agent-turn-complete" then "done"
       elif $event == "Notification" and ($kind | test("^(permission_prompt|elicitation_dialog|idle_prompt)$")) then "needs_input"
       else empty end) as $phase
    | (.cwd | text) as $cwd
    | {tool: $tool, project: ($cwd | split("/") | map(select(. != "")) | last // ""), cwd: $cwd, phase: $phase,
       summary: (if $summary == "0" then "" else (.last_assistant_message // ."last-assistant-message" // .message | text)[0:500] end),
       ts: (now * 1000 | floor), session_id: (.session_id // ."thread-id" | text)}'
}

with_python() {
  python3 -c '
import json, os, sys, time
e = json.load(sys.stdin)
text = lambda *keys: next((e[k] for k in keys if isinstance(e.get(k), str)), "")
event, phase = text("hook_event_name", "type"), ""
if event in ("Stop", "agent-turn-complete"):
    phase = "done"
elif event == "Notification" and e.get("notification_type", "permission_prompt") in ("permission_prompt", "elicitation_dialog", "idle_prompt"):
    phase = "needs_input"
said = "" if sys.argv[2] == "0" else text("last_assistant_message", "last-assistant-message", "message")[:500]
if phase:
    print(json.dumps({"tool": sys.argv[1], "project": os.path.basename(text("cwd").rstrip("/")), "cwd": text("cwd"), "phase": phase,
                      "summary": said, "ts": int(time.time() * 1000), "session_id": text("session_id", "thread-id")}))
' "$tool" "$summary"
}

with_node() {
  node -e '
const e = JSON.parse(require("fs").readFileSync(0, "utf8"));
const text = (...keys) => { for (const k of keys) if (typeof e[k] === "string") return e[k]; return ""; };
const event = text("hook_event_name", "type"), cwd = text("cwd");
const asks = ["permission_prompt", "elicitation_dialog", "idle_prompt"].includes(e.notification_type ?? "permission_prompt");
const phase = event === "Stop" || event === "agent-turn-complete" ? "done" : event === "Notification" && asks ? "needs_input" : "";
const said = process.argv[2] === "0" ? "" : [...text("last_assistant_message", "last-assistant-message", "message")].slice(0, 500).join("");
if (phase) console.log(JSON.stringify({tool: process.argv[1], project: cwd.split("/").filter(Boolean).pop() ?? "", cwd, phase,
  summary: said, ts: Date.now(), session_id: text("session_id", "thread-id")}));
' "$tool" "$summary"
}

for reader in jq python3 node; do
  command -v "$reader" >/dev/null && break
done
case $reader in
  jq) body=$(with_jq) ;;
  python3) body=$(with_python) ;;
  node) body=$(with_node) ;;
esac
[ -n "$body" ] || exit 0

# send [OPTION...] ADDRESS
send() {
  printf '%s' "$body" | curl --silent --noproxy '*' --connect-timeout 1 --max-time 1 --output /dev/null \
    --header 'Content-Type: application/json' --data-binary @- "$@"
}

if [ -n "${YUI_INGRESS:-}" ]; then
  send "$YUI_INGRESS/agent-event"
  exit 0
fi
# A port of this computer may be anybody's; the socket is the pet's and yours. Where there is none she does not run.
run=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}
[ -d "$run" ] || run=${XDG_DATA_HOME:-$HOME/.local/share}
socket=${YUI_HOME:-$run/yui}/yui.sock
if [ -S "$socket" ] && [ -O "$socket" ]; then
  send --unix-socket "$socket" http://localhost/agent-event
fi
exit 0
