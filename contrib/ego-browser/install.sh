#!/bin/sh
# Installs ego-browser for this user: the program in ~/.local/share/yui-ego-browser/app, the command in ~/.local/bin.
# Needs Node 20 or later with npm; Chromium is looked for when a script runs. A command of that name that is not ours (ego
# lite's own) is left alone.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
data="${YUI_EGO_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/yui-ego-browser}"
app="$data/app"
bin="$HOME/.local/bin"
mark='# yui-ego-browser'

for tool in node npm; do
	command -v $tool >/dev/null 2>&1 || { echo "$tool is missing: install Node.js 20 or later, with npm" >&2; exit 1; }
done
node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' || { echo "Node.js $(node --version) is too old: 20 or later is needed" >&2; exit 1; }
if [ -e "$bin/ego-browser" ] && ! grep -q "^$mark\$" "$bin/ego-browser" 2>/dev/null; then
	echo "$bin/ego-browser is there already and is not ours: remove it first" >&2
	exit 1
fi

umask 077
mkdir -p "$data" "$bin"
new="$app.new"
rm -rf "$new"
mkdir "$new"
cp -R "$here/ego-browser.mjs" "$here/lib" "$here/guide.md" "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$new/"
(cd "$new" && npm ci --omit=dev --prefer-offline --loglevel=error)
rm -rf "$app"
mv "$new" "$app"

quote() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }
printf '#!/bin/sh\n%s\nexec node %s "$@"\n' "$mark" "$(quote "$app/ego-browser.mjs")" >"$bin/ego-browser.new"
chmod 755 "$bin/ego-browser.new"
mv "$bin/ego-browser.new" "$bin/ego-browser"
echo "installed $bin/ego-browser"
