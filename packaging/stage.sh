#!/bin/sh
# Lays out what is installed under a folder, as ROOT/bin and ROOT/share: stage.sh ROOT. YUI_BIN names another program than bin/yui.
set -eu
root=$1
yui=${YUI_BIN:-bin/yui}
put() { # put MODE FILE TARGET
	mkdir -p "$root/$(dirname "$3")"
	install -m "$1" "$2" "$root/$3"
}
put 755 "$yui" bin/yui
put 644 packaging/yui.desktop share/applications/yui.desktop
put 644 packaging/yui.metainfo.xml share/metainfo/io.github.yui_pets.yui.metainfo.xml
for size in 22 24 32 48 64 128; do
	put 644 "assets/icons/yui-$size.png" "share/icons/hicolor/${size}x$size/apps/yui.png"
done
put 644 packaging/completions/yui.bash share/bash-completion/completions/yui
put 644 packaging/completions/_yui share/zsh/site-functions/_yui
put 644 packaging/completions/yui.fish share/fish/vendor_completions.d/yui.fish
for page in README.md LICENSE NOTICE CHANGELOG.md; do put 644 "$page" "share/doc/yui/$page"; done
for page in docs/*.md docs/*.png docs/rules/*.md; do put 644 "$page" "share/doc/yui/$page"; done
for script in contrib/agents/*; do put "$(stat -c %a "$script")" "$script" "share/doc/yui/$script"; done
mkdir -p "$root/share/man/man1"
"$yui" man | gzip -n9 >"$root/share/man/man1/yui.1.gz"
