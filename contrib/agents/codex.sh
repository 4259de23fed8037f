#!/bin/sh
# The notify program of Codex: its JSON is the last argument, behind those of the config.
# Whatever happens, it says nothing and ends with 0.
for event; do :; done
printf '%s' "$event" | sh "$(dirname "$0")/report.sh" codex >/dev/null 2>&1
exit 0
