#!/bin/sh
# Installs the package in a clean Debian, starts it there, and takes it away again: test.sh, as root. Needs debootstrap, Xvfb
# and a made package. MIRROR names another mirror, SUITE another release.
set -eu
deb=$(ls -t out/yui_*.deb | head -1)
root=$(mktemp -d)
home=$(mktemp -d)
pids=""
cleanup() {
	for pid in $pids; do kill "$pid" 2>/dev/null || true; done
	umount "$root/tmp/.X11-unix" "$root/proc" 2>/dev/null || true
	rm -rf "$root" "$home"
}
trap cleanup EXIT
debootstrap --variant=minbase "${SUITE:-bookworm}" "$root" "${MIRROR:-http://deb.debian.org/debian}" >/dev/null
mount -t proc proc "$root/proc"
cp "$deb" "$root/yui.deb"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive DISPLAY=:87 "$@"; }
inside apt-get update -q >/dev/null
inside apt-get install -y -q --no-install-recommends /yui.deb >/dev/null
inside yui --version
Xvfb :87 -screen 0 800x600x24 +extension GLX +extension Composite -noreset -nolisten tcp >/dev/null 2>&1 &
pids="$pids $!"
sleep 2
mkdir -p "$root/tmp/.X11-unix"
mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
inside yui >"$home/log" 2>&1 &
pids="$pids $!"
for i in $(seq 60); do
	inside yui state >"$home/state" 2>/dev/null && grep -q '"visible":true' "$home/state" && break
	sleep 1
done
grep -q '"visible":true' "$home/state" || { cat "$home/log" >&2; exit 1; }
inside yui say hello
inside yui snapshot /snapshot.png
mkdir -p out
cp "$root/snapshot.png" out/package-test.png
inside yui doctor | grep -E '^(ok|warn|fail) ' | head -20 || true
inside yui quit
inside apt-get purge -y -q yui >/dev/null
left=$(cd "$root" && find . -xdev -type f -path '*yui*' ! -path './root/*' ! -path './var/*' ! -path './yui.deb' | head)
[ -z "$left" ] || { echo "left behind: $left" >&2; exit 1; }
echo "the package was installed, she answered, and nothing of it is left"
