#!/bin/sh
# Makes out/yui-VERSION-linux-ARCH.tar.gz of bin/yui, to be unpacked anywhere and run: tarball.sh
set -eu
version=$(bin/yui --version | sed 's/^yui v\{0,1\}//')
name="yui-$version-linux-$(go env GOARCH)"
rm -rf "out/$name"
mkdir -p out
sh packaging/stage.sh "out/$name"
ln -s bin/yui "out/$name/yui"
cat >"out/$name/START.txt" <<'END'
Run ./yui — nothing is installed. She needs a desktop with X11 (or Xwayland) and OpenGL.
What she remembers is kept in ~/.config/yui, ~/.local/share/yui and ~/.local/state/yui;
with YUI_HOME=FOLDER in the environment all of it lies in that folder.
If something is missing, ./yui doctor says what.
END
tar -C out --owner=0 --group=0 --sort=name -czf "out/$name.tar.gz" "$name"
rm -rf "out/$name"
echo "out/$name.tar.gz"
