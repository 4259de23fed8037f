#!/bin/sh
# Makes out/yui_VERSION_ARCH.deb of bin/yui: deb.sh. Needs dpkg-dev.
set -eu
version=$(bin/yui --version | sed 's/^yui v\{0,1\}//; s/-\([0-9]*\)-g/+\1.g/')
arch=$(dpkg --print-architecture)
work=out/deb
rm -rf "$work"
mkdir -p "$work/root/DEBIAN" "$work/debian"
sh packaging/stage.sh "$work/root/usr"
doc="$work/root/usr/share/doc/yui"
cat LICENSE NOTICE >"$doc/copyright"
rm "$doc/LICENSE" "$doc/NOTICE"
gzip -n9 "$doc/CHANGELOG.md"
strip --remove-section=.comment --remove-section=.note "$work/root/usr/bin/yui"

# The libraries that the program is linked with, as dpkg knows them; then those that GLFW and Gio open by name.
printf 'Source: yui\n\nPackage: yui\nArchitecture: %s\n' "$arch" >"$work/debian/control"
linked=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/yui | sed -n 's/^shlibs:Depends=//p')
opened="libgles2, libegl1, libx11-xcb1, libxcursor1, libxi6, libxinerama1, libxrandr2, libxrender1, libxxf86vm1"
cat >"$work/root/DEBIAN/control" <<END
Package: yui
Version: $version
Architecture: $arch
Maintainer: The YUI authors <yui@localhost>
Installed-Size: $(du -sk "$work/root/usr" | cut -f1)
Depends: $linked, $opened
Recommends: xdg-utils, fonts-noto-cjk, fonts-noto-color-emoji
Suggests: gnome-keyring, chromium
Section: misc
Priority: optional
Description: small living character on your desktop
 YUI sits on the edges of real windows and rides along when they move, peeks
 from behind them, strolls, falls and sleeps. A click opens the talk: any
 OpenAI-compatible server answers and moves her, or a small built-in companion
 that needs none.
 .
 Native and light: one program, OpenGL, no web view. Characters are VRM files.
END
find "$work/root" -type d -exec chmod 755 {} +
dpkg-deb --root-owner-group --build "$work/root" "out/yui_${version}_$arch.deb"
rm -rf "$work"
