#!/bin/sh
# A hook of Claude Code for its events Stop and Notification: the hook's JSON comes on standard input.
# Whatever happens, it says nothing and ends with 0: a pet that sleeps must not hold up the agent.
sh "$(dirname "$0")/report.sh" claude >/dev/null 2>&1
exit 0
