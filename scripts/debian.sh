#!/bin/sh
# Install those of the named Debian packages that are missing: as root, else through sudo, else say what to do.
set -eu
missing=""
for name in "$@"; do
    dpkg-query --show --showformat '${Status}' "$name" 2>/dev/null | grep -q "ok installed" || missing="$missing $name"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    as=no
elif [ "$(id -u)" = 0 ]; then
    as=""
elif sudo -n true 2>/dev/null || { [ -t 0 ] && command -v sudo >/dev/null; }; then
    as=sudo
else
    as=no
fi
if [ "$as" = no ]; then
    echo "Please install$missing (on Debian: apt-get install$missing, as root), then run make again." >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # these are lists of words
$as apt-get install -y --no-install-recommends $missing || { $as apt-get update && $as apt-get install -y $missing; }
