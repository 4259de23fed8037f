#!/bin/sh
# install.sh install | uninstall PREFIX: puts what was built under PREFIX, or takes it away again. DESTDIR goes before it.
set -eu
prefix=$2
root="${DESTDIR:-}$prefix"
case "$1" in
install)
	sh packaging/stage.sh "$root"
	# A menu knows no PATH of the person's own: it is told where the program lies.
	sed "s|^Exec=.*|Exec=\"$prefix/bin/yui\"|" packaging/yui.desktop >"$root/share/applications/yui.desktop"
	[ -n "${DESTDIR:-}" ] && exit 0
	command -v update-desktop-database >/dev/null 2>&1 && update-desktop-database -q "$root/share/applications" 2>/dev/null || true
	echo "YUI is in $prefix/bin/yui, and in the menu of your desktop."
	case ":$PATH:" in *":$prefix/bin:"*) ;; *) echo "$prefix/bin is not in your PATH: add it to use yui in a terminal." ;; esac
	;;
uninstall)
	list=$(mktemp -d)
	trap 'rm -rf "$list"' EXIT
	sh packaging/stage.sh "$list"
	(cd "$list" && find . -type f) | while read -r file; do rm -f "$root/$file"; done
	(cd "$list" && find . -type d -path '*/yui*' | sort -r) | while read -r dir; do rmdir "$root/$dir" 2>/dev/null || true; done
	echo "YUI is gone from $prefix. What she remembers stays: ~/.config/yui, ~/.local/share/yui, ~/.local/state/yui."
	;;
*)
	echo "usage: install.sh install|uninstall PREFIX" >&2
	exit 2
	;;
esac
