#!/bin/sh
# Installs the system packages that are missing: packages.sh build | desktop | tests
#   build    what YUI is built with and runs on
#   desktop  a private virtual desktop as well, for `make run` where there is no display
#   tests    what the tests need besides
# On Debian and Ubuntu by apt, through sudo unless root; elsewhere it prints the list for that distribution.
set -eu

build_debian="gcc libc6-dev pkg-config libgl1-mesa-dev libx11-dev libxcursor-dev libxrandr-dev libxinerama-dev libxi-dev libxxf86vm-dev libgles2 libgl1-mesa-dri"
desktop_debian="xvfb xauth dbus openbox picom xfwm4 metacity xfce4-panel xserver-xorg-core xserver-xorg-video-dummy xdotool x11-utils x11-xserver-utils xterm hsetroot fonts-dejavu-core fonts-noto-cjk fonts-noto-color-emoji"

# The tests want a notification service, and those of the browser tool a Chromium and Node 20; a Node that is there
# already is left alone.
tests_debian="chromium dunst desktop-file-utils appstream"
command -v node >/dev/null 2>&1 || tests_debian="$tests_debian nodejs"
command -v npm >/dev/null 2>&1 || tests_debian="$tests_debian npm"

want="$build_debian"
case "${1:-build}" in
desktop) want="$build_debian $desktop_debian" ;;
tests) want="$build_debian $desktop_debian $tests_debian" ;;
esac

if command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1; then
	missing=""
	for p in $want; do
		status=$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null || true)
		[ "$status" = installed ] || missing="$missing $p"
	done
	[ -n "$missing" ] || exit 0
	echo "installing:$missing"
	sudo=""
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null 2>&1 || { echo "as root, run: apt-get install --no-install-recommends$missing" >&2; exit 1; }
		sudo=sudo
	fi
	$sudo apt-get update -q
	# shellcheck disable=SC2086 # a list of names
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
	exit 0
fi

# Not Debian's kin: look whether the build would work, and say exactly what to install where it would not.
ok=yes
for tool in gcc pkg-config; do command -v $tool >/dev/null 2>&1 || ok=no; done
for lib in gl x11 xcursor xrandr xinerama xi xxf86vm; do pkg-config --exists $lib 2>/dev/null || ok=no; done
if [ "${1:-build}" != build ]; then
	for tool in Xvfb dbus-daemon openbox picom xdotool xterm hsetroot; do command -v $tool >/dev/null 2>&1 || ok=no; done
fi
[ "$ok" = yes ] && exit 0

id=$(. /etc/os-release 2>/dev/null && echo "${ID:-} ${ID_LIKE:-}" || true)
case " $id " in
*" fedora "* | *" rhel "*)
	cmd="dnf install gcc pkgconf-pkg-config mesa-libGL-devel mesa-libGLES libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel"
	more="xorg-x11-server-Xvfb dbus-daemon openbox picom xfwm4 metacity xfce4-panel xorg-x11-drv-dummy xdotool xwininfo xrandr xterm hsetroot google-noto-sans-cjk-fonts google-noto-color-emoji-fonts" ;;
*" arch "*)
	cmd="pacman -S --needed gcc pkgconf mesa libx11 libxcursor libxrandr libxinerama libxi libxxf86vm"
	more="xorg-server-xvfb dbus openbox picom xfwm4 metacity xfce4-panel xf86-video-dummy xdotool xorg-xwininfo xorg-xrandr xterm hsetroot noto-fonts-cjk noto-fonts-emoji" ;;
*suse*)
	cmd="zypper install gcc pkg-config Mesa-libGL-devel Mesa-libGLESv2-2 libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel"
	more="xorg-x11-server-Xvfb dbus-1 openbox picom xfwm4 metacity xfce4-panel xf86-video-dummy xdotool xwininfo xrandr xterm hsetroot noto-sans-cjk-fonts noto-coloremoji-fonts" ;;
*)
	cmd="(your package manager) a C compiler, pkg-config, and the development files of: OpenGL (Mesa), X11, Xcursor, Xrandr, Xinerama, Xi, Xxf86vm; at run time libGLESv2"
	more="Xvfb dbus-daemon openbox picom xfwm4 metacity xfce4-panel the Xorg dummy driver xdotool xwininfo xrandr xterm hsetroot and Noto CJK and emoji fonts" ;;
esac
[ "${1:-build}" != build ] && cmd="$cmd $more"
[ "${1:-build}" = tests ] && cmd="$cmd chromium nodejs npm dunst desktop-file-utils appstream"
echo "YUI needs system packages that are missing here. Install them with:" >&2
echo "  $cmd" >&2
exit 1
